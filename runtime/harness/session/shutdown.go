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
// context's error; the shutdown goes on then. Nothing new is admitted from the
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
// told is written first, for as long as ctx lets it.
func (e *Engine) HangUp(ctx context.Context) {
	e.mu.Lock()
	all := slices.Collect(maps.Keys(e.clients))
	e.mu.Unlock()
	var each sync.WaitGroup
	for _, c := range all {
		each.Go(func() { _ = c.conn.Flush(ctx) })
	}
	each.Wait()
	for _, c := range all {
		_ = c.conn.Close()
	}
}

// isDown says whether a shutdown has begun.
func (e *Engine) isDown() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.down != nil
}

func (e *Engine) closeAll(all []*family) {
	total := e.o.Bounds.Shutdown
	limit := time.NewTimer(total + total/4)
	defer limit.Stop()
	begun := make(chan *closing, len(all))
	for _, f := range all {
		c := func() {
			if f.core == nil {
				begun <- nil
				return
			}
			f.mute()
			begun <- f.beginClose(true, false, total)
		}
		if taken, _ := f.post(letter{run: c, gone: func() { begun <- nil }}, 0); !taken {
			begun <- nil
		}
	}
	for range all {
		select {
		case c := <-begun:
			if c == nil {
				continue
			}
			select {
			case <-c.done:
			case <-limit.C:
				return
			}
		case <-limit.C:
			return
		}
	}
}

// mute ends what peers get that did not negotiate: DSH tells them nothing more
// of a session once its shutdown has begun.
func (f *family) mute() {
	for _, s := range f.subs {
		if !s.c.negotiated() {
			s.muted = true
		}
	}
}
