// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
)

// What a delta has in common with those before it is encoded once: each frame is
// as the generated encoder writes it, whatever ids and texts hold.
func TestDeltaFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		texts := []string{`,"n":0,`, `"."}}`, `\",\"n\":0,`, "a b c", ""}
		for _, id := range []string{"plain", `,"n":0,`, `"n":0,"n":0,`, `"."}}`, `\`, "\u2028"} {
			for _, text := range texts {
				params, err := json.Marshal(map[string]any{"sessionId": id, "contentBlocks": []any{map[string]any{
					"type": "text", "text": "think " + text + "x\nsay " + text + "y z\ntool bash 1ms\nsay " + text + "w",
				}}})
				require.NoError(t, err)
				c.send("session/prompt", string(params))
				time.Sleep(time.Second)
			}
		}
		frames := 0
		for _, f := range c.all() {
			if f.Method != "session.delta" {
				continue
			}
			frames++
			var got struct{ Params harness.SessionDelta }
			require.NoError(t, json.Unmarshal([]byte(f.Line), &got), f.Line)
			assert.Equal(t, string((*harnessserver.Peer)(nil).AppendSessionDelta(nil, &got.Params)), strings.TrimSpace(f.Line))
		}
		assert.Greater(t, frames, 100)
		c.hangUp()
	})
}
