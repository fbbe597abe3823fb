// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/harness"
)

// heard is what a host's handler and loops get, as lines.
type heard struct {
	mu    sync.Mutex
	lines []string
}

func (h *heard) add(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, fmt.Sprintf(format, args...))
}

// take returns what was heard since the last time.
func (h *heard) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines := h.lines
	h.lines = nil
	return lines
}

// handler hears everything.
func (h *heard) handler() harnessclient.Handler {
	return harnessclient.Handler{
		SessionEvent: func(_ context.Context, p *harness.SessionEventParams) {
			h.add("%s: %s", p.SessionID, p.Event.Data.EventType())
		},
		SessionDelta:  func(_ context.Context, p *harness.SessionDelta) { h.add("%s: %s", p.SessionID, p.Text) },
		SessionStatus: func(_ context.Context, p *harness.SessionStatusParams) { h.add("%s: %s", p.SessionID, p.Status) },
		SubagentStarted: func(_ context.Context, p *harness.SubagentStarted) {
			h.add("%s: started %s", p.ParentSessionID, p.ChildSessionID)
		},
		SubagentFinished: func(_ context.Context, p *harness.SubagentFinished) {
			h.add("%s: finished %s", p.ParentSessionID, p.ChildSessionID)
		},
		Withheld: func(_ context.Context, id harness.SessionID, what *client.Withheld) {
			h.add("%s: %d withheld, %d to %d", id, what.Messages, what.First, what.Last)
		},
		Orphaned: func(_ context.Context, id harness.SessionID, err error) {
			h.add("%s: orphaned by %s", id, contract.KindOf(err))
		},
	}
}

// follow reads a turn's deltas until they end.
func follow(t *testing.T, h *heard, turn *harnessclient.Turn) (over chan struct{}) {
	over = make(chan struct{})
	go func() {
		defer close(over)
		for d := range turn.Deltas(t.Context()) {
			h.add("loop: %s", d.Text)
		}
	}()
	return over
}

// interrupt begins an interrupt; the returned function gives what became of it.
func interrupt(t *testing.T, s *harnessclient.Session, ctx context.Context, o *harness.InterruptOptions) func() (*harnessclient.Turn, error) {
	var turn *harnessclient.Turn
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		turn, err = s.Interrupt(ctx, harness.Text("no, wait"), o)
	}()
	t.Cleanup(func() { <-done })
	return func() (*harnessclient.Turn, error) {
		<-done
		return turn, err
	}
}

// next is a prompt that is taken by the next turn, whose frames come now.
func (p *peer) takes(f *frame, id string, turn int) {
	p.insert("s", 0, id)
	p.turnStart("s", turn)
	p.remove("s", 0, 1, "")
	p.reply(f, fmt.Sprintf(`{"messageId":%q}`, id))
}

func ended(t *testing.T, turn *harnessclient.Turn) *harnessclient.Settlement {
	t.Helper()
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	return end
}

// From the call on nothing of the old turn is handed out, it settles as it ends, and
// what was withheld is counted.
func TestInterruptSilencesTheOldTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		over := follow(t, h, old)
		p.delta("s", 1, 0, "before")
		synctest.Wait()
		assert.Subset(t, h.take(), []string{"s: before", "loop: before"})

		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		<-over
		var withheld *client.Withheld
		require.ErrorAs(t, old.Err(), &withheld, "as soon as the loops end")
		p.delta("s", 1, 1, "after")
		first := p.event("s", 1, "step/start", `{"turn":1,"step":1}`)
		p.answer("s", 1, "before after", `,"interrupted":true`)
		synctest.Wait()
		assert.Empty(t, h.take())
		p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		p.insert("s", 0, "m2")
		p.turnEnd("s", 1, abortedByUser)
		last := p.seqs["s"] - 1
		p.notify("session.status", `{"sessionId":"s","status":"idle"}`)
		p.turnStart("s", 2)
		p.remove("s", 0, 1, "")
		p.reply(again, `{"messageId":"m2"}`)
		p.delta("s", 2, 0, "new")
		turn, err := called()
		require.NoError(t, err)
		follow(t, h, turn)
		synctest.Wait()
		assert.ElementsMatch(t, []string{
			"s: agent/inbox/spliced", fmt.Sprintf("s: 4 withheld, %d to %d", first, last), "s: idle",
			"s: turn/start", "s: agent/inbox/spliced", "s: new", "loop: new",
		}, h.take())

		end := ended(t, old)
		assert.Equal(t, harnessclient.OutcomeCancelled, end.Outcome)
		assert.Equal(t, "before after", end.Text, "the settlement is whole")
		require.ErrorAs(t, old.Err(), &withheld)
		assert.Equal(t, client.Withheld{Messages: 7, Numbered: true, First: 0, Last: int64(last)}, *withheld, "three events were not read before")
		assert.Equal(t, client.Interrupted, contract.KindOf(withheld))
		assert.EqualValues(t, 4, rt.Counters().Scopes.Withheld)
		require.NoError(t, turn.Interrupted.Settled(t.Context()))
		assert.Equal(t, harness.EffectStopping, turn.Interrupted.Result.Effect)
		assert.NoError(t, turn.Err())
	})
}

