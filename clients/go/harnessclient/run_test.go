// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
)

func TestAPromptIsFollowedToTheEndOfItsTurn(t *testing.T) {
	for _, negotiated := range []bool{true, false} {
		caps, turn := allCapabilities, 1
		if !negotiated {
			caps, turn = "", 0 // no turn next to the event
		}
		p, rt := connect(t, caps, harnessclient.Options{})
		s := rt.Session("a")
		started := prompt(t, s, t.Context(), "say hello", nil)
		f := p.next("session/prompt")
		assert.JSONEq(t, `{"sessionId":"a","contentBlocks":[{"type":"text","text":"say hello"}]}`, string(f.Params))
		// The receipt, and all the rest, come before the response.
		p.insert("a", 0, "m-1")
		p.notify("session.status", `{"sessionId":"a","status":"running"}`)
		p.event("a", turn, "turn/start", `{"turn":1}`)
		p.remove("a", 0, 1, "")
		p.event("a", turn, "step/start", `{"turn":1,"step":1}`)
		p.event("a", turn, "user/message", message("m-1", "say hello"))
		p.answer("a", turn, "hello", `,"usage":{"inputTokens":3,"outputTokens":1}`)
		p.event("a", turn, "step/end", `{"turn":1,"step":1}`)
		p.event("a", turn, "turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
		p.reply(f, `{"messageId":"m-1"}`)
		got, err := started()
		require.NoError(t, err)
		end, err := got.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
		assert.True(t, end.OK())
		assert.Equal(t, "hello", end.Text)
		assert.False(t, end.Partial)
		assert.Equal(t, harness.TurnID(1), end.Turn)
		assert.EqualValues(t, 3, end.Usage.InputTokens)
		var types []string
		var seqs []int64
		for e := range got.Events(t.Context()) {
			types, seqs = append(types, e.Event.Type()), append(seqs, e.Event.Seq)
		}
		assert.Equal(t, []int64{0, 1, 2, 3, 4, 5, 6, 7}, seqs)
		assert.Equal(t, "turn/end", types[7])
		assert.NoError(t, got.Err())
	}
}

// The official SDKs' live defect: both callers got the second answer.
//
// Rule R1.
func TestTwoPromptsOnOneSessionEachGetTheirOwnAnswer(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	s := rt.Session("a")
	one := begin(t, p, s, "m-1", 1)
	second := prompt(t, s, t.Context(), "second?", nil)
	f := p.next("session/prompt")
	p.insert("a", 0, "m-2")
	p.reply(f, `{"messageId":"m-2"}`)
	two, err := second()
	require.NoError(t, err)
	p.answer("a", 0, "ANSWER-ONE", "")
	p.event("a", 0, "turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
	end, err := one.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "ANSWER-ONE", end.Text)
	_, taken := two.Taken()
	assert.False(t, taken)
	p.event("a", 0, "turn/start", `{"turn":2}`)
	p.remove("a", 0, 1, "")
	p.answer("a", 0, "ANSWER-TWO", "")
	p.event("a", 0, "turn/end", `{"turn":2,"reason":{"kind":"completed"}}`)
	end, err = two.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "ANSWER-TWO", end.Text)
	assert.Equal(t, harness.TurnID(2), end.Turn)
}

// A stranger's message waits before ours: its turn is not ours.
func TestPositionsAreFoldedNotCounted(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	s := rt.Session("a")
	started := prompt(t, s, t.Context(), "say hello", nil)
	f := p.next("session/prompt")
	p.insert("a", 0, "m-job")
	p.insert("a", 1, "m-1")
	p.reply(f, `{"messageId":"m-1"}`)
	p.event("a", 0, "turn/start", `{"turn":1}`)
	p.remove("a", 0, 1, "")
	p.answer("a", 0, "noted the job", "")
	p.event("a", 0, "turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
	p.event("a", 0, "turn/start", `{"turn":2}`)
	p.remove("a", 0, 1, "")
	p.answer("a", 0, "hello", "")
	p.event("a", 0, "turn/end", `{"turn":2,"reason":{"kind":"completed"}}`)
	turn, err := started()
	require.NoError(t, err)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "hello", end.Text)
	assert.Equal(t, harness.TurnID(2), end.Turn)
	first := int64(-1)
	for e := range turn.Events(t.Context()) {
		if first < 0 {
			first = e.Event.Seq
		}
		assert.NotContains(t, []int64{0, 2, 3, 4, 5}, e.Event.Seq, "of the stranger's")
	}
	assert.EqualValues(t, 1, first)
}

