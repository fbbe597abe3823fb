// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/harness"
)

// Sixty deltas with the response in their middle; the handler is slow.
//
// Rule R3.
func TestAResponseIsHandedOutAfterWhatCameBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var seen []string
		count := func() int { mu.Lock(); defer mu.Unlock(); return len(seen) }
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionDelta: func(_ context.Context, d *harness.SessionDelta) {
				time.Sleep(2 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, d.Text)
			},
		}})
		s := rt.Session("a")
		started := prompt(t, s, t.Context(), "alphabet", nil)
		f := p.next("session/prompt")
		p.insert("a", 0, "m-1")
		p.turnStart("a", 1)
		p.remove("a", 0, 1, "")
		var want []string
		for n := range 60 {
			if n == 30 {
				p.reply(f, `{"messageId":"m-1"}`)
			}
			want = append(want, fmt.Sprintf("%c%d ", 'a'+n%26, n))
			p.delta("a", 1, n, want[n])
		}
		p.answer("a", 1, strings.Join(want, ""), "")
		p.turnEnd("a", 1, completed)
		turn, err := started()
		require.NoError(t, err)
		assert.Equal(t, 30, count())
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 60, count())
		assert.Equal(t, want, seen)
		assert.Equal(t, strings.Join(want, ""), end.Text)
		closeRuntime(t, rt)
	})
}

// A handler may call: with its own context it is answered at once, and other
// sessions are not delayed by it.
//
// Rule R3.
func TestASlowHandlerDelaysOnlyItsOwnSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var rt *harnessclient.Runtime
		states := make(chan harness.State, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionStatus: func(ctx context.Context, st *harness.SessionStatusParams) {
				if st.SessionID != "a" {
					return
				}
				r, err := rt.Session("a").Status(ctx)
				assert.NoError(t, err)
				states <- r.State
				<-release
			},
		}})
		p.notify("session.status", `{"sessionId":"a","status":"running"}`)
		f := p.next("session/status")
		p.reply(f, `{"state":"running","queue":[],"background":[],"nextSeq":1}`)
		assert.Equal(t, harness.StateRunning, <-states)

		// The handler of a is stuck now. b continues.
		turn := begin(t, p, rt.Session("b"), "m-1", 1)
		p.turnEnd("b", 1, completed)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)

		// A call on a waits for the handler, a call's own context ends it.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		go func() {
			p.reply(p.next("session/status"), `{"state":"idle","queue":[],"background":[],"nextSeq":1}`)
		}()
		_, err = rt.Session("a").Status(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(release)
		closeRuntime(t, rt)
	})
}

func TestAHandlerMayWaitForATurnItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rt *harnessclient.Runtime
		done := make(chan *harnessclient.Settlement, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionClosed: func(ctx context.Context, c *harness.SessionClosed) {
				turn, err := rt.Session("a").Prompt(ctx, harness.Text("again"), nil)
				if assert.NoError(t, err) {
					end, err := turn.Settled(ctx)
					assert.NoError(t, err)
					done <- end
				}
			},
		}})
		p.notify("session.closed", `{"sessionId":"a","outcome":"clean"}`)
		f := p.next("session/prompt")
		p.insert("a", 0, "m-1")
		p.reply(f, `{"messageId":"m-1"}`)
		p.turnStart("a", 1)
		p.remove("a", 0, 1, "")
		p.turnEnd("a", 1, completed)
		assert.True(t, (<-done).OK())
		closeRuntime(t, rt)
	})
}

