// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

type cell = spec.Cell[state]

type promptArgs struct {
	Message   message
	IfStored  IfStored
	IfMissing IfMissing
	Delivery  Delivery
}

func prompt(s state, a promptArgs) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case a.Message == marked && s.Mark != unsent:
		return spec.Impossible[state]()
	case (a.Message == again || a.Message == changed) && s.Mark == unsent:
		return spec.Impossible[state]() // there is no key to repeat
	case s.Life == opening:
		return spec.Waits[state]()
	case s.closes():
		return spec.Fails(ErrSessionClosed, s)
	case s.Life == none && a.IfMissing == IfMissingFail:
		return spec.Fails(ErrSessionNotFound, s)
	}
	stays := s.Life == stored && a.IfStored == IfStoredFail // in the store, where its keys are known
	if !stays {
		s = s.withLife(live)
	}
	switch {
	case a.Message == changed:
		return spec.Fails(ErrIdempotencyConflict, s)
	case a.Message == again && s.over():
		return spec.Says("duplicate=true", s).And("settled=*")
	case a.Message == again && s.Queue == parked && !stays:
		// A repetition may count as the prompt that parked ones wait for.
		return spec.Says("duplicate=true", s, s.withQueue(waiting)).And("settled=-")
	case a.Message == again:
		return spec.Says("duplicate=true", s).And("settled=-")
	case stays:
		return spec.Fails(ErrSessionExists, s)
	}
	return spec.Says("messageId=*", accepted(s, a.Message == marked, a.Delivery)...).And("duplicate=-")
}

// accepted lists the states in which the answer to an accepted prompt may find
// the session. One that is not the marked message leaves the mark alone.
func accepted(s state, marked bool, d Delivery) []state {
	in := func(s state, m mark) state {
		if marked {
			s.Mark = m
		}
		return s
	}
	switch {
	case s.Turn == noTurn && s.Queue == empty: // it is taken at once
		return []state{in(s.withTurn(open), inTurn)}
	case s.Turn == noTurn: // those before it go first
		s = in(s.withTurn(open).withQueue(waiting), queued)
		if s.Mark == queued && !marked {
			return []state{s, s.withMark(inTurn)}
		}
		return []state{s}
	case s.Turn == open && d == DeliverySteer:
		s = in(s, steered)
		if s.Queue == parked {
			return []state{s, s.withQueue(waiting)}
		}
		return []state{s}
	}
	return []state{in(s.withQueue(waiting), queued)}
}

type cancelArgs struct {
	Target  target
	Queue   QueuePolicy
	WaitFor WaitFor
}

func cancel(s state, a cancelArgs) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == opening:
		return spec.Waits[state]()
	case s.Life == none || s.Life == stored:
		return cancels(EffectUnknown, false, s)
	case a.Target == targetOver || a.Target == targetUnseen:
		return cancels(EffectStale, false, s)
	case a.Target == targetQueued && s.Mark != queued && s.Mark != steered:
		return spec.Impossible[state]()
	case a.Target == targetOpen && s.Turn == noTurn:
		return spec.Impossible[state]()
	case a.Target == targetQueued && s.Mark == steered:
		return cancels(EffectWithdrawn, true, s.withMark(withdrawn))
	case a.Target == targetQueued: // it may have been the only one
		return cancels(EffectWithdrawn, true, s.withMark(withdrawn), s.withMark(withdrawn).withQueue(empty))
	case s.Turn == noTurn && s.Queue == empty:
		return cancels(EffectIdle, false, s)
	case s.Turn == noTurn && a.Queue == QueueDrop:
		return cancels(EffectWithdrawn, true, drop(s))
	case s.Turn == noTurn:
		return cancels(EffectIdle, false, policy(s, a.Queue))
	}
	after := policy(s.latched(), a.Queue)
	drops := a.Queue == QueueDrop && (s.Queue != empty || s.Mark == steered)
	if a.WaitFor == WaitForSettled {
		return cancels(EffectStopped, drops, afterTurn(after.turnEnds())...)
	}
	if s.Turn == stopping {
		return cancels(EffectAlreadyStopping, drops, after).And("turn=*")
	}
	return cancels(EffectStopping, drops, after).And("turn=*")
}

// cancels is an answer to a cancel.
func cancels(e Effect, withdraws bool, next ...state) cell {
	c := spec.Says("effect="+string(e), next...)
	if e == EffectStale || e == EffectUnknown {
		c = c.And("cancelled=false")
	} else {
		c = c.And("cancelled=true")
	}
	if withdraws {
		return c.And("withdrawn=*")
	}
	return c.And("withdrawn=[]")
}

// policy applies a cancel's queue policy.
func policy(s state, q QueuePolicy) state {
	switch {
	case q == QueueDrop:
		return drop(s)
	case q == QueueKeep && s.Queue == waiting:
		return s.withQueue(parked)
	}
	return s
}

