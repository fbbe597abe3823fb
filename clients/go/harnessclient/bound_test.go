// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
)

// An event of 12 MiB is larger than the whole queue, and passes.
func TestAHugeEventPasses(t *testing.T) {
	handled := 0
	p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
		SessionEvent: func(_ context.Context, e *harness.SessionEventParams) {
			if _, ok := e.Event.Data.(*harness.ToolResultEvent); ok {
				handled++
			}
		},
	}})
	turn := begin(t, p, rt.Session("a"), "m-1", 1)
	p.event("a", 1, "tool/result", fmt.Sprintf(
		`{"turn":1,"step":1,"message":{"role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","content":[{"type":"text","text":%q}],"isError":false,"id":"t-1"}}`,
		strings.Repeat("x", 12<<20)))
	p.answer("a", 1, "done", "")
	p.turnEnd("a", 1, completed)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "done", end.Text)
	assert.Equal(t, 1, handled)
	largest := 0
	for e := range turn.Events(t.Context()) {
		largest = max(largest, len(e.AppendJSON(nil)))
	}
	assert.Greater(t, largest, 12<<20)
	assert.NoError(t, turn.Err())
}

// The consumer of one session is stuck: its handles fail and it can be loaded
// again; the other session does not notice.
func TestASessionThatFallsBehindFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{QueueLimit: 20_000})
		slow, fine := begin(t, p, rt.Session("a"), "m-1", 1), begin(t, p, rt.Session("b"), "m-2", 1)
		release, done := make(chan struct{}), make(chan int64)
		go func() {
			last := int64(-1)
			for e := range slow.Events(t.Context()) {
				last = e.Event.Seq
				<-release
			}
			done <- last
		}()
		synctest.Wait() // it holds the first event
		for range 60 {
			p.answer("a", 1, strings.Repeat("x", 500), "")
		}
		p.turnEnd("b", 1, completed)
		end, err := fine.Settled(t.Context())
		require.NoError(t, err)
		assert.True(t, end.OK())

		var behind *harness.LaggingError
		end, err = slow.Settled(t.Context())
		require.ErrorAs(t, err, &behind)
		assert.Equal(t, harness.SessionID("a"), behind.SessionID)
		assert.Equal(t, strings.Repeat("x", 500), end.Text)
		assert.Equal(t, harnessclient.OutcomeUnsettled, end.Outcome)
		require.ErrorAs(t, end.Err(), &behind)
		close(release)
		assert.Equal(t, behind.AfterSeq, <-done, "all before the gap is read")
		require.ErrorAs(t, slow.Err(), &behind)

		go func() {
			f := p.next("session/load")
			assert.Equal(t, fmt.Sprint(behind.AfterSeq), f.param("afterSeq"))
			p.notify("session.replayed", `{"sessionId":"a","nextSeq":63}`)
			p.reply(f, `{"sessionId":"a","nextSeq":63,"lastTurn":1,"pendingMessageIds":[],"state":"running","cwd":"/w"}`)
		}()
		_, err = rt.Load(t.Context(), "a", nil, &harness.LoadOptions{AfterSeq: &behind.AfterSeq})
		require.NoError(t, err)
		// A new handle of the turn that still runs: the same key again.
		again := prompt(t, rt.Session("a"), t.Context(), "go", &harness.PromptOptions{IdempotencyKey: new("k")})
		p.reply(p.next("session/prompt"), `{"messageId":"m-1","duplicate":true}`)
		turn, err := again()
		require.NoError(t, err)
		p.turnEnd("a", 1, completed)
		end, err = turn.Settled(t.Context())
		require.NoError(t, err)
		assert.True(t, end.OK())
		assert.EqualValues(t, 1, rt.Counters().Scopes.Lagged)
		closeRuntime(t, rt)
	})
}

func TestAHandlerThatIsBehindIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, told := make(chan struct{}), make(chan error, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{QueueLimit: 20_000, Handler: harnessclient.Handler{
			SessionEvent: func(context.Context, *harness.SessionEventParams) { <-release },
			Lagging:      func(_ context.Context, id harness.SessionID, err error) { told <- err },
		}})
		for range 60 {
			p.answer("a", 1, strings.Repeat("x", 500), "")
		}
		synctest.Wait()
		close(release)
		var behind *harness.LaggingError
		require.ErrorAs(t, <-told, &behind)
		closeRuntime(t, rt)
	})
}