// Live text is one thing, whichever of three ways it comes.
//
// Rule N4.
func TestDeltasFromThreeSources(t *testing.T) {
	collect := func(t *testing.T, turn *harnessclient.Turn) (text string, n []int64) {
		for d := range turn.Deltas(t.Context()) {
			assert.Equal(t, harness.DeltaText, d.Kind)
			assert.Equal(t, harness.SessionID("a"), d.SessionID)
			text += d.Text
			n = append(n, d.N)
		}
		return text, n
	}
	t.Run("session.delta", func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.delta("a", 1, 0, "one, ")
		p.delta("a", 1, 1, "two")
		p.answer("a", 1, "one, two", `,"stream":[{"type":"text-chunks","time0":1,"index":0,"dt":[1],"texts":["one, ","two"]}]`)
		p.turnEnd("a", 1, completed)
		p.delta("a", 1, 2, "late") // fenced
		text, n := collect(t, turn)
		assert.Equal(t, "one, two", text)
		assert.Equal(t, []int64{0, 1}, n)
		require.Eventually(t, func() bool { return rt.Counters().Scopes.Late == 1 }, 5*time.Second, time.Millisecond)
	})
	t.Run("assistant/chunk", func(t *testing.T) {
		p, rt := connect(t, "", harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		chunk := func(c string) { p.event("a", 0, "assistant/chunk", `{"turn":1,"step":1,"chunk":`+c+`}`) }
		chunk(`{"type":"text-delta","index":0,"text":"lost"}`)
		chunk(`{"type":"finish","reason":{"kind":"error","failure":{"message":"m","code":"SERVER"}}}`)
		p.event("a", 0, "llm/retry-started", `{"retryId":"r","turn":1,"step":1,"retry":1}`)
		chunk(`{"type":"text-delta","index":0,"text":"one, "}`)
		chunk(`{"type":"text-delta","index":0,"text":"two"}`)
		chunk(`{"type":"usage","usage":{"inputTokens":5,"outputTokens":2}}`)
		chunk(`{"type":"finish","reason":{"kind":"stop"}}`)
		p.answer("a", 0, "one, two", `,"usage":{"inputTokens":5,"outputTokens":2}`)
		p.turnEnd("a", 0+1, completed)
		text, n := collect(t, turn)
		assert.Equal(t, "lostone, two", text)
		assert.Equal(t, []int64{0, 0, 1}, n)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "one, two", end.Text)
		assert.EqualValues(t, 5, end.Usage.InputTokens, "the chunk and the message report the same")
	})
	t.Run("late, from the message's stream", func(t *testing.T) {
		p, rt := connect(t, "", harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.answer("a", 0, "one, two!", `,"stream":[{"type":"text-chunks","time0":1,"index":0,"dt":[1],"texts":["one, ","two"]},`+
			`{"type":"chunk","time":2,"chunk":{"type":"text-delta","index":0,"text":"!"}}]`)
		p.event("a", 0, "turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
		text, n := collect(t, turn)
		assert.Equal(t, "one, two!", text)
		assert.Equal(t, []int64{0, 1, 2}, n)
	})
}

func TestPartialTextOfALostConnection(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	turn := begin(t, p, rt.Session("a"), "m-1", 1)
	p.delta("a", 1, 0, "half an ans")
	waiting := prompt(t, rt.Session("b"), t.Context(), "in flight", nil)
	p.next("session/prompt")
	_, _ = p.out.Write([]byte(`{"jsonrpc":"2.0","method":"session.ev`)) // never read
	_ = p.out.Close()

	var lost *harness.ConnectionLostError
	end, err := turn.Settled(t.Context())
	require.ErrorAs(t, err, &lost)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, harnessclient.OutcomeConnectionLost, end.Outcome)
	assert.Equal(t, "half an ans", end.Text)
	assert.Equal(t, harness.TurnID(1), end.Turn)
	events := 0
	for range turn.Events(t.Context()) {
		events++
	}
	assert.Equal(t, 3, events, "what was read stays")
	require.ErrorAs(t, turn.Err(), &lost)

	_, err = waiting()
	require.ErrorAs(t, err, &lost)
	_, err = rt.Session("c").Prompt(t.Context(), harness.Text("later"), nil)
	require.ErrorAs(t, err, &lost, "at once")
	<-rt.Done()
	require.ErrorAs(t, rt.Err(), &lost)
	assert.Equal(t, "connection-lost", contract.KindOf(err))
}

// The caller is released at once, and the prompt does not run unseen.
//
// Rule R2.
func TestACallerWhoGoesCancelsWhatIsAcceptedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		started := prompt(t, rt.Session("a"), ctx, "too late", nil)
		f := p.next("session/prompt")
		cancel()
		_, err := started()
		require.ErrorIs(t, err, context.Canceled)
		synctest.Wait()
		assert.Contains(t, string(p.next("$/cancel_request").Params), string(f.ID))
		p.quiet() // not before it is known to be accepted
		p.insert("a", 0, "m-1")
		p.reply(f, `{"messageId":"m-1"}`)
		c := p.next("session/cancel")
		assert.JSONEq(t, `{"sessionId":"a","messageId":"m-1"}`, string(c.Params))
		p.reply(c, `{"cancelled":true,"effect":"withdrawn","withdrawn":["m-1"]}`)
		closeRuntime(t, rt)
	})
}

func TestACallerWhoGoesAndIsNotAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		started := prompt(t, rt.Session("a"), ctx, "too late", nil)
		f := p.next("session/prompt")
		cancel()
		_, err := started()
		require.ErrorIs(t, err, context.Canceled)
		p.next("$/cancel_request")
		p.refuse(f, -32800, "cancelled", `{"kind":"request-cancelled","retry":"same-key"}`)
		synctest.Wait()
		p.quiet()
		closeRuntime(t, rt)
	})
}

func TestCancelIsAcceptedThenProven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.delta("a", 1, 0, "one, two, three")
		go func() {
			f := p.next("session/cancel")
			assert.JSONEq(t, `{"sessionId":"a","messageId":"m-1"}`, string(f.Params))
			p.reply(f, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		}()
		stop, err := turn.Cancel(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, harness.EffectStopping, stop.Result.Effect)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, stop.Settled(ctx), context.DeadlineExceeded)
		p.answer("a", 1, "one, two, three", `,"interrupted":true`)
		p.turnEnd("a", 1, abortedByUser)
		require.NoError(t, stop.Settled(t.Context()))
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, harnessclient.OutcomeCancelled, end.Outcome)
		assert.Equal(t, "one, two, three", end.Text)
		assert.True(t, end.Partial)
		closeRuntime(t, rt)
	})
}

// The turn's end comes before the responses of both cancels.
func TestACancelAnsweredAfterTheEnd(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	s := rt.Session("a")
	begin(t, p, s, "m-1", 1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			stop, err := s.Cancel(t.Context(), nil)
			if assert.NoError(t, err) {
				assert.NoError(t, stop.Settled(t.Context()))
			}
		})
	}
	one, two := p.next("session/cancel"), p.next("session/cancel")
	p.turnEnd("a", 1, abortedByUser)
	p.reply(one, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
	p.reply(two, `{"cancelled":true,"effect":"already-stopping","turn":1,"withdrawn":[]}`)
	wg.Wait()
	wg.Go(func() {
		stop, err := s.Cancel(t.Context(), nil)
		if assert.NoError(t, err) {
			assert.NoError(t, stop.Settled(t.Context()), "nothing to wait for")
		}
	})
	p.reply(p.next("session/cancel"), `{"cancelled":true,"effect":"idle","withdrawn":[]}`)
	wg.Wait()
}

func TestWhatTheRuntimeLacksIsRefusedBeforeSending(t *testing.T) {
	p, rt := connect(t, `{"session":{"cancel":true}}`, harnessclient.Options{})
	_, err := rt.Resume(t.Context(), "a", nil)
	var lacks *harness.UnsupportedError
	require.ErrorAs(t, err, &lacks)
	assert.Equal(t, "session.resume", lacks.Capability)
	assert.Equal(t, "session/resume", lacks.Method)
	_, err = rt.Session("a").Status(t.Context())
	require.ErrorAs(t, err, &lacks)
	p.quiet()
}

// Rule N3.
func TestARuntimeThatDidNotNegotiateIsAskedOnce(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	go func() {
		f := p.next("session/resume")
		p.refuse(f, -32603, "unknown DeepSeek Harness SDK runtime method: session/resume", "")
	}()
	var lacks *harness.UnsupportedError
	for range 2 {
		_, err := rt.Resume(t.Context(), "a", nil)
		require.ErrorAs(t, err, &lacks)
		assert.Equal(t, "session.resume", lacks.Capability)
	}
	p.quiet()
	// Others are asked still.
	go func() { p.reply(p.next("session/wait"), `{}`) }()
	_, err := rt.Session("a").Wait(t.Context(), nil)
	require.NoError(t, err)
}

func TestErrorsOfAllGenerationsAreTyped(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	started := prompt(t, rt.Session("sess-a"), t.Context(), "x", nil)
	p.refuse(p.next("session/prompt"), -32603, `session "sess-a" already exists`, "")
	_, err := started()
	var exists *harness.SessionExistsError
	require.ErrorAs(t, err, &exists)
	assert.Equal(t, harness.SessionID("sess-a"), exists.SessionID)

	p, rt = connect(t, allCapabilities, harnessclient.Options{})
	started = prompt(t, rt.Session("a"), t.Context(), "x", nil)
	p.refuse(p.next("session/prompt"), 1003, "locked", `{"kind":"session-locked","sessionId":"a","retry":"after","owner":{"pid":7}}`)
	_, err = started()
	var locked *harness.SessionLockedError
	require.ErrorAs(t, err, &locked)
	assert.EqualValues(t, 7, locked.Owner.PID)
	p.quiet()
}

