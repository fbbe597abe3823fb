// SPDX-License-Identifier: Apache-2.0

package spec

// Notification is a one-way message.
type Notification[P any] struct {
	notificationMark
	Name     string
	GoName   string // empty: from Name
	From     Side
	In       Within[P]
	Needs    *Capability // of the receiver
	Live     *Live[P]    // may be merged or dropped for a slow reader
	Seq      Member[P]   // the number that orders it in its scope
	Since    string
	Examples []Example
}

// Within says which scope a message belongs to; see In.
type Within[P any] = withinFor[*P]

type withinFor[P any] struct{ of *withinOf }

// In puts a message into a scope; key selects the member that names it. The
// compiler sees to it that the member has the scope's id type.
//
//go:noinline
func In[P any, K ~string](s *Scope[K], key func(P) *K) withinFor[P] {
	return withinFor[P]{&withinOf{s, key}}
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
