// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
)

func effect(r map[string]any) string { return r["effect"].(string) }

func withdrawn(r map[string]any) (ids []string) {
	for _, id := range r["withdrawn"].([]any) {
		ids = append(ids, id.(string))
	}
	return ids
}

// A stream that is cancelled leaves its text as an interrupted message, and the
// session continues.
//
// Rule C3.
func TestCancelMidStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		first := c.prompted("s", "count 20 100ms")
		time.Sleep(250 * time.Millisecond)
		c.briefs()
		r := c.ok("session/cancel", fmt.Sprintf(`{"sessionId":"s","messageId":%q}`, first))
		assert.Equal(t, map[string]any{"cancelled": true, "effect": "stopping", "turn": 1.0, "withdrawn": []any{}}, r)
		assert.Subset(t, c.briefs(), []string{"assistant/message:interrupted", "step/end", "turn/end:aborted/user", "idle"})
		assert.Equal(t, []string{"1 2 3 "}, c.texts("s"))
		c.prompted("s", "say ok")
		assert.Equal(t, []string{"1 2 3 ", "ok"}, c.texts("s"))
		c.hangUp()
	})
}

func TestCancelTwiceAndWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms\nsleep 1h")
		c.briefs()
		assert.Equal(t, "stopping", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
		assert.Equal(t, "already-stopping", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
		time.Sleep(time.Second)
		assert.Equal(t, []string{
			"result \"r3\"", "result \"r4\"", "step/end", "turn/end:aborted/user", "idle",
		}, c.briefs(), "nothing visible was said, so there is no message")
		assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
		r := c.ok("session/cancel", `{"sessionId":"missing"}`)
		assert.Equal(t, map[string]any{"cancelled": false, "effect": "unknown", "withdrawn": []any{}}, r)
		c.hangUp()
	})
}

// The same as a notification: same effect, no answer.
func TestCancelAsNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1h")
		c.briefs()
		c.line(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
		assert.Equal(t, []string{"step/end", "turn/end:aborted/user", "idle"}, c.briefs())
		c.line(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"missing"}}`)
		assert.Empty(t, c.briefs())
		c.hangUp()
	})
}

func TestCancelAndTheQueue(t *testing.T) {
	type expect struct {
		withdrawn int
		after     []string // what follows the turn's end
		texts     []string // of what is asked afterwards
	}
	for policy, want := range map[string]expect{
		"":                    {withdrawn: 2, after: []string{"idle"}, texts: []string{"go on"}},
		`,"queue":"drop"`:     {withdrawn: 2, after: []string{"idle"}, texts: []string{"go on"}},
		`,"queue":"keep"`:     {after: []string{"idle"}, texts: []string{"q1", "q2", "go on"}},
		`,"queue":"continue"`: {after: []string{"turn/start", "claim"}, texts: []string{"q1", "q2", "go on"}},
	} {
		t.Run("queue"+policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, newEngine(t))
				c.prompted("s", "sleep 1h")
				q1, q2 := c.prompted("s", "say q1"), c.prompted("s", "say q2")
				c.briefs()
				r := c.ok("session/cancel", `{"sessionId":"s"`+policy+`}`)
				assert.Equal(t, "stopping", effect(r))
				got := c.briefs()
				if want.withdrawn > 0 {
					assert.Equal(t, []string{q1, q2}, withdrawn(r))
					assert.Equal(t, []string{"withdraw", `result "r5"`}, got[:2], "the answer follows the withdrawals (E5)")
				} else {
					assert.Empty(t, withdrawn(r))
				}
				end := indexOf(got, "turn/end:aborted/user")
				require.GreaterOrEqual(t, end, 0, got)
				assert.Equal(t, want.after, got[end+1:][:len(want.after)])
				time.Sleep(time.Second)
				c.prompted("s", "say go on")
				assert.Equal(t, want.texts, c.texts("s"))
				c.hangUp()
			})
		})
	}
}

func indexOf(list []string, s string) int {
	for i, e := range list {
		if e == s {
			return i
		}
	}
	return -1
}

// Parked prompts are quiet until the next prompt, which is put behind them.
//
// Rule P3.
func TestParkedPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1h")
		parked := c.prompted("s", "say parked")
		c.ok("session/cancel", `{"sessionId":"s","queue":"keep"}`)
		c.briefs()
		time.Sleep(time.Hour)
		assert.Empty(t, c.briefs())
		st := c.ok("session/status", `{"sessionId":"s"}`)
		assert.Equal(t, "idle", st["state"])
		assert.Equal(t, []any{map[string]any{"messageId": parked, "parked": true}}, st["queue"])
		w := c.ok("session/wait", `{"sessionId":"s"}`)
		assert.Equal(t, true, w["idle"], "parked prompts do not keep a session busy")
		assert.Equal(t, 1.0, w["queued"])

		assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s","queue":"keep"}`)))
		assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s","queue":"continue"}`)))
		r := c.ok("session/cancel", `{"sessionId":"s"}`)
		assert.Equal(t, "withdrawn", effect(r))
		assert.Equal(t, []string{parked}, withdrawn(r))
		assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
		c.hangUp()
	})
}