// What was parked before this client came has no id that it knows: the claim
// takes an unknown position, and user/message says the rest.
func TestMessagesParkedBeforeThisClientCame(t *testing.T) {
	p, rt := connect(t, "", harnessclient.Options{})
	started := prompt(t, rt.Session("a"), t.Context(), "go", nil)
	f := p.next("session/prompt")
	p.insert("a", 1, "m-1") // one stands before it
	p.event("a", 0, "turn/start", `{"turn":4}`)
	p.remove("a", 0, 1, "")
	p.reply(f, `{"messageId":"m-1"}`)
	turn, err := started()
	require.NoError(t, err)
	p.event("a", 0, "turn/end", `{"turn":4,"reason":{"kind":"completed"}}`)
	p.event("a", 0, "turn/start", `{"turn":5}`)
	p.event("a", 0, "user/message", message("m-1", "go"))
	p.event("a", 0, "turn/end", `{"turn":5,"reason":{"kind":"max-tokens"}}`)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harness.TurnID(5), end.Turn)
	assert.Equal(t, harnessclient.OutcomeMaxTokens, end.Outcome)
}

// A position that cannot have been reached neither moves the others nor costs
// memory.
func TestPositionsThatCannotBe(t *testing.T) {
	for _, data := range []string{
		`{"target":"next-turn","start":9007199254740991,"removedCount":1,"inserted":[]}`,
		`{"target":"next-turn","start":1,"removedCount":9007199254740991,"inserted":[]}`,
		`{"target":"next-turn","start":-1,"removedCount":0,"inserted":[]}`,
		`{"target":"next-turn","start":1,"removedCount":-1,"inserted":[]}`,
		`{"target":"next-turn","start":1e300,"inserted":[]}`,
	} {
		p, rt := connect(t, "", harnessclient.Options{})
		started := prompt(t, rt.Session("a"), t.Context(), "go", nil)
		f := p.next("session/prompt")
		p.insert("a", 0, "m-1")
		p.event("a", 0, "agent/inbox/spliced", data)
		p.reply(f, `{"messageId":"m-1"}`)
		turn, err := started()
		require.NoError(t, err)
		p.event("a", 0, "turn/start", `{"turn":1}`)
		p.remove("a", 0, 1, "")
		p.event("a", 0, "turn/end", `{"turn":1,"reason":{"kind":"completed"}}`)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, harness.TurnID(1), end.Turn, data)
		assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome, data)
	}
}

