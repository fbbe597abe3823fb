// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// The last event of a stored session.
func lastStored(t *testing.T, s *memory.Store, id string) (last *harness.Event) {
	for r, err := range s.Read(context.Background(), id, 0) {
		require.NoError(t, err)
		last = new(harness.Event)
		require.NoError(t, last.UnmarshalJSON(r.Data))
	}
	return last
}

// A shutdown closes all sessions at once, notifies clients of version 2, and then
// answers.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("a", "say so far\nsleep 1h")
		c.prompted("b", "tool bash 1h")
		c.prompted("c", "say done")
		c.briefs()
		begin := time.Now()
		id := c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.Zero(t, time.Since(begin))
		got := c.briefs()
		assert.Equal(t, "result "+id, got[len(got)-1])
		assert.Equal(t, 2, count(got, "turn/end:aborted/disposed"))
		assert.Equal(t, 3, count(got, "session.closed"))
		assert.Contains(t, got, "assistant/message:interrupted")
		checkLog(t, c.events("a"))
		checkLog(t, c.events("b"))
	})
}

// Others get no further frame, as from DSH; their log is closed all the same.
func TestShutdownForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		c := dialOld(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		c.prompted("s", "sleep 1h")
		c.briefs()
		id := c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.Equal(t, []string{"result " + id}, c.briefs())
		end := lastStored(t, s, "s").Data.(*harness.TurnEnd)
		assert.Equal(t, &harness.EndAborted{Reason: &harness.CauseDisposed{}}, end.Reason)
	})
}

// An agent that does not return is not waited for past the deadline.
func TestShutdownHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		e := newEngine(t, func(o *session.Options) { o.Store = s })
		c := dial(t, e)
		c.prompted("s", "say so far\nstubborn 10s")
		begin := time.Now()
		c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.LessOrEqual(t, time.Since(begin), 800*time.Millisecond)
		end := lastStored(t, s, "s").Data.(*harness.TurnEnd)
		assert.Equal(t, []string{"agent"}, end.Unfinished)
		got := c.briefs()
		assert.Contains(t, got, "session.closed")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		assert.Error(t, e.Wait(ctx), "the agent is still there")
		time.Sleep(time.Minute)
		assert.NoError(t, e.Wait(context.Background()))
	})
}

// The end of input does the same, without an answer.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		c.prompted("s", "say so far\nsleep 1h")
		c.briefs()
		begin := time.Now()
		c.hangUp()
		assert.LessOrEqual(t, time.Since(begin), 800*time.Millisecond)
		got := c.briefs()
		assert.Equal(t, []string{"assistant/message:interrupted", "step/end", "turn/end:aborted/disposed", "idle", "session.closed"}, got)
		assert.Equal(t, "turn/end", lastStored(t, s, "s").Type())
	})
}

// So does the context, even if the client reads nothing.
func TestEndOfContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		e := newEngine(t, func(o *session.Options) { o.Store = s })
		c := dial(t, e)
		c.prompted("s", "sleep 1h")
		require.NoError(t, e.Shutdown(context.Background()))
		assert.Equal(t, "turn/end", lastStored(t, s, "s").Type())
		assert.Equal(t, "shutting-down", c.kind(c.answer(c.prompt("s", "say no"))))
		assert.Equal(t, "shutting-down", c.fails("session/resume", `{"sessionId":"s"}`))
		assert.Equal(t, "shutting-down", c.fails("session/wait", `{"sessionId":"s"}`))
		assert.Equal(t, "shutting-down", c.fails("session/list", `{}`))
		assert.Equal(t, "shutting-down", c.fails("initialize", initV2))
		c.hangUp()
	})
}

// Several shutdowns are answered alike.
func TestConcurrentShutdowns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, d := dial(t, e), dialMore(t, e, initV2)
		c.prompted("s", "stubborn 300ms")
		one, two, three := c.send("shutdown", ""), c.send("shutdown", ""), d.send("shutdown", "")
		time.Sleep(time.Second)
		require.NotNil(t, c.answer(one))
		require.NotNil(t, c.answer(two))
		require.NotNil(t, d.answer(three))
		require.NoError(t, <-c.end)
		require.NoError(t, <-d.end)
	})
}

// A shutdown hurries a close that is under way.
func TestShutdownDuringClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 1m")
		closing := c.send("session/close", `{"sessionId":"s"}`)
		time.Sleep(100 * time.Millisecond)
		begin := time.Now()
		c.send("shutdown", "")
		require.NoError(t, <-c.end)
		assert.LessOrEqual(t, time.Since(begin), 1100*time.Millisecond)
		assert.Equal(t, "forced", c.result(c.answer(closing))["outcome"])
		time.Sleep(2 * time.Minute)
	})
}

// Rule N1.
func TestShutdownBeforeInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t), true).read()
		assert.Equal(t, "not-initialized", c.kind(c.answer(c.prompt("s", "say hi"))))
		id := c.send("shutdown", "")
		require.NotNil(t, c.answer(id))
		require.NoError(t, <-c.end)
	})
}

