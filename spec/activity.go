// SPDX-License-Identifier: Apache-2.0

package spec

// Link is how a ticket of type From leads to a key of type To. Fold names the
// stateful rule that a client keeps by hand, pinned by vectors.
type Link[From, To any] struct {
	By   Frame
	Fold string
}

// Activity is work that outlives the call that began it; K is the type of its
// key.
type Activity[K any] struct {
	Name     string
	Chinese  string // the name in Chinese texts; empty: Name
	Handle   string
	In       AnyScope
	Begins   Frame
	Ends     Frame // its Key is the activity's key
	Outcomes []*Outcome
	Carries  []Carry  // frames that bear the key: none may follow the end
	Life     AnyScope // the scope whose life it is, one that another of its kind begins: the key is its id
	Detaches Frame    // says, of a Life, that the work during which it began does not wait for it
}

// Outcome is one way in which an activity ends, as a client reports it. The
// condition selects in the ending frame's notification; none means that the
// frame does not carry it (for example, a lost connection).
type Outcome struct {
	Name  string
	When  Cond
	OK    bool
	Other bool // an end of which no other outcome's condition holds
	Lost  bool // no end came before the connection was lost
}

// Carry says that a frame bears an activity's key.
type Carry interface {
	carry() (AnyNotification, any, []any)
}

type carry struct {
	note   AnyNotification
	key    any
	except []any
}

func (c carry) carry() (AnyNotification, any, []any) { return c.note, c.key, c.except }

// Bears says that a notification carries the key in a member, except for the
// variants in except.
func Bears[P any, K any](n *Notification[P], key func(*P) *K, except ...Member[P]) Carry {
	c := carry{note: n, key: key}
	for _, e := range except {
		c.except = append(c.except, e)
	}
	return c
}
