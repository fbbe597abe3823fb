// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// The session's state, as far as it decides what a method answers. One message
// is marked and followed through; all others are counted in the inbox. Left out
// are: children and after-work, permissions, the store's errors, and a full
// queue. Where a response waits for the end of the work, a cell's states are
// those in which the response is sent.

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
	none     life = "none"    // neither live nor in the store
	stored   life = "stored"  // only in the store
	opening  life = "opening" // being created or loaded by some call
	live     life = "live"
	draining life = "draining" // closing, once the turn and the queue are done
	closing  life = "closing"
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
	unsent    mark = "unsent"
	queued    mark = "queued"    // in the inbox, for a turn of its own
	steered   mark = "steered"   // in the inbox, for the running turn's next step
	inTurn    mark = "in-turn"   // taken by the turn
	settled   mark = "settled"   // its turn is over
	withdrawn mark = "withdrawn" // taken out of the inbox before a turn took it
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

// message is what a prompt sends.
type message string

const (
	marked  message = "marked"  // the marked message, for the first time
	another message = "another" // one of the others, with a key of its own or none
	again   message = "again"   // the marked message's key and content once more
	changed message = "changed" // its key with other content
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

// busy reports whether the session has something to do by itself.
func (s state) busy() bool { return s.Turn != noTurn || s.Queue == waiting }

// closes reports whether a close has been accepted.
func (s state) closes() bool { return s.Life == draining || s.Life == closing }

// over reports whether the marked message is settled, and its end was sent.
func (s state) over() bool { return s.Mark == settled || s.Mark == withdrawn }

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
		spec.Of(none, stored, opening, live, draining, closing),
		spec.Of(noTurn, open, stopping),
		spec.Of(empty, waiting, parked),
		spec.Of(unsent, queued, steered, inTurn, settled, withdrawn),
		spec.Of(targetSession, targetQueued, targetOpen, targetOver, targetUnseen),
		spec.Of(marked, another, again, changed),
		spec.Of(endless, short),
		spec.Of(IfStoredResume, IfStoredFail),
		spec.Of(IfMissingCreate, IfMissingFail),
		spec.Of(DeliveryFollowup, DeliverySteer),
		spec.Of(QueueDrop, QueueKeep, QueueContinue),
		spec.Of(WaitForAccepted, WaitForSettled),
		spec.Of(OnActiveCancel, OnActiveDrain, OnActiveReject),
	},
	Tracks: []spec.Track{
		spec.While(Turn, open, stopping),
		spec.While(Life, live, draining, closing),
	},
	Marked: &spec.Marked{
		By: Prompt, Unsent: spec.Of(unsent),
		Over: []spec.Over{spec.Heard(frameTurnEnd, settled), spec.Heard(frameWithdrawn, withdrawn)},
	},
	Rests: []spec.Values{spec.Of(parked)},
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
		// Another connection's call creates or loads it.
		//
		// zh: 另一个连接的调用创建或载入它。
		spec.Event("another call opens it", 0, opens),
		// The opening is over.
		//
		// zh: 打开结束。
		spec.Event("it is open", openMS, opened),
		// A turn takes the next prompt.
		//
		// zh: 轮次取用下一条提示。
		spec.Event("a turn takes the next prompt", internalMS, takes),
		// The turn's next step takes what was steered into it.
		//
		// zh: 轮次的下一步取用引导给它的消息。
		spec.Event("the turn's next step takes what was steered", 0, steps),
		// The turn ends by itself.
		//
		// zh: 轮次自行结束。
		spec.Event("the turn ends by itself", 0, ends),
		// The stopped turn ends.
		//
		// zh: 被停止的轮次结束。
		spec.Event("the stopped turn ends", graceMS, stops),
		// A background child's notice starts a turn.
		//
		// zh: 后台子会话的通知启动轮次。
		spec.Event("a child's notice starts a turn", 0, notice),
		// The deadline of a close that drains passes.
		//
		// zh: 排空式关闭的期限已到。
		spec.Event("the close's deadline passes", closeMS, deadline),
		// The close is over.
		//
		// zh: 关闭完成。
		spec.Event("the close is over", closeMS, closed),
		// The process dies.
		//
		// zh: 进程终止。
		spec.Event("the process dies", 0, dies),
		// Another process takes the session over.
		//
		// zh: 会话被其他进程接管。
		spec.Event("another process takes it over", 0, lost),
	},
}

const (
	internalMS = 1000  // what only this process has to do
	openMS     = 10000 // the store
	closeMS    = 10000
)

// impossible reports whether a state contradicts itself.
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
	case s.Life == closing && (s.Turn == open || s.Queue == waiting):
		return true
	}
	return false
}