// Rule R4.
func TestRetriesKeepTheKeyAndOnlyWhereIdempotencyAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{Retry: client.Retry{Attempts: 3}})
		const full = `{"kind":"overloaded","sessionId":"a","retry":"after","retryAfterMs":700}`
		begun := time.Now()
		started := prompt(t, rt.Session("a"), t.Context(), "x", &harness.PromptOptions{IdempotencyKey: new("k")})
		first := p.next("session/prompt")
		p.refuse(first, 1008, "full", full)
		second := p.next("session/prompt")
		assert.Equal(t, string(first.Params), string(second.Params))
		assert.Equal(t, 700*time.Millisecond, time.Since(begun), "the runtime said when")
		p.refuse(second, 1010, "disk", `{"kind":"store-failed","retry":"same-key"}`)
		p.reply(p.next("session/prompt"), `{"messageId":"m-1"}`)
		_, err := started()
		require.NoError(t, err)

		// Without a key each call is a new prompt.
		started = prompt(t, rt.Session("a"), t.Context(), "x", nil)
		p.refuse(p.next("session/prompt"), 1008, "full", full)
		_, err = started()
		var overloaded *harness.OverloadedError
		require.ErrorAs(t, err, &overloaded)

		// What says never is not repeated.
		started = prompt(t, rt.Session("a"), t.Context(), "x", &harness.PromptOptions{IdempotencyKey: new("k")})
		p.refuse(p.next("session/prompt"), 1007, "other", `{"kind":"idempotency-conflict","retry":"never","messageId":"m"}`)
		_, err = started()
		assert.Equal(t, "idempotency-conflict", contract.KindOf(err))
		synctest.Wait()
		p.quiet()
		closeRuntime(t, rt)
	})
}

func TestPermissionsAreAnsweredByTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		withdrawn := make(chan error, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{
			Permissions: func(ctx context.Context, q *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
				if q.ToolCall.Title == "wait" {
					<-ctx.Done()
					withdrawn <- ctx.Err()
					return nil, ctx.Err()
				}
				return &harness.RequestPermissionResult{Outcome: &harness.PermissionSelected{OptionID: q.Options[0].OptionID}}, nil
			},
		})
		ask := func(id, title string) {
			p.say(`{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"a","turn":1,"toolCall":{"toolCallId":"c","title":%q},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`, id, title)
		}
		ask(`"q1"`, "bash")
		f := <-p.got
		assert.Equal(t, `"q1"`, string(f.ID))
		assert.JSONEq(t, `{"outcome":{"outcome":"selected","optionId":"yes"}}`, string(f.Result))
		ask(`"q2"`, "wait")
		p.notify("$/cancel_request", `{"requestId":"q2"}`)
		assert.ErrorIs(t, <-withdrawn, context.Canceled)
		f = <-p.got
		assert.Contains(t, string(f.Error), "-32800")
		closeRuntime(t, rt)
	})
}

