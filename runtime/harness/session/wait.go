// SPDX-License-Identifier: Apache-2.0

package session

import (
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
}

// await answers when a session has come to rest, or after a time.
func (f *family) await(t *ticket, s *core.Session, after int64, timeout *int64) {
	w := &wait{t: t, s: s, after: after}
	if timeout != nil {
		w.timer = time.AfterFunc(time.Duration(*timeout)*time.Millisecond, func() {
			f.send(func() { f.endWait(w, nil, true) })
		})
	}
	f.waits = append(f.waits, w)
	t.onCancel(func(err error) {
		f.send(func() { f.endWait(w, err, false) })
	})
}

// endWait answers a wait, if it has not been.
func (f *family) endWait(w *wait, err error, timeout bool) {
	for i, other := range f.waits {
		if other != w {
			continue
		}
		if f.waits = append(f.waits[:i:i], f.waits[i+1:]...); len(f.waits) == 0 {
			f.waits = nil
		}
		if w.timer != nil {
			w.timer.Stop()
		}
		if err != nil {
			f.answer(w.t, nil, err)
			return
		}
		f.answer(w.t, w.s.Rest(w.after), nil)
		return
	}
}

// refuseWaits answers the waits on a session with an error; nil stands for all.
func (f *family) refuseWaits(err func(id harness.SessionID) error) {
	for len(f.waits) > 0 {
		f.endWait(f.waits[0], err(f.waits[0].s.Agent.ID), false)
	}
}

// check is a condition that somebody waits for inside the engine.
type check struct {
	holds func() bool
	done  chan struct{}
}

// when gives a channel that is closed once a condition on the family's state
// holds. It is looked at after each command.
func (f *family) when(holds func() bool) <-chan struct{} {
	c := &check{holds: holds, done: make(chan struct{})}
	f.checks = append(f.checks, c)
	return c.done
}

// look answers what was waited for and has come true.
func (f *family) look() {
	for i := 0; i < len(f.waits); {
		w := f.waits[i]
		if w.s.Rest(w.after).Idle {
			f.endWait(w, nil, false)
			continue
		}
		i++
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
