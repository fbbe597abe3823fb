// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An error says what is wrong, where, and what to do.
func TestErrorsSayWhatToDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		early := connect(t, newEngine(t), true).read()
		says := func(c *wire, method, params, message, path string) {
			t.Helper()
			f := c.call(method, params)
			require.NotNil(t, f.Error)
			var data struct{ Path string }
			require.NoError(t, json.Unmarshal(f.Error.Data, &data))
			assert.Contains(t, f.Error.Message, message)
			assert.Equal(t, path, data.Path)
		}
		says(early, "initialize", `{"protocolVersion":1}`, "call initialize with provider and model", "")
		says(early, "initialize", `{"cwd":"/w","provider":"demo","model":"m","protocolVersion":1}`, "version 1 is not served: ask for 2, or for none", "")
		early.hangUp()

		c := dial(t, newEngine(t))
		says(c, "session/prompt", `{"sessionId":"s","contentBlocks":[{"type":"image","data":"aGk="}]}`, "mimeType: image/png", "contentBlocks[0].mimeType")
		says(c, "session/prompt", `{"sessionId":"s","contentBlocks":[{"type":"image"}]}`, "send one of them", "contentBlocks[0]")
		c.prompted("s", "sleep 1h", `"idempotencyKey":"k"`)
		waiting := c.result(c.answer(c.prompt("s", "say b")))["messageId"].(string)
		says(c, "session/cancel", `{"sessionId":"s","messageId":"`+waiting+`","turn":1}`, "name one alone", "turn")
		says(c, "session/cancel", `{"sessionId":"s","messageId":"`+waiting+`","idempotencyKey":"k"}`, "name one alone", "idempotencyKey")
		c.hangUp()
	})
}
