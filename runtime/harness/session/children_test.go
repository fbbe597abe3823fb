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

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
)

// child returns the id of the child that was started last.
func (c *wire) child() string {
	c.t.Helper()
	synctest.Wait()
	id := ""
	for _, f := range c.all() {
		if f.Method == "subagent.started" {
			id = f.Params.ChildSessionID
		}
	}
	require.NotEmpty(c.t, id, "no child was started")
	return id
}

// inShort returns what came, in short, with the session it is of.
func (c *wire) inShort(root string) []string {
	var out []string
	for _, f := range c.next() {
		if f.Method == "session.delta" {
			continue
		}
		who := "child "
		if f.Params.SessionID == root || f.Params.SessionID == "" {
			who = ""
		}
		out = append(out, who+f.brief(c.t))
	}
	return out
}

// A background child: the call is over at once, the parent continues and becomes idle;
// later a notice starts a turn of its own.
func TestBackgroundChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.inShort("s")
		p := c.prompt("s", "child count 3 1s")
		got := c.inShort("s")
		assert.Equal(t, []string{
			"insert", "running", "turn/start", "claim", "result " + p,
			"step/start", "system/message", "user/message", "user/message", "request/header", "request/context", "session/title",
			"assistant/message", "tool/call", "subagent.started",
			"child insert", "child running", "child turn/start", "child claim",
			"subagent/catalog", "tool/result", "step/end",
		}, got[:22])
		assert.Contains(t, got, "idle", "the parent is idle while the child works")
		child := c.child()
		c.hangOnStatus("s", "child")
		w := c.send("session/wait", `{"sessionId":"s"}`)
		cw := c.send("session/wait", fmt.Sprintf(`{"sessionId":%q}`, child))
		assert.Nil(t, c.answer(w))
		c.inShort("s")
		time.Sleep(2 * time.Second)
		got = c.inShort("s")
		i := indexOf(got, "child idle")
		require.GreaterOrEqual(t, i, 0, got)
		assert.Equal(t, []string{"insert", "running", "turn/start", "claim", "subagent.finished"}, without(got, "result ")[i+1:][:5])
		assert.Equal(t, []string{"idle", "result " + w}, got[len(got)-2:])
		assert.Equal(t, true, c.result(c.answer(cw))["idle"])
		assert.Contains(t, c.texts("s"), "The child says: 1 2 3 ")
		for _, f := range c.all() {
			if f.Method == "subagent.finished" {
				assert.JSONEq(t, fmt.Sprintf(`{"provider":"spawn","agentId":%q,"parentSessionId":"s","childSessionId":%q,"status":"ok","stopReason":"completed","lastAssistantMessage":[{"type":"text","text":"1 2 3 "}]}`, child, child),
					f.Line[len(`{"jsonrpc":"2.0","method":"subagent.finished","params":`):len(f.Line)-1])
			}
		}
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

func without(list []string, prefix string) (out []string) {
	for _, e := range list {
		if !strings.HasPrefix(e, prefix) {
			out = append(out, e)
		}
	}
	return out
}

// An awaited child is over before its call is (SA-06).
func TestAwaitedChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.inShort("s")
		c.prompt("s", "child! count 3 1s\nsay end")
		time.Sleep(5 * time.Second)
		got := c.inShort("s")
		finished, result := indexOf(got, "subagent.finished"), indexOf(got, "tool/result")
		assert.Less(t, indexOf(got, "child idle"), finished)
		assert.Less(t, finished, result)
		assert.Equal(t, 1, count(got, "turn/end:completed"), "no notice starts another turn")
		assert.Equal(t, "end", c.texts("s")[len(c.texts("s"))-1])
		for _, e := range c.events("s") {
			if r, ok := e.Data.(*harness.ToolResultEvent); ok {
				assert.Equal(t, []harness.ContentBlock{&harness.TextBlock{Text: "1 2 3 "}}, r.Message.Content)
			}
		}
		c.hangUp()
	})
}

