// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
)

// slowStart is the demo agent that takes its time before each request.
type slowStart struct {
	demo.Agent
	d time.Duration
}

func (a slowStart) Describe(ctx context.Context, s agent.Session) (*agent.Description, error) {
	select {
	case <-time.After(a.d):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return a.Agent.Describe(ctx, s)
}

// notes is a list that several goroutines write.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) add(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, s)
}

func (n *notes) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.list...)
}

// checkLog checks what must hold of every log: contiguous sequences, balanced
// turns and steps, a result for each call.
func checkLog(t testing.TB, events []*harness.Event) {
	t.Helper()
	var turn harness.TurnID
	var step int64
	inTurn, inStep := false, false
	open := map[harness.ToolCallID]bool{}
	for i, e := range events {
		if i > 0 {
			assert.Equal(t, events[i-1].Seq+1, e.Seq, "E1: sequences are contiguous")
		}
		switch d := e.Data.(type) {
		case *harness.TurnStart:
			assert.False(t, inTurn, "E3: one turn at a time")
			assert.Equal(t, turn+1, d.Turn)
			turn, inTurn, step = d.Turn, true, 0
		case *harness.TurnEnd:
			assert.True(t, inTurn && !inStep && d.Turn == turn, "E3: a turn ends once, and not within a step")
			inTurn = false
		case *harness.StepStart:
			assert.True(t, inTurn && !inStep)
			assert.Equal(t, step+1, d.Step)
			step, inStep = d.Step, true
		case *harness.StepEnd:
			assert.True(t, inStep)
			assert.Empty(t, open, "no call stays open at the end of a step")
			inStep = false
		case *harness.ToolCallEvent:
			assert.True(t, inStep)
			open[d.CallID] = true
		case *harness.ToolResultEvent:
			assert.True(t, open[d.Message.ToolCallID])
			delete(open, d.Message.ToolCallID)
		case *harness.AssistantMessage, *harness.AssistantAttempt:
			assert.True(t, inStep)
		}
	}
}

// stuckTool is the demo agent whose tools ignore that they are cancelled.
type stuckTool struct {
	demo.Agent
	d time.Duration
}

func (a stuckTool) Tool(context.Context, *agent.Call, agent.Host) (agent.Output, error) {
	time.Sleep(a.d)
	return agent.TextOutput("at last"), nil
}

// panicky is the demo agent that panics when its prompt says so.
type panicky struct{ demo.Agent }

func (a panicky) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if _, ok := r.Messages[i].Source.(*harness.SourceUser); ok {
			if r.Messages[i].Text("") == "panic" {
				panic("in a step")
			}
			break
		}
	}
	return a.Agent.Step(ctx, r, out)
}

func (a panicky) Tool(_ context.Context, c *agent.Call, _ agent.Host) (agent.Output, error) {
	panic("in a tool")
}