// The two requests leave in one write.
func TestInterruptIsOneWrite(t *testing.T) {
	var cancel, prompt, together int
	w := &writes{f: func(b []byte) {
		c, p := bytes.Contains(b, []byte("session/cancel")), bytes.Contains(b, []byte("session/prompt"))
		switch {
		case c && p:
			together++
			assert.Less(t, bytes.Index(b, []byte("session/cancel")), bytes.Index(b, []byte("session/prompt")))
		case c:
			cancel++
		case p:
			prompt++
		}
	}}
	p := newPeer(t)
	go func() {
		for f := range p.got {
			switch f.Method {
			case "initialize":
				p.reply(f, `{"serverInfo":{"name":"x","version":"1"},"protocolVersion":2,"capabilities":`+allCapabilities+`}`)
			case "session/cancel":
				p.reply(f, `{"cancelled":true,"effect":"idle","withdrawn":[]}`)
			case "session/prompt":
				p.reply(f, `{"messageId":"m","settled":{"reason":{"kind":"completed"}}}`)
			}
		}
	}()
	w.to = p.in
	rt, err := harnessclient.Connect(t.Context(), p.out, w, harnessclient.Options{})
	require.NoError(t, err)
	for range 10 {
		turn, err := rt.Session("s").Interrupt(t.Context(), harness.Text("a"), &harness.InterruptOptions{Background: harness.BackgroundCancel})
		require.NoError(t, err)
		assert.Equal(t, harnessclient.OutcomeCompleted, ended(t, turn).Outcome)
	}
	closeRuntime(t, rt)
	assert.Equal(t, [3]int{10, 0, 0}, [3]int{together, cancel, prompt})
}

// writes sees what is written before it passes it on.
type writes struct {
	to *pipe
	f  func(b []byte)
}

func (w *writes) Write(b []byte) (int, error) {
	w.f(b)
	return w.to.Write(b)
}

// What a turn said that ended just before the call, and that the host has not taken
// yet, is withheld too.
func TestInterruptOfATurnThatHasJustEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, hold := &heard{}, make(chan struct{})
		o := harnessclient.Options{Handler: h.handler()}
		o.Handler.SessionStatus = func(context.Context, *harness.SessionStatusParams) { <-hold }
		p, rt := connect(t, allCapabilities, o)
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		synctest.Wait()
		h.take()
		p.notify("session.status", `{"sessionId":"s","status":"running"}`)
		p.delta("s", 1, 0, "unread")
		p.turnEnd("s", 1, completed)
		synctest.Wait()
		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		p.reply(cancel, `{"cancelled":true,"effect":"idle","withdrawn":[]}`)
		p.takes(again, "m2", 2)
		close(hold)
		turn, err := called()
		require.NoError(t, err)
		for d := range old.Deltas(t.Context()) {
			t.Error(d.Text)
		}
		assert.Equal(t, harnessclient.OutcomeCompleted, ended(t, old).Outcome)
		p.turnEnd("s", 2, completed)
		assert.True(t, ended(t, turn).OK())
		for _, line := range h.take() {
			assert.NotContains(t, line, "unread")
		}
	})
}

