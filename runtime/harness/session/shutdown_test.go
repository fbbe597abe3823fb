// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store/memory"
)

// The last event of a stored session.
func lastStored(t *testing.T, s *memory.Store, id string) (last *harness.Event) {
	for r, err := range s.Read(context.Background(), id, 0) {
		require.NoError(t, err)
		last = new(harness.Event)
		require.NoError(t, last.UnmarshalJSON(r.Data))
	}
	return last
}

// A shutdown closes all sessions at once, tells clients of version 2, and then
// answers.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("a", "say so far\nsleep 1h")
		c.prompted("b", "tool bash 1h")
		c.prompted("c", "say done")
		c.briefs()
		begin := time.Now()
		id := c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.Zero(t, time.Since(begin))
		got := c.briefs()
		assert.Equal(t, "result "+id, got[len(got)-1])
		assert.Equal(t, 2, count(got, "turn/end:aborted/disposed"))
		assert.Equal(t, 3, count(got, "session.closed"))
		assert.Contains(t, got, "assistant/message:interrupted")
		checkLog(t, c.events("a"))
		checkLog(t, c.events("b"))
	})
}

// Others get no further frame, as from DSH; their log is closed all the same.
func TestShutdownForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		c := dialOld(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		c.prompted("s", "sleep 1h")
		c.briefs()
		id := c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.Equal(t, []string{"result " + id}, c.briefs())
		end := lastStored(t, s, "s").Data.(*harness.TurnEnd)
		assert.Equal(t, &harness.EndAborted{Reason: &harness.CauseDisposed{}}, end.Reason)
	})
}

// An agent that does not return is not waited for past the deadline.
func TestShutdownHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		e := newEngine(t, func(o *session.Options) { o.Store = s })
		c := dial(t, e)
		c.prompted("s", "say so far\nstubborn 10s")
		begin := time.Now()
		c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.LessOrEqual(t, time.Since(begin), 800*time.Millisecond)
		end := lastStored(t, s, "s").Data.(*harness.TurnEnd)
		assert.Equal(t, []string{"agent"}, end.Unfinished)
		got := c.briefs()
		assert.Contains(t, got, "session.closed")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		assert.Error(t, e.Wait(ctx), "the agent is still there")
		time.Sleep(time.Minute)
		assert.NoError(t, e.Wait(context.Background()))
	})
}

// The end of input does the same, without an answer.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		c.prompted("s", "say so far\nsleep 1h")
		c.briefs()
		begin := time.Now()
		c.hangUp()
		assert.LessOrEqual(t, time.Since(begin), 800*time.Millisecond)
		got := c.briefs()
		assert.Equal(t, []string{"assistant/message:interrupted", "step/end", "turn/end:aborted/disposed", "idle", "session.closed"}, got)
		assert.Equal(t, "turn/end", lastStored(t, s, "s").Type())
	})
}

// So does the context, even if the client reads nothing.
func TestEndOfContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		e := newEngine(t, func(o *session.Options) { o.Store = s })
		c := dial(t, e)
		c.prompted("s", "sleep 1h")
		require.NoError(t, e.Shutdown(context.Background()))
		assert.Equal(t, "turn/end", lastStored(t, s, "s").Type())
		assert.Equal(t, "shutting-down", c.kind(c.answer(c.prompt("s", "say no"))))
		assert.Equal(t, "shutting-down", c.fails("session/resume", `{"sessionId":"s"}`))
		assert.Equal(t, "shutting-down", c.fails("session/wait", `{"sessionId":"s"}`))
		assert.Equal(t, "shutting-down", c.fails("session/list", `{}`))
		assert.Equal(t, "shutting-down", c.fails("initialize", initV2))
		c.hangUp()
	})
}

// Several shutdowns are answered alike.
func TestConcurrentShutdowns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, d := dial(t, e), dialMore(t, e, initV2)
		c.prompted("s", "stubborn 300ms")
		one, two, three := c.send("shutdown", ""), c.send("shutdown", ""), d.send("shutdown", "")
		time.Sleep(time.Second)
		require.NotNil(t, c.answer(one))
		require.NotNil(t, c.answer(two))
		require.NotNil(t, d.answer(three))
		require.NoError(t, <-c.end)
		require.NoError(t, <-d.end)
	})
}

// A shutdown hurries a close that is under way.
func TestShutdownDuringClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 1m")
		closing := c.send("session/close", `{"sessionId":"s"}`)
		time.Sleep(100 * time.Millisecond)
		begin := time.Now()
		c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.LessOrEqual(t, time.Since(begin), 1100*time.Millisecond)
		assert.Equal(t, "forced", c.result(c.answer(closing))["outcome"])
		time.Sleep(2 * time.Minute)
	})
}

func TestShutdownBeforeInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t), true).read()
		assert.Equal(t, "not-initialized", c.kind(c.answer(c.prompt("s", "say hi"))))
		id := c.send("shutdown", "")
		require.NotNil(t, c.answer(id))
		require.NoError(t, <-c.end)
	})
}
