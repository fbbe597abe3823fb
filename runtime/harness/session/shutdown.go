// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// shutdown is the one shutdown of an engine.
type shutdown struct{ done chan struct{} }

// Shutdown closes all sessions at once, under one deadline, with cause
// disposed and without drains. It returns when that is done, or with the
// context's error; the shutdown continues then. Nothing new is admitted from the
// first call on.
func (e *Engine) Shutdown(ctx context.Context) error {
	select {
	case <-e.goDown():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// goDown begins the shutdown, or joins it.
func (e *Engine) goDown() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down != nil {
		return e.down.done
	}
	d := &shutdown{done: make(chan struct{})}
	e.down = d
	all := make([]*family, 0, len(e.families))
	for _, f := range e.families {
		all = append(all, f)
	}
	e.work.Add(1)
	go func() {
		defer e.work.Done()
		defer close(e.ended)
		defer close(d.done)
		e.closeAll(all)
	}()
	return d.done
}

// HangUp ends all connections, after a shutdown. What their clients are to be
// sent is written first, for as long as ctx lets it.
func (e *Engine) HangUp(ctx context.Context) {
	e.mu.Lock()
	all := slices.Collect(maps.Keys(e.clients))
	e.mu.Unlock()
	var each sync.WaitGroup
	for _, c := range all {
		each.Go(func() {
			_ = c.conn.Flush(ctx)
			_ = c.conn.Close() // which may wait a moment for its peer
		})
	}
	each.Wait()
}

// isDown reports whether a shutdown has begun.
func (e *Engine) isDown() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.down != nil
}

// closeAll closes families, each for itself, and returns when they are closed or
// the deadline is over: some store does not return then.
func (e *Engine) closeAll(all []*family) {
	total := e.o.Bounds.Shutdown
	limit := time.NewTimer(total + total/4)
	defer limit.Stop()
	closed := make(chan struct{}, len(all))
	for _, f := range all {
		e.work.Add(1)
		go func() {
			defer e.work.Done()
			f.shutDown(total)
			closed <- struct{}{}
		}()
	}
	for range all {
		select {
		case <-closed:
		case <-limit.C:
			return
		}
	}
}

// shutDown closes the family, if it is open.
func (f *family) shutDown(total time.Duration) {
	var c *closing
	f.do(func() {
		if f.core != nil {
			f.mute()
			c = f.beginClose(true, false, total)
		}
	})
	if c != nil {
		<-c.done
	}
}

// mute ends what peers get that did not negotiate: DSH sends them nothing more
// of a session once its shutdown has begun.
func (f *family) mute() {
	for _, s := range f.subs {
		if !s.c.negotiated() {
			s.muted = true
		}
	}
}