// A turn that had settled keeps its record, unless a loop reads it at that moment.
func TestInterruptAfterASettledTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		s := rt.Session("s")
		unread := begin(t, p, s, "m1", 1)
		p.delta("s", 1, 0, "kept")
		p.turnEnd("s", 1, completed)
		ended(t, unread)
		spoken := begin(t, p, s, "m2", 2)
		p.delta("s", 2, 0, "first")
		p.delta("s", 2, 1, "dropped")
		p.turnEnd("s", 2, completed)
		ended(t, spoken)

		var texts []string
		for d := range spoken.Deltas(t.Context()) {
			texts = append(texts, d.Text)
			called := interrupt(t, s, t.Context(), nil)
			cancel, again := p.next("session/cancel"), p.next("session/prompt")
			p.reply(cancel, `{"cancelled":true,"effect":"idle","withdrawn":[]}`)
			p.takes(again, "m3", 3)
			turn, err := called()
			require.NoError(t, err)
			p.turnEnd("s", 3, completed)
			assert.True(t, ended(t, turn).OK())
		}
		assert.Equal(t, []string{"first"}, texts)
		var withheld *client.Withheld
		require.ErrorAs(t, spoken.Err(), &withheld)

		require.NoError(t, unread.Err())
		texts = nil
		for d := range unread.Deltas(t.Context()) {
			texts = append(texts, d.Text)
		}
		assert.Equal(t, []string{"kept"}, texts)
		events := 0
		for range unread.Events(t.Context()) {
			events++
		}
		assert.NotZero(t, events)
		require.NoError(t, unread.Err())
	})
}

// Prompts that wait are silent and withdrawn, unless an option keeps them.
func TestInterruptAndTheQueue(t *testing.T) {
	for _, policy := range []harness.QueuePolicy{"", harness.QueueDrop, harness.QueueKeep, harness.QueueContinue} {
		synctest.Test(t, func(t *testing.T) {
			h := &heard{}
			p, rt := connect(t, allCapabilities, harnessclient.Options{})
			s := rt.Session("s")
			old := begin(t, p, s, "m1", 1)
			started := prompt(t, s, t.Context(), "later", nil)
			f := p.next("session/prompt")
			p.insert("s", 0, "m2")
			p.reply(f, `{"messageId":"m2"}`)
			waits, err := started()
			require.NoError(t, err)

			called := interrupt(t, s, t.Context(), &harness.InterruptOptions{Queue: policy})
			cancel, again := p.next("session/cancel"), p.next("session/prompt")
			assert.Equal(t, string(policy), cancel.param("queue"))
			kept := policy == harness.QueueKeep || policy == harness.QueueContinue
			next := 2
			if kept {
				p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
				p.turnEnd("s", 1, abortedByUser)
				p.turnStart("s", 2)
				p.remove("s", 0, 1, "")
				p.delta("s", 2, 0, "second")
				p.turnEnd("s", 2, completed)
				next = 3
			} else {
				p.remove("s", 0, 1, `,"outcome":"canceled"`)
				p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":["m2"]}`)
				p.turnEnd("s", 1, abortedByUser)
			}
			p.takes(again, "m3", next)
			p.delta("s", next, 0, "third")
			p.turnEnd("s", next, completed)
			turn, err := called()
			require.NoError(t, err)
			<-follow(t, h, old)
			<-follow(t, h, waits)
			<-follow(t, h, turn)
			assert.Equal(t, harnessclient.OutcomeCancelled, ended(t, old).Outcome)
			if kept {
				assert.Equal(t, []string{"loop: second", "loop: third"}, h.take())
				assert.Equal(t, harnessclient.OutcomeCompleted, ended(t, waits).Outcome)
			} else {
				assert.Equal(t, []string{"loop: third"}, h.take())
				assert.Equal(t, harnessclient.OutcomeWithdrawn, ended(t, waits).Outcome)
			}
			assert.True(t, ended(t, turn).OK())
		})
	}
}

// A turn that takes a prompt of the queue just before the stop reaches the runtime is
// part of what is interrupted.
func TestInterruptMeetsATurnThatBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		begin(t, p, s, "m1", 1)
		synctest.Wait()
		h.take()
		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		p.turnEnd("s", 1, completed)
		p.turnStart("s", 2) // of another client's prompt
		p.delta("s", 2, 0, "old")
		p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":2,"withdrawn":[]}`)
		p.delta("s", 2, 1, "old")
		p.turnEnd("s", 2, abortedByUser)
		p.takes(again, "m3", 3)
		p.delta("s", 3, 0, "new")
		turn, err := called()
		require.NoError(t, err)
		synctest.Wait()
		assert.NotContains(t, strings.Join(h.take(), "\n"), "old")
		require.NoError(t, turn.Interrupted.Settled(t.Context()))
		p.turnEnd("s", 3, completed)
		assert.Equal(t, "new", ended(t, turn).Text)
	})
}

