// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		assert.Equal(t, "session-not-found", c.fails("session/wait", `{"sessionId":"s"}`))
		c.prompted("s", "sleep 2s")
		q := c.prompted("s", "say q")
		one, two := c.send("session/wait", `{"sessionId":"s"}`), c.send("session/wait", `{"sessionId":"s"}`)
		timed := c.send("session/wait", `{"sessionId":"s","timeoutMs":500}`)
		assert.Nil(t, c.answer(one))
		time.Sleep(time.Second)
		r := c.result(c.answer(timed))
		assert.Equal(t, false, r["idle"])
		assert.Equal(t, 1.0, r["queued"])
		assert.Equal(t, []any{map[string]any{"kind": "turn", "id": "1"}, map[string]any{"kind": "prompt", "id": q}}, r["running"])
		c.briefs()
		time.Sleep(2 * time.Second)
		got := c.briefs()
		assert.Equal(t, []string{"idle", "result " + one, "result " + two}, got[len(got)-3:], "after all frames of the work")
		last := float64(len(c.events("s")) - 1)
		assert.Equal(t, map[string]any{"idle": true, "seq": last, "queued": 0.0}, c.result(c.answer(one)))
		c.hangUp()
	})
}

// afterSeq rules out an idle that was seen before; only the timeout ends such a
// wait if the seq does not come.
func TestWaitAfterSeq(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "say hi")
		n := len(c.events("s"))
		w := c.send("session/wait", `{"sessionId":"s","afterSeq":`+itoa(n)+`}`)
		w2 := c.send("session/wait", `{"sessionId":"s","afterSeq":1000,"timeoutMs":1000}`)
		assert.NotNil(t, c.answer(c.send("session/wait", `{"sessionId":"s","afterSeq":`+itoa(n-1)+`}`)))
		assert.Nil(t, c.answer(w))
		time.Sleep(2 * time.Second)
		assert.Equal(t, false, c.result(c.answer(w2))["idle"])
		assert.Nil(t, c.answer(w))
		c.prompted("s", "say more")
		assert.Equal(t, true, c.result(c.answer(w))["idle"])
		c.hangUp()
	})
}

func itoa(n int) string {
	b := []byte{}
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

func TestGivingUpAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1h")
		w := c.send("session/wait", `{"sessionId":"s"}`)
		assert.Nil(t, c.answer(w))
		c.line(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + w + `}}`)
		f := c.answer(w)
		require.NotNil(t, f)
		assert.Equal(t, -32800, f.Error.Code)
		c.hangUp()
	})
}

// W1: what a shutdown cuts short is an error.
func TestWaitCutShort(t *testing.T) {
	for _, dialling := range []string{"version 2", "others"} {
		t.Run(dialling, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t)
				var c *wire
				if dialling == "others" {
					c = dialOld(t, e)
				} else {
					c = dial(t, e)
				}
				c.prompted("s", "sleep 1h")
				w := c.send("session/wait", `{"sessionId":"s"}`)
				bye := c.send("shutdown", "")
				assert.Equal(t, "shutting-down", c.kind(c.answer(w)))
				require.NotNil(t, c.answer(bye))
				require.NoError(t, <-c.end)
			})
		})
	}
}

func TestWaitOfThoseWhoDidNotNegotiate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		c.prompted("s", "fail it")
		assert.Equal(t, map[string]any{}, c.ok("session/wait", `{"sessionId":"s"}`))
		f := c.call("session/wait", `{"sessionId":"nope"}`)
		assert.Equal(t, "unknown SDK session: nope", f.Error.Message)
		c.hangUp()
	})
}

// As many waits as a connection may have pending end with the session's close,
// with its rest and with the shutdown, each answered once; others are not kept
// waiting.
func TestManyWaits(t *testing.T) {
	const most = 16_384 - 1 // what ends them is a request, too
	for name, tt := range map[string]struct {
		end  func(c *wire)
		want string
	}{
		"rest":     {func(c *wire) { c.ok("session/cancel", `{"sessionId":"s"}`) }, `"idle":true`},
		"close":    {func(c *wire) { c.ok("session/close", `{"sessionId":"s"}`) }, `session-closed`},
		"input":    {func(c *wire) { _ = c.w.Close() }, `shutting-down`},
		"shutdown": {func(c *wire) { c.send("shutdown", "") }, `shutting-down`},
		"timeouts": {func(*wire) { time.Sleep(time.Minute) }, `"idle":false`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t)
				c, other := dial(t, e), dialMore(t, e, initV2)
				c.prompted("s", "sleep 1h")
				var lines strings.Builder
				for n := range most {
					fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":"w%d","method":"session/wait","params":{"sessionId":"s","afterSeq":%d,"timeoutMs":60000}}`+"\n", n, n%7)
				}
				_, err := io.WriteString(c.w, lines.String())
				require.NoError(t, err)
				other.ok("session/list", `{}`)
				tt.end(c)
				time.Sleep(time.Second)
				got := map[string]int{}
				for _, f := range c.all() {
					if id := string(f.ID); f.Method == "" && strings.HasPrefix(id, `"w`) && strings.Contains(f.Line, tt.want) {
						got[id]++
					}
				}
				assert.Len(t, got, most)
				for id, n := range got {
					assert.Equal(t, 1, n, id)
				}
				_ = other.w.Close()
				_ = c.w.Close()
				require.NoError(t, <-c.end)
				require.NoError(t, <-other.end)
			})
		})
	}
}
