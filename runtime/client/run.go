// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Run is one accepted call whose work continues after its response.
type Run[T, K comparable] struct {
	s      *Scope[T, K]
	ticket T
	quiet  bool // its messages are not wanted
	events stream
	live   stream
	cut    *cut         // how runs of its kind were interrupted; nil: it has no messages of its own
	since  atomic.Int64 // the last interruption when its call began
	whole  atomic.Bool  // it settled before it was interrupted

	// Guarded by the scope's lock:
	act    *activity[T, K]
	taken  uint64   // order of the last message taken
	missed Withheld // what it did not get since it was interrupted
	over   bool

	joined chan struct{} // closed when an activity took the ticket, or never will
	known  chan struct{} // closed when it is over; end and err are set before
	handed chan struct{} // closed when, besides, what came before has been handled
	end    any
	err    error
}

func (s *Scope[T, K]) newRun() *Run[T, K] {
	r := &Run[T, K]{
		s: s, events: stream{after: s.last},
		joined: make(chan struct{}), known: make(chan struct{}), handed: make(chan struct{}),
	}
	return r
}

// interruptible says of which kind a run is, and since when.
func (r *Run[T, K]) interruptible(c *cut) {
	r.cut = c
	if r.s.since >= c.queued {
		r.since.Store(r.s.cuts.last) // calls that waited were left alone
	} else {
		r.since.Store(r.s.since)
	}
}

// Expect says that a call is on its way whose response may bring a ticket or
// name an activity: what comes meanwhile is remembered, since the response may
// stand before or after the messages that belong to it. Each Expect is followed
// by one Arrived. What it returns is for Answering.
func (s *Scope[T, K]) Expect() (since int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight++
	return s.cuts.last
}

// Answering says that the answer is taken over of a call for which Expect returned
// since: what was interrupted after that interrupted the call too, unless queued
// calls were left alone.
func (s *Scope[T, K]) Answering(since int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = since
}

// Arrived says that the response has come, or never will.
func (s *Scope[T, K]) Arrived() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inFlight--; s.inFlight == 0 {
		s.backlog, s.kept, s.hole = nil, 0, false
	}
}

// Follow returns the run of a ticket that a response brought. It is called on
// the goroutine that reads, between Expect and Arrived.
func (s *Scope[T, K]) Follow(ticket T) *Run[T, K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	run := s.newRun()
	run.ticket = ticket
	run.interruptible(s.cut(ticket))
	if s.over != nil {
		run.finish(s.cfg.Knowledge.End(nil, Ending{As: s.cfg.LostAs, Err: s.over}), s.over)
		return run
	}
	s.waiting[ticket] = append(s.waiting[ticket], run)
	for i := range s.backlog {
		if run.recall(&s.backlog[i]); run.over {
			return run
		}
	}
	if run.act == nil {
		s.place(run)
	}
	if run.act != nil && run.act.ended {
		run.finish(run.act.end, nil)
		return run
	}
	if s.hole {
		s.lose(&run.events)
	}
	return run
}

// place binds a run whose ticket was taken without a message that says so.
func (s *Scope[T, K]) place(run *Run[T, K]) {
	key, taken := s.cfg.Knowledge.Where(run.ticket)
	if !taken {
		return
	}
	act := s.find(key)
	if act == nil {
		if s.cfg.Knowledge.Ended(key) {
			run.finish(s.cfg.Knowledge.End(nil, Ending{As: Unsettled, Err: errForgotten}), errForgotten)
			return
		}
		act = s.activity(key, false)
	}
	first := s.order + 1
	for i := range s.backlog {
		if s.backlog[i].act == act {
			first = s.backlog[i].it.order
			break
		}
	}
	run.join(act, first)
	for i := range s.backlog {
		run.recall(&s.backlog[i])
	}
}

// errForgotten is the error of a run whose work ended before its response came.
var errForgotten = errors.New("the work ended before its response came, and how it ended is not kept: ask for it by a call")