// A runtime that cannot be asked to stop finishes the old turn first: it is silent
// all the same, and the handle says that it was not stopped.
func TestInterruptWithoutCancel(t *testing.T) {
	for _, capabilities := range []string{`{"deltas":true}`, ""} {
		synctest.Test(t, func(t *testing.T) {
			h := &heard{}
			p, rt := connect(t, capabilities, harnessclient.Options{Handler: h.handler()})
			s := rt.Session("s")
			old := begin(t, p, s, "m1", 1)
			synctest.Wait()
			h.take()
			called := interrupt(t, s, t.Context(), nil)
			if capabilities == "" { // it does not say what it lacks
				p.refuse(p.next("session/cancel"), -32601, "unknown DeepSeek Harness SDK runtime method: session/cancel", `null`)
			}
			again := p.next("session/prompt")
			p.delta("s", 1, 0, "old")
			p.insert("s", 0, "m2")
			p.reply(again, `{"messageId":"m2"}`)
			turn, err := called()
			require.NoError(t, err)
			p.delta("s", 1, 1, "old")
			p.turnEnd("s", 1, completed)
			p.turnStart("s", 2)
			p.remove("s", 0, 1, "")
			p.delta("s", 2, 0, "new")
			p.turnEnd("s", 2, completed)
			<-follow(t, h, turn)
			synctest.Wait()
			lines := strings.Join(h.take(), "\n")
			assert.NotContains(t, lines, "old")
			assert.Contains(t, lines, "loop: new")
			assert.Contains(t, lines, "s: new")
			assert.Equal(t, harnessclient.OutcomeCompleted, ended(t, old).Outcome)
			assert.True(t, ended(t, turn).OK())
			var unsupported *harness.UnsupportedError
			assert.ErrorAs(t, turn.Interrupted.Settled(t.Context()), &unsupported)
		})
	}
}

// A stop that is refused is no failure of what begins, and its error is kept.
func TestInterruptThatIsNotStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		called := interrupt(t, s, t.Context(), nil)
		p.refuse(p.next("session/cancel"), 1010, "no", `{"kind":"store-failed"}`)
		p.takes(p.next("session/prompt"), "m2", 2)
		turn, err := called()
		require.NoError(t, err)
		var failed *harness.StoreFailedError
		assert.ErrorAs(t, turn.Interrupted.Settled(t.Context()), &failed)
		p.turnEnd("s", 1, completed)
		assert.Equal(t, harnessclient.OutcomeCompleted, ended(t, old).Outcome)
	})
}

// What fails in between leaves each handle with one end.
func TestInterruptAndALostConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		called := interrupt(t, s, t.Context(), nil)
		p.reply(p.next("session/cancel"), `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		seq := p.event("s", 1, "step/start", `{"turn":1,"step":1}`)
		synctest.Wait()
		h.take()
		_ = p.out.Close()
		_, err := called()
		assert.Equal(t, client.ConnectionLost, contract.KindOf(err))
		end, err := old.Settled(t.Context())
		assert.Equal(t, client.ConnectionLost, contract.KindOf(err))
		assert.Equal(t, harnessclient.OutcomeConnectionLost, end.Outcome)
		synctest.Wait()
		assert.Equal(t, []string{fmt.Sprintf("s: 1 withheld, %d to %d", seq, seq)}, h.take())
		_, err = s.Interrupt(t.Context(), harness.Text("a"), nil)
		assert.Equal(t, client.ConnectionLost, contract.KindOf(err))
	})
}

// A call that never leaves interrupts nothing.
func TestInterruptThatIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		o := harnessclient.Options{Handler: h.handler()}
		o.Limits.Line = 4096
		p, rt := connect(t, allCapabilities, o)
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		synctest.Wait()
		h.take()
		_, err := s.Interrupt(t.Context(), harness.Text(strings.Repeat("long ", 1000)), nil)
		require.Error(t, err)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = s.Interrupt(gone, harness.Text("a"), nil)
		require.ErrorIs(t, err, context.Canceled)
		p.delta("s", 1, 0, "still")
		synctest.Wait()
		assert.Equal(t, []string{"s: still"}, h.take())
		p.quiet()
		assert.NoError(t, old.Err())
	})
}

// A caller that goes leaves no prompt behind.
func TestInterruptWhoseCallerGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		s := rt.Session("s")
		begin(t, p, s, "m1", 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		called := interrupt(t, s, ctx, nil)
		p.reply(p.next("session/cancel"), `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		again := p.next("session/prompt")
		_, err := called()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		p.next("$/cancel_request")
		p.reply(again, `{"messageId":"m2"}`)
		assert.Equal(t, "m2", p.next("session/cancel").param("messageId"))
	})
}

