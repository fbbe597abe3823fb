// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
)

// flaky fails its first attempts.
type flaky struct {
	demo.Agent
	times int
}

func (a flaky) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	for i := range a.times {
		if err := out.Text(fmt.Sprint("attempt ", i+1)); err != nil {
			return agent.Result{}, err
		}
		err := out.Retry(ctx, agent.Retry{
			Failure: harness.Failure{Message: "busy", Code: "RATE_LIMIT"}, Delay: time.Second, Max: 5, Policy: "p",
		})
		if err != nil {
			return agent.Result{}, err
		}
	}
	return a.Agent.Step(ctx, r, out)
}

// A failed attempt is recorded, the next one's deltas count anew, and the
// message is the last one's alone.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t, func(o *session.Options) { o.Agent = flaky{times: 2} }))
		c.prompted("s", "say at last")
		c.briefs()
		time.Sleep(5 * time.Second)
		assert.Equal(t, []string{
			"llm/retry-started", "assistant/attempt", "llm/retry", "llm/retry-started", "assistant/message", "step/end", "turn/end:completed", "idle",
		}, c.briefs())
		assert.Equal(t, []string{"at last"}, c.texts("s"))
		var places [][2]int64
		for _, f := range c.all() {
			if f.Method == "session.delta" {
				places = append(places, [2]int64{f.Params.Attempt, f.Params.N})
			}
		}
		assert.Equal(t, [][2]int64{{1, 0}, {2, 0}, {3, 0}, {3, 1}}, places)
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// A cancel during the wait ends the turn; nothing is made of the attempt.
func TestCancelDuringARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t, func(o *session.Options) { o.Agent = flaky{times: 2} }))
		c.prompted("s", "say never")
		c.briefs()
		id := c.send("session/cancel", `{"sessionId":"s"}`)
		assert.Equal(t, []string{"result " + id, "step/end", "turn/end:aborted/user", "idle"}, c.briefs())
		c.hangUp()
	})
}

// hasty does not wait as long as it said it would.
type hasty struct{ demo.Agent }

func (hasty) Step(ctx context.Context, _ *agent.Request, out agent.Stream) (agent.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return agent.Result{}, out.Retry(ctx, agent.Retry{Failure: harness.Failure{Message: "busy"}, Delay: time.Hour})
}

// An agent that gives up while it waits for its next attempt fails its turn, and
// nothing else.
func TestGivesUpDuringARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t, func(o *session.Options) { o.Agent = hasty{} }))
		c.prompted("s", "say never")
		c.briefs()
		time.Sleep(2 * time.Second)
		assert.Equal(t, []string{"step/end", "turn/end:error", "idle"}, c.briefs())
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// guarded refuses what it is set to refuse, as a hook does.
type guarded struct{ demo.Agent }

func (guarded) Describe(context.Context, agent.Session) (*agent.Description, error) {
	return nil, fmt.Errorf("a hook: %w", agent.ErrBlocked)
}

func TestBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t, func(o *session.Options) { o.Agent = guarded{} }))
		c.briefs()
		id := c.prompt("s", "say never")
		assert.Equal(t, []string{"insert", "running", "turn/start", "claim", "result " + id, "turn/end:blocked", "idle"}, c.briefs())
		c.hangUp()
	})
}
