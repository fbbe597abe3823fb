// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
)

func TestWorkingDirectory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.briefs()
		id := c.send("session/working-directory/get", `{"sessionId":"s"}`)
		assert.Equal(t, []string{"result " + id}, c.briefs(), "it creates the session, and says nothing of it")
		assert.Equal(t, "/w", c.result(c.answer(id))["cwd"])
		id = c.send("session/working-directory/set", `{"sessionId":"s","path":"sub"}`)
		assert.Equal(t, []string{"working-directory/change", "insert/step", "result " + id}, c.briefs())
		id = c.send("session/working-directory/set", `{"sessionId":"s","path":"/w/sub"}`)
		assert.Equal(t, []string{"result " + id}, c.briefs())
		p := c.prompt("s", "say hi")
		assert.Equal(t, []string{"insert", "running", "turn/start", "claim/step", "claim", "result " + p}, c.briefs()[:6])
		f := c.call("session/working-directory/set", `{"sessionId":"s","path":"missing"}`)
		assert.Equal(t, "invalid-params", c.kind(f))
		assert.Equal(t, "/w/sub", c.ok("session/working-directory/get", `{"sessionId":"s"}`)["cwd"])
		// It is restored with the session.
		c.ok("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, "/w/sub", c.ok("session/resume", `{"sessionId":"s"}`)["cwd"])
		c.hangUp()
	})
}

// A change while a turn runs is taken by its next step, and forces one.
func TestWorkingDirectoryWhileATurnRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1s\nsay hi")
		c.ok("session/working-directory/set", `{"sessionId":"s","path":"sub"}`)
		assert.Empty(t, c.ok("session/status", `{"sessionId":"s"}`)["queue"], "a notice is no prompt")
		c.briefs()
		time.Sleep(2 * time.Second)
		assert.Equal(t, []string{
			"assistant/message", "step/end", "claim/step", "step/start", "user/message", "user/message", "assistant/message", "step/end", "turn/end:completed", "idle",
		}, c.briefs(), "the notice, and a new snapshot")
		c.hangUp()
	})
}

// A directory that is not there fails each turn, right after the claim.
func TestMissingDirectory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t), true).read()
		c.ok("initialize", `{"cwd":"/gone","provider":"demo","model":"m","protocolVersion":2}`)
		c.briefs()
		p := c.prompt("s", "say hi")
		assert.Equal(t, []string{"insert", "running", "turn/start", "claim", "result " + p, "turn/end:error", "idle"}, c.briefs())
		end := c.events("s")[3].Data.(*harness.TurnEnd)
		assert.Equal(t, `working-directory: directory does not exist: "/gone"`, end.Reason.(*harness.EndError).Error.Message)
		assert.Equal(t, "invalid-params", c.fails("session/working-directory/get", `{"sessionId":"s"}`))
		c.hangUp()
	})
}

// A directory that vanished is reset to the session's first one.
func TestVanishedDirectory(t *testing.T) {
	root := t.TempDir()
	sub := filepath.Join(root, "sub")
	require.NoError(t, os.Mkdir(sub, 0o755))
	root, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t, func(o *session.Options) { o.Dirs = nil }), true).read()
		c.ok("initialize", `{"cwd":"`+root+`","provider":"demo","model":"m","protocolVersion":2}`)
		assert.Equal(t, filepath.Join(root, "sub"), c.ok("session/working-directory/set", `{"sessionId":"s","path":"./sub/../sub"}`)["cwd"])
		require.NoError(t, os.Remove(sub))
		c.briefs()
		id := c.send("session/working-directory/get", `{"sessionId":"s"}`)
		assert.Equal(t, []string{"working-directory/change", "insert/step", "result " + id}, c.briefs())
		assert.Equal(t, root, c.result(c.answer(id))["cwd"])
		c.hangUp()
	})
}
