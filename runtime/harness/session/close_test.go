// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// CL-01, CL-15, CL-17: closing a session at rest writes nothing.
func TestCloseIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "say hi")
		before := len(c.events("s"))
		c.briefs()
		id := c.send("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, []string{"session.closed", "result " + id}, c.briefs())
		assert.Equal(t, map[string]any{"closed": true, "outcome": "clean"}, c.result(c.answer(id)))
		assert.Len(t, c.events("s"), before)
		assert.Equal(t, map[string]any{"closed": false}, c.ok("session/close", `{"sessionId":"s"}`), "CL-02")
		assert.Equal(t, map[string]any{"closed": false}, c.ok("session/close", `{"sessionId":"missing"}`))
		assert.Equal(t, "stored", c.ok("session/status", `{"sessionId":"s"}`)["state"])
		c.hangUp()
	})
}

// CL-03: all callers wait for the same procedure and get the same result.
func TestCloseFromManySides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, other := dial(t, e), dialMore(t, e, initV2)
		c.prompted("s", "stubborn 500ms")
		var ids, others []string
		for range 8 {
			ids = append(ids, c.send("session/close", `{"sessionId":"s"}`))
			others = append(others, other.send("session/close", `{"sessionId":"s"}`))
		}
		assert.Nil(t, c.answer(ids[0]))
		time.Sleep(time.Second)
		for i := range ids {
			want := map[string]any{"closed": true, "outcome": "clean"}
			assert.Equal(t, want, c.result(c.answer(ids[i])))
			assert.Equal(t, want, other.result(other.answer(others[i])))
		}
		other.hangUp()
		c.hangUp()
	})
}

// CL-04, CL-06: a running turn is stopped, with what it had said; what comes
// while the session closes is refused, and said to be tried again.
//
// Rule K2.
func TestCloseWhileATurnRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "count 2\nstubborn 500ms")
		waiting := c.send("session/wait", `{"sessionId":"s"}`)
		queued := c.prompted("s", "say later")
		c.briefs()
		id := c.send("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, "session-closed", c.kind(c.answer(waiting)), "a pending wait is refused (W1)")
		block := `"contentBlocks":[{"type":"text","text":"x"}]`
		assert.Equal(t, "session-closed", c.fails("session/prompt", `{"sessionId":"s",`+block+`}`))
		assert.Equal(t, "session-closed", c.fails("session/load", `{"sessionId":"s"}`))
		assert.Equal(t, "session-closed", c.fails("session/resume", `{"sessionId":"s"}`))
		assert.Equal(t, "session-closed", c.fails("session/wait", `{"sessionId":"s"}`))
		f := c.call("session/working-directory/get", `{"sessionId":"s"}`)
		assert.Equal(t, "session-closed", c.kind(f))
		assert.Contains(t, string(f.Error.Data), `"retry":"after"`)
		st := c.ok("session/status", `{"sessionId":"s"}`)
		assert.Equal(t, "closing", st["state"])
		assert.Equal(t, "already-stopping", effect(c.ok("session/cancel", `{"sessionId":"s","turn":1}`)))
		c.briefs()
		time.Sleep(time.Second)
		assert.Equal(t, []string{
			"assistant/message:interrupted", "step/end", "turn/end:aborted/disposed", "idle", "session.closed", "result " + id,
		}, c.briefs())
		// The id is free, the log is there, and so is the queued prompt.
		r := c.ok("session/load", `{"sessionId":"s"}`)
		assert.Equal(t, []any{queued}, r["pendingMessageIds"])
		c.prompted("s", "say new")
		assert.Equal(t, []string{"1 2 ", "1 2 ", "later", "new"}, c.texts("s"), "replayed once, then the parked one, then the new one")
		c.hangUp()
	})
}

func TestCloseAtAcceptance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "stubborn 500ms")
		assert.Equal(t, map[string]any{"closed": true}, c.ok("session/close", `{"sessionId":"s","waitFor":"accepted"}`))
		late := c.send("session/close", `{"sessionId":"s"}`)
		synctest.Wait()
		c.line(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + late + `}}`)
		assert.Equal(t, map[string]any{"closed": true}, c.result(c.answer(late)), "F7")
		c.briefs()
		time.Sleep(time.Second)
		got := c.briefs()
		assert.Equal(t, "session.closed", got[len(got)-1])
		c.hangUp()
	})
}

