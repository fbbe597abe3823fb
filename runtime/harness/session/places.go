// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// A place numbers what a family's subscribers get, over all of its sessions:
// that is what a lane counts its events by. As long as a root has no children
// a place is a seq.

// journal knows the places of a family that has had children.
type journal struct {
	first int64 // places below are the root's own seqs
	refs  []ref
}

type ref struct {
	s   *core.Session
	seq int64
}

// place returns the place of the next event.
func (f *family) place(s *core.Session, seq int64) int64 {
	if f.places == nil {
		return seq
	}
	f.places.refs = append(f.places.refs, ref{s: s, seq: seq})
	return f.places.first + int64(len(f.places.refs)) - 1
}

// expectChildren begins the journal.
func (f *family) expectChildren() {
	if f.places == nil {
		f.places = &journal{first: f.core.Root.Next()}
	}
}

// source reads again what a lane did not keep.
type source struct {
	f      *family
	strict bool
}

// Events implements jsonrpc.Source. It runs concurrently with the mailbox.
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
	log     store.Log // nil: it has no owner here
	turn    harness.TurnID
}

// run emits the events at the head of spots that follow each other in one log.
func (s *source) run(ctx context.Context, spots []spot, emit func(seq int64, frame func(b []byte) []byte) bool) (n int, more bool, err error) {
	first := spots[0]
	records := s.f.e.o.Store.Read(ctx, string(first.id), first.seq)
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
		find() // the family has ended: it does not change any more
		for i := range spots {
			spots[i].log = nil
		}
	}
	return spots
}