// Rule C1.
func TestCancelByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		done := c.prompted("s", "say over", `"idempotencyKey":"k0"`)
		running := c.prompted("s", "sleep 1h", `"idempotencyKey":"k1"`)
		queued := c.prompted("s", "say q", `"idempotencyKey":"k2"`)
		last := c.prompted("s", "say last")
		cancel := func(params string) *frame { return c.call("session/cancel", `{"sessionId":"s",`+params+`}`) }
		stale := func(params string) {
			t.Helper()
			r := c.result(cancel(params))
			assert.Equal(t, map[string]any{"cancelled": false, "effect": "stale", "withdrawn": []any{}}, r, params)
		}
		disagree := func(params string) {
			t.Helper()
			f := cancel(params)
			require.NotNil(t, f.Error, params)
			assert.Equal(t, -32602, f.Error.Code)
		}
		// What is over, or was never seen, is stale, and touches nothing.
		stale(`"messageId":"` + done + `"`)
		stale(`"messageId":"never"`)
		stale(`"idempotencyKey":"k0"`)
		stale(`"idempotencyKey":"never"`)
		stale(`"turn":1`)
		stale(`"turn":99`)
		stale(`"turn":1,"messageId":"` + done + `"`)
		stale(`"turn":2,"messageId":"never"`)
		stale(`"turn":99,"messageId":"` + running + `"`)
		// Targets that disagree.
		disagree(`"turn":1,"messageId":"` + running + `"`)
		disagree(`"turn":2,"messageId":"` + done + `"`)
		disagree(`"turn":2,"messageId":"` + queued + `"`)
		disagree(`"idempotencyKey":"k1","messageId":"` + queued + `"`)
		disagree(`"idempotencyKey":"k2","turn":2`)
		assert.Equal(t, "running", c.ok("session/status", `{"sessionId":"s"}`)["state"])

		// A queued message is withdrawn at its place; the others stay.
		c.briefs()
		r := c.result(cancel(`"idempotencyKey":"k2","messageId":"` + queued + `"`))
		assert.Equal(t, map[string]any{"cancelled": true, "effect": "withdrawn", "withdrawn": []any{queued}}, r)
		assert.Equal(t, "withdraw", c.briefs()[0])
		// The running turn, by all its names at once; the queue continues.
		r = c.result(cancel(`"turn":2,"idempotencyKey":"k1","messageId":"` + running + `"`))
		assert.Equal(t, map[string]any{"cancelled": true, "effect": "stopping", "turn": 2.0, "withdrawn": []any{}}, r)
		assert.Equal(t, []string{"over", "last"}, c.texts("s"))
		_ = last
		c.hangUp()
	})
}