func TestCloseOnActive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1s\nsay one")
		c.prompted("s", "say two")
		f := c.call("session/close", `{"sessionId":"s","onActive":"reject"}`)
		assert.Equal(t, "session-busy", c.kind(f))
		assert.JSONEq(t, `{"kind":"session-busy","sessionId":"s","retry":"after","turn":1,"queued":1}`, string(f.Error.Data))

		c.briefs()
		id := c.send("session/close", `{"sessionId":"s","onActive":"drain"}`)
		time.Sleep(500 * time.Millisecond)
		assert.Equal(t, "session-closed", c.kind(c.answer(c.prompt("s", "say three"))))
		time.Sleep(2 * time.Second)
		assert.Equal(t, map[string]any{"closed": true, "outcome": "clean"}, c.result(c.answer(id)))
		assert.Equal(t, []string{"one", "two"}, c.texts("s"))

		c.prompted("t", "say hi")
		assert.Equal(t, map[string]any{"closed": true, "outcome": "clean"}, c.ok("session/close", `{"sessionId":"t","onActive":"reject"}`))
		c.hangUp()
	})
}

// A drain ends at the deadline, and then cancels.
func TestCloseDrainHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "sleep 1h")
		begin := time.Now()
		id := c.send("session/close", `{"sessionId":"s","onActive":"drain"}`)
		for c.answer(id) == nil {
			time.Sleep(100 * time.Millisecond)
		}
		assert.Less(t, time.Since(begin), 10500*time.Millisecond)
		r := c.result(c.answer(id))
		assert.Equal(t, "forced", r["outcome"])
		assert.Equal(t, []any{"drain"}, r["unfinished"])
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// CL-07: a caller that goes away does not end the close.
func TestCloseOutlivesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, other := dial(t, e), dialMore(t, e, initV2)
		c.prompted("s", "stubborn 500ms")
		other.send("session/close", `{"sessionId":"s"}`)
		synctest.Wait()
		other.hangUp()
		c.briefs()
		time.Sleep(time.Second)
		got := c.briefs()
		assert.Equal(t, "session.closed", got[len(got)-1])
		c.hangUp()
	})
}

// CL-08: an agent that never comes back does not hold the close.
func TestCloseOfAnAgentThatDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c := dial(t, e)
		c.prompted("s", "count 2\nstubborn 1m\nsay too late")
		c.briefs()
		begin := time.Now()
		id := c.send("session/close", `{"sessionId":"s"}`)
		for c.answer(id) == nil {
			time.Sleep(100 * time.Millisecond)
		}
		assert.LessOrEqual(t, time.Since(begin), 4*time.Second)
		assert.Equal(t, map[string]any{"closed": true, "outcome": "forced", "unfinished": []any{"join"}}, c.result(c.answer(id)))
		end := c.events("s")[len(c.events("s"))-1].Data.(*harness.TurnEnd)
		assert.Equal(t, []string{"agent"}, end.Unfinished)
		assert.Equal(t, []string{"1 2 "}, c.texts("s"))
		before := len(c.all())
		time.Sleep(2 * time.Minute)
		assert.Len(t, c.all(), before, "what the agent says later is not published")
		assert.Positive(t, e.Counters().Dropped)
		c.hangUp()
	})
}

// owner is an agent with all that a close deals with.
type owner struct {
	demo.Agent
	notes   *notes
	after   func(ctx context.Context)
	release func(ctx context.Context) error
}

func (a owner) AfterTurn(ctx context.Context, _ agent.Session, turn harness.TurnID) {
	a.notes.add(fmt.Sprint("after turn ", turn, " begins"))
	if a.after != nil {
		a.after(ctx)
	}
	a.notes.add(fmt.Sprint("after turn ", turn, " ends"))
}

func (a owner) Release(ctx context.Context, _ agent.Session) error {
	a.notes.add("release")
	if a.release != nil {
		return a.release(ctx)
	}
	return nil
}

// logged notes what happens to logs.
type logged struct {
	*memory.Store
	notes *notes
	close func(ctx context.Context) error
}

func (s *logged) Create(ctx context.Context, h store.Header) (store.Log, error) {
	l, err := s.Store.Create(ctx, h)
	return &loggedLog{Log: l, s: s}, err
}

type loggedLog struct {
	store.Log
	s *logged
}

func (l *loggedLog) Close(ctx context.Context) error {
	l.s.notes.add("flush")
	if l.s.close != nil {
		if err := l.s.close(ctx); err != nil {
			return err
		}
	}
	return l.Log.Close(ctx)
}