// A run does not wait for an end, or for a claim, that came in a wrong shape.
func TestEventsOfAnotherShapeStillTellTheirRuns(t *testing.T) {
	for data, want := range map[string]harnessclient.Outcome{
		`{"turn":1,"reason":{"kind":"completed"},"unfinished":"agent"}`: harnessclient.OutcomeCompleted,
		`{"turn":"1","reason":{"kind":"aborted"}}`:                      harnessclient.OutcomeCancelled,
		`{"reason":{"kind":"max-tokens"}}`:                              harnessclient.OutcomeMaxTokens,
		`{"turn":1}`:                                                    harnessclient.OutcomeOther,
		`null`:                                                          harnessclient.OutcomeOther,
	} {
		for _, message := range []string{`{"id":"m-1"}`, `{"id":"m-1","content":"text","source":7}`} {
			p, rt := connect(t, "", harnessclient.Options{})
			started := prompt(t, rt.Session("a"), t.Context(), "go", nil)
			f := p.next("session/prompt")
			p.event("a", 0, "agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+message+`]}`)
			p.reply(f, `{"messageId":"m-1"}`)
			turn, err := started()
			require.NoError(t, err)
			p.event("a", 0, "turn/start", `{"turn":1}`)
			p.remove("a", 0, 1, "")
			p.event("a", 0, "user/message", message)
			p.event("a", 0, "turn/end", data)
			end, err := turn.Settled(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, end.Outcome, data)
			assert.Equal(t, harness.TurnID(1), end.Turn, data)
			n := 0
			for range turn.Events(t.Context()) {
				n++
			}
			assert.Equal(t, 5, n, "all are handed out")
		}
	}
}

func TestOneTerminalStateForEachEnd(t *testing.T) {
	for reason, want := range map[string]harnessclient.Outcome{
		completed:     harnessclient.OutcomeCompleted,
		abortedByUser: harnessclient.OutcomeCancelled,
		`{"kind":"aborted","reason":{"kind":"disposed"}}`:          harnessclient.OutcomeCancelled,
		`{"kind":"blocked"}`:                                       harnessclient.OutcomeBlocked,
		`{"kind":"error","error":{"message":"m","code":"SERVER"}}`: harnessclient.OutcomeFailed,
		`{"kind":"max-tokens"}`:                                    harnessclient.OutcomeMaxTokens,
		`{"kind":"interrupted"}`:                                   harnessclient.OutcomeInterrupted,
		`{"kind":"acme-budget","limit":5}`:                         harnessclient.OutcomeOther,
		`{"kind":"aborted"}`:                                       harnessclient.OutcomeCancelled, // without its cause
		`{"kind":"error","error":"a text"}`:                        harnessclient.OutcomeFailed,
	} {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.delta("a", 1, 0, "half")
		p.turnEnd("a", 1, reason)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err, reason)
		assert.Equal(t, want, end.Outcome, reason)
		assert.Equal(t, "half", end.Text, "partial text is kept")
		assert.True(t, end.Partial)
		if want == harnessclient.OutcomeOther {
			assert.Equal(t, "acme-budget", end.Reason.EndReasonKind())
			assert.Equal(t, reason, string(end.Reason.AppendJSON(nil)), "kept raw")
		}
	}
}

func TestAWithdrawnPromptIsNotTheTurnsAnswer(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	s := rt.Session("a")
	one := begin(t, p, s, "m-1", 1)
	second := prompt(t, s, t.Context(), "queued", nil)
	f := p.next("session/prompt")
	p.insert("a", 0, "m-2")
	p.reply(f, `{"messageId":"m-2"}`)
	two, err := second()
	require.NoError(t, err)
	p.remove("a", 0, 1, `,"outcome":"canceled"`)
	p.turnEnd("a", 1, abortedByUser)
	end, err := two.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harnessclient.OutcomeWithdrawn, end.Outcome)
	assert.Zero(t, end.Turn)
	assert.Empty(t, end.Text)
	_, ok, err := two.Key(t.Context())
	require.NoError(t, err)
	assert.False(t, ok)
	end, err = one.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harnessclient.OutcomeCancelled, end.Outcome)
}

func TestQueuedPromptsAreInterruptedByAClose(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	s := rt.Session("a")
	started := prompt(t, s, t.Context(), "queued", nil)
	f := p.next("session/prompt")
	p.insert("a", 0, "m-2")
	p.reply(f, `{"messageId":"m-2"}`)
	turn, err := started()
	require.NoError(t, err)
	p.notify("session.closed", `{"sessionId":"a","outcome":"clean"}`)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harnessclient.OutcomeInterrupted, end.Outcome)
}

