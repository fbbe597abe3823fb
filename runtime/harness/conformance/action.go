// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Outcomes of an action that the client's settlements do not name.
const (
	outcomeCompleted = "completed"
	outcomeError     = "error"    // refused by the runtime, or the connection was lost
	outcomeRejected  = "rejected" // refused by the client itself
	outcomePending   = "pending"  // it has not ended: a hang
	outcomeCancelled = "cancelled"
)

// action is one host step and what came of it. What it showed is guarded by the
// record's lock.
type action struct {
	*Step
	name    string // as; else made up
	session string
	stop    context.CancelFunc
	done    chan struct{} // closed when it is over
	taken   chan struct{} // a run: closed when its prompt was accepted

	begun    int // how many moments there were
	started  time.Time
	returned time.Time // its call: a run continues
	ended    time.Time

	turn     *harnessclient.Turn // of a run that was accepted
	err      error
	tree     map[string]any // what expectations are about, by their words
	heard    []heard        // a run's live text
	atSent   int            // deltas handed out in the session when the prompt's response was
	atEnd    int            // … and when the run was settled
	endedBy  *int64         // seq of the event that ended it; nil: none did
	left     []string       // those of branches that had not ended when it was settled
	branches []string       // sessions that a run began, and those began
	given    bool           // its host gave it up: the context was cancelled
	again    bool           // a close: a second one changed nothing
}

// heard is a piece of live text, and when the consumer got it.
type heard struct {
	text string
	at   time.Time
}

func newAction(s *Step) *action {
	a := &action{Step: s, name: s.As, session: s.Session, done: make(chan struct{}), taken: make(chan struct{}), tree: map[string]any{}}
	if a.name == "" {
		a.name = fmt.Sprintf("%s at line %d", s.Do, s.Line)
	}
	if a.isRun() {
		a.tree = map[string]any{"accepted": false, "finalText": "", "partialText": "", "joined": "", "eventsSeen": 0, "toolResultBytes": 0}
	}
	return a
}

func (a *action) isRun() bool { return a.Do == "run" || a.Do == "interruptAndPrompt" }

// firstFrames are the methods of an action's first frame.
var firstFrames = map[string][]string{
	"run": {"session/prompt"}, "cancel": {"session/cancel"}, "interruptAndPrompt": {"session/cancel", "session/prompt"},
	"resume": {"session/resume", "session/load"}, "closeSession": {"session/close"}, "wait": {"session/wait"}, "close": {"shutdown"},
}

// sentSince reports whether the client has sent a frame of a method since a moment, to
// a session or to none. r.mu is held.
func (r *record) sentSince(begun int, method, session string) bool {
	return slices.ContainsFunc(r.moments[begun:], func(m moment) bool {
		return m.from == sent && m.Method == method && (m.Params.SessionID == session || m.Params.SessionID == "")
	})
}

// sentBy reports whether an action has sent its first frame. r.mu is held.
func (r *record) sentBy(a *action) bool {
	return slices.ContainsFunc(firstFrames[a.Do], func(method string) bool { return r.sentSince(a.begun, method, a.session) })
}

func (r *record) named(name string) *action {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.actions {
		if a.name == name {
			return a
		}
	}
	return nil
}

// finish notes when an action's work ended, once. r.mu is held.
func (r *record) finish(a *action) {
	if a.ended.IsZero() {
		a.ended = time.Now()
		r.moments = append(r.moments, moment{from: ended, at: a.ended, action: a})
	}
}

// end notes that an action is over.
func (r *record) end(a *action) {
	r.do(func() {
		r.finish(a)
		if a.returned.IsZero() {
			a.returned = a.ended
		}
		if a.tree["outcome"] == nil {
			a.tree["outcome"] = outcomeCompleted
		}
	})
	close(a.done)
}

