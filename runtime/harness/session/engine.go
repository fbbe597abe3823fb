// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
)

// Engine keeps the sessions of one runtime and serves them to its connections.
type Engine struct {
	o      Options
	counts struct{ dropped, deltas, abandoned, lost atomic.Uint64 }

	histories histories
	// work counts the goroutines that the engine started; an agent that does
	// not return keeps one.
	work tally

	ended chan struct{} // closed when a shutdown is done

	mu       sync.Mutex                    // guards what follows; taken before a mailbox's
	families map[harness.SessionID]*family // by the root's id
	children map[harness.SessionID]*family // by the id of a live child
	clients  map[*client]struct{}
	down     *shutdown // nil: the engine is up
}

// New returns an engine. It starts nothing.
func New(o Options) *Engine {
	return &Engine{
		o:        o.withDefaults(),
		families: make(map[harness.SessionID]*family),
		children: make(map[harness.SessionID]*family),
		clients:  make(map[*client]struct{}),
		ended:    make(chan struct{}),
	}
}

// Done returns a channel that is closed when a shutdown is done. Its answer
// may still have to be written.
func (e *Engine) Done() <-chan struct{} { return e.ended }

// Counters counts what became of what agents said.
type Counters struct {
	Deltas    uint64 // given to subscribers' lanes
	Dropped   uint64 // said after the end of their turn (rule E9)
	Abandoned uint64 // turns that were ended without their agent
	Lost      uint64 // sessions that another owner took, or whose store failed
}

// Counters returns the sums so far, over all sessions.
func (e *Engine) Counters() Counters {
	return Counters{
		Deltas: e.counts.deltas.Load(), Dropped: e.counts.dropped.Load(),
		Abandoned: e.counts.abandoned.Load(), Lost: e.counts.lost.Load(),
	}
}

// Wait returns when everything that the engine started has ended, or the
// context's error if that ended first: some agent has not returned then.
func (e *Engine) Wait(ctx context.Context) error {
	return e.work.Wait(ctx)
}

// options returns what cores are made with.
func (e *Engine) options() core.Options {
	_, follows := e.o.Agent.(agent.Follower)
	return core.Options{
		Now:        func() int64 { return e.o.Now().UnixMilli() },
		NewID:      e.o.NewID,
		QueueLimit: e.o.QueueLimit,
		MaxDepth:   e.o.MaxDepth,
		Longest:    e.o.longest(),
		Follows:    follows,
	}
}

// find returns the family of a live session, nil if it is not live here.
func (e *Engine) find(id harness.SessionID) *family {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.families[id]; f != nil {
		return f
	}
	return e.children[id]
}

// post has a request run on the family of its session, which is made if it is
// not there and the request may make it. Requests that come through one
// connection run in the order of their posts. A quick request runs here if
// nothing is before it; one that has to wait can be abandoned until it runs.
func (e *Engine) post(r request) {
	t := r.base()
	for watched := false; ; {
		e.mu.Lock()
		f := e.families[t.id]
		if f == nil {
			f = e.children[t.id]
		}
		if f == nil {
			switch {
			case !t.create:
				e.mu.Unlock()
				r.run(nil)
				return
			case e.down != nil:
				e.mu.Unlock()
				t.fail(errShuttingDown())
				return
			}
			f = newFamily(e, t.id)
			e.families[t.id] = f
		}
		e.mu.Unlock()
		if t.quick && f.now(r) {
			return
		}
		if !watched {
			watched = true
			t.req.Watch(t)
		}
		limit := 0 // what ends work is never refused
		if t.create {
			limit = e.o.Backlog
		}
		taken, start, full := f.box.put(r, limit)
		if start {
			f.start()
		}
		if full {
			t.fail(errOverloaded(t.id))
		}
		if full || taken {
			return
		}
	}
}

// remove takes a family out of the table: the next command makes another.
func (e *Engine) remove(f *family) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.families[f.id] == f {
		delete(e.families, f.id)
	}
	for id := range f.adopted {
		delete(e.children, id)
	}
	f.adopted = nil
}

// adopt makes a child's id known.
func (e *Engine) adopt(id harness.SessionID, f *family) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.children[id] = f
	if f.adopted == nil {
		f.adopted = make(map[harness.SessionID]struct{})
	}
	f.adopted[id] = struct{}{}
}

// disown forgets a child's id: from now on only the store has it.
func (e *Engine) disown(id harness.SessionID, f *family) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, mine := f.adopted[id]; mine {
		delete(f.adopted, id)
		delete(e.children, id)
	}
}
