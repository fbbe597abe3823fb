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

// asked returns the question that came last.
func (c *wire) asked() *frame {
	c.t.Helper()
	synctest.Wait()
	var found *frame
	for _, f := range c.all() {
		if f.Method == "session/request_permission" {
			found = f
		}
	}
	require.NotNil(c.t, found, "nothing was asked")
	return found
}

func (c *wire) decide(f *frame, outcome string) {
	c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":%s}}`, f.ID, outcome))
}

const (
	allow  = `{"outcome":"selected","optionId":"allow-once"}`
	reject = `{"outcome":"selected","optionId":"reject-once"}`
)

// lastResult returns the last tool result of a session.
func (c *wire) lastResult(id string) *harness.ToolResultEvent {
	var found *harness.ToolResultEvent
	for _, e := range c.events(id) {
		if r, ok := e.Data.(*harness.ToolResultEvent); ok {
			found = r
		}
	}
	require.NotNil(c.t, found)
	return found
}

func TestPermissionIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "ask rm\nsay on")
		c.briefs()
		f := c.asked()
		assert.Equal(t, "s", f.Params.SessionID)
		assert.EqualValues(t, 1, f.Params.Turn)
		assert.Equal(t, "rm", f.Params.ToolCall.Title)
		assert.Equal(t, "requires-action", c.ok("session/status", `{"sessionId":"s"}`)["state"])
		time.Sleep(time.Hour)
		c.briefs()
		c.decide(f, allow)
		got := c.briefs()
		assert.Equal(t, []string{"approval/decided", "running", "tool/result"}, got[:3])
		assert.False(t, *c.lastResult("s").Message.IsError)
		assert.Equal(t, "on", c.texts("s")[1])
		statuses := []string{}
		for _, f := range c.all() {
			if f.Method == "session.status" {
				statuses = append(statuses, f.Params.Status)
			}
		}
		assert.Equal(t, []string{"running", "requires-action", "running", "idle"}, statuses)
		c.hangUp()
	})
}