// CL-10: the order of the steps.
func TestCloseOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &notes{}
		a := owner{notes: n, after: func(ctx context.Context) {
			select {
			case <-time.After(300 * time.Millisecond):
			case <-ctx.Done():
				n.add("after-work was cancelled")
			}
		}}
		e := newEngine(t, func(o *session.Options) {
			o.Agent, o.Store, o.MaxDepth = a, &logged{Store: new(memory.Store), notes: n}, 2
		})
		c := dial(t, e)
		c.prompted("s", "child sleep 1h")
		time.Sleep(10 * time.Millisecond)
		c.prompted("s", "ask rm")
		c.briefs()
		id := c.send("session/close", `{"sessionId":"s"}`)
		time.Sleep(time.Minute)
		got := c.briefs()
		assert.Equal(t, []string{"session.closed", "result " + id}, got[len(got)-2:])
		ends := 0
		for i, b := range got {
			switch b {
			case "turn/end:aborted/disposed":
				ends++
			case "subagent.finished":
				assert.Less(t, i, len(got)-2)
			}
		}
		assert.Equal(t, 2, ends, "the turn and the child's: %v", got)
		all := n.all()
		assert.Equal(t, []string{"release", "flush"}, all[len(all)-2:], all)
		assert.NotContains(t, all, "after-work was cancelled")
		assert.Contains(t, c.all()[len(c.all())-1].Line, `"outcome":"clean"`)
		c.hangUp()
	})
}

// CL-12, CL-13: after-work of finished turns is waited for, and not for ever.
func TestCloseWaitsForAfterWork(t *testing.T) {
	for name, tc := range map[string]struct {
		work       time.Duration
		took       time.Duration
		unfinished []any
	}{
		"it ends":  {2 * time.Second, 2 * time.Second, nil},
		"it hangs": {time.Hour, 5 * time.Second, []any{"after-work"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &notes{}
				e := newEngine(t, func(o *session.Options) {
					o.Agent = owner{notes: n, after: func(ctx context.Context) {
						select {
						case <-time.After(tc.work):
						case <-ctx.Done():
						}
					}}
				})
				c := dial(t, e)
				c.prompted("s", "say hi")
				w := c.ok("session/wait", `{"sessionId":"s","timeoutMs":0}`)
				_ = w
				c.hangOnStatus("s", "after-work")
				begin := time.Now()
				id := c.send("session/close", `{"sessionId":"s"}`)
				for c.answer(id) == nil {
					time.Sleep(10 * time.Millisecond)
				}
				assert.InDelta(t, tc.took, time.Since(begin), float64(100*time.Millisecond))
				r := c.result(c.answer(id))
				if tc.unfinished == nil {
					assert.Equal(t, "clean", r["outcome"])
				} else {
					assert.Equal(t, tc.unfinished, r["unfinished"])
				}
				c.hangUp()
			})
		})
	}
}

// hangOnStatus checks that status shows some work in addition to the turn.
func (c *wire) hangOnStatus(id, kind string) {
	c.t.Helper()
	st := c.ok("session/status", fmt.Sprintf(`{"sessionId":%q}`, id))
	for _, w := range st["background"].([]any) {
		if w.(map[string]any)["kind"] == kind {
			return
		}
	}
	c.t.Fatalf("status shows no %s: %v", kind, st)
}

// CL-09, CL-11: a step that hangs, fails or panics is named, and the rest runs.
func TestCloseStepsThatFail(t *testing.T) {
	hang := func(ctx context.Context) error { <-ctx.Done(); time.Sleep(time.Second); return ctx.Err() }
	broken := func(context.Context) error { return errors.New("broken") }
	panics := func(context.Context) error { panic("oh no") }
	for name, f := range map[string]func(context.Context) error{"hangs": hang, "fails": broken, "panics": panics} {
		for _, step := range []string{"release", "flush"} {
			t.Run(step+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := &notes{}
					a, s := owner{notes: n}, &logged{Store: new(memory.Store), notes: n}
					if step == "release" {
						a.release = f
					} else {
						s.close = f
					}
					c := dial(t, newEngine(t, func(o *session.Options) { o.Agent, o.Store = a, s }))
					c.prompted("s", "say hi")
					begin := time.Now()
					id := c.send("session/close", `{"sessionId":"s"}`)
					for c.answer(id) == nil {
						time.Sleep(100 * time.Millisecond)
					}
					assert.LessOrEqual(t, time.Since(begin), 10*time.Second)
					assert.Equal(t, map[string]any{"closed": true, "outcome": "forced", "unfinished": []any{step}}, c.result(c.answer(id)))
					assert.Subset(t, n.all(), []string{"release", "flush"})
					time.Sleep(time.Minute)
					c.hangUp()
				})
			})
		}
	}
}

// slowStore takes its time, and calls append before each append.
type slowStore struct {
	*memory.Store
	create time.Duration
	append func(ctx context.Context) error
}

