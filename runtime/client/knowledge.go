// SPDX-License-Identifier: Apache-2.0

package client

import "slices"

// Marks is what a Knowledge returns about one message. Its slices are used
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
	Kin     Kin    // what it means for the life of another scope,
	Child   any    // which has this id
	Derived []Item // live messages that this one implies
	First   bool   // Derived come before the message, not after it
}

func (m *Marks[T, K]) reset() {
	var zero K
	m.Key, m.Keyed, m.Begins, m.Ends, m.As = zero, false, false, false, ""
	m.About, m.Claims, m.Settles = m.About[:0], m.Claims[:0], m.Settles[:0]
	m.Over, m.Late, m.Replay, m.Derived, m.First = "", false, false, m.Derived[:0], false
	m.Kin, m.Child = NoKin, nil
}

// Knowledge is what a protocol knows about the messages of one scope. All
// methods are called under the scope's lock, most on the reading goroutine:
// they must be quick and must call nothing of this package.
type Knowledge[T, K comparable] interface {
	// Read says what a message means. It sees all messages of the scope, in
	// order, replayed ones too.
	Read(it *Item, m *Marks[T, K])
	// Where returns which activity took a ticket that was taken before the call.
	// Knowledge need not remember what has ended.
	Where(ticket T) (key K, taken bool)
	// Ended reports whether an activity is known to have ended.
	Ended(key K) bool
	// Begin returns the account of a new activity.
	Begin(key K) Account
	// End returns the settlement that a Run hands out: how and with what the
	// work ended. account is nil if no activity took the ticket. What End
	// returns is never changed again.
	End(account Account, how Ending) any
	// Merge merges two live messages into a new one that is grown bytes longer
	// than the first, or returns nil.
	Merge(a, b any) (note any, grown int)
}

// Unsettled is the outcome, by name, of work whose end a handle does not know.
const Unsettled = "unsettled"

// Ending is how the work that a Run follows ended.
type Ending struct {
	As   string // the outcome, by name; Unsettled if it is not known
	Last any    // the payload of the message that ended it; nil if none did, or it is broken
	Err  error  // why the run knows no more: its connection's, its context's, or that it fell behind
}

// ending returns how work ended by a message, which may be nil.
func ending(as string, it *Item) Ending {
	if it == nil || it.Broken {
		return Ending{As: as}
	}
	return Ending{As: as, Last: it.Note}
}

// Account collects what one activity's settlement will hold.
type Account interface {
	Add(it *Item)
}

// Past is the part of a Knowledge that protocols share whose keys say nothing of
// their order: it remembers the last keys of activities that ended, and hands
// out an *Ending as settlement. The zero Past is ready.
type Past[K comparable] struct {
	keys [64]K
	n    int
}

// Late reports whether a message comes after the end of its activity, and
// remembers the key of one that ends.
func (p *Past[K]) Late(key K, keyed, ends bool) bool {
	late := keyed && p.Ended(key)
	if ends {
		p.keys[p.n%len(p.keys)] = key
		p.n++
	}
	return late
}

// Ended reports whether a key is among the last.
func (p *Past[K]) Ended(key K) bool { return slices.Contains(p.keys[:min(p.n, len(p.keys))], key) }

// Begin returns an account that collects nothing.
func (*Past[K]) Begin(K) Account { return noAccount{} }

// End returns how the work ended, an *Ending.
func (*Past[K]) End(_ Account, how Ending) any { return &how }

type noAccount struct{}

func (noAccount) Add(*Item) {}
