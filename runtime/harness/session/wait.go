// SPDX-License-Identifier: Apache-2.0

package session

import (
	"container/heap"
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
)

// wait is a session/wait that is not answered yet.
type wait struct {
	t     *ticket
	s     *core.Session
	after int64
	timer *time.Timer // nil: no limit
	at    int         // its place in the heap, -1: it was answered
}

// waits are the waits for one session, as a heap: the one whose afterSeq is the
// lowest comes first. So a command looks at one wait, however many there are.
type waits []*wait

func (h waits) Len() int { return len(h) }

func (h waits) Less(i, j int) bool { return h[i].after < h[j].after }

func (h waits) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push implements heap.Interface.
func (h *waits) Push(x any) {
	w := x.(*wait)
	w.at = len(*h)
	*h = append(*h, w)
}

// Pop implements heap.Interface.
func (h *waits) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	w.at = -1
	return w
}

// await answers when a session has come to rest, or after a time.
func (f *family) await(t *ticket, s *core.Session, after int64, timeout *int64) {
	w := &wait{t: t, s: s, after: after}
	if timeout != nil {
		w.timer = time.AfterFunc(time.Duration(*timeout)*time.Millisecond, func() {
			f.send(func() { f.endWait(w, nil) })
		})
	}
	if f.waits == nil {
		f.waits = make(map[*core.Session]*waits)
	}
	if f.waits[s] == nil {
		f.waits[s] = new(waits)
	}
	heap.Push(f.waits[s], w)
	t.onCancel(func() {
		f.send(func() { f.endWait(w, t.abandoned()) })
	})
}

// endWait answers a wait, if it has not been.
func (f *family) endWait(w *wait, err error) {
	if w.at < 0 {
		return
	}
	of := f.waits[w.s]
	heap.Remove(of, w.at)
	if of.Len() == 0 {
		delete(f.waits, w.s)
	}
	if w.timer != nil {
		w.timer.Stop()
	}
	if err != nil {
		f.answer(w.t, nil, err)
		return
	}
	f.answer(w.t, w.s.Rest(w.after), nil)
}

// refuseWaits answers all waits with an error.
func (f *family) refuseWaits(err func(id harness.SessionID) error) {
	for s, of := range f.waits {
		for of.Len() > 0 {
			f.endWait((*of)[of.Len()-1], err(s.Agent.ID))
		}
	}
}

// check is a condition that a goroutine of the engine waits for.
type check struct {
	holds func() bool
	done  chan struct{}
}

// when returns a channel that is closed once a condition on the family's state
// holds. The condition is checked after each command.
func (f *family) when(holds func() bool) <-chan struct{} {
	c := &check{holds: holds, done: make(chan struct{})}
	f.checks = append(f.checks, c)
	return c.done
}

// look answers the waits whose session has come to rest, and ends the checks
// that hold.
func (f *family) look() {
	for s, of := range f.waits {
		if !s.Idle() {
			continue
		}
		for of.Len() > 0 && (*of)[0].after < s.Next() {
			f.endWait((*of)[0], nil)
		}
	}
	kept := f.checks[:0]
	for _, c := range f.checks {
		if c.holds() {
			close(c.done)
		} else {
			kept = append(kept, c)
		}
	}
	clear(f.checks[len(kept):])
	if f.checks = kept; len(kept) == 0 {
		f.checks = nil
	}
}
