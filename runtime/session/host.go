package session

import (
	"context"
	"fmt"

	"github.com/accordkit/accord/runtime/agent"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// host is what a running tool may ask for.
type host struct{ r *run }

// asking is a question that waits for its decision.
type asking struct {
	done   chan struct{}
	cancel context.CancelFunc // ends the request to the client; nil: none was sent
}

// Ask implements agent.Host.
func (h *host) Ask(ctx context.Context, q agent.Question) (bool, error) {
	f := h.r.f
	done := make(chan struct{})
	var ask *core.Ask
	if !f.do(func() {
		c := f.asker(h.r.t)
		ask = h.r.t.Ask(q, c != nil)
		if ask.Open() {
			if f.asks == nil {
				f.asks = make(map[*core.Ask]*asking)
			}
			f.asks[ask] = &asking{done: done}
		} else {
			close(done)
		}
	}) {
		return false, agent.ErrSettled
	}
	select {
	case <-done:
		return ask.Allowed, ctx.Err()
	case <-ctx.Done():
		f.send(func() { ask.Deny(harness.ApprovalCancelled) })
		return false, ctx.Err()
	}
}

// asker is the client to ask for a turn: the one that it works for, or the
// first that can be asked.
func (f *family) asker(t *core.Turn) *client {
	if c, ok := t.Client.(*client); ok && c.answers() && f.subscriptionOf(c) != nil {
		return c
	}
	for _, s := range f.subs {
		if s.c.answers() {
			return s.c
		}
	}
	return nil
}

// question asks the client.
func (f *family) question(a *core.Ask) {
	c := f.asker(a.T)
	waiting := f.asks[a]
	if c == nil || waiting == nil {
		f.send(func() { a.Deny(harness.ApprovalUnavailable) })
		return
	}
	p := &harness.RequestPermissionParams{
		SessionID: a.T.S.Agent.ID, Turn: a.T.N,
		ToolCall: harness.PermissionToolCall{
			ToolCallID: a.Call, Title: a.Q.Title, Kind: a.Q.Kind, Status: "pending", RawInput: a.Q.Input,
		},
		Options: a.Options,
	}
	if p.ToolCall.Title == "" {
		p.ToolCall.Title = a.Tool
	}
	ctx, cancel := context.WithCancel(context.Background())
	if limit := f.e.o.Bounds.Permission; limit > 0 {
		ctx, cancel = context.WithTimeout(context.Background(), limit)
		at := f.e.o.Now().Add(limit).UnixMilli()
		p.ExpiresAt = &at
	}
	waiting.cancel = cancel
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		defer cancel()
		result, err := c.requestPermission(ctx, p)
		f.send(func() {
			if err != nil {
				a.Deny(harness.ApprovalCancelled)
				return
			}
			switch o := result.Outcome.(type) {
			case *harness.PermissionSelected:
				a.Selected(o.OptionID)
			default:
				a.Deny(harness.ApprovalCancelled)
			}
		})
	}()
}

// decided lets a tool go on whose question is decided.
func (f *family) decided(a *core.Ask) {
	w := f.asks[a]
	if w == nil {
		return
	}
	if delete(f.asks, a); len(f.asks) == 0 {
		f.asks = nil
	}
	if w.cancel != nil {
		w.cancel()
	}
	close(w.done)
}

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

// setup is what a new session's log begins with.
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
		f.e.disown(as.ID)
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
	call, cancel := e.storeContext()
	defer cancel()
	_ = log.Close(call)
}
