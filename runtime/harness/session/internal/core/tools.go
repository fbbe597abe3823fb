// SPDX-License-Identifier: Apache-2.0

package core

import (
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// call is one tool call of the open step.
type call struct {
	block   *harness.ToolCallBlock
	seq     int64 // of its tool/call event
	started bool
	done    bool
}

// NextCall starts the next tool call of the step, nil if the turn is over.
func (t *Turn) NextCall() *agent.Call {
	if t.settled {
		return nil
	}
	if t.cause != nil {
		t.abort()
		return nil
	}
	for i := range t.calls {
		if c := &t.calls[i]; !c.done {
			t.start(c)
			return &agent.Call{
				Session: t.S.Agent, Turn: t.N, Step: t.step,
				ID: c.block.ID, Name: c.block.Name, Arguments: c.block.Arguments,
			}
		}
	}
	return nil
}

func (t *Turn) start(c *call) {
	c.seq = t.S.row(&harness.ToolCallEvent{
		Turn: t.N, Step: t.step, CallID: c.block.ID, Name: c.block.Name, Arguments: c.block.Arguments,
	})
	c.started = true
}

// CallDone takes a tool's result, and returns what the turn does next.
func (t *Turn) CallDone(o agent.Output, err error) Next {
	if t.settled {
		t.dropped++
		return IsOver
	}
	t.denyAsks() // of a tool that did not wait for its answers
	if c := t.running(); c != nil {
		switch {
		case err == nil:
			t.result(c, o)
		case t.cause != nil:
			t.result(c, aborted)
		default:
			t.result(c, agent.ErrorOutput("ToolError", "TOOL_FAILED", "Error: "+err.Error()))
		}
	}
	if t.cause != nil {
		t.abort()
		return IsOver
	}
	return t.next()
}

// running returns the call that has started and not ended.
func (t *Turn) running() *call {
	for i := range t.calls {
		if t.calls[i].started && !t.calls[i].done {
			return &t.calls[i]
		}
	}
	return nil
}

var (
	aborted    = agent.ErrorOutput("AbortError", "ABORTED", "Error: tool call aborted")
	tooLong    = agent.ErrorOutput("Error", "RESULT_TOO_LONG", "Error: the tool's result is longer than one event may be")
	notStarted = agent.ErrorOutput("AbortError", "ABORTED_BEFORE_DISPATCH", "Error: tool call aborted before dispatch")
)

// cut gives a call of a turn that does not continue the result that it lacks.
func (t *Turn) cut(c *call) {
	switch {
	case c.done:
	case c.started:
		t.result(c, aborted)
	default:
		t.start(c)
		t.result(c, notStarted)
	}
}

func (t *Turn) result(c *call, o agent.Output) {
	c.done = true
	if !t.S.f.fits(o.Content) {
		o = tooLong
	}
	if o.Content == nil {
		o.Content = []harness.ContentBlock{}
	}
	e := &harness.ToolResultEvent{Turn: t.N, Step: t.step, Meta: o.Meta, Message: harness.ToolBody{
		Role:   harness.RoleTool,
		Source: &harness.SourceTool{CallID: c.block.ID}, ToolCallID: c.block.ID,
		Content: o.Content, IsError: &o.IsError, ID: harness.MessageID(t.S.f.NewID()),
	}}
	if o.IsError && (o.Name != "" || o.Code != "") {
		e.Error = &harness.ToolError{Name: o.Name, Code: o.Code}
	}
	t.S.surface(e, c.seq)
}

// Ask is one question for a permission.
type Ask struct {
	T       *Turn
	ID      string
	Call    harness.ToolCallID
	Tool    string
	Q       agent.Question
	Options []harness.PermissionOption
	Allowed bool // once it is decided

	decided bool
	client  bool
}

// The options of every question, and the ids of their answers.
var options = []harness.PermissionOption{
	{OptionID: "allow-once", Name: "Allow once", Kind: harness.PermissionAllowOnce},
	{OptionID: "reject-once", Name: "Reject", Kind: harness.PermissionRejectOnce},
}

// Ask asks for a permission for the running call. Without a client that can be
// asked the answer is no, at once.
func (t *Turn) Ask(q agent.Question, client bool) *Ask {
	a := &Ask{T: t, Q: q, Options: options, client: client}
	c := t.running()
	if t.settled || t.cause != nil || c == nil {
		a.decided = true
		t.S.f.emit(&Decided{A: a})
		return a
	}
	a.ID, a.Call, a.Tool = t.S.f.NewID(), c.block.ID, c.block.Name
	t.S.row(&harness.ApprovalAsked{ID: a.ID, ToolName: a.Tool, CallID: a.Call, Reason: q.Reason})
	t.asks = append(t.asks, a)
	if !client {
		t.decide(a, harness.ApprovalUnavailable)
		return a
	}
	t.S.announce(harness.StatusRequiresAction)
	t.S.f.emit(&Question{A: a})
	return a
}

// Selected takes the client's choice. One that was not offered is a no, as is
// none.
func (a *Ask) Selected(option string) {
	outcome := harness.ApprovalCancelled
	for _, o := range a.Options {
		if o.OptionID == option {
			outcome = harness.ApprovalRejected
			if o.Kind == harness.PermissionAllowOnce || o.Kind == harness.PermissionAllowAlways {
				outcome = harness.ApprovalAllowedOnce
			}
		}
	}
	a.T.decide(a, outcome)
}

// Deny decides a question that will not be answered.
func (a *Ask) Deny(outcome harness.ApprovalOutcome) { a.T.decide(a, outcome) }

// Open reports whether the question is not decided yet.
func (a *Ask) Open() bool { return !a.decided }

// decide decides a question, once.
func (t *Turn) decide(a *Ask, outcome harness.ApprovalOutcome) {
	if a.decided {
		return
	}
	a.decided = true
	a.Allowed = outcome == harness.ApprovalAllowedOnce
	t.S.row(&harness.ApprovalDecided{ID: a.ID, Outcome: outcome})
	t.asks = without(t.asks, a)
	t.S.f.emit(&Decided{A: a})
	if len(t.asks) == 0 && t.cause == nil && a.client {
		t.S.announce(harness.StatusRunning)
	}
}

// denyAsks withdraws all open questions.
func (t *Turn) denyAsks() {
	for len(t.asks) > 0 {
		t.decide(t.asks[0], harness.ApprovalCancelled)
	}
}

// Setup writes the events that a new session begins with.
func (s *Session) Setup(events []harness.EventData) {
	for _, e := range events {
		s.write(e, nil, nil, s.parent != nil)
	}
}