// A permission that the old turn asks for is denied without its host.
func TestInterruptDeniesPermissions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		p, rt := connect(t, allCapabilities, harnessclient.Options{
			Permissions: func(context.Context, *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
				asked++
				return nil, nil
			},
		})
		s := rt.Session("s")
		begin(t, p, s, "m1", 1)
		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		ask := func(id int, turn int) {
			p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s","turn":%d,"toolCall":{"toolCallId":"t","title":"rm"},"options":[]}}`, id, turn)
		}
		ask(1, 1)
		assert.JSONEq(t, `{"outcome":{"outcome":"cancelled"}}`, string(p.next("").Result))
		assert.Zero(t, asked)
		p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		p.turnEnd("s", 1, abortedByUser)
		p.takes(again, "m2", 2)
		_, err := called()
		require.NoError(t, err)
		ask(2, 2)
		p.next("")
		assert.Equal(t, 1, asked)
	})
}

// What a turn waits for is part of what is interrupted; what continues in the
// background is not.
func TestInterruptAndChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		old := begin(t, p, s, "m1", 1)
		start := func(parent, child string) {
			p.notify("subagent.started", fmt.Sprintf(`{"parentSessionId":%q,"childSessionId":%q}`, parent, child))
			p.turnStart(child, 1)
		}
		finish := func(parent, child string) {
			p.turnEnd(child, 1, completed)
			p.notify("subagent.finished", fmt.Sprintf(
				`{"provider":"spawn","agentId":%q,"parentSessionId":%q,"childSessionId":%q,"status":"ok","stopReason":"completed"}`, child, parent, child))
		}
		start("s", "awaited")
		start("awaited", "grandchild")
		start("s", "background")
		p.event("s", 1, "subagent/catalog", `{"version":0,"childId":"background","childCreatedAt":1,"mode":"continuable","label":"l"}`)
		start("s", "over")
		finish("s", "over")
		synctest.Wait()
		h.take()
		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		start("s", "late")
		for _, id := range []string{"awaited", "grandchild", "background", "late"} {
			p.delta(id, 1, 0, "said by "+id)
		}
		finish("awaited", "grandchild")
		finish("s", "awaited")
		finish("s", "late")
		p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		p.turnEnd("s", 1, abortedByUser)
		p.takes(again, "m2", 2)
		start("s", "new")
		p.delta("new", 1, 0, "said by new")
		finish("s", "background")
		turn, err := called()
		require.NoError(t, err)
		synctest.Wait()
		assert.ElementsMatch(t, []string{
			"background: said by background", "background: turn/end", "s: finished background",
			"grandchild: 3 withheld, 1 to 1", "awaited: 3 withheld, 1 to 1", "late: 5 withheld, 0 to 1", "s: 1 withheld, 4 to 4",
			"s: agent/inbox/spliced", "s: turn/start", "s: agent/inbox/spliced",
			"s: started new", "new: turn/start", "new: said by new",
		}, h.take())
		var ids []harness.SessionID
		for _, b := range old.Tree() {
			assert.NotNil(t, b.Ended, b.ID)
			ids = append(ids, b.ID)
		}
		assert.Equal(t, []harness.SessionID{"awaited", "grandchild", "background", "over", "late"}, ids)
		assert.True(t, turn.Owns("new"))
		assert.False(t, turn.Owns("late"))
		require.Len(t, s.Children(), 1)
		assert.Equal(t, harness.SessionID("new"), s.Children()[0].ID)
	})
}

// When the connection ends, what had begun gets its end.
func TestChildrenOfALostConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		turn := begin(t, p, s, "m1", 1)
		p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"a"}`)
		p.notify("subagent.started", `{"parentSessionId":"a","childSessionId":"b"}`)
		p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"c"}`)
		p.notify("subagent.finished", `{"provider":"spawn","agentId":"c","parentSessionId":"s","childSessionId":"c","status":"ok","stopReason":"completed"}`)
		synctest.Wait()
		h.take()
		_ = p.out.Close()
		synctest.Wait()
		assert.ElementsMatch(t, []string{"a: orphaned by connection-lost", "b: orphaned by connection-lost"}, h.take())
		for _, b := range turn.Tree() {
			assert.Equal(t, b.ID == "c", b.Ended != nil)
			assert.Equal(t, b.ID != "c", contract.KindOf(b.Err) == client.ConnectionLost)
		}
	})
}