func TestWithoutAPermissionsHandlerTheAnswerIsDeny(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	_ = rt
	p.say(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"a","turn":1,"toolCall":{"toolCallId":"c","title":"x"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`)
	f := <-p.got
	assert.JSONEq(t, `{"outcome":{"outcome":"cancelled"}}`, string(f.Result))
	p.say(`{"jsonrpc":"2.0","id":2,"method":"acme/ask","params":{}}`)
	f = <-p.got
	assert.Contains(t, string(f.Error), "-32601")
}

func TestUnknownNotificationsAndMembersAreKept(t *testing.T) {
	got := make(chan string, 1)
	p, rt := connect(t, "", harnessclient.Options{Handler: harnessclient.Handler{
		Unknown: func(method string, params codec.Raw) { got <- method + string(params) },
	}})
	p.notify("runtime.weather", `{"sky": "clear"}`)
	assert.Equal(t, `runtime.weather{"sky": "clear"}`, <-got)
	turn := begin(t, p, rt.Session("a"), "m-1", 1)
	const odd = `{"sessionId":"a","event":{"type":"acme/required","seq":3,"time":1,"data":{"y":9007199254740993}},"traceId":"tr-9"}`
	p.notify("session.event", odd)
	p.turnEnd("a", 0+1, completed)
	found := false
	for e := range turn.Events(t.Context()) {
		if e.Event.Type() == "acme/required" {
			found = true
			assert.JSONEq(t, odd, string(e.AppendJSON(nil)))
			assert.Contains(t, string(e.AppendJSON(nil)), "9007199254740993")
		}
	}
	assert.True(t, found)
}

func TestLoadReplaysAndLiveListenersDoNotSeeIt(t *testing.T) {
	var live, again []int64
	p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
		SessionEvent: func(_ context.Context, e *harness.SessionEventParams) { live = append(live, e.Event.Seq) },
	}})
	go func() {
		f := p.next("session/load")
		assert.JSONEq(t, `{"sessionId":"a","afterSeq":-1}`, string(f.Params))
		for seq, e := range []string{
			`"type":"agent/inbox/spliced","data":{"target":"next-turn","start":0,"inserted":[` + message("m-0", "old") + `]}`,
			`"type":"turn/start","data":{"turn":1}`,
			`"type":"agent/inbox/spliced","data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`,
			`"type":"assistant/message","data":{"turn":1,"step":1,"message":{"role":"assistant","content":[],"source":{"kind":"model","provider":"p","model":"m"},"id":"a"},"usage":{"inputTokens":99,"outputTokens":9}}`,
			`"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed"}}`,
		} {
			p.notify("session.event", fmt.Sprintf(`{"sessionId":"a","replay":true,"event":{"seq":%d,"time":1,%s}}`, seq, e))
		}
		p.notify("session.replayed", `{"sessionId":"a","nextSeq":5}`)
		p.reply(f, `{"sessionId":"a","nextSeq":5,"lastTurn":1,"pendingMessageIds":[],"state":"idle","cwd":"/w"}`)
	}()
	s, err := rt.Load(t.Context(), "a", func(_ context.Context, e *harness.SessionEventParams) {
		again = append(again, e.Event.Seq)
	}, &harness.LoadOptions{AfterSeq: new(int64(-1))})
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1, 2, 3, 4}, again, "all of it before Load returns")
	assert.Empty(t, live)
	assert.EqualValues(t, 5, s.Loaded().NextSeq)
	p.seqs["a"] = 5
	turn := begin(t, p, s, "m-1", 2)
	p.answer("a", 2, "41", `,"usage":{"inputTokens":120,"outputTokens":1}`)
	p.turnEnd("a", 2, completed)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 120, end.Usage.InputTokens)
	assert.Equal(t, []int64{5, 6, 7, 8, 9}, live)
}

func TestAnotherSessionThanAskedForIsAnError(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	go func() {
		p.reply(p.next("session/resume"), `{"sessionId":"a-2","nextSeq":0,"lastTurn":0,"pendingMessageIds":[],"state":"idle","cwd":"/w"}`)
	}()
	_, err := rt.Resume(t.Context(), "a", nil)
	var mismatch *harness.SessionMismatchError
	require.ErrorAs(t, err, &mismatch)
	assert.Equal(t, harness.SessionID("a"), mismatch.SessionID)
}

func TestListsPageByPage(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	go func() {
		f := p.next("session/list")
		assert.Empty(t, f.param("cursor"))
		p.reply(f, `{"sessions":[{"sessionId":"a","cwd":"/w","state":"idle"},{"sessionId":"b","cwd":"/w","state":"stored"}],"nextCursor":"c1","skipped":[]}`)
		f = p.next("session/list")
		assert.Equal(t, "c1", f.param("cursor"))
		p.refuse(f, 1010, "disk", `{"kind":"store-failed","retry":"same-key"}`)
	}()
	var ids []harness.SessionID
	var last error
	for info, err := range rt.List(t.Context(), nil) {
		if last = err; err == nil {
			ids = append(ids, info.SessionID)
		}
	}
	assert.Equal(t, []harness.SessionID{"a", "b"}, ids)
	assert.Equal(t, "store-failed", contract.KindOf(last))
}

func TestAPeerThatAnswersAnotherVersionIsRefused(t *testing.T) {
	p := newPeer(t)
	go func() { p.reply(p.next("initialize"), `{"serverInfo":{"name":"x","version":"1"},"protocolVersion":3}`) }()
	_, err := harnessclient.Connect(t.Context(), p.out, p.in, harnessclient.Options{})
	require.ErrorContains(t, err, "version 3")
}

func TestAHandshakeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t)
		begun := time.Now()
		_, err := harnessclient.Connect(t.Context(), p.out, p.in, harnessclient.Options{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.GreaterOrEqual(t, time.Since(begun), 30*time.Second)
		_ = p.in.Close()
	})
}