func drop(s state) state {
	if s.Mark == queued {
		s.Mark = withdrawn
	}
	return s.withQueue(empty)
}

// afterTurn lists the states in which a session may be when a caller learns
// that its turn is over: the next one may have begun.
func afterTurn(s state) []state {
	if s.Queue != waiting {
		return []state{s}
	}
	return append([]state{s}, taken(s)...)
}

// taken lists the states after a turn took the first prompt of the queue.
func taken(s state) []state {
	s = s.withTurn(open)
	out := []state{s, s.withQueue(empty)}
	if s.Mark == queued {
		// Another went first; or it was the marked one, alone or not.
		out = []state{s, s.withMark(inTurn), s.withMark(inTurn).withQueue(empty)}
	}
	return out
}

type closeArgs struct {
	OnActive OnActive
	WaitFor  WaitFor
}

func closeSession(s state, a closeArgs) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == opening:
		return spec.Waits[state]()
	case s.Life == none || s.Life == stored:
		return spec.Says("closed=false", s).And("outcome=-")
	case s.Life == live && a.OnActive == OnActiveReject && s.busy():
		return spec.Fails(ErrSessionBusy, s)
	}
	// The first close decides.
	drains := s.Life == draining || s.Life == live && a.OnActive == OnActiveDrain && s.busy()
	if a.WaitFor == WaitForSettled {
		return spec.Says("closed=true", closedStates(s, drains)...).And("outcome=*")
	}
	if drains {
		return spec.Says("closed=true", s.withLife(draining)).And("outcome=-")
	}
	return spec.Says("closed=true", s.cut()).And("outcome=-")
}

// cut is the state once a close lets nothing more begin.
func (s state) cut() state {
	s = s.latched().withLife(closing)
	if s.Queue == waiting {
		s.Queue = parked
	}
	return s
}

// closedStates lists the states after a whole close. One that drains may get
// to the end of the queue, or only to its deadline.
func closedStates(s state, drains bool) []state {
	if !drains || !s.busy() {
		return unwritten(s.shut())
	}
	through := s.turnEnds().withLife(stored)
	if through.Mark == steered || through.Mark == queued && through.Queue == waiting {
		through.Mark = settled
	}
	if through.Queue == waiting {
		through.Queue = empty
	}
	return []state{s.shut(), through}
}

// unwritten adds that a session of which nothing was written leaves no log.
func unwritten(s state) []state {
	if s.Life == stored && s.Queue == empty && s.Mark == unsent {
		return []state{s, s.withLife(none)}
	}
	return []state{s}
}

// reopen is load and resume.
func reopen(s state, _ spec.None) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == none:
		return spec.Fails(ErrSessionNotFound, s)
	case s.Life == opening:
		return spec.Waits[state]()
	case s.closes():
		return spec.Fails(ErrSessionClosed, s)
	}
	s = s.withLife(live)
	c := spec.Says("state="+string(wireState(s)), s)
	if s.Turn == noTurn && s.Queue == empty {
		return c.And("pendingMessageIds=[]")
	}
	return c
}

// wireState is what session/status reports for a state.
func wireState(s state) State {
	switch {
	case s.Life == stored:
		return StateStored
	case s.closes():
		return StateClosing
	case s.Turn == stopping:
		return StateStopping
	case s.busy():
		return StateRunning
	}
	return StateIdle
}

type waitArgs struct{ Timeout patience }

func wait(s state, a waitArgs) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == none || s.Life == stored:
		return spec.Fails(ErrSessionNotFound, s)
	case s.closes():
		return spec.Fails(ErrSessionClosed, s)
	case s.Life == opening:
		return spec.Waits[state]()
	case !s.busy():
		return spec.Says("idle=true", s)
	case a.Timeout == short:
		return spec.Says("idle=false", s).And("running=*")
	}
	return spec.Waits[state]()
}

func status(s state, _ spec.None) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == none:
		return spec.Fails(ErrSessionNotFound, s)
	case s.Life == opening:
		return spec.Waits[state]()
	}
	c := spec.Says("state="+string(wireState(s)), s)
	if s.Turn != noTurn {
		return c.And("turn=*")
	}
	return c.And("turn=-")
}

// workingDirectory is both calls.
func workingDirectory(s state, _ spec.None) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == opening:
		return spec.Waits[state]()
	case s.closes():
		return spec.Fails(ErrSessionClosed, s)
	}
	return spec.Says("cwd=*", s.withLife(live))
}

func shutdown(s state, _ spec.None) cell {
	switch {
	case s.impossible():
		return spec.Impossible[state]()
	case s.Life == opening:
		return spec.Goes(unwritten(s.withLife(stored))...)
	case s.Life == none || s.Life == stored:
		return spec.Goes(s)
	}
	return spec.Goes(unwritten(s.shut())...)
}
