// SPDX-License-Identifier: Apache-2.0

package client

// Marks is what a Knowledge tells about one message. Its slices are used
// before the next message is read, and never kept.
type Marks[T, K comparable] struct {
	Key    K      // the activity that the message belongs to,
	Keyed  bool   // if it belongs to one
	Begins bool   // the message begins the activity
	Ends   bool   // the message ends it
	As     string // the outcome of what Ends or Settles, by name

	About   []T // tickets that the message is about, without changing them
	Claims  []T // tickets that the activity takes
	Settles []T // tickets that are over without an activity

	Over    string // the scope is over: what is open in it settles as this
	Late    bool   // it comes after the end of its activity: dropped and counted
	Replay  bool   // a stored one, sent again: for loads alone
	Derived []Item // live messages that this one implies
	First   bool   // Derived come before the message, not after it
}

func (m *Marks[T, K]) reset() {
	var zero K
	m.Key, m.Keyed, m.Begins, m.Ends, m.As = zero, false, false, false, ""
	m.About, m.Claims, m.Settles = m.About[:0], m.Claims[:0], m.Settles[:0]
	m.Over, m.Late, m.Replay, m.Derived, m.First = "", false, false, m.Derived[:0], false
}

// Knowledge is what a protocol knows about the messages of one scope. All
// methods are called under the scope's lock, most on the reading goroutine:
// they must be quick and must call nothing of this package.
type Knowledge[T, K comparable] interface {
	// Read says what a message means. It sees all messages of the scope, in
	// order, replayed ones too.
	Read(it *Item, m *Marks[T, K])
	// Where tells which activity took a ticket that was taken before anybody
	// asked. Knowledge need not remember what has ended.
	Where(ticket T) (key K, taken bool)
	// Ended tells whether an activity is known to have ended.
	Ended(key K) bool
	// Begin returns the account of a new activity.
	Begin(key K) Account
	// End makes the settlement that a Run hands out: how and with what the
	// work ended. account is nil if no activity took the ticket, last is nil
	// if no message ended it. What it returns is never changed again.
	End(account Account, outcome string, last *Item) any
	// Merge merges two live messages into a new one that is grown bytes longer
	// than the first, or returns nil.
	Merge(a, b any) (note any, grown int)
}

// Account collects what one activity's settlement will tell.
type Account interface {
	Add(it *Item)
}

// Past remembers the last keys of activities that ended, for protocols whose
// keys say nothing of their order. The zero Past is ready.
type Past[K comparable] struct {
	keys [64]K
	n    int
}

// Add remembers a key.
func (p *Past[K]) Add(key K) {
	p.keys[p.n%len(p.keys)] = key
	p.n++
}

// Has tells whether a key is among the last.
func (p *Past[K]) Has(key K) bool {
	for i := range min(p.n, len(p.keys)) {
		if p.keys[i] == key {
			return true
		}
	}
	return false
}

// NoAccount collects nothing.
type NoAccount struct{}

// Add does nothing.
func (NoAccount) Add(*Item) {}
