// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestOnePrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.briefs()
		id := c.prompt("s", "say hello world")
		assert.Equal(t, []string{
			"insert", "running", "turn/start", "claim", "result " + id,
			"step/start", "system/message", "user/message", "user/message", "request/header", "request/context", "session/title",
			"assistant/message", "step/end", "turn/end:completed", "idle",
		}, c.briefs())
		assert.Equal(t, []string{"hello ", "world"}, c.deltas("s"))
		assert.Equal(t, []string{"hello world"}, c.texts("s"))
		c.hangUp()
	})
}
