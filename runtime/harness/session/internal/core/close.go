// SPDX-License-Identifier: Apache-2.0

package core

import (
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
)

// Busy reports whether the session has work open that a close would cut short.
func (s *Session) Busy() bool {
	return s.turn != nil || s.inbox.waiting() || len(s.held) > 0 || len(s.children) > 0 || len(s.afterWork) > 0
}

// BusyError refuses a close that may not cut work short.
func (s *Session) BusyError() error {
	e := &harness.SessionBusyError{
		Message:   fmt.Sprintf("session %q has work open: cancel it, wait, or close it with another onActive", s.Agent.ID),
		SessionID: s.Agent.ID,
	}
	if s.turn != nil {
		e.Turn = s.turn.N
	}
	for i := range s.inbox.waking() {
		if !i.parked {
			e.Queued++
		}
	}
	e.Queued += int64(len(s.held))
	return e
}

// Refuse admits no new work from now on. What was held is answered with an
// error: it was never accepted. With drain what was accepted continues.
func (s *Session) Refuse(drain bool, err error) {
	if s.phase == Live {
		s.phase = Draining
	}
	if err == nil {
		err = s.closedError()
	}
	for _, p := range s.held {
		s.f.refuse(p.To, err)
	}
	s.held = nil
	if !drain && s.phase == Draining {
		s.phase = Closing
		s.inbox.park(true)
	}
}

// Dispose cancels the running turn of a session that closes. Its queued
// prompts stay in the inbox.
func (s *Session) Dispose() {
	s.phase = Closing
	s.inbox.park(true)
	if s.turn != nil {
		s.turn.stop(&harness.CauseDisposed{})
	}
}

// DisposeChildren cancels the children, background ones too.
func (s *Session) DisposeChildren() {
	for _, c := range s.children {
		c.Dispose()
		c.DisposeChildren()
	}
}

// DenyAll denies the permissions that are still asked for.
func (s *Session) DenyAll() {
	if s.turn != nil {
		s.turn.denyAsks()
	}
	for _, c := range s.children {
		c.DenyAll()
	}
}

// Drained reports whether all accepted prompts have had their turns.
func (s *Session) Drained() bool { return s.turn == nil && !s.inbox.waiting() }

// Followers returns how many finished turns still have work to be done, children's
// too.
func (s *Session) Followers() int {
	n := len(s.afterWork)
	for _, c := range s.children {
		n += c.Followers()
	}
	return n
}

// Children returns how many child sessions are live.
func (s *Session) Children() int { return len(s.children) }

// Abandoned returns how many agents and tools have not come back from turns that
// ended without them.
func (s *Session) Abandoned() int { return len(s.abandoned) }

// AbandonAll ends the turns of the session and its children without their
// agents, children first.
func (s *Session) AbandonAll() {
	for len(s.children) > 0 {
		before := len(s.children)
		c := s.children[0]
		c.AbandonAll()
		if c.turn != nil {
			c.turn.stop(&harness.CauseDisposed{})
			c.turn.Abandon()
		}
		c.afterWork = nil
		if !c.link.settled {
			if c.link.reason == nil {
				c.link.reason = &harness.EndAborted{Reason: &harness.CauseDisposed{}}
			}
			c.settle()
		}
		if len(s.children) == before {
			break
		}
	}
	if s.turn != nil {
		s.turn.stop(&harness.CauseDisposed{})
		s.turn.Abandon()
	}
}

// RefusePending answers the cancels that wait for a turn's end, which will not
// come.
func (s *Session) RefusePending(err error) {
	if s.turn != nil {
		for _, w := range s.turn.waiters {
			s.f.refuse(w.to, err)
		}
		s.turn.waiters = nil
	}
	for _, c := range s.children {
		c.RefusePending(err)
	}
}

// Close ends the session's life here.
func (s *Session) Close() { s.phase = Gone }
