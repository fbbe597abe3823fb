// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// act carries out one host step on a runtime. It fills the action in; the
// caller ends it.
func (h *host) act(ctx context.Context, a *action, l *launch, target *action) {
	if l == nil {
		return // a close before anything was started
	}
	if a.do == "cancel" && target != nil && h.givesUp(a, target) {
		return
	}
	select {
	case <-l.ready:
	case <-ctx.Done():
		h.fail(a, ctx.Err())
		return
	}
	if l.err != nil {
		if a.do != "close" {
			h.fail(a, l.err)
			a.refusedByStart()
		}
		return
	}
	if a.step.TimeoutMs > 0 && a.do != "wait" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(a.step.TimeoutMs)*time.Millisecond)
		defer cancel()
	}
	s := l.rt.Session(harness.SessionID(a.session))
	switch a.do {
	case "run":
		h.run(ctx, a, s)
	case "interruptAndPrompt":
		h.interruptAndPrompt(ctx, a, s)
	case "cancel":
		h.cancel(ctx, a, s, target)
	case "resume":
		h.resume(ctx, a, l.rt)
	case "load":
		loaded, err := l.rt.Load(ctx, s.ID(), h.onReplay, h.loadOptions(a))
		h.reopened(a, loaded, err)
	case "closeSession":
		h.closeSession(ctx, a, s)
	case "wait":
		h.wait(ctx, a, s)
	case "status":
		r, err := s.Status(ctx)
		h.result(a, r, err)
	case "getWorkingDirectory":
		r, err := s.GetWorkingDirectory(ctx)
		h.result(a, r, err)
	case "setWorkingDirectory":
		r, err := s.SetWorkingDirectory(ctx, a.step.Path)
		h.result(a, r, err)
	case "list":
		h.list(ctx, a, l.rt)
	case "call":
		h.call(ctx, a, l.rt)
	case "close":
		h.close(ctx, a, l.rt)
	}
}

func (h *host) run(ctx context.Context, a *action, s *harnessclient.Session) {
	blocks, err := contentOf(a.step)
	if err != nil {
		h.fail(a, err)
		return
	}
	o := &harness.PromptOptions{
		IfStored: harness.IfStored(a.step.IfStored), IfMissing: harness.IfMissing(a.step.IfMissing),
		Delivery: harness.Delivery(a.step.Delivery),
	}
	if a.step.IdempotencyKey != "" {
		o.IdempotencyKey = &a.step.IdempotencyKey
	}
	turn, err := s.Prompt(ctx, blocks, o)
	if err != nil {
		h.fail(a, err)
		return
	}
	h.accepted(a, turn)
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for d := range turn.Deltas(ctx) {
			a.mu.Lock()
			if d.Kind == harness.DeltaText && !a.cut {
				a.deltas = append(a.deltas, d.Text)
				a.heard = append(a.heard, time.Now())
			}
			a.mu.Unlock()
		}
	}()
	end, err := turn.Settled(ctx)
	h.mu.Lock()
	handled := h.deltas[a.session]
	h.mu.Unlock()
	settledAt := time.Now()
	if end.Outcome != harnessclient.OutcomeUnsettled || ctx.Err() == nil {
		h.settled(a, end)
	}
	if err != nil {
		h.fail(a, err)
	}
	// The handle's own streams end with the turn; a stream that does not is
	// seen as a hang.
	<-collected
	events := h.eventsOf(a)
	a.mu.Lock()
	a.handledAtEnd, a.events, a.settledAt = handled, events, settledAt
	a.mu.Unlock()
}

func (h *host) accepted(a *action, turn *harnessclient.Turn) {
	h.mu.Lock()
	handled := h.deltas[a.session]
	receipt := turn.Receipt.AppendJSON(nil)
	h.receipts = append(h.receipts, receipt)
	h.mu.Unlock()
	a.mu.Lock()
	a.accepted, a.messageID, a.handledAtSent = true, string(turn.Receipt.MessageID), handled
	a.handle = turn
	if a.members == nil {
		a.members = map[string]any{}
	}
	a.members["duplicate"] = turn.Receipt.Duplicate
	if turn.Receipt.Seq != nil {
		a.members["seq"] = *turn.Receipt.Seq
	}
	a.mu.Unlock()
	close(a.taken)
}

func (h *host) settled(a *action, end *harnessclient.Settlement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.outcome = string(end.Outcome)
	a.text = end.Text
	a.turn = int64(end.Turn)
	a.endReason, a.failure = reasonOf(end.Reason)
	a.settledBy = -1
	if end.Event != nil {
		a.settledBy = end.Event.Event.Seq
	}
	a.usage = json.RawMessage(end.Usage.AppendJSON(nil))
}