// A cancel in every phase: each is answered, and the log stays balanced.
func TestCancelLandsInEachWindow(t *testing.T) {
	for name, tc := range map[string]struct {
		prompt string
		after  time.Duration
		want   []string
	}{
		"before the first step": {"sleep 1h", 0, []string{"turn/end:aborted/user", "idle"}},
		"in the model":          {"sleep 1h", 20 * time.Millisecond, []string{"step/end", "turn/end:aborted/user", "idle"}},
		"mid-stream": {
			"count 9 10ms", 45 * time.Millisecond,
			[]string{"assistant/message:interrupted", "step/end", "turn/end:aborted/user", "idle"},
		},
		"reasoning only": {
			"think hard\nsleep 1h", 20 * time.Millisecond,
			[]string{"assistant/message:interrupted", "step/end", "turn/end:aborted/user", "idle"},
		},
		"in a tool":     {"say a\ntool bash 1h", 20 * time.Millisecond, []string{"tool/result", "step/end", "turn/end:aborted/user", "idle"}},
		"after the end": {"say hi", 20 * time.Millisecond, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, func(o *session.Options) { o.Agent = slowStart{d: 10 * time.Millisecond} })
				c := dial(t, e)
				c.prompted("s", tc.prompt)
				time.Sleep(tc.after)
				c.briefs()
				f := c.call("session/cancel", `{"sessionId":"s"}`)
				time.Sleep(time.Minute)
				got := c.briefs()
				assert.Equal(t, append([]string{f.brief(t)}, tc.want...), got)
				checkLog(t, c.events("s"))
				c.hangUp()
			})
		})
	}
}

// waitFor: settled answers after the end, with what happened.
func TestCancelSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms")
		q := c.prompted("s", "say q")
		c.briefs()
		one := c.send("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)
		two := c.send("session/cancel", `{"sessionId":"s","turn":1,"waitFor":"settled"}`)
		assert.Nil(t, c.answer(one))
		time.Sleep(time.Second)
		assert.Equal(t, []string{
			"withdraw", "step/end", "turn/end:aborted/user", "idle", "result " + one, "result " + two,
		}, c.briefs())
		assert.Equal(t, map[string]any{"cancelled": true, "effect": "stopped", "turn": 1.0, "withdrawn": []any{q}}, c.result(c.answer(one)))
		assert.Equal(t, "stopped", effect(c.result(c.answer(two))))
		// With nothing to wait for the answer is there at once.
		assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)))
		c.hangUp()
	})
}

// A cancel that waits when a close starts is answered between the turn's end
// and the session's last frame (C6).
func TestCloseAnswersAWaitingCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms")
		c.briefs()
		cancel := c.send("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)
		end := c.send("session/close", `{"sessionId":"s"}`)
		assert.Nil(t, c.answer(cancel))
		time.Sleep(time.Second)
		assert.Equal(t, []string{"step/end", "turn/end:aborted/user", "idle", "result " + cancel, "session.closed", "result " + end}, c.briefs())
		assert.Equal(t, "stopped", effect(c.result(c.answer(cancel))))
		c.hangUp()
	})
}

// $/cancel_request of a cancel that waits answers as acceptance would have, and
// undoes nothing (F7).
func TestGivingUpASettledCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms")
		id := c.send("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)
		assert.Nil(t, c.answer(id))
		c.line(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}`)
		assert.Equal(t, "stopping", effect(c.result(c.answer(id))))
		time.Sleep(time.Second)
		end := c.events("s")[len(c.events("s"))-1]
		assert.Equal(t, &harness.EndAborted{Reason: &harness.CauseUser{}}, end.Data.(*harness.TurnEnd).Reason)
		c.answer(id) // still one
		c.hangUp()
	})
}

// A cancel that is latched before the success is recorded wins.
func TestCancelBeatsSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms\nsay done after all")
		c.ok("session/cancel", `{"sessionId":"s"}`)
		c.briefs()
		time.Sleep(time.Second)
		assert.Equal(t, []string{"assistant/message:interrupted", "step/end", "turn/end:aborted/user", "idle"}, c.briefs())
		assert.Equal(t, []string{"done after all"}, c.texts("s"))
		c.hangUp()
	})
}

// A prompt that comes while a cancelled turn still stops runs as the next turn.
//
// Rule P4.
func TestPromptWhileStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms")
		c.ok("session/cancel", `{"sessionId":"s"}`)
		c.prompted("s", "say next", `"delivery":"steer"`)
		c.briefs()
		time.Sleep(time.Second)
		assert.Equal(t, []string{
			"step/end", "turn/end:aborted/user", "turn/start", "claim", "step/start", "user/message", "assistant/message", "step/end", "turn/end:completed", "idle",
		}, c.briefs(), "a steered message becomes a followup after the latch")
		c.hangUp()
	})
}