// act carries out one host step on a runtime; l is nil for a close before anything
// was started.
func (h *host) act(ctx context.Context, a *action, l *launch, target *action) {
	if l == nil || target != nil && h.givesUp(a, target) {
		return
	}
	if !wait(ctx, l.ready) {
		h.fail(a, ctx.Err(), false)
		return
	}
	if l.err != nil {
		if a.Do != "close" {
			h.fail(a, l.err, true)
		}
		return
	}
	s := l.rt.Session(harness.SessionID(a.session))
	var result codec.Appender
	var err error
	switch a.Do {
	case "run":
		var turn *harnessclient.Turn
		turn, err = s.Prompt(ctx, harness.Text(a.Text), &harness.PromptOptions{
			IfStored: harness.IfStored(a.IfStored), Delivery: harness.Delivery(a.Delivery),
		})
		if err == nil {
			h.follow(ctx, a, turn)
		}
	case "interruptAndPrompt":
		err = h.interrupt(ctx, a, s)
	case "cancel":
		result, err = h.cancel(ctx, a, s, target)
	case "resume":
		if s, err = h.resume(ctx, l.rt, s.ID()); err == nil && s.Loaded() != nil {
			result = s.Loaded()
		}
	case "closeSession":
		result, err = s.Close(ctx, nil)
	case "wait":
		result, err = s.Wait(ctx, nil)
	case "close":
		err = h.close(ctx, a, l.rt)
	}
	switch {
	case err != nil:
		h.fail(a, err, false)
	case result != nil:
		h.result(a, result)
	}
}

// result makes the members of a call's result those of its action.
func (h *host) result(a *action, r codec.Appender) {
	v, _ := decode(r.AppendJSON(nil)) // what the client wrote is JSON
	m, _ := v.(map[string]any)
	h.rec.do(func() { maps.Copy(a.tree, m) })
}

// follow notes what a run that was accepted shows, until its turn is settled.
func (h *host) follow(ctx context.Context, a *action, turn *harnessclient.Turn) {
	h.rec.add(handed, turn.Receipt.AppendJSON(nil), nil)
	h.rec.do(func() {
		a.returned, a.turn, a.atSent = time.Now(), turn, h.rec.deltas(a.session)
		a.tree["accepted"], a.tree["messageId"] = true, string(turn.Receipt.MessageID)
	})
	close(a.taken)
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for d := range turn.Deltas(ctx) {
			if d.Kind == harness.DeltaText {
				h.rec.do(func() { a.heard = append(a.heard, heard{d.Text, time.Now()}) })
			}
		}
	}()
	end, err := turn.Settled(ctx)
	h.rec.do(func() {
		h.rec.finish(a)
		a.atEnd = h.rec.deltas(a.session)
	})
	var left []string
	for _, b := range turn.Tree() {
		if b.Ended == nil {
			left = append(left, string(b.ID))
		}
	}
	h.rec.do(func() { a.left = left })
	if end.Outcome != harnessclient.OutcomeUnsettled || ctx.Err() == nil {
		h.settled(a, end)
	}
	if err != nil {
		h.fail(a, err, false)
		h.catchUp(ctx, catchUpGrace, wholeEvent) // what was read before it was lost
	}
	// The handle's own streams end with the turn; a stream that does not is
	// seen as a hang.
	<-collected
	h.rec.do(func() {
		events := h.rec.eventsOf(a.session, string(turn.Receipt.MessageID), int64(end.Turn))
		joined := ""
		for _, d := range a.heard {
			joined += d.text
		}
		a.tree["joined"], a.tree["eventsSeen"], a.tree["toolResultBytes"] = joined, len(events), toolResultBytes(events)
		if len(events) > 0 {
			a.tree["firstEventSeq"], a.tree["lastSeq"] = events[0].Params.Event.Seq, events[len(events)-1].Params.Event.Seq
		}
	})
}

