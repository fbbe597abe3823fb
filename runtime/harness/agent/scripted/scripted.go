// SPDX-License-Identifier: Apache-2.0

package scripted

import (
	"context"
	"sync"
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Agent says what its methods have it say. The zero value is ready; its
// methods may be called from any goroutine, before or during the step that
// takes them.
type Agent struct {
	// Linger is how long a step or tool whose context has ended waits for
	// Release before it returns. 0: it returns at once.
	Linger time.Duration

	mu       sync.Mutex
	sessions map[harness.SessionID]*queue
}

// queue is what one session's agent still has to do.
type queue struct {
	steps, results []act
	released       bool          // of what runs now
	changed        chan struct{} // closed and replaced when something is added
}

// act is one thing to do. Exactly one of its parts is set.
type act struct {
	text      string
	reasoning string
	call      *agent.Call
	end       *agent.Result
	failure   *agent.Failure
	output    *agent.Output
}

var _ agent.Agent = (*Agent)(nil)

// Text adds a delta of text to the session's answer.
func (a *Agent) Text(s harness.SessionID, delta string) { a.add(s, act{text: delta}) }

// Reasoning adds a delta of reasoning.
func (a *Agent) Reasoning(s harness.SessionID, delta string) { a.add(s, act{reasoning: delta}) }

// Call adds a tool call. End the message with agent.ToolCalls after it.
func (a *Agent) Call(s harness.SessionID, id harness.ToolCallID, name, arguments string) {
	a.add(s, act{call: &agent.Call{ID: id, Name: name, Arguments: arguments}})
}

// End ends the message.
func (a *Agent) End(s harness.SessionID, r agent.Result) { a.add(s, act{end: &r}) }

// Fail ends the turn as failed.
func (a *Agent) Fail(s harness.SessionID, f harness.Failure) {
	a.add(s, act{failure: &agent.Failure{Failure: f}})
}

// Return sets the result of the next tool call that runs in the session.
func (a *Agent) Return(s harness.SessionID, o agent.Output) { a.add(s, act{output: &o}) }

// Release lets what runs in the session return once its context has ended.
func (a *Agent) Release(s harness.SessionID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.queue(s)
	q.released = true
	q.notify()
}

// Forget drops what the session has not done yet.
func (a *Agent) Forget(s harness.SessionID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.queue(s)
	q.steps, q.results = nil, nil
}

func (a *Agent) add(s harness.SessionID, x act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.queue(s)
	if x.output != nil {
		q.results = append(q.results, x)
	} else {
		q.steps = append(q.steps, x)
	}
	q.notify()
}

// notify wakes what waits. The agent's mu is held.
func (q *queue) notify() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// begin forgets a release that was meant for what ran before.
func (a *Agent) begin(s harness.SessionID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue(s).released = false
}

// lingered waits, after the end of a context, for Release.
func (a *Agent) lingered(s harness.SessionID) {
	t := time.NewTimer(a.Linger)
	defer t.Stop()
	for a.Linger > 0 {
		a.mu.Lock()
		q := a.queue(s)
		released, changed := q.released, q.changed
		a.mu.Unlock()
		if released {
			return
		}
		select {
		case <-changed:
		case <-t.C:
			return
		}
	}
}

// queue finds or makes a session's queue. a.mu is held.
func (a *Agent) queue(s harness.SessionID) *queue {
	if a.sessions == nil {
		a.sessions = map[harness.SessionID]*queue{}
	}
	q := a.sessions[s]
	if q == nil {
		q = &queue{changed: make(chan struct{})}
		a.sessions[s] = q
	}
	return q
}

// take waits for the next thing to do in a step, or for a tool.
func (a *Agent) take(ctx context.Context, s harness.SessionID, list func(*queue) *[]act) (act, error) {
	for {
		if err := ctx.Err(); err != nil {
			a.lingered(s)
			return act{}, err
		}
		a.mu.Lock()
		q := a.queue(s)
		if l := list(q); len(*l) > 0 {
			x := (*l)[0]
			*l = (*l)[1:]
			a.mu.Unlock()
			return x, nil
		}
		changed := q.changed
		a.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// Describe implements agent.Agent: an empty description.
func (*Agent) Describe(_ context.Context, s agent.Session) (*agent.Description, error) {
	return &agent.Description{Effort: s.Effort, MaxTokens: s.MaxTokens}, nil
}

// Step implements agent.Agent: it does what it was given for the session until
// its end or failure, waiting for more.
func (a *Agent) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	a.begin(r.Session.ID)
	for {
		x, err := a.take(ctx, r.Session.ID, func(q *queue) *[]act { return &q.steps })
		if err != nil {
			return agent.Result{}, err
		}
		switch {
		case x.end != nil:
			return *x.end, nil
		case x.failure != nil:
			return agent.Result{}, x.failure
		case x.call != nil:
			if err = out.Call(x.call.ID, x.call.Name); err == nil {
				err = out.Arguments(x.call.Arguments)
			}
		case x.reasoning != "":
			err = out.Reasoning(x.reasoning)
		default:
			err = out.Text(x.text)
		}
		if err != nil {
			return agent.Result{}, err
		}
	}
}

// Tool implements agent.Agent: it returns the next output given for the session.
func (a *Agent) Tool(ctx context.Context, c *agent.Call, _ agent.Host) (agent.Output, error) {
	a.begin(c.Session.ID)
	x, err := a.take(ctx, c.Session.ID, func(q *queue) *[]act { return &q.results })
	if err != nil {
		return agent.Output{}, err
	}
	return *x.output, nil
}
