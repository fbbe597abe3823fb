package session

import (
	"context"
	"errors"
	"sync"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// lane is the ordered stream of a family's frames on one connection.
type lane = *jsonrpc.Lane

// subscription is one connection that gets a family's frames.
type subscription struct {
	c       *client
	lane    lane
	loading int64 // a replay from after this seq has been put into the lane, -2: none
	muted   bool  // gets nothing more, save answers
}

// A place numbers what a family's subscribers get, over all of its sessions:
// that is what a lane counts its events by. As long as a root has no children
// a place is a seq.

// journal knows the places of a family that has had children.
type journal struct {
	mu    sync.Mutex // guards what follows: lanes read beside the mailbox
	first int64      // places below are the root's own seqs
	refs  []ref
}

type ref struct {
	s   *core.Session
	seq int64
}

// place gives the next event its place.
func (f *family) place(s *core.Session, seq int64) int64 {
	if f.places == nil {
		return seq
	}
	f.places.mu.Lock()
	defer f.places.mu.Unlock()
	f.places.refs = append(f.places.refs, ref{s: s, seq: seq})
	return f.places.first + int64(len(f.places.refs)) - 1
}

// expectChildren begins the journal.
func (f *family) expectChildren() {
	if f.places == nil {
		f.places = &journal{first: f.core.Root.Next()}
	}
}

// attach has a connection get the family's frames from now on.
func (f *family) attach(c *client) *subscription {
	if s := f.subscriptionOf(c); s != nil {
		return s
	}
	if !c.joined(f) {
		return nil
	}
	s := &subscription{c: c, loading: -2}
	s.lane = c.conn.NewLane(&source{f: f, strict: c.negotiated()})
	f.subs = append(f.subs, s)
	f.catchUp(s, f.core.Root)
	for child := range f.logs {
		f.catchUp(s, child)
	}
	return s
}

// catchUp tells a new subscriber what it would know by now.
func (f *family) catchUp(s *subscription, of *core.Session) {
	if status := of.Announced(); status != harness.StatusIdle {
		if status == harness.StatusRequiresAction && !s.c.negotiated() {
			status = harness.StatusRunning
		}
		s.lane.Frame(frameOf(noteStatus, &harness.SessionStatusParams{SessionID: of.Agent.ID, Status: status}))
	}
}

func (f *family) subscriptionOf(c *client) *subscription {
	for _, s := range f.subs {
		if s.c == c {
			return s
		}
	}
	return nil
}

// detach ends a connection's subscription.
func (f *family) detach(c *client) {
	for i, s := range f.subs {
		if s.c == c {
			f.subs = append(f.subs[:i:i], f.subs[i+1:]...)
			s.lane.Close()
			return
		}
	}
}

func (f *family) publishRow(r *core.Row) {
	if r.Hidden {
		return
	}
	at := f.place(r.S, r.Seq)
	data, id := f.core.Data(r), r.S.Agent.ID
	for _, s := range f.subs {
		if s.muted {
			continue
		}
		turn := r.Turn
		if !s.c.negotiated() {
			turn = 0
		}
		s.lane.Event(at, func(b []byte) []byte { return appendEvent(b, id, data, turn, false) })
	}
}

func (f *family) publish(method string, params codec.Appender) {
	for _, s := range f.subs {
		if !s.muted {
			s.lane.Frame(frameOf(method, params))
		}
	}
}

// publishStatus announces a status. Peers that did not negotiate know only
// running and idle, in turn.
func (f *family) publishStatus(id harness.SessionID, was, status harness.Status) {
	p := &harness.SessionStatusParams{SessionID: id, Status: status}
	for _, s := range f.subs {
		switch {
		case s.muted:
			continue
		case s.c.negotiated():
			s.lane.Frame(frameOf(noteStatus, p))
			continue
		}
		if status == harness.StatusRequiresAction || was == harness.StatusRequiresAction && status == harness.StatusRunning {
			continue
		}
		s.lane.Frame(frameOf(noteStatus, p))
	}
}

// source reads again what a lane did not keep.
type source struct {
	f      *family
	strict bool
}

// Events implements jsonrpc.Source. It runs beside the mailbox.
func (s *source) Events(ctx context.Context, from, to int64, emit func(seq int64, frame func(b []byte) []byte) bool) error {
	const chunk = 256
	for from <= to {
		spots := s.f.resolve(from, min(to, from+chunk-1))
		if len(spots) == 0 {
			return errors.New("events that were written have no place")
		}
		for len(spots) > 0 {
			n, more, err := s.run(ctx, spots, emit)
			if err != nil || !more {
				return err
			}
			spots = spots[n:]
			from += int64(n)
		}
	}
	return nil
}

// spot is where the event of one place is found.
type spot struct {
	at, seq int64
	id      harness.SessionID
	log     store.Log // nil: nobody owns it any more
	turn    harness.TurnID
}

// run emits the events at the head of spots that follow each other in one log.
func (s *source) run(ctx context.Context, spots []spot, emit func(seq int64, frame func(b []byte) []byte) bool) (n int, more bool, err error) {
	first := spots[0]
	records := s.f.e.store().Read(ctx, string(first.id), first.seq)
	if first.log != nil {
		records = first.log.Read(ctx, first.seq)
	}
	for r, err := range records {
		if err != nil {
			return n, false, err
		}
		sp := spots[n]
		turn := sp.turn
		if !s.strict || isSplice(r.Data) {
			turn = 0
		}
		if !emit(sp.at, func(b []byte) []byte { return appendEvent(b, sp.id, r.Data, turn, false) }) {
			return n, false, nil
		}
		n++
		if n == len(spots) || spots[n].id != first.id || spots[n].seq != r.Seq+1 {
			return n, true, nil
		}
	}
	if n == 0 {
		return 0, false, &store.DamagedError{ID: string(first.id), Seq: first.seq, Got: -1, Reason: "an event that was written is not there"}
	}
	return n, true, nil
}

// resolve finds the events of places.
func (f *family) resolve(from, to int64) (spots []spot) {
	find := func() {
		for at := from; at <= to; at++ {
			s, seq := f.core.Root, at
			if j := f.places; j != nil && at >= j.first {
				if int(at-j.first) >= len(j.refs) {
					break
				}
				r := j.refs[at-j.first]
				s, seq = r.s, r.seq
			}
			spots = append(spots, spot{at: at, seq: seq, id: s.Agent.ID, log: f.logOf(s), turn: s.TurnAt(seq)})
		}
	}
	if !f.do(find) {
		find() // the family is gone: nobody changes it any more
		for i := range spots {
			spots[i].log = nil
		}
	}
	return spots
}