func (h *host) settled(a *action, end *harnessclient.Settlement) {
	h.rec.do(func() {
		t := a.tree
		t["outcome"], t["finalText"], t["partialText"] = string(end.Outcome), end.Text, end.Text
		t["usage"] = json.RawMessage(end.Usage.AppendJSON(nil))
		if end.Turn != 0 {
			t["turn"] = int64(end.Turn)
		}
		if end.Event != nil {
			a.endedBy = &end.Event.Event.Seq
		}
		if end.Reason == nil {
			return
		}
		// An end is named by its kind and, where it has one, the kind of its cause.
		var reason struct {
			Reason struct {
				Kind string `json:"kind"`
			} `json:"reason"`
			Error map[string]any `json:"error"`
		}
		_ = json.Unmarshal(harness.AppendEndReason(nil, end.Reason), &reason) // of another shape: the kind alone
		t["endReason"] = strings.TrimSuffix(end.Reason.EndReasonKind()+"/"+reason.Reason.Kind, "/")
		if reason.Error != nil {
			t["error"] = reason.Error
		}
	})
}

// fail notes an action's error, as far as an expectation can be about it. That the
// start of the runtime failed is nothing that the client refuses by itself.
func (h *host) fail(a *action, err error, starting bool) {
	kind := "unknown"
	var data any
	t := map[string]any{}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		kind = "timeout"
	case errors.Is(err, context.Canceled):
		kind = "canceled"
	}
	var plain *jsonrpc.Error // of an unknown kind
	if errors.As(err, &plain) {
		t["code"] = plain.Code
		data, _ = decode(plain.Data)
	}
	var domain interface {
		Kind() string
		Code() int
		AppendData([]byte) []byte
	}
	if errors.As(err, &domain) {
		kind = domain.Kind()
		if own, err := decode(domain.AppendData(nil)); err == nil {
			data = own
		}
		if domain.Code() != 0 {
			t["code"] = domain.Code()
		}
	}
	m, _ := data.(map[string]any)
	maps.Copy(t, m)
	delete(t, "kind")
	var lost *harness.ConnectionLostError
	if errors.As(err, &lost) {
		if tail := strings.TrimRight(lost.Stderr, "\n"); tail != "" {
			t["stderrTail"] = strings.Split(tail, "\n")
		}
	}
	t["error"] = kind
	h.rec.do(func() {
		// An error without a frame is the client's own refusal, unless the
		// connection was what failed. The frames of a runtime of the case's own are
		// not seen: whatever the client refuses by itself there, it refuses because
		// the runtime's capabilities lack it.
		local := !h.rec.sentBy(a)
		if h.p.c.Script != "" {
			local = kind == "unsupported"
		}
		switch {
		case a.given && a.turn == nil:
			t["outcome"] = outcomeCancelled
		case kind == "connection-lost" || kind == "lagging" || starting:
			t["outcome"] = outcomeError
		case a.turn != nil: // its settlement has one
		case local:
			t["outcome"] = outcomeRejected
		default:
			t["outcome"] = outcomeError
		}
		a.err = err
		maps.Copy(a.tree, t)
	})
}

// resume reopens a stored session, whichever way the runtime can.
func (h *host) resume(ctx context.Context, rt *harnessclient.Runtime, id harness.SessionID) (*harnessclient.Session, error) {
	if c := rt.Info().Capabilities; rt.Version() > 0 && c != nil && c.Session != nil && c.Session.Load && !c.Session.Resume {
		return rt.Load(ctx, id, h.onReplay, nil)
	}
	return rt.Resume(ctx, id, nil)
}

// close ends the runtime. One that the client did not launch is asked to first.
func (h *host) close(ctx context.Context, a *action, rt *harnessclient.Runtime) error {
	var err error
	if h.p.subject != nil {
		err = rt.Shutdown(ctx)
	}
	first := rt.Close(ctx)
	h.rec.do(func() { h.rec.finish(a) }) // the second close is not part of it
	before := h.rec.count(sent, nil)
	second := rt.Close(ctx)
	same := fmt.Sprint(first) == fmt.Sprint(second) && h.rec.count(sent, nil) == before
	h.rec.do(func() { a.again = same })
	return errors.Join(err, first)
}

