// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness"
)

const withKey = `"idempotencyKey":"k"`

// P1: the same key with the same content is the same prompt, as long as the log
// lives.
func TestIdempotencyKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		first := c.result(c.answer(c.prompt("s", "sleep 1s\nsay once", withKey)))
		again := c.result(c.answer(c.prompt("s", "sleep 1s\nsay once", withKey)))
		assert.Equal(t, map[string]any{"messageId": first["messageId"], "seq": 0.0, "duplicate": true}, again)
		f := c.answer(c.prompt("s", "say other", withKey))
		assert.Equal(t, "idempotency-conflict", c.kind(f))
		assert.Contains(t, string(f.Error.Data), fmt.Sprintf(`"messageId":%q`, first["messageId"]))
		time.Sleep(2 * time.Second)
		again = c.result(c.answer(c.prompt("s", "sleep 1s\nsay once", withKey)))
		settled := again["settled"]
		assert.Equal(t, "turn 1 completed: once, 3 tokens", inWords(settled))
		assert.Equal(t, []string{"once"}, c.texts("s"))

		// The same content written otherwise is the same.
		f = c.call("session/prompt", `{"contentBlocks":[ {"text":"sleep 1s\nsay \u006fnce","type":"text"} ],"idempotencyKey":"k","sessionId":"s"}`)
		assert.Equal(t, true, c.result(f)["duplicate"])
		// A member more is another content.
		f = c.call("session/prompt", `{"contentBlocks":[{"type":"text","text":"sleep 1s\nsay once","x":1}],"idempotencyKey":"k","sessionId":"s"}`)
		assert.Equal(t, "idempotency-conflict", c.kind(f))

		// It is known after the session was closed and brought back.
		c.ok("session/close", `{"sessionId":"s"}`)
		again = c.result(c.answer(c.prompt("s", "sleep 1s\nsay once", withKey)))
		assert.Equal(t, true, again["duplicate"])
		assert.Equal(t, settled, again["settled"])
		c.hangUp()
	})
}

// inWords returns what a receipt's settled says.
func inWords(settled any) string {
	s, _ := settled.(map[string]any)
	out := fmt.Sprintf("turn %v %v", s["turn"], s["reason"].(map[string]any)["kind"])
	if m, ok := s["message"].(map[string]any); ok {
		for _, b := range m["content"].([]any) {
			out += fmt.Sprintf(": %v", b.(map[string]any)["text"])
		}
	}
	if u, ok := s["usage"].(map[string]any); ok {
		out += fmt.Sprintf(", %v tokens", u["totalTokens"])
	}
	return out
}

// A repeated key gives the whole settlement: of turns of several steps the last
// answer and the usage of all, of a turn that was cut short the interrupted
// answer, of one that said nothing no message. What other turns said is not in
// it, and the log gives the same after the session was brought back.
func TestSettlementOfAKey(t *testing.T) {
	for name, tt := range map[string]struct{ script, cut, want string }{
		"one step":      {"say once", "", "turn 2 completed: once"},
		"several steps": {"say one\ntool bash 1s\nsay two", "", "turn 2 completed: two"},
		"interrupted":   {"say so far\nsleep 1h", `{"sessionId":"s"}`, "turn 2 aborted: so far"},
		"silent":        {"sleep 1h", `{"sessionId":"s"}`, "turn 2 aborted"},
		"failed":        {"say so far\nfail", "", "turn 2 error"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, newEngine(t))
				c.prompted("s", "say before")
				first := c.result(c.answer(c.prompt("s", tt.script, withKey)))
				time.Sleep(time.Second)
				if tt.cut != "" {
					c.ok("session/cancel", tt.cut)
				}
				time.Sleep(5 * time.Second)
				want, tokens := tt.want, int64(0)
				for _, e := range c.events("s") {
					if m, ok := e.Data.(*harness.AssistantMessage); ok && m.Turn == 2 && m.Usage != nil {
						tokens += *m.Usage.TotalTokens
					}
				}
				if tokens > 0 {
					want += fmt.Sprintf(", %d tokens", tokens)
				}
				c.prompted("s", "say after")
				for range 2 {
					again := c.result(c.answer(c.prompt("s", tt.script, withKey)))
					assert.Equal(t, first["messageId"], again["messageId"])
					assert.Equal(t, want, inWords(again["settled"]))
					c.ok("session/close", `{"sessionId":"s"}`)
				}
				// A log that is not brought back still has the receipt; and an unknown
				// key leaves it alone.
				again := c.result(c.answer(c.prompt("s", tt.script, withKey, `"ifStored":"fail"`)))
				assert.Equal(t, want, inWords(again["settled"]))
				assert.Equal(t, "idempotency-conflict", c.kind(c.answer(c.prompt("s", "say other", withKey, `"ifStored":"fail"`))))
				assert.Equal(t, "session-exists", c.kind(c.answer(c.prompt("s", "say x", `"idempotencyKey":"new","ifStored":"fail"`))))
				assert.Equal(t, "stored", c.ok("session/status", `{"sessionId":"s"}`)["state"])
				c.hangUp()
			})
		})
	}
}

func TestKeyOfAWithdrawnPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1h")
		c.prompted("s", "say q", withKey)
		c.ok("session/cancel", `{"sessionId":"s"}`)
		want := map[string]any{"reason": map[string]any{"kind": "withdrawn"}}
		assert.Equal(t, want, c.result(c.answer(c.prompt("s", "say q", withKey)))["settled"])
		c.ok("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, want, c.result(c.answer(c.prompt("s", "say q", withKey)))["settled"])
		assert.Empty(t, c.texts("s"))
		c.hangUp()
	})
}

// Two held prompts with one key are one.
func TestKeysOfHeldPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		c.prompted("s", "sleep 1s")
		one, two := c.prompt("s", "say q", withKey), c.prompt("s", "say q", withKey)
		time.Sleep(2 * time.Second)
		assert.Equal(t, c.result(c.answer(one))["messageId"], c.result(c.answer(two))["messageId"])
		assert.Equal(t, []string{"", "q"}, c.texts("s"))
		c.hangUp()
	})
}

func TestKeyLengths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		key := func(n int) string {
			s := ""
			for range n {
				s += "键"
			}
			return fmt.Sprintf(`"idempotencyKey":%q`, s)
		}
		c.prompted("s", "say a", key(255))
		assert.Equal(t, "invalid-params", c.kind(c.answer(c.prompt("s", "say a", key(256)))))
		assert.Equal(t, "invalid-params", c.kind(c.answer(c.prompt("s", "say a", key(0)))))
		c.hangUp()
	})
}