// find is the activity of a key that is open, or that ended while a call was on
// its way.
func (s *Scope[T, K]) find(key K) *activity[T, K] {
	if act := s.open[key]; act != nil {
		return act
	}
	for i := len(s.backlog) - 1; i >= 0; i-- {
		if act := s.backlog[i].act; act != nil && act.key == key {
			return act
		}
	}
	return nil
}

// Watch returns a run that ends with the activity that a response named, and
// has no messages of its own. It is called as Follow is.
func (s *Scope[T, K]) Watch(key K) *Run[T, K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	run := s.newRun()
	run.quiet = true
	if s.over != nil {
		run.finish(s.cfg.Knowledge.End(nil, Ending{As: s.cfg.LostAs, Err: s.over}), s.over)
		return run
	}
	act := s.find(key)
	switch {
	case act != nil && act.ended:
		run.finish(act.end, nil)
	case act == nil && s.cfg.Knowledge.Ended(key):
		run.finish(nil, nil)
	case act == nil:
		act = s.activity(key, false)
		fallthrough
	default:
		run.join(act, 0)
	}
	return run
}

// Ended returns a run that was over when its response came, with its settlement.
func (s *Scope[T, K]) Ended(end any) *Run[T, K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.newRun()
	run.finish(end, nil)
	return run
}

// Refused returns the run of a call that was refused, for Wait alone.
func Refused[T, K comparable](err error) *Run[T, K] { return &Run[T, K]{err: err} }

// Unnamed returns a run whose response does not say what settles it: it has
// failed.
func (s *Scope[T, K]) Unnamed(m *Method, member string) *Run[T, K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.newRun()
	err := m.unreadable(&jsonrpc.ResponseError{
		Err: fmt.Errorf("%s: this member must be there, since it says what to wait for", member),
	})
	run.finish(s.cfg.Knowledge.End(nil, Ending{As: Unsettled, Err: err}), err)
	return run
}

// recall does what a message did before the run was known.
func (r *Run[T, K]) recall(e *entry[T, K]) {
	mine := slices.Contains(e.about, r.ticket)
	if slices.Contains(e.claims, r.ticket) && e.act != nil {
		mine = true
		r.join(e.act, e.it.order)
	}
	settles := slices.Contains(e.settles, r.ticket)
	if mine || settles || r.act != nil && r.act == e.act {
		if e.held {
			r.take(&e.it)
		} else {
			r.s.lose(&r.events)
		}
	}
	if settles {
		r.finish(e.end, nil)
	}
}

// take queues a message of the run.
func (r *Run[T, K]) take(it *Item) {
	if r.quiet || r.over || it.order <= r.taken {
		return
	}
	r.taken = it.order
	if r.silent() {
		r.missed.add(it)
		return
	}
	if it.Live {
		r.s.push(&r.live, it)
		return
	}
	r.s.push(&r.events, it)
}

// join binds the run to the activity that took its ticket. Messages of the
// activity before the one with the given order, at which it joins, are taken
// now if they are still known.
func (r *Run[T, K]) join(act *activity[T, K], order uint64) {
	if r.act != nil {
		return // a second sign of the same
	}
	r.s.stopWaiting(r)
	r.act = act
	close(r.joined)
	switch {
	case r.cut == nil:
	case r.silent():
		r.s.hush(act)
	case act.swept:
		act.swept = false
		act.silence.on.Store(false)
	case act.silence.on.Load():
		r.since.Store(-1) // it was interrupted before the run was known
	}
	for i := range act.opening {
		if act.opening[i].order < order {
			r.take(&act.opening[i])
		}
	}
	if act.ended {
		return // the messages that are left follow from the backlog
	}
	act.runs = append(act.runs, r)
}

func (s *Scope[T, K]) stopWaiting(r *Run[T, K]) {
	runs := s.waiting[r.ticket]
	for i, have := range runs {
		if have == r {
			if len(runs) == 1 {
				delete(s.waiting, r.ticket)
				return
			}
			s.waiting[r.ticket] = append(runs[:i:i], runs[i+1:]...)
			return
		}
	}
}