// What a child said that has just finished, and that a slow handler has not taken yet,
// is withheld too.
func TestInterruptAndAChildThatHasFinished(t *testing.T) {
	for _, over := range []bool{false, true} { // whether the turn has ended as well
		synctest.Test(t, func(t *testing.T) {
			h, gate := &heard{}, make(chan struct{})
			handler := h.handler()
			handler.SessionDelta = func(_ context.Context, p *harness.SessionDelta) {
				if p.Text == "first" {
					<-gate
				}
				h.add("%s: %s", p.SessionID, p.Text)
			}
			p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: handler})
			s := rt.Session("s")
			begin(t, p, s, "m1", 1)
			p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"c"}`)
			p.turnStart("c", 1)
			p.delta("c", 1, 0, "first")
			synctest.Wait()
			h.take()
			p.delta("c", 1, 1, "second")
			p.turnEnd("c", 1, completed)
			p.notify("subagent.finished", `{"provider":"spawn","agentId":"c","parentSessionId":"s","childSessionId":"c","status":"ok","stopReason":"completed"}`)
			if over {
				p.turnEnd("s", 1, completed)
			}
			synctest.Wait()
			called := interrupt(t, s, t.Context(), nil)
			cancel, again := p.next("session/cancel"), p.next("session/prompt")
			close(gate)
			p.reply(cancel, `{"cancelled":true,"effect":"idle","withdrawn":[]}`)
			if !over {
				p.turnEnd("s", 1, abortedByUser)
			}
			p.takes(again, "m2", 2)
			_, err := called()
			require.NoError(t, err)
			synctest.Wait()
			lines := h.take()
			assert.Contains(t, lines, "c: first", "it was being handled")
			assert.NotContains(t, lines, "c: second")
			assert.NotContains(t, lines, "s: finished c")
			assert.Contains(t, lines, "c: 2 withheld, 1 to 1")
		})
	}
}

// A child that turns out to run in the background is heard from then on, and so are its
// own; what was withheld until then is reported.
func TestAChildIsDetachedLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: h.handler()})
		s := rt.Session("s")
		begin(t, p, s, "m1", 1)
		p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"b"}`)
		p.turnStart("b", 1)
		p.notify("subagent.started", `{"parentSessionId":"b","childSessionId":"g"}`)
		p.turnStart("g", 1)
		synctest.Wait()
		h.take()
		called := interrupt(t, s, t.Context(), nil)
		cancel, again := p.next("session/cancel"), p.next("session/prompt")
		p.delta("b", 1, 0, "lost")
		p.delta("g", 1, 0, "lost")
		synctest.Wait()
		p.event("s", 1, "subagent/catalog", `{"version":0,"childId":"b","childCreatedAt":1,"mode":"continuable","label":"l"}`)
		p.delta("b", 1, 1, "heard")
		p.delta("g", 1, 1, "heard")
		synctest.Wait()
		assert.ElementsMatch(t, []string{"b: 1 withheld, 0 to 0", "g: 1 withheld, 0 to 0", "b: heard", "g: heard"}, h.take())
		p.reply(cancel, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		p.turnEnd("s", 1, abortedByUser)
		p.takes(again, "m2", 2)
		_, err := called()
		require.NoError(t, err)
	})
}

// A peer that begins children without end fills no memory.
func TestChildrenThatBeginAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		s := rt.Session("s")
		turn := begin(t, p, s, "m1", 1)
		for range 1<<16 + 100 {
			p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"c"}`)
		}
		p.notify("subagent.started", `{"parentSessionId":"s","childSessionId":"s"}`)
		p.notify("subagent.started", `{"parentSessionId":"c","childSessionId":"s"}`)
		p.notify("subagent.finished", `{"provider":"spawn","agentId":"x","parentSessionId":"s","childSessionId":"x","status":"ok","stopReason":"completed"}`)
		p.turnEnd("s", 1, completed)
		require.True(t, ended(t, turn).OK())
		tree := turn.Tree()
		assert.Len(t, tree, 1<<16)
		assert.ErrorContains(t, tree[0].Err, "began again")
		assert.Len(t, s.Children(), 1)
	})
}
