// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
)

// C2: settled is not quiescent. What has not returned a second after the latch
// is abandoned, named, shown until it returns, and not heard (E9).
func TestAbandonedAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c := dial(t, e)
		c.prompted("s", "say so far\nstubborn 10s\nsay too late\ntool late")
		c.briefs()
		settled := c.send("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)
		time.Sleep(900 * time.Millisecond)
		assert.Empty(t, c.briefs())
		assert.Equal(t, "stopping", c.ok("session/status", `{"sessionId":"s"}`)["state"])
		c.briefs()
		time.Sleep(200 * time.Millisecond)
		assert.Equal(t, []string{"assistant/message:interrupted", "step/end", "turn/end:aborted/user", "idle", "result " + settled}, c.briefs())
		end := c.events("s")[len(c.events("s"))-1].Data.(*harness.TurnEnd)
		assert.Equal(t, []string{"agent"}, end.Unfinished)
		assert.Equal(t, []string{"so far"}, c.texts("s"))

		st := c.ok("session/status", `{"sessionId":"s"}`)
		assert.Equal(t, "idle", st["state"])
		assert.Equal(t, []any{map[string]any{"kind": "abandoned", "id": "1"}}, st["background"])
		w := c.send("session/wait", `{"sessionId":"s"}`)
		assert.Nil(t, c.answer(w), "an abandoned agent keeps a wait from being idle")
		timed := c.ok("session/wait", `{"sessionId":"s","timeoutMs":0}`)
		assert.Equal(t, false, timed["idle"])
		assert.Equal(t, []any{map[string]any{"kind": "abandoned", "id": "1"}}, timed["running"])

		// The session continues meanwhile.
		c.prompted("s", "say next")
		assert.Equal(t, []string{"so far", "next"}, c.texts("s"))
		deltas := c.deltas("s")
		time.Sleep(time.Minute)
		assert.Equal(t, deltas, c.deltas("s"), "no delta of a settled turn (E3, E9)")
		assert.Equal(t, []string{"so far", "next"}, c.texts("s"))
		assert.Equal(t, true, c.result(c.answer(w))["idle"])
		assert.Empty(t, c.ok("session/status", `{"sessionId":"s"}`)["background"])
		assert.Positive(t, e.Counters().Dropped)
		assert.EqualValues(t, 1, e.Counters().Abandoned)
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// A tool that does not return: its call gets a result all the same.
func TestAbandonedTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, func(o *session.Options) { o.Agent = stuckTool{d: time.Minute} })
		c := dial(t, e)
		c.prompted("s", "tool bash")
		c.ok("session/cancel", `{"sessionId":"s"}`)
		time.Sleep(2 * time.Second)
		events := c.events("s")
		checkLog(t, events)
		end := events[len(events)-1].Data.(*harness.TurnEnd)
		assert.Equal(t, []string{"bash"}, end.Unfinished)
		r := events[len(events)-3].Data.(*harness.ToolResultEvent)
		assert.Equal(t, "ABORTED", r.Error.Code)
		time.Sleep(2 * time.Minute)
		assert.Equal(t, len(events), len(c.events("s")))
		c.hangUp()
	})
}

// An awaited child that is stubborn is abandoned before its parent's turn is.
func TestAbandonedChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "child! stubborn 1m")
		c.inShort("s")
		c.ok("session/cancel", `{"sessionId":"s"}`)
		time.Sleep(2 * time.Second)
		got := without(c.inShort("s"), "result ")
		require.GreaterOrEqual(t, indexOf(got, "child turn/end:aborted/parent"), 0, got)
		assert.Less(t, indexOf(got, "child turn/end:aborted/parent"), indexOf(got, "turn/end:aborted/user"))
		c.hangOnStatus("s", "abandoned")
		checkLog(t, c.events("s"))
		time.Sleep(2 * time.Minute)
		assert.Equal(t, true, c.ok("session/wait", `{"sessionId":"s"}`)["idle"])
		c.hangUp()
	})
}

// An agent that panics fails its turn, and nothing else.
func TestAgentThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &notes{}
		e := newEngine(t, func(o *session.Options) {
			o.Agent = panicky{}
			o.Troubled = func(err error, _ []byte) { n.add(err.Error()) }
		})
		c := dial(t, e)
		c.prompted("s", "panic")
		c.prompted("s", "tool panic")
		c.prompted("s", "say ok")
		texts := c.texts("s")
		assert.Equal(t, "ok", texts[len(texts)-1])
		assert.Equal(t, []string{"the agent panicked: in a step", "the agent panicked: in a tool"}, n.all())
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// twins is an agent whose tools delegate to two children at once, and do not
// return before both have settled.
type twins struct{ demo.Agent }

func (twins) Tool(ctx context.Context, c *agent.Call, h agent.Host) (agent.Output, error) {
	var each sync.WaitGroup
	for range 2 {
		each.Go(func() {
			_, _ = h.Run(ctx, agent.Child{Prompt: []harness.ContentBlock{&harness.TextBlock{Text: "stubborn 10s"}}})
		})
	}
	each.Wait()
	return agent.TextOutput("both"), nil
}

// A turn that is ended without its agent ends all the children that it awaits,
// however many they are.
func TestAbandonedChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t, func(o *session.Options) { o.Agent = twins{} }))
		c.prompted("s", "tool bash 1s")
		time.Sleep(time.Second)
		assert.Equal(t, "stopping", c.ok("session/cancel", `{"sessionId":"s"}`)["effect"])
		time.Sleep(2 * time.Second)
		got := c.briefs()
		assert.Equal(t, 2, count(got, "subagent.finished"))
		assert.Equal(t, 3, count(got, "turn/end:aborted/user")+count(got, "turn/end:aborted/parent"))
		assert.Equal(t, "idle", c.ok("session/status", `{"sessionId":"s"}`)["state"])
		time.Sleep(time.Minute)
		c.hangUp()
	})
}
