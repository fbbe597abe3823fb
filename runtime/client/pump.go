// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Owner waits for the goroutines that handles of one connection start, and
// gives handlers their context.
type Owner struct {
	ctx     context.Context
	handler context.Context
	cancel  context.CancelFunc

	panicked func(err error) // gets the panics of handlers; nil: they end the process

	// The reading goroutine's:
	batch  bool                  // Wake is called
	due    []interface{ Wake() } // whom it notifies
	stages [][]Item              // room for live messages that have not landed

	mu      sync.Mutex // guards all below
	n       int
	waiting int           // handlers among them that wait for the others
	idle    chan struct{} // closed when no others are left; nil while no goroutine waits
}

type handlerKey struct{}

// NewOwner returns an owner without goroutines.
func NewOwner() *Owner {
	o := &Owner{}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	o.handler = context.WithValue(o.ctx, handlerKey{}, o)
	return o
}

// Batched says that Wake will be called each time the messages that were read
// have been received: those who wait for messages are woken then, and not with
// each.
func (o *Owner) Batched() { o.batch = true }

// Wake wakes those who wait for what came. It is called on the goroutine that
// reads.
func (o *Owner) Wake() {
	for i, s := range o.due {
		s.Wake()
		o.due[i] = nil
	}
	o.due = o.due[:0]
}

// later has a scope notified with the others, and is false if that is to be
// done at once.
func (o *Owner) later(s interface{ Wake() }, due *bool) bool {
	if !o.batch {
		return false
	}
	if !*due {
		*due = true
		o.due = append(o.due, s)
	}
	return true
}

// What room for live messages is kept, by a connection and not by each of its
// scopes.
const (
	keptStages = 4
	keptStage  = 1024 // items
)

// stage gives room for live messages, perhaps nil.
func (o *Owner) stage() (room []Item) {
	if n := len(o.stages); n > 0 {
		room, o.stages[n-1] = o.stages[n-1], nil
		o.stages = o.stages[:n-1]
	}
	return room
}

// staged takes room back.
func (o *Owner) staged(room []Item) {
	if len(o.stages) < keptStages && cap(room) <= keptStage {
		clear(room)
		o.stages = append(o.stages, room[:0])
	}
}

// Context ends with Stop.
func (o *Owner) Context() context.Context { return o.ctx }

// HandlerContext is the context that handlers get. It ends with Stop; calls
// made with it are answered at once, not after messages that wait for the very
// handler that makes them.
func (o *Owner) HandlerContext() context.Context { return o.handler }

// InHandler reports whether a context comes from a handler of this owner.
func (o *Owner) InHandler(ctx context.Context) bool { return ctx.Value(handlerKey{}) == o }

// Go runs f on a goroutine that Wait waits for.
func (o *Owner) Go(f func()) {
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
	go func() {
		defer o.done()
		f()
	}()
}

func (o *Owner) done() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n--
	o.wake()
}

// wake is called with the lock held.
func (o *Owner) wake() {
	if o.n <= o.waiting && o.idle != nil {
		close(o.idle)
		o.idle = nil
	}
}

// Stop ends the contexts of Context and HandlerContext.
func (o *Owner) Stop() { o.cancel() }

// Leave says that a handler is about to wait for the others, which then do not
// wait for it. Each is followed by one Return.
func (o *Owner) Leave() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting++
	o.wake()
}

// Return ends what Leave began.
func (o *Owner) Return() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting--
}

