// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Next is what a turn does next.
type Next int

// What a turn does next.
const (
	IsOver      Next = iota // nothing
	AnotherStep             // a step
	ACall                   // the step's next tool call
)

// Describe takes the description of the next step's request. An error ends
// the turn before its step begins. It returns false if the turn is over.
func (t *Turn) Describe(d *agent.Description, err error) bool {
	if t.settled {
		return false
	}
	if t.cause != nil {
		t.abort()
		return false
	}
	if errors.Is(err, agent.ErrBlocked) {
		t.end(&harness.EndBlocked{})
		return false
	}
	if err != nil {
		t.fail(failure(err))
		return false
	}
	t.prepared = d
	return true
}

// StepStart begins a step: what precedes the model's answer goes into the log.
// It returns false if the turn is over.
func (t *Turn) StepStart() bool {
	if t.settled {
		return false
	}
	if t.cause != nil {
		t.abort()
		return false
	}
	s := t.S
	t.step++
	t.open, t.calls = true, nil
	s.row(&harness.StepStart{Turn: t.N, Step: t.step})
	t.system()
	first, from := int64(-1), ""
	for i := range t.claimed {
		m := t.claimed[i].msg
		seq := s.surface(m)
		if _, user := m.Source.(*harness.SourceUser); user && first < 0 {
			first, from = seq, textOf(m.Content)
		}
	}
	t.claimed = nil
	t.snapshot()
	t.header()
	t.title(first, from)
	t.retries = nil
	t.attempt = &attempt{number: 1, through: s.next - 1}
	return true
}

var errNoAttempt = errors.New("the agent returned a result while it waited to try again")

// Result takes the end of the model's answer.
func (t *Turn) Result(r agent.Result, err error) Next {
	if t.settled {
		t.dropped++
		return IsOver
	}
	if t.cause != nil {
		// A cancel that came before the success was recorded wins.
		t.abort()
		return IsOver
	}
	if err == nil && t.attempt == nil {
		err = errNoAttempt
	}
	if a := t.attempt; a != nil && a.full && (err == nil || errors.Is(err, agent.ErrTooLong)) {
		r.Stop, err = agent.MaxTokens, nil // what was said until then is the answer
	}
	if err != nil {
		t.fail(failure(err))
		return IsOver
	}
	s := t.S
	t.delivered()
	a := t.attempt
	t.attempt = nil
	defer a.free()
	body := harness.AssistantBody{
		Role:    harness.RoleAssistant,
		Content: a.content(r.Stop != agent.MaxTokens),
		Source:  &harness.SourceModel{Provider: s.Agent.Provider, Model: s.Agent.Model, ReplayState: r.Replay},
		ID:      harness.MessageID(s.f.NewID()),
	}
	for _, b := range body.Content {
		if c, ok := b.(*harness.ToolCallBlock); ok {
			t.calls = append(t.calls, call{block: c})
		}
	}
	seq := s.surface(&harness.AssistantMessage{
		Turn: t.N, Step: t.step, Message: body, Usage: r.Usage,
		Stream: a.finished(true, s.f.Now(), r.Usage, finish(r.Stop, len(t.calls) > 0), r.Replay),
	})
	if !a.long() || s.link != nil {
		body.Content = kept(body.Content)
	}
	if !a.long() {
		t.said = Said{Seq: seq, Body: body}
	}
	if s.link != nil {
		s.link.message = body.Content
	}
	if r.Stop == agent.MaxTokens {
		t.limited = true
	}
	return t.next()
}

func finish(stop agent.Stop, calls bool) harness.FinishReason {
	switch {
	case stop == agent.MaxTokens:
		return &harness.FinishMaxTokens{}
	case calls:
		return &harness.FinishToolCalls{}
	default:
		return &harness.FinishStop{}
	}
}

// next continues after an answer or a tool call.
func (t *Turn) next() Next {
	for i := range t.calls {
		if !t.calls[i].done {
			return ACall
		}
	}
	again := len(t.calls) > 0
	t.stepEnd()
	if claimed := t.S.claimStep(); len(claimed) > 0 {
		t.claim(claimed)
		again = true
	}
	if again {
		return AnotherStep
	}
	if t.limited {
		t.end(&harness.EndMaxTokens{})
	} else {
		t.end(&harness.EndCompleted{})
	}
	return IsOver
}

func (t *Turn) stepEnd() {
	t.S.row(&harness.StepEnd{Turn: t.N, Step: t.step})
	t.open = false
}

// fail ends the turn with an error.
func (t *Turn) fail(f *harness.Failure) {
	s := t.S
	if a := t.attempt; a != nil {
		t.attempt = nil
		defer a.free()
		s.row(&harness.AssistantAttempt{
			Turn: t.N, Step: t.step,
			Stream: a.finished(false, s.f.Now(), nil, &harness.FinishError{Failure: *f}, nil),
		})
	}
	t.closeStep()
	t.end(&harness.EndError{Error: *f})
}

// abort ends a turn that was cancelled. What was said stays, as an
// interrupted answer; what only might have been meant, does not.
func (t *Turn) abort(unfinished ...string) {
	s := t.S
	if a := t.attempt; a != nil {
		t.attempt = nil
		defer a.free()
		switch {
		case a.visible():
			body := harness.AssistantBody{
				Role:    harness.RoleAssistant,
				Content: a.content(false),
				Source:  &harness.SourceModel{Provider: s.Agent.Provider, Model: s.Agent.Model},
				ID:      harness.MessageID(s.f.NewID()),
			}
			s.surface(&harness.AssistantMessage{
				Turn: t.N, Step: t.step, Message: body, Interrupted: true, Stream: a.stream(true),
			})
			if s.link != nil {
				s.link.message = kept(body.Content)
			}
		case len(a.blocks) > 0:
			s.row(&harness.AssistantAttempt{Turn: t.N, Step: t.step, Stream: a.stream(false)})
		}
	}
	t.closeStep()
	t.end(&harness.EndAborted{Reason: t.cause}, unfinished...)
}

// closeStep ends the open step of a turn that does not continue: no call may stay
// without a result.
func (t *Turn) closeStep() {
	t.denyAsks()
	if !t.open {
		return
	}
	for i := range t.calls {
		t.cut(&t.calls[i])
	}
	t.stepEnd()
}

// failure returns an error as the log records it.
func failure(err error) *harness.Failure {
	if f := (*agent.Failure)(nil); errors.As(err, &f) {
		out := f.Failure
		if out.Code == "" {
			out.Code = "UNKNOWN"
		}
		return &out
	}
	return &harness.Failure{Message: err.Error(), Code: "UNKNOWN"}
}

// Fail ends the turn with an error from the engine's side: the agent panicked,
// the history could not be read.
func (t *Turn) Fail(err error) {
	switch {
	case t.settled:
	case t.cause != nil:
		t.abort()
	default:
		t.fail(failure(err))
	}
}

// textOf returns the text of content, its blocks on lines of their own.
func textOf(content []harness.ContentBlock) string {
	var parts []string
	for _, b := range content {
		if t, ok := b.(*harness.TextBlock); ok {
			parts = append(parts, t.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func quote(s string) string { return string(codec.AppendString(nil, s)) }