// Rule R1.
func TestEndsOfStrangersDoNotEndARun(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	turn := begin(t, p, rt.Session("a"), "m-1", 3)
	p.notify("subagent.started", `{"parentSessionId":"a","childSessionId":"b"}`)
	p.turnStart("b", 3)
	p.turnEnd("b", 3, completed)
	p.notify("session.status", `{"sessionId":"b","status":"idle"}`)
	p.notify("session.status", `{"sessionId":"a","status":"idle"}`)
	p.turnEnd("a", 2, completed) // of another turn
	p.turnEnd("a", 3, abortedByUser)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, harnessclient.OutcomeCancelled, end.Outcome)
}

func TestDuplicateReceiptsTellHowItEnded(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	const said = `,"message":{"role":"assistant","id":"m2","source":{"kind":"model","provider":"demo","model":"m"},"content":[{"type":"text","text":"so "},{"type":"text","text":"far"}]},"usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7}}`
	for settled, want := range map[string]struct {
		outcome harnessclient.Outcome
		text    string
		partial bool
		tokens  int64
	}{
		`{"turn":7,"reason":{"kind":"completed"}}`:                              {harnessclient.OutcomeCompleted, "", false, 0},
		`{"turn":7,"reason":{"kind":"completed"}` + said:                        {harnessclient.OutcomeCompleted, "so far", false, 4},
		`{"turn":7,"reason":{"kind":"aborted","reason":{"kind":"user"}}` + said: {harnessclient.OutcomeCancelled, "so far", true, 4},
		`{"reason":{"kind":"withdrawn"}}`:                                       {harnessclient.OutcomeWithdrawn, "", true, 0},
	} {
		started := prompt(t, rt.Session("a"), t.Context(), "x", &harness.PromptOptions{IdempotencyKey: new("k")})
		f := p.next("session/prompt")
		assert.Equal(t, "k", f.param("idempotencyKey"))
		p.reply(f, `{"messageId":"m","duplicate":true,"settled":`+settled+`}`)
		turn, err := started()
		require.NoError(t, err)
		assert.True(t, turn.Receipt.Duplicate)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want.outcome, end.Outcome)
		assert.Equal(t, want.text, end.Text)
		assert.Equal(t, want.partial, end.Partial)
		assert.Equal(t, want.tokens, end.Usage.OutputTokens)
	}
}

// The same key twice while the first one runs: two handles, one turn.
func TestTwoHandlesOfOneTurn(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	s := rt.Session("a")
	one := begin(t, p, s, "m-1", 1)
	again := prompt(t, s, t.Context(), "go", nil)
	p.reply(p.next("session/prompt"), `{"messageId":"m-1","duplicate":true}`)
	two, err := again()
	require.NoError(t, err)
	p.answer("a", 1, "done", "")
	p.turnEnd("a", 1, completed)
	for _, turn := range []*harnessclient.Turn{one, two} {
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "done", end.Text)
	}
}

func TestSteeringIsSettledByTheRunningTurn(t *testing.T) {
	p, rt := connect(t, allCapabilities, harnessclient.Options{})
	s := rt.Session("a")
	one := begin(t, p, s, "m-1", 1)
	steered := prompt(t, s, t.Context(), "left!", &harness.PromptOptions{Delivery: harness.DeliverySteer})
	f := p.next("session/prompt")
	p.event("a", 0, "agent/inbox/spliced", `{"target":"next-step","start":0,"inserted":[`+message("m-2", "left!")+`]}`)
	p.reply(f, `{"messageId":"m-2"}`)
	two, err := steered()
	require.NoError(t, err)
	p.event("a", 0, "agent/inbox/spliced", `{"target":"next-step","start":0,"removedCount":1,"inserted":[]}`)
	p.answer("a", 1, "turned left", "")
	p.turnEnd("a", 1, completed)
	for _, turn := range []*harnessclient.Turn{one, two} {
		end, err := turn.Settled(context.Background())
		require.NoError(t, err)
		assert.Equal(t, "turned left", end.Text)
		assert.Equal(t, harness.TurnID(1), end.Turn)
	}
}
