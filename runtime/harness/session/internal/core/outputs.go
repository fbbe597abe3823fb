// SPDX-License-Identifier: Apache-2.0

package core

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Ticket is a request that waits for its answer. It means nothing here.
type Ticket any

// Out is one thing to be done, in order: a pointer to one of the types below.
type Out any

type (
	// Row is an event for the log, and for the subscribers.
	Row struct {
		S      *Session
		Seq    int64
		Turn   harness.TurnID // the turn it belongs to, 0: none
		Hidden bool           // not for the wire

		from, to int
	}

	// Status announces a session's status.
	Status struct {
		S      *Session
		Was    harness.Status
		Status harness.Status
	}

	// Started announces a child session.
	Started struct{ harness.SubagentStarted }

	// Finished announces the end of a child's run.
	Finished struct{ harness.SubagentFinished }

	// Answer answers a request.
	Answer struct {
		To     Ticket
		Result codec.Appender
		Err    error
	}

	// Lookup answers a request with what the log of a session says: Read takes
	// the events of some types in a range, in order, and then Answer gives the
	// answer. They use nothing of the state, so that the log can be read while
	// the state changes.
	Lookup struct {
		To         Ticket
		S          *Session
		Types      []string
		From, Last int64 // seqs, both included
		Read       func(e *harness.Event)
		Answer     func() (codec.Appender, error)
	}

	// Run has the agent begin a turn.
	Run struct{ T *Turn }

	// Stop ends the context of a turn. From now on the agent has its grace.
	Stop struct{ T *Turn }

	// Over says that a turn has ended, whether or not its agent has returned.
	Over struct {
		T         *Turn
		Abandoned bool
	}

	// Follow has the agent do what a turn left.
	Follow struct {
		S    *Session
		Turn harness.TurnID
	}

	// Question is for the client: it asks for a permission.
	Question struct{ A *Ask }

	// Decided says that a question is decided: the tool continues, and the
	// client need not answer any more.
	Decided struct{ A *Ask }

	// Settled says that a child session came to its end. What awaits it continues,
	// and its log is to be closed.
	Settled struct{ S *Session }
)

// OnlyAnswers reports whether outputs need neither the log nor an agent.
func OnlyAnswers(outs []Out) bool {
	for _, o := range outs {
		if _, ok := o.(*Answer); !ok {
			return false
		}
	}
	return true
}

func (f *Family) answer(to Ticket, result codec.Appender) {
	if to != nil {
		f.emitAnswer(Answer{To: to, Result: result})
	}
}

func (f *Family) refuse(to Ticket, err error) {
	if to != nil {
		f.emitAnswer(Answer{To: to, Err: err})
	}
}

// emitAnswer emits an answer in the memory of one that was given.
func (f *Family) emitAnswer(a Answer) {
	out := f.given
	if f.given = nil; out == nil {
		out = new(Answer)
	}
	*out = a
	f.emit(out)
}

// row writes an event of a session.
func (s *Session) row(data harness.EventData) int64 { return s.write(data, nil, nil, false) }

// surface writes an event that the model sees.
func (s *Session) surface(data harness.EventData, sources ...int64) int64 {
	return s.write(data, sources, opAppend, false)
}

// hidden writes an event that is off the wire.
func (s *Session) hidden(data harness.EventData) int64 { return s.write(data, nil, nil, true) }

var opAppend = codec.Raw(`"append"`)

func (s *Session) write(data harness.EventData, sources []int64, op codec.Raw, hidden bool) int64 {
	seq := s.next
	s.next++
	s.f.makeRoom()
	e := harness.Event{Seq: seq, Time: s.f.Now(), Data: data, SourceEventSeqs: sources, SurfaceOp: op}
	r := &Row{S: s, Seq: seq, Hidden: hidden, from: len(s.f.buf)}
	s.f.buf = e.AppendJSON(s.f.buf)
	r.to = len(s.f.buf)
	if _, splice := data.(*harness.InboxSpliced); s.turn != nil && !splice {
		r.Turn = s.turn.N
	}
	s.f.emit(r)
	return seq
}

// announce announces a status, once.
func (s *Session) announce(status harness.Status) {
	if s.status == status || s.status == "" && status == harness.StatusIdle {
		return
	}
	was := s.status
	s.status = status
	s.f.emit(&Status{S: s, Was: was, Status: status})
}