func (s *slowStore) Create(ctx context.Context, h store.Header) (store.Log, error) {
	time.Sleep(s.create)
	l, err := s.Store.Create(ctx, h)
	return &slowLog{Log: l, s: s}, err
}

type slowLog struct {
	store.Log
	s *slowStore
}

func (l *slowLog) Append(ctx context.Context, after int64, r ...store.Record) error {
	if l.s.append != nil {
		if err := l.s.append(ctx); err != nil {
			return err
		}
	}
	return l.Log.Append(ctx, after, r...)
}

// A close waits for a creation in flight, then closes what was created (K1,
// RG-09). A cancel waits too, and then acts as on a live session.
func TestCloseAndCancelDuringCreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, func(o *session.Options) { o.Store = &slowStore{Store: new(memory.Store), create: time.Second} })
		c := dial(t, e)
		p := c.prompt("s", "sleep 1h")
		k := c.send("session/cancel", `{"sessionId":"s"}`)
		x := c.send("session/close", `{"sessionId":"s"}`)
		assert.Nil(t, c.answer(x))
		time.Sleep(2 * time.Second)
		assert.NotEmpty(t, c.result(c.answer(p))["messageId"])
		assert.Equal(t, "stopping", effect(c.result(c.answer(k))))
		assert.Equal(t, true, c.result(c.answer(x))["closed"])
		checkLog(t, c.events("s"))
		c.hangUp()
	})
}

// A prompt that is given up while its session is being created was never
// accepted.
func TestGivingUpAPromptBeforeItIsAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, func(o *session.Options) { o.Store = &slowStore{Store: new(memory.Store), create: time.Second} })
		c := dial(t, e)
		c.prompt("s", "say one")
		two := c.prompt("s", "say two")
		synctest.Wait()
		c.line(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + two + `}}`)
		f := c.answer(two)
		require.NotNil(t, f, "it is answered at once")
		assert.Equal(t, -32800, f.Error.Code)
		assert.Equal(t, "request-cancelled", c.kind(f))
		time.Sleep(2 * time.Second)
		assert.Equal(t, []string{"one"}, c.texts("s"))
		c.hangUp()
	})
}

// A store that fails, or hangs until its time is up, ends its session and no
// other: what was not stored is not reported, and nothing waits forever.
func TestAStoreThatFails(t *testing.T) {
	for name, fails := range map[string]func(ctx context.Context) error{
		"fails": func(context.Context) error { return errors.New("disk full") },
		"hangs": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				appends := 0
				e := newEngine(t, func(o *session.Options) {
					o.Store = &slowStore{Store: new(memory.Store), append: func(ctx context.Context) error {
						if appends++; appends > 5 {
							return fails(ctx)
						}
						return nil
					}}
				})
				c := dial(t, e)
				c.prompted("s", "say hi")
				c.prompted("s", "sleep 1h")
				cancel := c.send("session/cancel", `{"sessionId":"s","waitFor":"settled"}`)
				waiting := c.send("session/wait", `{"sessionId":"s"}`)
				time.Sleep(time.Minute)
				assert.Contains(t, []string{"store-failed"}, c.kind(c.answer(cancel)))
				assert.Contains(t, []string{"store-failed", "session-not-found"}, c.kind(c.answer(waiting)))
				got := c.briefs()
				assert.Contains(t, got, "session.closed")
				assert.NotContains(t, got, "turn/end:aborted/user")
				assert.Equal(t, map[string]any{"closed": false}, c.ok("session/close", `{"sessionId":"s"}`))
				assert.EqualValues(t, 1, e.Counters().Lost)
				// What was stored is there, and can be brought back by a store that
				// works.
				appends = -100
				c.prompted("s", "say again")
				assert.Equal(t, "again", c.texts("s")[len(c.texts("s"))-1])
				c.hangUp()
			})
		})
	}
}

// Another owner that takes the log over ends the session here (session.lost).
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &memory.Store{TakeOver: true}
		here := newEngine(t, func(o *session.Options) { o.Store = shared })
		there := newEngine(t, func(o *session.Options) { o.Store = shared })
		c, d := dial(t, here), dial(t, there)
		c.prompted("s", "say one")
		d.prompted("s", "say two")
		assert.Equal(t, []string{"two"}, d.texts("s"))
		c.briefs()
		f := c.answer(c.prompt("s", "say three"))
		assert.Equal(t, "session-fenced", c.kind(f))
		assert.Equal(t, []string{"session.lost", f.brief(t)}, sorted(c.briefs()))
		d.prompted("s", "say four")
		assert.Equal(t, []string{"two", "four"}, d.texts("s"))
		c.hangUp()
		d.hangUp()
	})
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(b, a) })
	return out
}
