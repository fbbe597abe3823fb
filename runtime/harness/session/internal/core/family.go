// SPDX-License-Identifier: Apache-2.0

package core

import (
	"slices"
	"sort"
	"sync"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Options is what a family is made with.
type Options struct {
	Now        func() int64  // milliseconds since 1970
	NewID      func() string // a fresh id for messages and children
	QueueLimit int           // prompts that may wait in one session, held ones included
	Follows    bool          // the agent has work after turns
	MaxDepth   int           // how deep children may delegate
	Longest    int           // how long the content of one event may be, as JSON writes it; 0: no limit
}

// Family is a root session and its live descendants.
type Family struct {
	Options
	Root     *Session
	children map[harness.SessionID]*Session
	out      []Out
	buf      []byte  // rows of this round
	room     *[]byte // where buf lies; nil: it is empty
	given    *Answer // one that was given, for the next; nil: none is at hand
}

// New returns a family with a root session that has no events yet.
func New(o Options, a agent.Session, createdAt int64) *Family {
	f := &Family{Options: o}
	f.Root = &Session{f: f, Agent: a, CreatedAt: createdAt, Origin: a.Cwd}
	return f
}

// Session returns a live session of the family, nil if it has none with the id.
func (f *Family) Session(id harness.SessionID) *Session {
	if f.Root.Agent.ID == id {
		return f.Root
	}
	return f.children[id]
}

// Take returns the outputs of what was called since the last Take. They, and
// Data of their rows, are valid until Done.
func (f *Family) Take() []Out { return f.out }

// Data returns a row's encoded event.
func (f *Family) Data(r *Row) []byte { return f.buf[r.from:r.to:r.to] }

// rooms are where families write the rows of a round: one at rest keeps none.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// largestRoom is how much room is kept.
const largestRoom = 1 << 20

// makeRoom has buf lie somewhere.
func (f *Family) makeRoom() {
	if f.room == nil {
		f.room = rooms.Get().(*[]byte)
		f.buf = (*f.room)[:0]
	}
}

// Done says that the outputs were dealt with.
func (f *Family) Done() {
	for _, o := range f.out {
		if a, ok := o.(*Answer); ok {
			*a = Answer{}
			f.given = a
		}
	}
	clear(f.out)
	if f.out = f.out[:0]; cap(f.out) > 32 {
		f.out = nil
	}
	if f.room != nil {
		if cap(f.buf) <= largestRoom {
			*f.room = f.buf[:0]
			rooms.Put(f.room)
		}
		f.room, f.buf = nil, nil
	}
}

func (f *Family) emit(o Out) { f.out = append(f.out, o) }

// Session is the state of one session.
type Session struct {
	Agent     agent.Session // what the agent knows of it; Cwd is the one in force
	CreatedAt int64
	Origin    string // the working directory it was created with

	f      *Family
	next   int64          // seq of the next event
	last   harness.TurnID // the last turn's number
	turn   *Turn          // the open turn, nil: none
	status harness.Status // as announced last; empty: idle
	inbox  inbox
	held   []*Prompt       // of peers that never negotiated: not accepted yet
	keys   map[string]*key // prompts that came with a key

	logged    logged
	abandoned []*Turn
	afterWork []harness.TurnID
	spans     []span // where turns lie in the log

	parent   *Session
	link     *link // of a child
	children []*Session

	phase Phase
}

// Phase is how far a session's life is.
type Phase int

// A session is live, draining before it closes, closing, or gone.
const (
	Live Phase = iota
	Draining
	Closing
	Gone
)

// span is where a turn lies in the log; end is -1 while it is open.
type span struct{ start, end int64 }

// Next returns the seq of the next event.
func (s *Session) Next() int64 { return s.next }

// Turn returns the open turn, nil if there is none.
func (s *Session) Turn() *Turn { return s.turn }

// Parent returns the session that started this one, nil for the root.
func (s *Session) Parent() *Session { return s.parent }

// TurnAt returns the turn that the event with a seq belongs to, 0 if none. Inbox
// splices lie in a turn and do not belong to it (rule E2).
func (s *Session) TurnAt(seq int64) harness.TurnID { return turnAt(s.spans, s.last, seq) }

// Turns returns TurnAt as it is now, for use outside of the mailbox.
func (s *Session) Turns() func(seq int64) harness.TurnID {
	spans, last := slices.Clone(s.spans), s.last
	return func(seq int64) harness.TurnID { return turnAt(spans, last, seq) }
}

// spanOf returns where the log has a turn that is over.
func (s *Session) spanOf(turn harness.TurnID) span {
	return s.spans[len(s.spans)-1-int(s.last-turn)]
}

func turnAt(spans []span, last harness.TurnID, seq int64) harness.TurnID {
	n := sort.Search(len(spans), func(i int) bool { return spans[i].start > seq })
	if n == 0 {
		return 0
	}
	if end := spans[n-1].end; end >= 0 && seq > end {
		return 0
	}
	return last - harness.TurnID(len(spans)-n)
}
