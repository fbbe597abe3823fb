// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"slices"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
)

// interruptAndPrompt silences what the session says and asks it something else.
// Whom the cancel names, and whether the prompt waits for its answer, is what
// the script's own frames show.
func (h *host) interruptAndPrompt(ctx context.Context, a *action, s *harnessclient.Session) {
	after := h.p.c.stepsAfter(a.line)
	frame := nextFrame(after, "session/cancel")
	if frame == nil {
		h.run(ctx, a, s) // nothing is expected to be running
		return
	}
	running := h.lastRun(a)
	if running != nil {
		running.mu.Lock()
		running.cut = true
		running.mu.Unlock()
	}
	stop := func() {
		c, err := h.interrupt(ctx, a, s, running, frame)
		if err != nil {
			h.fail(a, err)
			return
		}
		h.result(a, c.Result, nil)
	}
	if !promptsAtOnce(after) {
		stop()
		if a.err == nil {
			h.run(ctx, a, s)
		}
		return
	}
	before := h.p.link.count(onlyCancels(a.session))
	h.wg.Go(stop)
	_ = h.p.link.await(ctx, func() bool { return len(h.p.link.counted(onlyCancels(a.session))) > before })
	h.run(ctx, a, s)
}

func (h *host) interrupt(ctx context.Context, a *action, s *harnessclient.Session, running *action, frame map[string]any) (*harnessclient.Cancellation, error) {
	o := h.cancelOptions(a)
	if w, ok := frame["waitFor"].(string); ok && o.WaitFor == "" {
		o.WaitFor = harness.WaitFor(w)
	}
	if q, ok := frame["queue"].(string); ok && o.Queue == "" {
		o.Queue = harness.QueuePolicy(q)
	}
	if turn, ok := integer(frame["turn"]); ok && o.Turn == nil {
		id := harness.TurnID(turn)
		o.Turn = &id
	}
	if running != nil && frame["messageId"] != nil {
		if handle := running.awaitHandle(ctx); handle != nil {
			return handle.Cancel(ctx, ofTurn(o))
		}
	}
	return s.Cancel(ctx, o)
}

// awaitHandle waits until a run is accepted, which is when it can be named;
// nil: it never was.
func (a *action) awaitHandle(ctx context.Context) *harnessclient.Turn {
	select {
	case <-a.taken:
	case <-a.done:
	case <-ctx.Done():
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.handle
}

func onlyCancels(session string) func(method, s string) bool {
	return func(method, s string) bool { return method == "session/cancel" && s == session }
}

// promptsAtOnce reports whether the script has the prompt of an interrupt
// before the answer to its cancel.
func promptsAtOnce(steps []Step) bool {
	var id string
	for _, s := range steps {
		m, err := members(s.Frame)
		if err != nil {
			continue
		}
		method, _ := methodOf(s.Frame)
		switch {
		case s.Kind == kindC2S && method == "session/cancel":
			id = string(m["id"])
		case s.Kind == kindC2S && method == "session/prompt":
			return true
		case s.Kind == kindS2C && method == "" && id != "" && string(m["id"]) == id:
			return false
		}
	}
	return false
}

// lastRun is the last run on a's session that has not ended.
func (h *host) lastRun(a *action) *action {
	all := h.all()
	slices.Reverse(all)
	for _, other := range all {
		if other == a || other.session != a.session || other.over() {
			continue
		}
		if isRun(other) {
			return other
		}
	}
	return nil
}

func (h *host) cancelOptions(a *action) *harness.CancelOptions {
	o := &harness.CancelOptions{
		Queue: harness.QueuePolicy(a.step.Queue), Background: harness.BackgroundPolicy(a.step.Background),
		WaitFor: harness.WaitFor(a.step.WaitFor),
	}
	if a.step.MessageID != "" {
		id := harness.MessageID(a.step.MessageID)
		o.MessageID = &id
	}
	if a.step.Turn != 0 {
		turn := harness.TurnID(a.step.Turn)
		o.Turn = &turn
	}
	if a.do == "cancel" && a.step.IdempotencyKey != "" {
		o.IdempotencyKey = &a.step.IdempotencyKey
	}
	return o
}

// ofTurn returns the options of a cancel that a turn's handle makes, which names its
// message itself.
func ofTurn(o *harness.CancelOptions) *harness.TurnCancelOptions {
	return &harness.TurnCancelOptions{
		IdempotencyKey: o.IdempotencyKey, Turn: o.Turn, Queue: o.Queue, Background: o.Background, WaitFor: o.WaitFor,
	}
}

func (h *host) cancel(ctx context.Context, a *action, s *harnessclient.Session, target *action) {
	var stop *harnessclient.Cancellation
	var err error
	if target == nil {
		stop, err = s.Cancel(ctx, h.cancelOptions(a))
	} else {
		turn := target.awaitHandle(ctx)
		if turn == nil {
			h.fail(a, errNeverAccepted)
			return
		}
		stop, err = turn.Cancel(ctx, ofTurn(h.cancelOptions(a)))
	}
	if err != nil {
		h.fail(a, err)
		return
	}
	h.result(a, stop.Result, nil)
}

// givesUp ends the context of a run that was not accepted yet, where the
// script shows that its host does so: the prompt is then abandoned, or is not
// sent at all.
func (h *host) givesUp(a, target *action) bool {
	target.mu.Lock()
	accepted := target.accepted
	target.mu.Unlock()
	if accepted || target.over() {
		return false
	}
	sent := h.p.link.countSince(target.started, target.frames()) > 0
	if !abandons(h.p.c.stepsAfter(a.line), a.session, sent) {
		return false
	}
	target.mu.Lock()
	target.given = true
	target.mu.Unlock()
	target.cancel()
	return true
}

// abandons reports whether the script's client gives a prompt up without
// naming it to session/cancel.
func abandons(steps []Step, session string, sent bool) bool {
	for _, s := range steps {
		if s.Kind != kindC2S {
			continue
		}
		switch method, of := methodOf(s.Frame); {
		case method == "$/cancel_request":
			return true
		case of == session && (method == "session/cancel" || method == "session/prompt" && !sent):
			return false
		}
	}
	return !sent
}
