// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// Start implements agent.Host.
func (h *host) Start(_ context.Context, c agent.Child) (harness.SessionID, error) {
	s, _, err := h.delegate(c, true)
	if err != nil {
		return "", err
	}
	return s, nil
}

// Run implements agent.Host.
func (h *host) Run(_ context.Context, c agent.Child) (agent.ChildEnd, error) {
	_, end, err := h.delegate(c, false)
	if err != nil {
		return agent.ChildEnd{}, err
	}
	// The child is cancelled with the turn, and then settles; so this waits
	// for nothing but the child.
	return <-end, nil
}

func (h *host) delegate(c agent.Child, background bool) (id harness.SessionID, end chan agent.ChildEnd, err error) {
	f, t := h.r.f, h.r.t
	end = make(chan agent.ChildEnd, 1)
	alive := f.do(func() {
		if err = t.CanDelegate(); err != nil {
			return
		}
		now := f.e.o.Now().UnixMilli()
		id = harness.SessionID(f.e.o.NewID())
		a := t.ChildSession(id)
		call, cancel := f.e.storeContext()
		defer cancel()
		var log store.Log
		log, err = f.e.o.Store.Create(call, store.Header{
			ID: string(id), CreatedAt: now, Cwd: a.Cwd, Parent: string(a.Parent), Origin: "subagent", Depth: a.Depth,
		})
		if err != nil {
			return
		}
		f.expectChildren()
		child := core.Child{
			ID: id, CreatedAt: now, Content: c.Prompt, Label: c.Label, Background: background, Setup: f.e.setup(a),
		}
		f.e.adopt(id, f)
		s := t.Delegate(&child)
		if f.logs == nil {
			f.logs = make(map[*core.Session]store.Log)
		}
		f.logs[s] = log
		if !background {
			if f.ends == nil {
				f.ends = make(map[*core.Session]chan agent.ChildEnd)
			}
			f.ends[s] = end
		}
	})
	if !alive {
		return "", nil, agent.ErrSettled
	}
	return id, end, err
}

// setup returns what a new session's log begins with.
func (e *Engine) setup(s agent.Session) []harness.EventData {
	if o, ok := e.o.Agent.(agent.Opener); ok {
		return o.Setup(s)
	}
	return nil
}

// settled lets go of a child session that came to its end.
func (f *family) settled(s *core.Session) {
	if end := f.ends[s]; end != nil {
		end <- s.End()
		if delete(f.ends, s); len(f.ends) == 0 {
			f.ends = nil
		}
	}
	log := f.logs[s]
	if log == nil {
		return
	}
	if delete(f.logs, s); len(f.logs) == 0 {
		f.logs = nil
	}
	as := s.Agent
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		f.e.letGo(as, log)
		f.e.disown(as.ID, f)
	}()
}

// letGo releases what a child session owns, then its log.
func (e *Engine) letGo(s agent.Session, log store.Log) {
	ctx, cancel := context.WithTimeout(context.Background(), e.o.Bounds.Release)
	defer cancel()
	if r, ok := e.o.Agent.(agent.Releaser); ok {
		if err := r.Release(ctx, s); err != nil {
			e.o.Troubled(fmt.Errorf("session %q could not be released: %w", s.ID, err), nil)
		}
	}
	e.release(s.ID, log)
}

// release closes a log that nothing more is written to.
func (e *Engine) release(id harness.SessionID, log store.Log) {
	ctx, cancel := e.storeContext()
	defer cancel()
	if err := log.Close(ctx); err != nil {
		e.o.Troubled(fmt.Errorf("the log of session %q could not be closed: %w", id, err), nil)
	}
}