// Wait waits until no goroutine is left but those that wait themselves, or for
// ctx.
func (o *Owner) Wait(ctx context.Context) error {
	for {
		o.mu.Lock()
		if o.n <= o.waiting {
			o.mu.Unlock()
			return nil
		}
		if o.idle == nil {
			o.idle = make(chan struct{})
		}
		idle := o.idle
		o.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// startPump ensures that a goroutine empties the handler's queue: one goroutine
// a scope, and only while there is work.
func (s *Scope[T, K]) startPump() {
	if !s.pumping && !s.gated && s.handler.len() > 0 {
		s.pumping = true
		s.cfg.Owner.Go(s.pump)
	}
}

func (s *Scope[T, K]) pump() {
	ctx := s.cfg.Owner.HandlerContext()
	for {
		s.mu.Lock()
		it, freed, ok := s.handler.pop()
		if !ok {
			s.pumping = false
			s.handler.vacate()
			s.mu.Unlock()
			return
		}
		s.used -= freed
		switch {
		case it.until != nil:
			if !it.until.pass(s.resume) {
				s.pumping, s.gated = false, true
				s.mu.Unlock()
				return
			}
			s.mu.Unlock()
			continue
		case it.mark == nil && it.sink == toHandler && it.of.holds(&it):
			s.counts.Withheld++
			s.mu.Unlock()
			continue
		}
		var replays []*Replay
		if it.sink == toReplays {
			replays = s.replays
		}
		s.mu.Unlock()
		switch {
		case it.mark != nil:
			it.mark()
		case it.sink == toReplays:
			for _, r := range replays {
				s.host(func() { r.handle(ctx, &it) })
			}
		default:
			s.host(func() { s.cfg.Handle(ctx, &it) })
		}
	}
}

// host calls a function of the host's. If it panics, that is reported, and the
// next message handled, if there is a Diagnose; otherwise the panic continues.
// One that ends its goroutine, as a test does that fails, ends no more than
// that.
func (s *Scope[T, K]) host(f func()) {
	returned := false
	defer func() {
		switch owner := s.cfg.Owner; {
		case returned:
			return
		case owner.panicked != nil:
			if v := recover(); v != nil {
				owner.panicked(fmt.Errorf("a handler of messages panicked: %v\n%s", v, debug.Stack()))
				return
			}
		}
		s.cfg.Owner.Go(s.pump)
	}()
	f()
	returned = true
}

// Pass calls f when the messages that came before have been handled: at once
// if none waits, or if now. It is called on the goroutine that reads.
func (s *Scope[T, K]) Pass(now bool, f func()) {
	s.mu.Lock()
	s.land()
	if !now && s.busy() {
		s.handler.push(&Item{mark: f}, 0, false)
		s.startPump()
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	f()
}

// Quiet reports whether no message waits to be handled or is being handled. It
// is called on the goroutine that reads, so none comes meanwhile.
func (s *Scope[T, K]) Quiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	return !s.busy()
}

func (s *Scope[T, K]) busy() bool { return s.pumping || s.gated || s.handler.len() > 0 }

// Replay is a load that wants the messages that are sent again.
type Replay struct {
	handle func(ctx context.Context, it *Item)
	err    error // why it got no more of them
}

// Replay hands replayed messages to handle from now on, in order, in the
// handler's stream.
func (s *Scope[T, K]) Replay(handle func(ctx context.Context, it *Item)) *Replay {
	r := &Replay{handle: handle}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replays = append(s.replays[:len(s.replays):len(s.replays)], r)
	s.handler.attached++
	return r
}

// EndReplay takes a replay out, and returns why it got less than all, if so.
func (s *Scope[T, K]) EndReplay(r *Replay) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeReplay(r)
	return r.err
}

func (s *Scope[T, K]) removeReplay(r *Replay) {
	for i, have := range s.replays {
		if have == r {
			rest := append([]*Replay(nil), s.replays[:i]...)
			s.replays = append(rest, s.replays[i+1:]...)
			s.handler.attached--
			return
		}
	}
}

// replay queues a message that was sent again.
func (s *Scope[T, K]) replay(it *Item) {
	if len(s.replays) == 0 {
		s.counts.Unread++
		return
	}
	it.sink = toReplays
	s.push(&s.handler, it)
}

// dropReplays fails all loads that are under way: their consumer is behind.
func (s *Scope[T, K]) dropReplays(err error) {
	for _, r := range s.replays {
		r.err = err
		s.handler.attached--
	}
	s.replays = nil
	dropped, freed := s.handler.filter(func(it *Item) bool { return it.sink != toReplays })
	s.used -= freed
	s.counts.Unread += uint64(dropped)
}
