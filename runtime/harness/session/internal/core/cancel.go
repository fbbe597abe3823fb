// SPDX-License-Identifier: Apache-2.0

package core

import (
	"slices"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Cancel is what is to stop. With none of Message, Key and Turn it is the
// whole session.
type Cancel struct {
	To         Ticket
	Message    harness.MessageID
	Key        string
	Turn       harness.TurnID
	HasKey     bool // the names that were given
	HasMessage bool
	HasTurn    bool
	Queue      harness.QueuePolicy // empty: by target
	Background bool                // cancel background children too
	Settled    bool                // answer when the turn is over

	result harness.CancelResult
}

func (c *Cancel) named() bool { return c.HasKey || c.HasMessage || c.HasTurn }

// stopping is a cancel that waits for its turn's end.
type stopping struct {
	to     Ticket
	t      *Turn
	result harness.CancelResult // as it would have been at acceptance
}

// target is what a cancel reaches.
type target int

const (
	whole target = iota
	gone         // over, or never seen
	theTurn
	waiting // a message in the inbox
)

// Cancel stops what is named. It is answered in every phase.
func (s *Session) Cancel(c *Cancel) {
	what, id, ok := s.resolve(c)
	if !ok {
		return
	}
	r := &c.result
	r.Cancelled, r.Withdrawn = true, []harness.MessageID{}
	queue := c.Queue
	if queue == "" {
		queue = harness.QueueContinue
		if what == whole {
			queue = harness.QueueDrop
		}
	}
	if c.Background && what != gone {
		s.stopBackground()
	}
	t := s.turn
	switch {
	case what == gone:
		s.f.answer(c.To, stale())
		return
	case what == waiting:
		target, i, _ := s.inbox.find(id)
		for _, out := range s.remove(target, i, 1, harness.SpliceCanceled) {
			r.Withdrawn = append(r.Withdrawn, s.withdrawn(&out))
		}
		// A message by itself is touched alone, whatever is said of the queue.
		r.Effect = harness.EffectWithdrawn
		s.f.answer(c.To, r)
		return
	case t == nil:
		// Only parked messages can wait now.
		if queue == harness.QueueDrop {
			r.Withdrawn = s.withdraw()
		}
		// Without a turn no turn/end would prove that anything stopped.
		if r.Effect = harness.EffectIdle; len(r.Withdrawn) > 0 {
			r.Effect = harness.EffectWithdrawn
		}
		s.f.answer(c.To, r)
		return
	}
	r.Turn, r.Effect = t.N, harness.EffectAlreadyStopping
	if t.cause == nil {
		r.Effect = harness.EffectStopping
		t.stop(&harness.CauseUser{})
	}
	r.Withdrawn = append(r.Withdrawn, s.queued(queue)...)
	if c.Settled {
		t.waiters = append(t.waiters, &stopping{to: c.To, t: t, result: *r})
		return
	}
	s.f.answer(c.To, r)
}

// queued does with what waits as a policy says.
func (s *Session) queued(q harness.QueuePolicy) []harness.MessageID {
	switch q {
	case harness.QueueDrop:
		return s.withdraw()
	case harness.QueueKeep:
		s.inbox.park(true)
	}
	return nil
}

// AcceptedOnly answers a cancel that waits for the end as it would have been
// answered at acceptance, if it was not answered: its client gave up waiting.
func (s *Session) AcceptedOnly(to Ticket) {
	t := s.turn
	if t == nil {
		return
	}
	if i := slices.IndexFunc(t.waiters, func(w *stopping) bool { return w.to == to }); i >= 0 {
		s.f.answer(to, &t.waiters[i].result)
		t.waiters = slices.Delete(t.waiters, i, i+1)
	}
}

func (t *Turn) answerWaiters() {
	for _, w := range t.waiters {
		w.result.Effect = harness.EffectStopped
		t.S.f.answer(w.to, &w.result)
	}
	t.waiters = nil
}

// stop latches a cause: the turn ends as aborted, whatever its agent says. The
// first cause wins.
func (t *Turn) stop(cause harness.AbortCause) {
	if t.cause != nil {
		return
	}
	t.cause = cause
	t.denyAsks()
	for _, c := range t.awaited {
		if c.turn != nil {
			c.turn.stop(&harness.CauseParent{})
		}
	}
	t.S.f.emit(&Stop{T: t})
}

// stopBackground cancels background children, and reports whether there were any.
func (s *Session) stopBackground() (any bool) {
	for _, c := range s.children {
		if c.link.background && c.turn != nil {
			c.turn.stop(&harness.CauseParent{})
			any = true
		}
		any = c.stopBackground() || any
	}
	return any
}

// Abandon ends a turn without its agent, which did not come back in time
// after the turn was cancelled. What the agent still says is dropped.
func (t *Turn) Abandon() {
	if t.settled || t.cause == nil {
		return
	}
	for _, c := range slices.Clone(t.awaited) { // which settles them
		if c.turn != nil {
			c.turn.stop(&harness.CauseParent{})
			c.turn.Abandon()
		}
	}
	if t.settled {
		return
	}
	t.abort(t.holdup())
}

// holdup returns what a turn waits for: a tool, or the agent itself.
func (t *Turn) holdup() string {
	if c := t.running(); c != nil {
		return c.block.Name
	}
	return "agent"
}

// resolve finds what a cancel names. It returns false if the cancel was answered
// or will be: it names nothing that can be stopped.
func (s *Session) resolve(c *Cancel) (target, harness.MessageID, bool) {
	if !c.named() {
		return whole, "", true
	}
	id, turn, took := c.Message, c.Turn, harness.TurnID(0)
	if c.HasKey {
		k := s.keys[c.Key]
		switch {
		case k == nil:
			return gone, "", true
		case c.HasMessage && k.receipt.MessageID != id:
			return s.otherwise(c, id, 0, "idempotencyKey")
		}
		id, took = k.receipt.MessageID, k.turn
	}
	if c.HasTurn && (turn < 1 || turn > s.last) {
		return gone, "", true
	}
	if id == "" {
		return s.turnTarget(turn), "", true
	}
	if _, _, ok := s.inbox.find(id); ok {
		if c.HasTurn {
			s.f.refuse(c.To, s.disagreement("turn"))
			return 0, "", false
		}
		return waiting, id, true
	}
	if s.turn != nil && slices.Contains(s.turn.ids, id) {
		took = s.turn.N
	}
	switch {
	case !c.HasTurn:
		return s.turnTarget(took), "", true
	case took == turn:
		return s.turnTarget(turn), "", true
	case took != 0:
		s.f.refuse(c.To, s.disagreement("turn"))
		return 0, "", false
	}
	return s.otherwise(c, id, turn, "turn")
}

// otherwise answers a cancel that names a message and something that the message
// does not belong to, if the message was ever seen: only the log knows. If turn
// took the message, or if it was never seen, it is over.
func (s *Session) otherwise(c *Cancel, id harness.MessageID, turn harness.TurnID, path string) (target, harness.MessageID, bool) {
	if _, _, ok := s.inbox.find(id); ok || s.turn != nil && slices.Contains(s.turn.ids, id) {
		s.f.refuse(c.To, s.disagreement(path))
		return 0, "", false
	}
	if c.To == nil {
		return gone, "", true
	}
	var err error
	turns, refusal := s.Turns(), s.disagreement(path)
	s.f.emit(&Lookup{
		To: c.To, S: s, Types: []string{harness.EventTypeUserMessage}, Last: s.next - 1,
		Read: func(e *harness.Event) {
			if m, ok := e.Data.(*harness.UserMessage); ok && m.ID == id && turns(e.Seq) != turn {
				err = refusal
			}
		},
		Answer: func() (codec.Appender, error) { return stale(), err },
	})
	return 0, "", false
}

func stale() *harness.CancelResult {
	return &harness.CancelResult{Effect: harness.EffectStale, Withdrawn: []harness.MessageID{}}
}

func (s *Session) turnTarget(turn harness.TurnID) target {
	if s.turn != nil && s.turn.N == turn {
		return theTurn
	}
	return gone
}