// C4: children that the turn awaits end with it; background ones continue, unless
// the cancel says otherwise.
func TestCancelAndChildren(t *testing.T) {
	t.Run("awaited", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "child! sleep 1h")
			c.inShort("s")
			assert.Equal(t, "stopping", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
			got := without(c.inShort("s"), "result ")
			assert.Equal(t, []string{
				"child step/end", "child turn/end:aborted/parent", "child idle", "subagent.finished",
				"tool/result", "step/end", "turn/end:aborted/user", "idle",
			}, got)
			checkLog(t, c.events("s"))
			c.hangUp()
		})
	})
	t.Run("background continues", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "child sleep 5s\nsleep 1h")
			c.inShort("s")
			c.ok("session/cancel", `{"sessionId":"s"}`)
			got := c.inShort("s")
			assert.NotContains(t, got, "subagent.finished")
			assert.Contains(t, got, "idle")
			time.Sleep(10 * time.Second)
			assert.Contains(t, c.inShort("s"), "subagent.finished")
			c.hangUp()
		})
	})
	t.Run("background cancelled too", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "child sleep 1h\nsleep 1h")
			c.inShort("s")
			c.ok("session/cancel", `{"sessionId":"s","background":"cancel"}`)
			got := c.inShort("s")
			assert.Contains(t, got, "child turn/end:aborted/parent")
			assert.Contains(t, got, "subagent.finished")
			time.Sleep(time.Hour)
			assert.Empty(t, c.inShort("s"), "and no notice starts a turn that was not asked for")
			assert.Equal(t, true, c.ok("session/wait", `{"sessionId":"s"}`)["idle"])
			c.hangUp()
		})
	})
	t.Run("background of an idle session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "child sleep 1h")
			assert.Equal(t, "idle", effect(c.ok("session/cancel", `{"sessionId":"s"}`)))
			// No turn is open, so no turn/end would follow a "stopping".
			r := c.ok("session/cancel", `{"sessionId":"s","background":"cancel","waitFor":"settled"}`)
			assert.Equal(t, map[string]any{"cancelled": true, "effect": "idle", "withdrawn": []any{}}, r)
			assert.Contains(t, c.inShort("s"), "child turn/end:aborted/parent")
			assert.Equal(t, true, c.ok("session/wait", `{"sessionId":"s"}`)["idle"])
			c.hangUp()
		})
	})
}

// A2: a child can be cancelled and waited for by its id, and belongs to its
// parent; finished, it is a stored session like any other.
func TestChildIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "child sleep 1h")
		child := c.child()
		named := fmt.Sprintf(`"sessionId":%q`, child)
		assert.Equal(t, "session-exists", c.fails("session/prompt", "{"+named+`,"contentBlocks":[{"type":"text","text":"x"}]}`))
		assert.Equal(t, "session-exists", c.fails("session/resume", "{"+named+"}"))
		assert.Equal(t, "session-exists", c.fails("session/load", "{"+named+"}"))
		assert.Equal(t, "session-exists", c.fails("session/working-directory/get", "{"+named+"}"))
		assert.Equal(t, "session-busy", c.fails("session/close", "{"+named+"}"))
		assert.Equal(t, "running", c.ok("session/status", "{"+named+"}")["state"])
		assert.Equal(t, "stopping", effect(c.ok("session/cancel", "{"+named+"}")))
		time.Sleep(time.Second)
		assert.Equal(t, "stored", c.ok("session/status", "{"+named+"}")["state"])
		assert.Equal(t, "session-not-found", c.fails("session/wait", "{"+named+"}"))
		assert.Equal(t, "unknown", effect(c.ok("session/cancel", "{"+named+"}")))
		assert.Contains(t, c.texts("s")[len(c.texts("s"))-1], "ended without finishing: aborted")

		c.inShort("s")
		id := c.send("session/resume", "{"+named+"}")
		assert.Equal(t, []string{"subagent.started", "result " + id}, c.inShort("s"))
		c.prompted(child, "say on my own")
		assert.Contains(t, c.texts(child), "on my own")
		c.hangUp()
	})
}

// Closing ends children, background ones too; the parent's notice is not
// written any more.
func TestCloseEndsChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "child sleep 1h")
		c.inShort("s")
		id := c.send("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, []string{
			"child step/end", "child turn/end:aborted/disposed", "child idle", "subagent.finished", "session.closed", "result " + id,
		}, c.inShort("s"))
		assert.Equal(t, "clean", c.result(c.answer(id))["outcome"])
		c.hangUp()
	})
}

// A failing child is an error result, and the parent continues.
func TestChildThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "child! fail it\nsay on")
		assert.Equal(t, "on", c.texts("s")[1])
		c.prompted("s", "child fail it")
		texts := c.texts("s")
		assert.Contains(t, texts[len(texts)-1], "ended without finishing: error")
		c.hangUp()
	})
}

func TestDelegationHasADepth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "child! child! say deep\nsay end")
		started := 0
		for _, f := range c.all() {
			if f.Method == "subagent.started" {
				started++
			}
		}
		assert.Equal(t, 1, started)
		c.hangUp()

		c = dial(t, newEngine(t, func(o *session.Options) { o.MaxDepth = 2 }))
		c.prompted("s", "child! child! say deep\nsay end")
		child := c.child()
		assert.Equal(t, []string{"deep"}, c.texts(child))
		c.hangUp()
	})
}

// A connection that comes later gets the children's frames too, in order.
func TestAChildIsSeenByAllConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c := dial(t, e)
		c.prompted("s", "child count 3 1s")
		d := dialMore(t, e, initV2)
		d.ok("session/resume", `{"sessionId":"s"}`)
		assert.Contains(t, d.inShort("s"), "child running")
		time.Sleep(5 * time.Second)
		got := d.inShort("s")
		assert.Contains(t, got, "child turn/end:completed")
		assert.Contains(t, got, "subagent.finished")
		d.hangUp()
		c.hangUp()
	})
}
