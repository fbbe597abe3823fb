// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// host is what a running tool may ask for.
type host struct{ r *run }

// asking is a question that waits for its decision.
type asking struct {
	done   chan struct{}
	call   *jsonrpc.Call      // the request to the client; nil: there is none, or it was answered
	cancel context.CancelFunc // ends what waits for the answer; nil with call
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

// asker returns the client to ask for a turn: the one that it works for, or the
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

// question asks the client, in the order of what it gets from the family.
func (f *family) question(a *core.Ask) {
	c := f.asker(a.T)
	w := f.asks[a]
	if c == nil || w == nil {
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
	call := c.conn.Begin(harness.MethodSessionRequestPermission)
	call.Buf = p.AppendJSON(call.Buf)
	call.Via(f.subscriptionOf(c).lane)
	if err := call.Start(ctx); err != nil {
		cancel()
		call.Release()
		f.send(func() { a.Deny(harness.ApprovalUnavailable) })
		return
	}
	w.call, w.cancel = call, cancel
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		defer cancel()
		option := c.permission(ctx, call)
		f.do(func() {
			w.call = nil
			a.Selected(option)
		})
		call.Release()
	}()
}

// decided lets a tool continue whose question is decided. A question that the
// client did not answer is withdrawn first: before the end of its turn, and
// before all that says that the turn has ended.
func (f *family) decided(a *core.Ask) {
	w := f.asks[a]
	if w == nil {
		return
	}
	if delete(f.asks, a); len(f.asks) == 0 {
		f.asks = nil
	}
	w.end()
}

// end ends the question, however it is decided.
func (w *asking) end() {
	if w.call != nil {
		w.call.Withdraw()
		w.cancel()
	}
	close(w.done)
}
