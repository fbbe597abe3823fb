// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
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
		settled := map[string]any{"turn": 1.0, "reason": map[string]any{"kind": "completed"}}
		assert.Equal(t, settled, again["settled"])
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
