package spec

// Notification is a one-way message.
type Notification[P any] struct {
	Name     string
	From     Side
	In       Within[P]
	Needs    *Capability // of the receiver
	Live     *Live[P]    // may be merged or dropped for a slow reader
	Seq      Member[P]   // the number that orders it in its scope
	Since    string
	Examples []Example
}

// Within says which scope a message belongs to; see In.
type Within[P any] interface {
	within() (AnyScope, func(*P) any)
}

type within[P any] struct {
	scope AnyScope
	key   func(*P) any
}

func (w within[P]) within() (AnyScope, func(*P) any) { return w.scope, w.key }

// In puts a message into a scope; key selects the member that names it. The
// compiler sees to it that the member has the scope's id type.
func In[P any, K ~string](s *Scope[K], key func(*P) *K) Within[P] {
	return within[P]{s, func(p *P) any { return key(p) }}
}

// Live says how messages of one kind may be merged under pressure: the members
// that it does not name stay as the earlier message has them. With Counter and
// Merged a reader sees what was dropped, and only neighbours are merged.
type Live[P any] struct {
	Same    []Member[P] // must agree for two to merge
	Join    []Member[P] // joined, as text
	Last    []Member[P] // the later message's count
	Counter Member[P]   // counts up by one
	Merged  Member[P]   // how many were merged
}
