// SPDX-License-Identifier: Apache-2.0

package core

import (
	"github.com/accordkit/accord/runtime/harness"
)

// State returns what the session is doing.
func (s *Session) State() harness.State {
	switch {
	case s.phase != Live:
		return harness.StateClosing
	case s.turn == nil:
		return harness.StateIdle
	case s.turn.cause != nil:
		return harness.StateStopping
	case s.status == harness.StatusRequiresAction:
		return harness.StateRequiresAction
	}
	return harness.StateRunning
}

// Announced returns the status that subscribers know.
func (s *Session) Announced() harness.Status {
	if s.status == "" {
		return harness.StatusIdle
	}
	return s.status
}

// Status returns a picture of the session.
func (s *Session) Status() *harness.StatusResult {
	r := &harness.StatusResult{
		State: s.State(), Queue: []harness.QueuedMessage{}, Background: s.background([]harness.Work{}), NextSeq: s.next,
	}
	if s.turn != nil {
		r.Turn = s.turn.N
	}
	for i := range s.inbox.waking() {
		r.Queue = append(r.Queue, harness.QueuedMessage{MessageID: i.msg.ID, Parked: i.parked})
	}
	return r
}

// Loaded returns the state of a session that was loaded.
func (s *Session) Loaded() *harness.LoadResult {
	r := &harness.LoadResult{
		SessionID: s.Agent.ID, NextSeq: s.next, LastTurn: s.last,
		PendingMessageIDs: []harness.MessageID{}, State: s.State(), CWD: s.Agent.Cwd,
	}
	for i := range s.inbox.waking() {
		r.PendingMessageIDs = append(r.PendingMessageIDs, i.msg.ID)
	}
	return r
}

// background returns what runs in addition to the turn.
func (s *Session) background(work []harness.Work) []harness.Work {
	for _, c := range s.children {
		work = append(work, harness.Work{Kind: harness.WorkChild, ID: string(c.Agent.ID)})
	}
	for _, n := range s.afterWork {
		work = append(work, harness.Work{Kind: harness.WorkAfterWork, ID: itoa(int64(n))})
	}
	for _, t := range s.abandoned {
		work = append(work, harness.Work{Kind: harness.WorkAbandoned, ID: t.id()})
	}
	return work
}

// Idle reports whether the session has come to rest: nothing is open, nothing
// waits that is not parked, and nothing else runs.
func (s *Session) Idle() bool {
	return s.turn == nil && !s.inbox.waiting() && len(s.held) == 0 && len(s.children) == 0 &&
		len(s.afterWork) == 0 && len(s.abandoned) == 0
}

// Rest returns the answer to a wait: at rest, or what still runs.
func (s *Session) Rest(afterSeq int64) *harness.WaitResult {
	r := &harness.WaitResult{
		Idle: s.Idle() && s.next > afterSeq, Seq: s.next - 1,
		Queued: int64(s.inbox.queued() + len(s.held)),
	}
	if r.Idle {
		return r
	}
	if s.turn != nil {
		r.Running = append(r.Running, harness.Work{Kind: harness.WorkTurn, ID: s.turn.id()})
	}
	for i := range s.inbox.waking() {
		if i.parked {
			continue
		}
		kind := harness.WorkPrompt
		if !i.prompt {
			kind = harness.WorkChild
		}
		r.Running = append(r.Running, harness.Work{Kind: kind, ID: string(i.msg.ID)})
	}
	r.Running = s.background(r.Running)
	return r
}