// eventsOf are the events of a run's session from the run's own receipt on,
// up to its turn's end.
func (h *host) eventsOf(a *action) []seenEvent {
	h.mu.Lock()
	defer h.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []seenEvent
	for _, e := range h.events {
		if e.session != a.session || e.replay {
			continue
		}
		if out == nil && !inserts(e, a.messageID) {
			continue
		}
		out = append(out, e)
		if e.kind == "turn/end" && a.turn != 0 && turnOf(e) == a.turn {
			break
		}
	}
	return out
}

func (h *host) loadOptions(a *action) *harness.LoadOptions {
	o := &harness.LoadOptions{AfterSeq: a.step.AfterSeq}
	if a.step.Cwd != "" {
		o.CWD = &a.step.Cwd
	}
	return o
}

// resume reopens a stored session, whichever way the runtime can.
func (h *host) resume(ctx context.Context, a *action, rt *harnessclient.Runtime) {
	id := harness.SessionID(a.session)
	if c := rt.Info().Capabilities; rt.Version() > 0 && c != nil && c.Session != nil && c.Session.Load && !c.Session.Resume {
		s, err := rt.Load(ctx, id, h.onReplay, h.loadOptions(a))
		h.reopened(a, s, err)
		return
	}
	var o harness.ResumeOptions
	if a.step.Cwd != "" {
		o.CWD = &a.step.Cwd
	}
	s, err := rt.Resume(ctx, id, &o)
	h.reopened(a, s, err)
}

func (h *host) reopened(a *action, s *harnessclient.Session, err error) {
	if err != nil {
		h.fail(a, err)
		return
	}
	if r := s.Loaded(); r != nil {
		h.result(a, r, nil)
	}
}

func (h *host) closeSession(ctx context.Context, a *action, s *harnessclient.Session) {
	r, err := s.Close(ctx, &harness.CloseOptions{OnActive: harness.OnActive(a.step.OnActive), WaitFor: harness.WaitFor(a.step.WaitFor)})
	h.result(a, r, err)
	if err == nil && r.Closed {
		h.mu.Lock()
		if h.closed[a.session] == "" {
			h.closed[a.session] = string(r.Outcome)
		}
		h.mu.Unlock()
	}
}

func (h *host) wait(ctx context.Context, a *action, s *harnessclient.Session) {
	o := &harness.WaitOptions{AfterSeq: a.step.AfterSeq}
	if a.step.TimeoutMs > 0 {
		ms := int64(a.step.TimeoutMs)
		o.TimeoutMS = &ms
	}
	r, err := s.Wait(ctx, o)
	h.result(a, r, err)
}

func (h *host) list(ctx context.Context, a *action, rt *harnessclient.Runtime) {
	var ids []any
	for info, err := range rt.List(ctx, nil) {
		if err != nil {
			h.fail(a, err)
			return
		}
		ids = append(ids, string(info.SessionID))
	}
	a.mu.Lock()
	a.members = map[string]any{"sessions": ids}
	a.mu.Unlock()
}

// close ends the runtime. One that the client did not launch is asked to first.
func (h *host) close(ctx context.Context, a *action, rt *harnessclient.Runtime) {
	if h.p.subject != nil {
		if err := rt.Shutdown(ctx); err != nil {
			h.fail(a, err)
		}
	}
	err := rt.Close(ctx)
	if err != nil {
		h.fail(a, err)
	}
	returned := time.Now()
	before := h.p.link.count(anyFrame)
	same := fmt.Sprint(rt.Close(ctx)) == fmt.Sprint(err)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settledAt = returned // the second close is not part of it
	a.again = same && h.p.link.count(anyFrame) == before
}

func anyFrame(string, string) bool { return true }

// call makes a raw request.
func (h *host) call(ctx context.Context, a *action, rt *harnessclient.Runtime) {
	raw, err := rt.Call(ctx, a.step.Method, codec.Raw(a.step.Params))
	if err != nil {
		h.fail(a, err)
		return
	}
	v, err := decode(raw)
	if err != nil {
		h.fail(a, err)
		return
	}
	a.mu.Lock()
	a.members, _ = v.(map[string]any)
	a.mu.Unlock()
}

// result keeps a call's result as the members that the client read.
func (h *host) result(a *action, r codec.Appender, err error) {
	if err != nil {
		h.fail(a, err)
		return
	}
	v, err := decode(r.AppendJSON(nil))
	if err != nil {
		h.fail(a, err)
		return
	}
	m, _ := v.(map[string]any)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.members == nil {
		a.members = map[string]any{}
	}
	for k, v := range m {
		a.members[k] = v
	}
}

// contentOf is what a run sends.
func contentOf(s *HostStep) ([]harness.ContentBlock, error) {
	if s.ContentBlocks == nil {
		return harness.Text(s.Text), nil
	}
	var p harness.PromptParams
	if err := p.UnmarshalJSON([]byte(`{"sessionId":"s","contentBlocks":` + string(s.ContentBlocks) + `}`)); err != nil {
		return nil, err
	}
	return p.ContentBlocks, nil
}
