// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// closing is the one close of a family. It runs apart from all who asked for
// it, and they all get its result.
type closing struct {
	f     *family
	down  bool // a shutdown: no drains
	subs  []*subscription
	ctx   context.Context // ends a reserve before the deadline
	end   context.Context // ends with the deadline
	hurry func(deadline time.Time)
	free  func()        // lets go of the contexts
	done  chan struct{} // closed when it is over

	mu      sync.Mutex // guards what follows: the end may have to come from outside
	callers []*ticket
	result  harness.CloseResult
	over    bool
}

// order is the order of the steps.
var order = []harness.CloseStep{
	harness.CloseRefuse, harness.CloseDrain, harness.CloseCancel, harness.CloseAfterWork, harness.CloseChildren, harness.ClosePermissions,
	harness.CloseCommands, harness.CloseJoin, harness.CloseRelease, harness.CloseFlush,
}

// beginClose starts the close of a live family, or joins the one that runs.
func (f *family) beginClose(down, drain bool, total time.Duration) *closing {
	deadline := time.Now().Add(total)
	if c := f.close; c != nil {
		if down {
			c.hurry(deadline)
		}
		return c
	}
	c := &closing{f: f, down: down, subs: slices.Clone(f.subs), done: make(chan struct{})}
	c.begin(total)
	f.close = c
	refusal := errClosing
	if down {
		refusal = func(harness.SessionID) error { return errShuttingDown() }
	}
	f.core.Root.Refuse(drain, refusal(f.id))
	f.showState()
	f.refuseWaits(refusal)
	if !drain {
		f.core.Root.Dispose()
	}
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		c.run(drain)
	}()
	return c
}

// begin makes the contexts of a close. The last steps, which save what there
// is, keep a part of the time for themselves.
func (c *closing) begin(total time.Duration) {
	reserve := func(total time.Duration) time.Duration { return total - min(total/4, 2*time.Second) }
	ctx, cancel := context.WithTimeout(context.Background(), reserve(total))
	end, cancelEnd := context.WithTimeout(context.Background(), total)
	c.ctx, c.end = ctx, end
	c.hurry = func(deadline time.Time) {
		left := time.Until(deadline)
		one := time.AfterFunc(reserve(left), cancel)
		two := time.AfterFunc(left, cancelEnd)
		context.AfterFunc(end, func() { one.Stop(); two.Stop() })
	}
	c.free = func() {
		cancel()
		cancelEnd()
	}
}

// run goes through the steps. Each has its bound within the total deadline; one
// that hangs or panics is named, and the rest still runs. What only has to
// be stopped is stopped at once, in the order of the steps; the waiting comes after.
func (c *closing) run(drain bool) {
	f, root, bounds := c.f, c.f.core.Root, &c.f.e.o.Bounds
	if drain {
		left, _ := c.ctx.Deadline()
		c.step(c.ctx, harness.CloseDrain, time.Until(left)-2*bounds.Grace, c.until(root.Drained))
	}
	c.step(c.end, harness.CloseCancel, bounds.Grace, c.changed(root.Dispose))
	afterWork := make(chan struct{})
	go func() {
		defer close(afterWork)
		if !c.down {
			c.step(c.ctx, harness.CloseAfterWork, bounds.Drain, c.until(func() bool { return root.Followers() == 0 }))
		}
		_ = c.changed(f.endFollows)(c.end)
	}()
	c.step(c.end, harness.CloseChildren, bounds.Grace, c.changed(root.DisposeChildren))
	c.step(c.end, harness.ClosePermissions, bounds.Grace, c.changed(root.DenyAll))
	c.step(c.ctx, harness.CloseChildren, bounds.Grace+bounds.Grace/10, c.until(func() bool { return root.Children() == 0 }))
	c.step(c.ctx, harness.CloseCommands, bounds.Drain, c.until(func() bool { return f.pending == 0 }))
	c.step(c.ctx, harness.CloseJoin, 2*bounds.Grace, c.until(func() bool { return root.Turn() == nil && root.Abandoned() == 0 }))
	<-afterWork
	c.step(c.end, harness.CloseJoin, bounds.Grace, c.changed(root.AbandonAll))
	if r, ok := f.e.o.Agent.(agent.Releaser); ok {
		as := root.Agent // the directory may change no more
		c.step(c.end, harness.CloseRelease, bounds.Release, func(ctx context.Context) error { return r.Release(ctx, as) })
	}
	c.step(c.end, harness.CloseFlush, bounds.Release, f.log.Close)
	c.finish()
}

