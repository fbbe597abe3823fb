// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness/session"
)

// P5: an official SDK ends a run at the first idle after its receipt. Two runs
// on one session get their own answers, since the second is accepted after the
// first one's idle.
func TestHeldPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		one := c.prompt("s", "sleep 1s\nsay one")
		two := c.prompt("s", "say two")
		three := c.prompt("s", "fail three")
		four := c.prompt("s", "say four")
		require.NotNil(t, c.answer(one))
		assert.Nil(t, c.answer(two))
		c.briefs()
		time.Sleep(2 * time.Second)
		got := c.briefs()
		assert.Equal(t, []string{"assistant/message", "step/end", "turn/end:completed", "idle", "insert", "running", "turn/start", "claim", "result " + two}, got[:9])
		assert.Equal(t, []string{"one", "two", "four"}, c.texts("s"), "a failure is one turn's outcome")
		assert.Contains(t, got, "result "+three)
		assert.Contains(t, got, "result "+four)
		idles := 0
		for _, b := range got {
			if b == "idle" {
				idles++
			}
		}
		assert.Equal(t, 4, idles, "each run has its own")
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

func TestHoldingCanBeSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t, func(o *session.Options) { o.TakeAll = true }))
		c.prompted("s", "sleep 1s\nsay one")
		c.prompted("s", "say two")
		c.briefs()
		time.Sleep(2 * time.Second)
		got := c.briefs()
		assert.Equal(t, 1, count(got, "idle"), "one idle at the end, as in DSH")
		c.hangUp()
	})
}

func count(list []string, s string) (n int) {
	for _, e := range list {
		if e == s {
			n++
		}
	}
	return n
}

// A held prompt is not accepted: cancel does not see it, close and shutdown
// answer it with their error, and its client may give it up.
func TestHeldPromptsAreNotAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c := dialOld(t, e)
		c.prompted("s", "sleep 1h")
		held := c.prompt("s", "say held")
		assert.Empty(t, c.ok("session/status", `{"sessionId":"s"}`)["queue"])
		r := c.ok("session/cancel", `{"sessionId":"s"}`)
		assert.Empty(t, withdrawn(r))
		assert.NotNil(t, c.answer(held), "it is accepted after the cancelled turn's idle")
		assert.Equal(t, []string{"held"}, c.texts("s"))

		c.prompted("s", "sleep 1h")
		held = c.prompt("s", "say never")
		closing := c.send("session/close", `{"sessionId":"s"}`)
		f := c.answer(held)
		require.NotNil(t, f)
		assert.Equal(t, -32603, f.Error.Code)
		assert.Equal(t, "session-closed", c.kind(f))
		assert.Equal(t, true, c.result(c.answer(closing))["closed"])
		assert.NotContains(t, c.briefs(), "session.closed", "such a client gets no notice")

		c.prompted("s", "sleep 1h")
		held = c.prompt("s", "say never")
		bye := c.send("shutdown", "")
		assert.Equal(t, "shutting-down", c.kind(c.answer(held)))
		require.NotNil(t, c.answer(bye))
		require.NoError(t, <-c.end)
		assert.NotContains(t, c.texts("s"), "never")
	})
}

// Two kinds of clients on one session: the one that negotiated queues, the
// other's prompt is held until all is idle.
func TestHeldBehindOthersQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, old := dialMore(t, e, initV2), dialMore(t, e, initOld)
		c.prompted("s", "sleep 1s\nsay one")
		held := old.prompt("s", "say held")
		c.prompted("s", "say two")
		time.Sleep(2 * time.Second)
		require.NotNil(t, old.answer(held))
		assert.Equal(t, []string{"one", "two", "held"}, c.texts("s"))
		c.hangUp()
		old.hangUp()
	})
}

// The queue is bounded, held prompts included, and nothing is lost.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, old := dialMore(t, e, initV2), dialMore(t, e, initOld)
		c.prompted("s", "sleep 1h")
		held := old.prompt("s", "say held")
		for i := range 63 {
			c.prompted("s", fmt.Sprint("say ", i))
		}
		f := c.answer(c.prompt("s", "say too much"))
		assert.Equal(t, "overloaded", c.kind(f))
		assert.Equal(t, 1008, f.Error.Code)
		assert.Contains(t, string(f.Error.Data), `"retryAfterMs":1000`)
		f = old.answer(old.prompt("s", "say too much"))
		assert.Equal(t, -32603, f.Error.Code)
		c.ok("session/cancel", `{"sessionId":"s","queue":"continue"}`)
		time.Sleep(time.Minute)
		require.NotNil(t, old.answer(held))
		texts := c.texts("s")
		assert.Len(t, texts, 64)
		assert.Equal(t, "held", texts[63])
		c.hangUp()
		old.hangUp()
	})
}

// A full queue that was parked, by a cancel or by a close, is not full for the
// prompt that sets it going again: that one starts a turn, which takes from it.
func TestAFullQueueThatIsParkedGoesOn(t *testing.T) {
	for _, end := range []string{`session/cancel {"sessionId":"s","queue":"keep"}`, `session/close {"sessionId":"s"}`} {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "sleep 1h")
			for i := range 64 {
				c.prompted("s", fmt.Sprint("say ", i))
			}
			method, params, _ := strings.Cut(end, " ")
			c.ok(method, params)
			time.Sleep(time.Minute)
			c.ok("session/load", `{"sessionId":"s"}`)
			c.prompted("s", "say more")
			c.ok("session/wait", `{"sessionId":"s"}`)
			texts := c.texts("s")
			assert.Len(t, texts, 65)
			assert.Equal(t, "0", texts[0])
			assert.Equal(t, "more", texts[64])
			c.hangUp()
		})
	}
}