// awaitTurn waits until a run is accepted, which is when it can be named;
// nil: it never was.
func (a *action) awaitTurn(ctx context.Context) *harnessclient.Turn {
	select {
	case <-a.taken:
	case <-a.done:
	case <-ctx.Done():
	}
	if isClosed(a.taken) {
		return a.turn
	}
	return nil
}

func (h *host) cancel(ctx context.Context, a *action, s *harnessclient.Session, target *action) (codec.Appender, error) {
	o := harness.CancelOptions{Queue: harness.QueuePolicy(a.Queue), WaitFor: harness.WaitFor(a.WaitFor)}
	if a.Step.Turn != 0 {
		o.Turn = new(harness.TurnID(a.Step.Turn))
	}
	var c *harnessclient.Cancellation
	var err error
	if target == nil {
		c, err = s.Cancel(ctx, &o)
	} else if turn := target.awaitTurn(ctx); turn != nil {
		c, err = turn.Cancel(ctx, &harness.TurnCancelOptions{Turn: o.Turn, Queue: o.Queue, WaitFor: o.WaitFor})
	} else {
		err = errors.New("the run was never accepted, so there is nothing to name")
	}
	if err != nil {
		return nil, err
	}
	return c.Result, nil
}

// interruptFunc is how a client interrupts: its session's Interrupt.
type interruptFunc func(*harnessclient.Session, context.Context, []harness.ContentBlock, *harness.InterruptOptions) (*harnessclient.Turn, error)

func (h *host) interrupt(ctx context.Context, a *action, s *harnessclient.Session) error {
	call := h.p.opts.broken.interrupt
	if call == nil {
		call = (*harnessclient.Session).Interrupt
	}
	turn, err := call(s, ctx, harness.Text(a.Text), &harness.InterruptOptions{Queue: harness.QueuePolicy(a.Queue)})
	if err != nil {
		return err
	}
	if turn.Interrupted != nil && turn.Interrupted.Result != nil {
		h.result(a, turn.Interrupted.Result)
	}
	h.follow(ctx, a, turn)
	return nil
}

// givesUp ends the context of a run that was not accepted yet, where the
// script shows that its host does so: the prompt is then abandoned, or is not
// sent at all.
func (h *host) givesUp(a, target *action) bool {
	if a.Do != "cancel" || isClosed(target.taken) || isClosed(target.done) {
		return false
	}
	h.rec.mu.Lock()
	prompted := h.rec.sentBy(target)
	h.rec.mu.Unlock()
	if !h.p.abandons(a.Line, a.session, prompted) {
		return false
	}
	h.rec.do(func() { target.given = true })
	target.stop()
	return true
}

// abandons reports whether the script's client gives a prompt up after a line without
// naming it to session/cancel.
func (p *player) abandons(line int, session string, prompted bool) bool {
	for _, s := range p.c.Steps {
		if s.Kind != kindC2S || s.Line <= line {
			continue
		}
		switch f := headOf(s.Frame); {
		case f.Method == "$/cancel_request":
			return true
		case f.Params.SessionID == session && (f.Method == "session/cancel" || f.Method == "session/prompt" && !prompted):
			return false
		}
	}
	return !prompted
}

// toolResultBytes is how much text the tool results of some events hold.
func toolResultBytes(events []moment) (total int) {
	var count func(blocks []harness.ContentBlock)
	count = func(blocks []harness.ContentBlock) {
		for _, b := range blocks {
			switch b := b.(type) {
			case *harness.TextBlock:
				total += len(b.Text)
			case *harness.ToolResultBlock:
				count(b.Content)
			}
		}
	}
	for _, m := range events {
		if result, ok := m.payload.(*harness.SessionEventParams).Event.Data.(*harness.ToolResultEvent); ok {
			count(result.Message.Content)
		}
	}
	return total
}