// finish ends the run, once.
func (r *Run[T, K]) finish(end any, err error) {
	if r.over {
		return
	}
	r.over = true
	if r.act == nil {
		close(r.joined)
	}
	r.end, r.err = end, err
	r.s.stopWaiting(r)
	for _, st := range [...]*stream{&r.events, &r.live} {
		// What is left belongs to the holder of the run.
		if !st.own {
			r.s.used -= st.used
			st.own = true
		}
		st.closed = true
		st.signal()
	}
	close(r.known)
	if err == nil && r.s.busy() {
		r.s.handler.push(&Item{mark: r.hand}, 0, false)
		r.s.startPump()
		return
	}
	r.hand()
}

// hand says that the run is over and what came before its end was handed out.
func (r *Run[T, K]) hand() {
	r.whole.Store(!r.silent())
	close(r.handed)
}

// Key waits until an activity has taken the ticket; ok is false if none will.
func (r *Run[T, K]) Key(ctx context.Context) (key K, ok bool, err error) {
	select {
	case <-r.joined:
	case <-ctx.Done():
		return key, false, ctx.Err()
	}
	key, ok = r.Taken()
	return key, ok, nil
}

// Taken returns which activity has taken the ticket so far.
func (r *Run[T, K]) Taken() (key K, ok bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.act == nil {
		return key, false
	}
	return r.act.key, true
}

// Settled waits until the run is over and the messages that came before its
// end have been handled; in a handler's context, only for the former. The
// settlement is what Knowledge.End made of it, never nil: with an error, the
// connection's, ctx's or that this side fell behind, it has what is known so
// far.
func (r *Run[T, K]) Settled(ctx context.Context) (end any, err error) {
	over := r.handed
	if r.s.cfg.Owner.InHandler(ctx) {
		over = r.known
	}
	select {
	case <-over:
	default:
		select {
		case <-over:
		case <-ctx.Done():
			return r.unsettled(ctx.Err()), ctx.Err()
		}
	}
	return r.end, r.err
}

// unsettled returns what is known of a run that is not over.
func (r *Run[T, K]) unsettled(err error) any {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.over {
		return r.end // it has just ended
	}
	var account Account
	if r.act != nil {
		account = r.act.account
	}
	return r.s.cfg.Knowledge.End(account, Ending{As: Unsettled, Err: err})
}

// Wait waits as Settled does, of a run that may be nil: what it stops was over
// when the response came.
func (r *Run[T, K]) Wait(ctx context.Context) error {
	switch {
	case r == nil:
		return nil
	case r.s == nil:
		return r.err
	}
	_, err := r.Settled(ctx)
	return err
}

// Err returns why the run's messages are incomplete: the connection was lost, this
// side fell behind, or the run was interrupted, a *Withheld: from then on until it has
// ended, and after that if there is anything that it did not get. It is nil while they
// are not.
func (r *Run[T, K]) Err() error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	if r.events.lost {
		return r.s.cfg.Lagging(r.events.after)
	}
	if r.quieten(); r.missed.Messages > 0 || r.silent() && !r.over {
		missed := r.missed
		return &missed
	}
	return nil
}

// Events are the run's messages but the live ones, in order. They end with the
// run, with ctx and what had come by then, at once when the run is interrupted, or
// when they were dropped because they were not read, see Err. Each message is handed out once: a second loop
// continues where the first stopped, and two at a time share them. An Item is
// valid for one round of the loop.
func (r *Run[T, K]) Events(ctx context.Context) iter.Seq[*Item] { return r.read(ctx, &r.events) }

// Live are the run's live messages, as Events.
func (r *Run[T, K]) Live(ctx context.Context) iter.Seq[*Item] { return r.read(ctx, &r.live) }

func (r *Run[T, K]) read(ctx context.Context, st *stream) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		l := loop[T, K]{s: r.s, run: r, st: st, left: -1}
		wake := l.begin()
		defer l.end()
		for {
			over := l.take(ctx)
			for l.next < len(l.batch) {
				if r.silent() {
					return
				}
				l.next++
				if !yield(&l.batch[l.next-1]) {
					return
				}
			}
			switch {
			case len(l.batch) > 0:
				continue
			case over:
				return
			}
			select {
			case <-wake:
			case <-ctx.Done():
				return
			}
		}
	}
}
