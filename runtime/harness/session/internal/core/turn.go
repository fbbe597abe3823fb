// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"slices"
	"strconv"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Turn is one turn of a session, from its start until its agent has returned.
type Turn struct {
	S      *Session
	N      harness.TurnID
	Client any // asked for permissions

	claimed []item              // taken, and not yet in the talk
	ids     []harness.MessageID // of the messages it took
	keys    []*key

	step     int64 // number of the last step
	open     bool  // that step is open
	attempt  *attempt
	calls    []call
	prepared *agent.Description // of the next step's request
	retries  *retrying          // of the open step's request, nil: none

	cause    harness.AbortCause // why it is stopping, nil: it is not
	limited  bool               // an answer hit its token limit
	settled  bool
	returned bool
	asks     []*Ask
	awaited  []*Session // children that end with it
	waiters  []*stopping
	dropped  uint64 // what was said after the end
	said     Said
}

// Said is an answer as the log has it, for those who would read it there.
type Said struct {
	Seq  int64 // of its event
	Body harness.AssistantBody
}

// Said hands out the answer that the turn's agent gave last, once; nil if there is
// none, or if it is long: its event then is not much more than its text.
func (t *Turn) Said() *Said {
	if t.said.Body.ID == "" {
		return nil
	}
	said := t.said
	t.said = Said{}
	return &said
}

// StepNumber returns the number of the last step that was begun.
func (t *Turn) StepNumber() int64 { return t.step }

// Dropped counts what the agent said after the turn was over (rule E9).
func (t *Turn) Dropped() uint64 { return t.dropped }

func (t *Turn) id() string { return itoa(int64(t.N)) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// begin starts a turn with what waits.
func (s *Session) begin() {
	s.last++
	t := &Turn{S: s, N: s.last}
	s.turn = t
	s.announce(harness.StatusRunning)
	s.spans = append(s.spans, span{start: s.next, end: -1})
	s.row(&harness.TurnStart{Turn: t.N})
	t.claim(s.claimTurn())
	s.f.emit(&Run{T: t})
}

// claim takes messages into the turn.
func (t *Turn) claim(items []item) {
	for i := range items {
		t.claimed = append(t.claimed, items[i])
		t.ids = append(t.ids, items[i].msg.ID)
		if items[i].client != nil {
			t.Client = items[i].client
		}
		if k := t.S.keyOf(items[i].msg); k != nil {
			k.turn = t.N
			t.keys = append(t.keys, k)
		}
	}
}

// end ends the turn: the one terminal record it has. What its agent has not
// returned from is unfinished.
func (t *Turn) end(reason harness.EndReason, unfinished ...string) {
	s := t.S
	s.spans[len(s.spans)-1].end = s.next
	s.row(&harness.TurnEnd{Turn: t.N, Reason: reason, Unfinished: unfinished})
	t.settled = true
	s.turn = nil
	for _, k := range t.keys {
		k.reason = reason
	}
	if len(unfinished) > 0 && !t.returned {
		s.abandoned = append(s.abandoned, t)
	}
	for _, c := range slices.Clone(t.awaited) {
		if c.turn != nil {
			c.turn.stop(&harness.CauseParent{})
		}
	}
	t.claimed, t.calls, t.prepared, t.attempt, t.keys, t.awaited = nil, nil, nil, nil, nil, nil
	s.f.emit(&Over{T: t, Abandoned: len(unfinished) > 0})
	if s.f.Follows && s.phase != Closing {
		s.afterWork = append(s.afterWork, t.N)
		s.f.emit(&Follow{S: s, Turn: t.N})
	}
	s.rest(t, reason)
}

// rest continues after a turn: with what waits, or to idle.
func (s *Session) rest(t *Turn, reason harness.EndReason) {
	if s.phase == Closing {
		s.inbox.park(true)
	}
	if s.inbox.waiting() {
		t.answerWaiters()
		s.begin()
		return
	}
	s.announce(harness.StatusIdle)
	t.answerWaiters()
	if s.parent != nil {
		s.link.reason = reason
		s.settle()
		return
	}
	s.release()
}

var errReturned = errors.New("the agent returned before the turn was over")

// Returned says that the turn's agent is gone. A turn that is still open then
// has failed.
func (t *Turn) Returned() {
	t.returned = true
	if !t.settled {
		t.Fail(errReturned)
		return
	}
	s := t.S
	s.abandoned = without(s.abandoned, t)
	if s.parent != nil {
		s.settle()
	}
}

// Followed says that what a turn left is done.
func (s *Session) Followed(turn harness.TurnID) {
	s.afterWork = without(s.afterWork, turn)
	if s.parent != nil {
		s.settle()
	}
}

// without removes an element from a list that has it once at most.
func without[E comparable](list []E, e E) []E {
	if i := slices.Index(list, e); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