// A flood of deltas to a host that does not read them costs no event.
func TestDeltasGiveWayToEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{QueueLimit: 20_000})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		release, text := make(chan struct{}), make(chan string)
		go func() {
			all, next := "", int64(0)
			for d := range turn.Deltas(t.Context()) {
				assert.Equal(t, next, d.N, "merged ones say so")
				next = d.N + max(d.Merged, 1)
				all += d.Text
				<-release
			}
			text <- all
		}()
		for n := range 500 {
			p.delta("a", 1, n, "x")
		}
		synctest.Wait()
		counts := rt.Counters().Scopes
		assert.NotZero(t, counts.Merged)
		assert.Zero(t, counts.Dropped)
		p.turnEnd("a", 1, completed)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, strings.Repeat("x", 500), end.Text)
		close(release)
		assert.Equal(t, strings.Repeat("x", 500), <-text)
		closeRuntime(t, rt)
	})
}

// Close does not wait for ever for a handler, and says so.
func TestCloseIsBoundedByNoHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionStatus: func(ctx context.Context, st *harness.SessionStatusParams) {
				if st.SessionID == "deaf" {
					<-release
				}
				<-ctx.Done()
			},
		}})
		p.notify("session.status", `{"sessionId":"listens","status":"running"}`)
		p.notify("session.status", `{"sessionId":"deaf","status":"running"}`)
		synctest.Wait()
		begun := time.Now()
		err := rt.Close(context.Background())
		require.ErrorContains(t, err, "has not returned")
		assert.Less(t, time.Since(begun), 10*time.Second)
		close(release)
		synctest.Wait()
	})
}

// A host whose answer to a permission does not come, such as one that waits for
// a person, still hears that the connection is lost, and can close.
func TestAPermissionThatIsNotAnsweredHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p, rt := connect(t, allCapabilities, harnessclient.Options{
			Permissions: func(context.Context, *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
				<-release
				return nil, nil
			},
		})
		started := prompt(t, rt.Session("a"), t.Context(), "ask", nil)
		f := p.next("session/prompt")
		p.insert("a", 0, "m-1")
		p.event("a", 1, "turn/start", `{"turn":1}`)
		p.remove("a", 0, 1, "")
		p.reply(f, `{"messageId":"m-1"}`)
		turn, err := started()
		require.NoError(t, err)
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"a","turn":1,"toolCall":{"toolCallId":"c","title":"x"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`)
		synctest.Wait()
		_ = p.out.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		end, _ := turn.Settled(ctx)
		require.NotNil(t, end, "the turn has not been told")
		assert.Equal(t, harnessclient.OutcomeConnectionLost, end.Outcome)
		begun := time.Now()
		require.ErrorContains(t, rt.Close(context.Background()), "has not returned")
		assert.Less(t, time.Since(begun), 10*time.Second)
		close(release)
		synctest.Wait()
	})
}

// A host may close its runtime where it is asked for a permission: the question
// is withdrawn with the end of its turn, and nothing waits for the handler.
func TestAPermissionHandlerMayCloseItsRuntime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rt *harnessclient.Runtime
		closed := make(chan error, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{
			Permissions: func(ctx context.Context, _ *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
				closed <- rt.Close(ctx)
				return nil, ctx.Err()
			},
		})
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"a","turn":1,"toolCall":{"toolCallId":"c","title":"x"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`)
		begun := time.Now()
		require.NoError(t, <-closed)
		assert.Less(t, time.Since(begun), time.Second)
		require.NoError(t, rt.Close(t.Context()))
	})
}

// A peer that did not negotiate sends no session.closed: the response of close
// settles what was queued.
func TestACloseSettlesQueuedPromptsWithoutAFrame(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	s := rt.Session("a")
	started := prompt(t, s, t.Context(), "queued", nil)
	f := p.next("session/prompt")
	p.insert("a", 0, "m-2")
	p.reply(f, `{"messageId":"m-2"}`)
	turn, err := started()
	require.NoError(t, err)
	go func() { p.reply(p.next("session/close"), `{"closed":true,"outcome":"clean"}`) }()
	_, err = s.Close(t.Context(), nil)
	require.NoError(t, err)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harnessclient.OutcomeInterrupted, end.Outcome)
}