// What stood on the input before its end is answered as itself, whatever the
// engine has to do for it; what cannot end within the deadline is refused as
// shutting-down. Each is answered once.
func TestRequestsBeforeTheEndOfInput(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, newEngine(t))
			c.prompted("busy", "ask bash")
			c.prompted("waited", "sleep 1h")
			c.prompted("idle", "say hi")
			var lines strings.Builder
			want, n := map[string]string{}, 0
			add := func(answer, method, params string) {
				n++
				id := fmt.Sprint(1000 + n)
				want[id] = answer
				fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", id, method, params)
			}
			for range 20 {
				add(`"sessions"`, "session/list", `{}`)
				add(`"stored"`, "session/status", `{"sessionId":"stored"}`)
				add(`"requires-action"`, "session/status", `{"sessionId":"busy"}`)
				add(`session-not-found`, "session/status", `{"sessionId":"never"}`)
				add(`"idle"`, "session/cancel", `{"sessionId":"idle"}`)
				add(`"unknown"`, "session/cancel", `{"sessionId":"never"}`)
				add(`session-not-found`, "session/resume", `{"sessionId":"never"}`)
				add(`"closed":false`, "session/close", `{"sessionId":"never"}`)
				add(`"cwd"`, "session/working-directory/get", fmt.Sprintf(`{"sessionId":"new-%d"}`, n))
				add(`"messageId"`, "session/prompt", fmt.Sprintf(`{"sessionId":"new-%d","contentBlocks":[{"type":"text","text":"sleep 1h"}]}`, n))
				add(`shutting-down`, "session/wait", `{"sessionId":"waited"}`)
				add(`"idle":true`, "session/wait", `{"sessionId":"idle"}`)
			}
			add(`"stopped"`, "session/cancel", `{"sessionId":"busy","waitFor":"settled"}`)
			c.prompted("stored", "say hi")
			c.ok("session/close", `{"sessionId":"stored"}`)
			_, err := io.WriteString(c.w, lines.String())
			require.NoError(t, err)
			c.hangUp()
			synctest.Wait() // what was written is read
			got := map[string]int{}
			for _, f := range c.all() {
				if id := string(f.ID); want[id] != "" && f.Method == "" {
					assert.Contains(t, f.Line, want[id])
					got[id]++
				}
			}
			for id := range want {
				assert.Equal(t, 1, got[id], "request %s", id)
			}
		})
	}
}

// hungStore is a store whose listings, and whose appends to one log, hang until the
// context or the test ends.
type hungStore struct {
	*memory.Store
	hang chan struct{}
}

func (s hungStore) Create(ctx context.Context, h store.Header) (store.Log, error) {
	l, err := s.Store.Create(ctx, h)
	if h.ID == "hung" && err == nil {
		l = hungLog{l, s}
	}
	return l, err
}

func (s hungStore) List(ctx context.Context, q store.Query) (store.Page, error) {
	select {
	case <-ctx.Done():
		return store.Page{}, ctx.Err()
	case <-s.hang:
		return s.Store.List(ctx, q)
	}
}

type hungLog struct {
	store.Log
	s hungStore
}

func (l hungLog) Append(ctx context.Context, after int64, r ...store.Record) error {
	if after > 0 {
		<-l.s.hang // it does not look at its context
	}
	return l.Log.Append(ctx, after, r...)
}

// A store that does not return costs no request its answer, and the exit no more
// than its bound.
func TestShutdownWithAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hungStore{new(memory.Store), make(chan struct{})}
		e := newEngine(t, func(o *session.Options) { o.Store = s })
		c := dial(t, e)
		ids := []string{c.send("session/prompt", `{"sessionId":"hung","contentBlocks":[{"type":"text","text":"say hi"}]}`)}
		synctest.Wait()
		for range 100 {
			ids = append(ids,
				c.send("session/wait", `{"sessionId":"hung"}`),
				c.send("session/cancel", `{"sessionId":"hung","waitFor":"settled"}`),
				c.send("session/prompt", `{"sessionId":"hung","contentBlocks":[{"type":"text","text":"say hi"}]}`))
		}
		ids = append(ids, c.send("session/list", `{}`))
		synctest.Wait()
		begin := time.Now()
		c.hangUp()
		assert.LessOrEqual(t, time.Since(begin), 1300*time.Millisecond)
		for _, id := range ids[1:] {
			assert.Equal(t, "shutting-down", c.kind(c.answer(id)))
		}
		close(s.hang)
		require.NoError(t, e.Wait(context.Background()))
	})
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// An answer that could not be written is not an orderly end, also if the input
// ends right behind the request.
func TestServeReportsThatTheOutputFailed(t *testing.T) {
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}`+"\n", initV2)
	for range 20 {
		err := newEngine(t).Serve(context.Background(), strings.NewReader(line), fullDisk{})
		assert.ErrorIs(t, err, syscall.ENOSPC)
	}
}