// Refused, not understood, failed: each is no, and the turn continues.
func TestPermissionThatIsNotGiven(t *testing.T) {
	for name, answer := range map[string]string{
		"refused":         reject,
		"cancelled":       `{"outcome":"cancelled"}`,
		"not offered":     `{"outcome":"selected","optionId":"yes"}`,
		"unknown outcome": `{"outcome":"perhaps"}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, newEngine(t))
				c.prompted("s", "ask rm\nsay on")
				c.decide(c.asked(), answer)
				assert.Equal(t, "PERMISSION_DENIED", c.lastResult("s").Error.Code)
				assert.Equal(t, "on", c.texts("s")[1])
				c.hangUp()
			})
		})
	}
	for name, answer := range map[string]string{
		"a result and an error":         `"result":{"outcome":` + allow + `},"error":{"code":1,"message":"no"}`,
		"neither":                       `"outcome":` + allow,
		"no result":                     `"result":null`,
		"an option that is none":        `"result":{"outcome":{"outcome":"selected","optionId":1}}`,
		"a member twice":                `"result":{"outcome":` + allow + `,"outcome":` + reject + `}`,
		"an error that says not enough": `"error":"no"`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, newEngine(t))
				c.prompted("s", "ask rm\nsay on")
				c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, c.asked().ID, answer))
				assert.Equal(t, "PERMISSION_DENIED", c.lastResult("s").Error.Code)
				assert.Equal(t, "on", c.texts("s")[1])
				assert.Equal(t, "idle", c.ok("session/status", `{"sessionId":"s"}`)["state"])
				c.hangUp()
			})
		})
	}
	t.Run("an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("s", "ask rm")
			c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, c.asked().ID))
			assert.Equal(t, "PERMISSION_DENIED", c.lastResult("s").Error.Code)
			c.hangUp()
		})
	})
}

// With no client that can be asked the answer is no, at once, and no
// required action is announced.
func TestNobodyToAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		c.prompted("s", "ask rm\nsay on")
		assert.Equal(t, "on", c.texts("s")[1])
		for _, f := range c.all() {
			assert.NotEqual(t, "session/request_permission", f.Method)
			assert.NotEqual(t, "requires-action", f.Params.Status)
		}
		var decided *harness.ApprovalDecided
		for _, e := range c.events("s") {
			if d, ok := e.Data.(*harness.ApprovalDecided); ok {
				decided = d
			}
		}
		assert.Equal(t, harness.ApprovalUnavailable, decided.Outcome)
		c.hangUp()
	})
}

// C5, CF-02: a cancel withdraws the question, and goes idle at the turn's end
// without running in between; a late answer does nothing.
func TestPermissionIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "ask rm")
		f := c.asked()
		c.briefs()
		id := c.send("session/cancel", `{"sessionId":"s"}`)
		got := c.briefs()
		assert.ElementsMatch(t, []string{
			"approval/decided", "$/cancel_request", "result " + id, "tool/result", "step/end", "turn/end:aborted/user", "idle",
		}, got)
		assert.Equal(t, "ABORTED", c.lastResult("s").Error.Code)
		c.decide(f, allow)
		assert.Empty(t, c.briefs())
		c.hangUp()
	})
}

// CF-01: close denies what is asked.
func TestCloseDeniesPermissions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "ask rm")
		c.asked()
		begin := time.Now()
		assert.Equal(t, "clean", c.ok("session/close", `{"sessionId":"s"}`)["outcome"])
		assert.Zero(t, time.Since(begin))
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// A1: a lost connection denies what it was asked, and stops nothing.
func TestLostConnectionDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		keep := dial(t, e)
		c := dialMore(t, e, initV2)
		c.prompted("s", "ask rm\nsay on")
		c.asked()
		c.hangUp()
		keep.ok("session/load", `{"sessionId":"s"}`)
		assert.Equal(t, "PERMISSION_DENIED", keep.lastResult("s").Error.Code)
		assert.Equal(t, "on", keep.texts("s")[1])
		keep.hangUp()
	})
}

// On standard input and output the lost connection is a shutdown: the turn that
// asks ends with it, and what waits behind it is not begun.
func TestTheEndOfInputOfAClientThatIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		for i := range 100 { // many, since one denial might come late by luck
			id := fmt.Sprint("s", i)
			c.prompted(id, "ask rm\nsay on")
			c.prompted(id, "say next")
		}
		c.asked()
		c.briefs()
		c.hangUp()
		got := c.briefs()
		assert.Contains(t, got, "turn/end:aborted/disposed")
		assert.NotContains(t, got, "turn/end:completed")
		assert.NotContains(t, got, "turn/start")
	})
}

// The connection whose prompt it is for is asked, another if that one cannot
// be.
func TestWhoIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, d, old := dialMore(t, e, initV2), dialMore(t, e, initV2), dialMore(t, e, initOld)
		c.prompted("s", "say hi")
		d.prompted("s", "ask rm")
		d.decide(d.asked(), allow)
		assert.False(t, *c.lastResult("s").Message.IsError)
		old.prompted("s", "ask rm")
		c.decide(c.asked(), reject)
		assert.True(t, *c.lastResult("s").Message.IsError)
		c.hangUp()
		d.hangUp()
		old.hangUp()
	})
}

func TestPermissionHasATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, func(o *session.Options) { o.Bounds.Permission = time.Minute })
		c := dial(t, e)
		c.prompted("s", "ask rm\nsay on")
		assert.Contains(t, c.asked().Line, fmt.Sprintf(`"expiresAt":%d`, time.Now().Add(time.Minute).UnixMilli()))
		time.Sleep(2 * time.Minute)
		assert.Equal(t, "PERMISSION_DENIED", c.lastResult("s").Error.Code)
		assert.Equal(t, "on", c.texts("s")[1])
		c.hangUp()
	})
}

// A question is withdrawn before its turn's end, however the turn comes to its
// end, and before any answer that says so.
func TestWithdrawalPrecedesTheEnd(t *testing.T) {
	for name, end := range map[string]func(c *wire){
		"cancel":         func(c *wire) { c.ok("session/cancel", `{"sessionId":"s"}`) },
		"cancel settled": func(c *wire) { c.ok("session/cancel", `{"sessionId":"s","waitFor":"settled"}`) },
		"cancel of turn": func(c *wire) { c.ok("session/cancel", `{"sessionId":"s","turn":1,"waitFor":"settled"}`) },
		"close":          func(c *wire) { c.ok("session/close", `{"sessionId":"s"}`) },
		"drain":          func(c *wire) { c.send("session/close", `{"sessionId":"s","onActive":"drain"}`) },
		"shutdown":       func(c *wire) { c.send("shutdown", "") },
		"end of input":   func(c *wire) { _ = c.w.Close() },
	} {
		for _, tool := range []string{"ask bash", "child! ask bash"} {
			t.Run(name+"/"+tool, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := dial(t, newEngine(t))
					c.prompted("s", tool)
					c.asked()
					end(c)
					time.Sleep(time.Minute)
					withdrawn, ends := 0, 0
					for _, f := range c.all() {
						switch {
						case f.Method == "$/cancel_request":
							withdrawn++
						case f.Method == "session.event" && f.event(t).Type() == "turn/end",
							f.Method == "session.closed",
							f.Method == "" && strings.Contains(f.Line, `"stopped"`):
							ends++
							assert.Equal(t, 1, withdrawn, f.Line)
						}
					}
					assert.Equal(t, 1, withdrawn)
					assert.NotZero(t, ends)
					c.hangUp()
				})
			})
		}
	}
}
