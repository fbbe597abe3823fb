package harness

import "github.com/accordkit/accord/spec"

// The session's state, as far as it decides what a method answers. One message
// is marked and followed through; the inbox stands for all others with it. What
// is left out: children and after-work, permissions, the store's errors, and a
// full queue. Where an answer waits for the work to be over, a cell's states are
// those in which the answer is given.

// state is one state of SessionMachine.
type state struct {
	Life  life
	Turn  turn
	Queue queue
	Mark  mark
}

// life is where the session is.
type life string

const (
	none    life = "none"    // neither live nor in the store
	stored  life = "stored"  // only in the store
	opening life = "opening" // being created or loaded by some call
	live    life = "live"
	closing life = "closing"
)

// turn is the session's turn.
type turn string

const (
	noTurn   turn = "none"
	open     turn = "open"
	stopping turn = "stopping" // a cancellation is latched
)

// queue is what waits in the inbox for a turn of its own, the marked message
// included.
type queue string

const (
	empty   queue = "empty"
	waiting queue = "waiting" // runs when the turn is over
	parked  queue = "parked"  // runs when another prompt comes
)

// mark is where the marked message is.
type mark string

const (
	unsent  mark = "unsent"
	queued  mark = "queued"  // in the inbox, for a turn of its own
	steered mark = "steered" // in the inbox, for the running turn's next step
	inTurn  mark = "in-turn" // taken by the turn
	settled mark = "settled" // its turn is over, or it was withdrawn
)

// target is what a cancel names.
type target string

const (
	targetSession target = "session" // nothing: the whole session
	targetQueued  target = "queued"  // the marked message, in the inbox
	targetOpen    target = "open"    // the open turn, by its number or its message
	targetOver    target = "over"    // a message or turn that is over
	targetUnseen  target = "unseen"  // a message, key or turn that never was
)

// repeat is how a prompt's key relates to the marked message's.
type repeat string

const (
	fresh repeat = "fresh" // another key, or none
	again repeat = "again" // the same key and the same content
	other repeat = "other" // the same key and other content
)

// patience is a wait's timeout.
type patience string

const (
	endless patience = "endless"
	short   patience = "short" // less than the open work takes
)

func (s state) withTurn(t turn) state   { s.Turn = t; return s }
func (s state) withQueue(q queue) state { s.Queue = q; return s }
func (s state) withMark(m mark) state   { s.Mark = m; return s }
func (s state) withLife(l life) state   { s.Life = l; return s }

// busy tells whether the session has something to do by itself.
func (s state) busy() bool { return s.Turn != noTurn || s.Queue == waiting }

// turnEnds is the state after the open turn's end.
func (s state) turnEnds() state {
	if s.Mark == inTurn {
		s.Mark = settled
	}
	return s.withTurn(noTurn)
}

// latched is the state once the open turn's cancellation is latched: what was
// steered into it waits for a turn of its own.
func (s state) latched() state {
	if s.Turn != noTurn {
		s.Turn = stopping
	}
	if s.Mark == steered {
		s.Mark = queued
		if s.Queue == empty {
			s.Queue = waiting
		}
	}
	return s
}

// shut is the state once the session's close is over: what waited stays in the
// inbox for the next load.
func (s state) shut() state {
	s = s.latched().turnEnds()
	if s.Queue == waiting {
		s.Queue = parked
	}
	return s.withLife(stored)
}

// SessionMachine is a session as one process sees it, from the first prompt to
// the close and back again: what each method answers in each state, and what
// happens by itself.
//
// zh: 单个进程所见的会话：从首条提示到关闭再到恢复，说明每个方法在每种状态下的应答，以及自行发生的事情。
var SessionMachine = &spec.Machine[state]{
	Name:  "session",
	Start: state{none, noTurn, empty, unsent},
	Values: []spec.Values{
		spec.Of(none, stored, opening, live, closing),
		spec.Of(noTurn, open, stopping),
		spec.Of(empty, waiting, parked),
		spec.Of(unsent, queued, steered, inTurn, settled),
		spec.Of(targetSession, targetQueued, targetOpen, targetOver, targetUnseen),
		spec.Of(fresh, again, other),
		spec.Of(endless, short),
		spec.Of(IfStoredResume, IfStoredFail),
		spec.Of(IfMissingCreate, IfMissingFail),
		spec.Of(DeliveryFollowup, DeliverySteer),
		spec.Of(QueueDrop, QueueKeep, QueueContinue),
		spec.Of(WaitForAccepted, WaitForSettled),
		spec.Of(OnActiveCancel, OnActiveDrain, OnActiveReject),
	},
	Moves: []spec.Move[state]{
		spec.Call(Prompt, prompt),
		spec.Call(Cancel, cancel),
		spec.Call(Close, closeSession),
		spec.Call(Load, reopen),
		spec.Call(Resume, reopen),
		spec.Call(Wait, wait),
		spec.Call(GetStatus, status),
		spec.Call(GetWorkingDirectory, workingDirectory),
		spec.Call(SetWorkingDirectory, workingDirectory),
		spec.Call(Shutdown, shutdown),
		spec.Event("another call opens it", 0, opens),
		spec.Event("it is open", openMS, opened),
		spec.Event("a turn takes the next prompt", internalMS, takes),
		spec.Event("the turn's next step takes what was steered", 0, steps),
		spec.Event("the turn ends by itself", 0, ends),
		spec.Event("the stopped turn ends", graceMS, stops),
		spec.Event("a child's notice starts a turn", 0, notice),
		spec.Event("the close's deadline passes", closeMS, deadline),
		spec.Event("the close is over", closeMS, closed),
		spec.Event("the process dies", 0, dies),
	},
}

const (
	internalMS = 1000  // what only this process has to do
	openMS     = 10000 // the store
	closeMS    = 10000
)

// impossible tells states that contradict themselves.
func (s state) impossible() bool {
	switch {
	case (s.Life == none || s.Life == stored || s.Life == opening) && s.Turn != noTurn:
		return true
	case (s.Life == none || s.Life == stored || s.Life == opening) && s.Queue == waiting:
		return true
	case s.Life == none && (s.Queue != empty || s.Mark != unsent):
		return true
	case s.Mark == inTurn && s.Turn == noTurn:
		return true
	case s.Mark == steered && s.Turn != open:
		return true
	case s.Mark == queued && s.Queue == empty:
		return true
	}
	return false
}
