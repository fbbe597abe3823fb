// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/contract"
)

// Withheld is what a handle or the handler does not get of work that was
// interrupted: how many messages, and the range that those with a number lie in.
// Others in that range may have been handed out. It is the error of handles whose
// messages are incomplete for this reason, and of one that was interrupted and has not
// ended, when there may be more than it says. A handle counts what its own loops did
// not give, and the handler what its functions did not get.
type Withheld struct {
	Messages    uint64
	Numbered    bool  // First and Last are known
	First, Last int64 // the least and the greatest number
}

// Error says what is missing.
func (w *Withheld) Error() string {
	const interrupted = "the work was interrupted"
	switch {
	case w.Messages == 0:
		return interrupted
	case w.Messages == 1 && w.Numbered:
		return fmt.Sprintf("%s: the message with number %d was withheld", interrupted, w.First)
	case w.Messages == 1:
		return interrupted + ": one message was withheld"
	case !w.Numbered:
		return fmt.Sprintf("%s: %d messages were withheld", interrupted, w.Messages)
	}
	return fmt.Sprintf("%s: %d messages were withheld, with numbers from %d to %d", interrupted, w.Messages, w.First, w.Last)
}

// Kind is the failure's name.
func (*Withheld) Kind() string { return Interrupted }

// Code is 0: a client's own failures never travel.
func (*Withheld) Code() int { return 0 }

// Retry says that the messages can be loaded.
func (*Withheld) Retry() contract.Retry { return contract.Reload }

// add counts an item.
func (w *Withheld) add(it *Item) {
	w.Messages++
	if !it.Numbered {
		return
	}
	if !w.Numbered {
		w.Numbered, w.First, w.Last = true, it.Seq, it.Seq
	}
	w.First, w.Last = min(w.First, it.Seq), max(w.Last, it.Seq)
}

// silence is on for work of which nothing is handed out any more, and counts what
// the handler does not get. An item refers to that of its work, since it may be on
// by the time the item would be handed out.
type silence struct {
	on  atomic.Bool
	up  *silence // of the scope that the work is in; nil: none
	cut *cut     // how work of its kind was interrupted; nil: it is that of a scope

	kids *[]*branch // the scopes that the work began; guarded by the tree's lock

	mu   sync.Mutex // guards what
	what Withheld
}

// silent reports whether the work is silent, or the scope that it is in.
func (q *silence) silent() bool {
	for ; q != nil; q = q.up {
		if q.on.Load() {
			return true
		}
	}
	return false
}

// holds reports whether an item is withheld, and counts it then.
func (q *silence) holds(it *Item) bool {
	for ; q != nil; q = q.up {
		if q.on.Load() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.what.add(it)
			return true
		}
	}
	return false
}

// interruptions are those of a scope, by kind of activity. They are numbered: what
// began before one of its kind is part of what was interrupted.
type interruptions struct {
	last int64 // the number of the last one
	kind [maxKinds]cut
}

// maxKinds is how many kinds of activities a scope may have.
const maxKinds = 8

// cut is how activities of one kind were interrupted.
type cut struct {
	last   atomic.Int64 // number of the last interruption; written under the scope's lock
	queued int64        // of the last that was about calls that no work had taken
	open   int          // interruptions whose stop has not been answered
}

// cut returns how work with a ticket or key was interrupted.
func (s *Scope[T, K]) cut(ticketOrKey any) *cut {
	if s.cfg.Kind == nil {
		return &s.cuts.kind[0]
	}
	return &s.cuts.kind[s.cfg.Kind(ticketOrKey)]
}

// Interrupt withholds from now on what belongs to open work of a kind, to scopes that
// such work began and waits for, and to work of the kind that begins until
// Interrupted; with queued, what belongs to calls that no work has taken yet, too.
// Handles of that work continue to settle. What it returns is for Answering, about the
// call that takes the place of all that.
func (s *Scope[T, K]) Interrupt(kind int, queued bool) (since int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cuts.last++
	now, c := s.cuts.last, &s.cuts.kind[kind]
	c.open++
	c.last.Store(now)
	if queued {
		c.queued = now
	}
	for _, runs := range s.waiting {
		for _, run := range runs {
			if run.cut == c && !queued {
				run.since.Store(now)
			}
			run.quieten()
		}
	}
	for _, act := range s.open {
		if act.silence.cut == c {
			s.hush(act)
		}
	}
	for _, it := range s.handler.items[s.handler.head:] {
		if it.of != nil && it.of.cut == c {
			// Of work that has just ended.
			if it.of.on.Store(true); s.tree != nil {
				s.tree.hush(it.of.kids)
			}
		}
	}
	return now
}

// Interrupted says that the call which stops what Interrupt was about has been
// answered, or never will be: what begins from now on is not part of it.
func (s *Scope[T, K]) Interrupted(kind int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cuts.kind[kind].open--
}

// Withholds reports whether all that is under way in the scope is silent.
func (s *Scope[T, K]) Withholds() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent() {
		return true
	}
	for _, act := range s.open {
		if !act.silence.silent() {
			return false
		}
	}
	return len(s.open) > 0
}

// own is the silence of the whole scope; nil if it has none.
func (s *Scope[T, K]) own() *silence {
	if s.branch == nil {
		return nil
	}
	return s.branch.silence.Load()
}

func (s *Scope[T, K]) silent() bool { return s.own().silent() }

// hush makes an activity silent.
func (s *Scope[T, K]) hush(act *activity[T, K]) {
	act.silence.on.Store(true)
	for _, run := range act.runs {
		run.quieten()
	}
	if s.tree != nil {
		s.tree.hush(&act.kids)
	}
}

// report has the handler notified, at its place in the stream, of what was withheld.
func (s *Scope[T, K]) report(q *silence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reportLocked(q)
}

// reportLocked is report with the lock held. What is in the queue may be withheld
// later: so it is not known yet whether there will be anything to report.
func (s *Scope[T, K]) reportLocked(q *silence) {
	f := s.cfg.Withheld
	if f == nil || q == nil {
		return
	}
	s.do(func(ctx context.Context) {
		q.mu.Lock()
		what := q.what
		q.what = Withheld{}
		q.mu.Unlock()
		if what.Messages > 0 {
			f(ctx, &what)
		}
	})
}

// silent reports whether the run was interrupted: nothing is taken from it any more.
func (r *Run[T, K]) silent() bool { return r.cut != nil && r.cut.last.Load() > r.since.Load() }

// quieten drops what the run has of work that was interrupted. Its loops end. A run that
// had settled before, and that no loop read then, was not interrupted: it keeps what it
// has.
func (r *Run[T, K]) quieten() {
	switch {
	case !r.silent():
		return
	case r.whole.Load() && r.events.attached+r.live.attached == 0:
		r.since.Store(r.cut.last.Load())
		return
	}
	for _, st := range [...]*stream{&r.events, &r.live} {
		_, freed := st.filter(func(it *Item) bool {
			r.missed.add(it)
			return false
		})
		r.s.used -= freed
		st.signal()
	}
}