// changed returns a step that changes the family's state.
func (c *closing) changed(change func()) func(ctx context.Context) error {
	return func(context.Context) error {
		c.f.do(change)
		return nil
	}
}

// until returns a step that waits for a condition on the family's state.
func (c *closing) until(holds func() bool) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		var done <-chan struct{}
		if !c.f.do(func() { done = c.f.when(holds) }) {
			return nil
		}
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// step runs one step within its bound.
func (c *closing) step(ctx context.Context, name harness.CloseStep, bound time.Duration, run func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	done := make(chan error, 1)
	c.f.e.work.Add(1)
	go func() {
		defer c.f.e.work.Done()
		defer func() {
			if v := recover(); v != nil {
				err := fmt.Errorf("close step %s panicked: %v", name, v)
				c.f.e.o.Troubled(err, debug.Stack())
				done <- err
			}
		}()
		done <- run(ctx)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		c.mu.Lock()
		if !slices.Contains(c.result.Unfinished, name) {
			c.result.Unfinished = append(c.result.Unfinished, name)
		}
		c.mu.Unlock()
	}
}

// endFollows ends the contexts of after-work that was waited for long enough.
func (f *family) endFollows() {
	for _, w := range f.follows {
		w.cancel()
	}
}

// finish is the end: the record is dropped, the id is free, and then the
// subscribers are notified, last of all (rule E7).
func (c *closing) finish() {
	f := c.f
	ended := make(chan struct{})
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		f.do(func() {
			f.core.Root.Close()
			f.end(nil)
		})
		close(ended)
	}()
	// A store that hangs hangs the mailbox. What the close owes to others does
	// not depend on it.
	grace, cancel := context.WithTimeout(context.Background(), c.f.e.o.Bounds.Grace/10)
	defer cancel()
	select {
	case <-ended:
	case <-c.end.Done():
		select {
		case <-ended:
		case <-grace.Done():
			f.e.remove(f)
			c.notify(c.subs, harness.CloseFlush)
		}
	}
	c.free()
	close(c.done)
}

// settle returns the close's result, once, with all steps in their order.
func (c *closing) settle(more ...harness.CloseStep) (r harness.CloseResult, callers []*ticket, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return r, nil, false
	}
	c.over = true
	for _, name := range more {
		if !slices.Contains(c.result.Unfinished, name) {
			c.result.Unfinished = append(c.result.Unfinished, name)
		}
	}
	slices.SortFunc(c.result.Unfinished, func(a, b harness.CloseStep) int {
		return slices.Index(order, a) - slices.Index(order, b)
	})
	c.result.Closed, c.result.Outcome = true, harness.CloseClean
	if len(c.result.Unfinished) > 0 {
		c.result.Outcome = harness.CloseForced
	}
	callers, c.callers = c.callers, nil
	return c.result, callers, true
}

// notify notifies the subscribers that the session is closed, then those who asked
// for it.
func (c *closing) notify(subs []*subscription, more ...harness.CloseStep) {
	r, callers, ok := c.settle(more...)
	if !ok {
		return
	}
	note := frameOf(harness.NotificationSessionClosed, &harness.SessionClosed{SessionID: c.f.id, Outcome: r.Outcome, Unfinished: r.Unfinished})
	for _, s := range subs {
		if s.c.negotiated() {
			s.lane.Frame(note)
		}
	}
	for _, t := range callers {
		for _, s := range subs {
			if s.c == t.c {
				t.via(s.lane)
			}
		}
		result := r
		t.reply(&result)
	}
}

// join adds a caller who waits for the end. It returns false if the end has come.
func (c *closing) join(t *ticket) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return false
	}
	c.callers = append(c.callers, t)
	return true
}

// forget drops a caller who gave up waiting.
func (c *closing) forget(t *ticket) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.callers, t)
	if i >= 0 {
		c.callers = slices.Delete(c.callers, i, i+1)
	}
	return i >= 0
}
