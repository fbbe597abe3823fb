// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// An answer that does not say what settles the call would be waited for without
// end. It fails the call, at once, and so does what is no answer at all.
func TestAReceiptThatNamesNothingIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		capabilities, answer, says string
	}{
		"nothing":                   {allCapabilities, `"result":{}`, "messageId: this required member is missing"},
		"no result":                 {allCapabilities, `"result":null`, "want an object"},
		"a number":                  {allCapabilities, `"result":{"messageId":7}`, "messageId: want a string"},
		"an end that is not":        {allCapabilities, `"result":{"messageId":"m-1","duplicate":true,"settled":true}`, "settled: want an object"},
		"both":                      {allCapabilities, `"result":{"messageId":"m-1"},"error":{"code":1,"message":"m"}`, "and not both"},
		"neither":                   {allCapabilities, `"x":1`, "a result or an error"},
		"an older runtime":          {"", `"result":{}`, "messageId: this required member is missing"},
		"an older runtime, neither": {"", `"x":1`, "messageId: this required member is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, rt := connect(t, c.capabilities, harnessclient.Options{})
				s := rt.Session("a")
				started := prompt(t, s, t.Context(), "go", nil)
				f := p.next("session/prompt")
				p.say(`{"jsonrpc":"2.0","id":%s,%s}`, f.ID, c.answer)
				turn, err := started()
				assert.Nil(t, turn)
				var failure *client.Failure
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, client.InvalidResult, contract.KindOf(err))
				assert.Equal(t, contract.Never, contract.RetryOf(err))
				assert.ErrorContains(t, err, c.says)
				assert.ErrorContains(t, err, "session/prompt: ")

				// The session continues, and what came of the prompt belongs to no handle.
				p.insert("a", 0, "m-0")
				p.turnStart("a", 1)
				p.remove("a", 0, 1, "")
				p.turnEnd("a", 1, completed)
				next := begin(t, p, s, "m-2", 2)
				p.turnEnd("a", 2, completed)
				end, err := next.Settled(t.Context())
				require.NoError(t, err)
				assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
				closeRuntime(t, rt)
			})
		})
	}
}

// A cancel whose answer does not say what it stops is never reported as over.
func TestACancelThatNamesNothingIsNotSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		s := rt.Session("a")
		turn := begin(t, p, s, "m-1", 1)
		cancel := func(answer string) (*harnessclient.Cancellation, error) {
			go func() { p.reply(p.next("session/cancel"), answer) }()
			return turn.Cancel(t.Context(), nil)
		}
		_, err := cancel(`{"cancelled":true}`)
		assert.Equal(t, client.InvalidResult, contract.KindOf(err))
		assert.ErrorContains(t, err, "effect: this required member is missing")
		stop, err := cancel(`{"cancelled":true,"effect":"stopping","withdrawn":null}`)
		require.NoError(t, err, "what it says is not lost")
		assert.Equal(t, harness.EffectStopping, stop.Result.Effect)
		assert.NotNil(t, stop.Result.Withdrawn, "null is an empty list")
		err = stop.Settled(t.Context())
		assert.Equal(t, client.InvalidResult, contract.KindOf(err))
		assert.ErrorContains(t, err, "turn: ")
		assert.Zero(t, rt.Counters().Of(jsonrpc.InvalidMember))
		p.turnEnd("a", 1, completed)
		_, err = turn.Settled(t.Context())
		require.NoError(t, err)
		closeRuntime(t, rt)
	})
}

// A result without a member that it must have is handed out, for what it says, and
// the member is reported and counted; an older runtime has its own idea of results.
func TestAResultThatLacksAMemberIsCounted(t *testing.T) {
	for name, c := range map[string]struct {
		capabilities, answer string
		counted              int64
	}{
		"whole":            {allCapabilities, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`, 0},
		"lacking":          {allCapabilities, `{"effect":"stopping","turn":1,"withdrawn":[]}`, 1},
		"of a wrong kind":  {allCapabilities, `{"cancelled":"no","effect":"stopping","turn":1,"withdrawn":[]}`, 1},
		"an older runtime": {"", `{"effect":"stopping","turn":1,"withdrawn":[]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, rt := connect(t, c.capabilities, harnessclient.Options{})
				turn := begin(t, p, rt.Session("a"), "m-1", 1)
				go func() { p.reply(p.next("session/cancel"), c.answer) }()
				stop, err := turn.Cancel(t.Context(), nil)
				require.NoError(t, err)
				assert.Equal(t, harness.EffectStopping, stop.Result.Effect)
				assert.EqualValues(t, c.counted, rt.Counters().Of(jsonrpc.InvalidMember))
				closeRuntime(t, rt)
			})
		})
	}
}

// What lacks a required member, or has one of a wrong kind, is reported, counted
// and not handed out, from peers of all generations; what it says of the end of
// the work is not lost.
func TestWhatLacksAMemberIsNotHandedOut(t *testing.T) {
	for name, capabilities := range map[string]string{"version 2": allCapabilities, "an older runtime": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var reported, handled int
				var unknown []string
				p, rt := connect(t, capabilities, harnessclient.Options{
					Diagnose: func(d jsonrpc.Diagnostic) {
						if d.Kind == jsonrpc.InvalidParams {
							reported++
						}
					},
					Handler: harnessclient.Handler{
						SessionEvent:    func(context.Context, *harness.SessionEventParams) { handled++ },
						SessionDelta:    func(context.Context, *harness.SessionDelta) { handled++ },
						SessionStatus:   func(context.Context, *harness.SessionStatusParams) { handled++ },
						SubagentStarted: func(context.Context, *harness.SubagentStarted) { handled++ },
						Unknown:         func(method string, params codec.Raw) { unknown = append(unknown, method+string(params)) },
					},
				})
				turn := begin(t, p, rt.Session("a"), "m-1", 1)
				synctest.Wait()
				handled = 0
				for _, n := range []struct{ method, params string }{
					{"session.status", `[1,2]`},
					{"session.status", `{"sessionId":"a"}`},
					{"session.status", `{"sessionId":"a","status":7}`},
					{"session.delta", `{"sessionId":"a","turn":1,"step":1,"attempt":1,"index":0,"kind":"text","text":"x"}`},
					{"session.delta", `{"sessionId":"a","turn":1,"step":1,"attempt":1,"n":"0","index":0,"kind":"text","text":"x"}`},
					{"session.event", `{"sessionId":"a","turn":1}`},
					{"session.event", `{"sessionId":"a","event":{"type":"step/start","time":1,"data":{"turn":1,"step":1}}}`},
					{"subagent.started", `{"parentSessionId":"a"}`},
				} {
					p.notify(n.method, n.params)
				}
				p.notify("session.event", `{"sessionId":"a","event":{"type":"turn/end","seq":11,"data":{"turn":1,"reason":{"kind":"completed"}}}}`)
				p.notify("session.new", `{"a":1}`)
				end, err := turn.Settled(t.Context())
				require.NoError(t, err, "its end has come")
				assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
				synctest.Wait()
				assert.Zero(t, handled)
				assert.Equal(t, 9, reported)
				assert.EqualValues(t, 9, rt.Counters().Of(jsonrpc.InvalidParams))
				assert.EqualValues(t, 8, rt.Counters().Scopes.Broken, "all but the one that names no session")
				assert.Equal(t, []string{`session.new{"a":1}`}, unknown)
				for range turn.Events(t.Context()) {
					handled++
				}
				for range turn.Deltas(t.Context()) {
					handled++
				}
				assert.Equal(t, 3, handled, "what the prompt brought: insert, start and claim")
				closeRuntime(t, rt)
			})
		})
	}
}

// What is wrong with one member of an event loses that member and nothing else.
func TestEventsAreReadAsFarAsTheyGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wrong []string
		p, rt := connect(t, allCapabilities, harnessclient.Options{Diagnose: func(d jsonrpc.Diagnostic) {
			wrong = append(wrong, fmt.Sprintf("%s: %s: %v", d.Kind, d.Method, d.Err))
		}})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.notify("session.delta", `{"sessionId":"a","turn":1,"step":1,"attempt":1,"n":0,"index":0,"kind":"text","text":"he","name":7}`)
		p.notify("session.event", `{"sessionId":"a","event":{"type":"assistant/message","seq":10,"time":1.5,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":"hello"}],"source":{"kind":"model","provider":"p","model":"m"},"id":"a"},"usage":"little"}},"turn":1}`)
		p.notify("session.event", `{"sessionId":"a","event":{"type":"turn/end","seq":11,"time":"now","data":{"turn":1,"reason":{"kind":"completed"},"unfinished":5}},"turn":1,"replay":0}`)
		end, err := turn.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
		assert.Equal(t, "hello", end.Text)
		for d := range turn.Deltas(t.Context()) {
			assert.Equal(t, "he", d.Text)
		}
		assert.Equal(t, []string{
			"invalid member: session.delta: name: want a string, found a number (byte 96)",
			"invalid member: session.event: event.time: want an integer, found a fraction (byte 69)",
			"invalid member: session.event: event.data.usage: want an object, found a string (byte 243)",
			"invalid params: session.event: event.time: this required member is missing (byte 253)",
			"invalid member: session.event: event.time: want an integer, found a string (byte 60)",
			"invalid member: session.event: event.data.unfinished: want a list, found a number (byte 126)",
			"invalid member: session.event: replay: want true or false, found a number (byte 148)",
			"invalid params: session.event: event.time: this required member is missing (byte 129)",
		}, wrong)
		assert.Nil(t, end.Event, "it has no time, and none is made up")
		assert.EqualValues(t, 2, rt.Counters().Scopes.Broken)
		closeRuntime(t, rt)
	})
}

// An error is of its kind, whatever is wrong with what it says besides.
func TestErrorsAreReadAsFarAsTheyGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		fails := func(code int, data string) error {
			started := prompt(t, rt.Session("a"), t.Context(), "go", nil)
			p.refuse(p.next("session/prompt"), code, "no", data)
			_, err := started()
			return err
		}
		var overloaded *harness.OverloadedError
		require.ErrorAs(t, fails(1008, `{"kind":"overloaded","retry":"after","sessionId":"a","retryAfterMs":"soon","more":1}`), &overloaded)
		assert.Equal(t, harness.SessionID("a"), overloaded.SessionID)
		assert.Equal(t, "no", overloaded.Error())
		assert.Equal(t, contract.After, contract.RetryOf(overloaded))
		assert.Zero(t, overloaded.RetryAfterMS)
		var misread *codec.Error
		require.ErrorAs(t, error(overloaded), &misread)
		assert.Equal(t, "retryAfterMs", misread.Path)
		assert.EqualValues(t, 1, rt.Counters().Of(jsonrpc.InvalidMember))

		for i, data := range []string{`"overloaded"`, `[]`, `{"kind":1008,"sessionId":"a"}`, `{}`, ""} {
			overloaded = nil
			assert.ErrorAs(t, fails(1008, data), &overloaded, data)
			assert.EqualValues(t, 1+min(i+1, 2), rt.Counters().Of(jsonrpc.InvalidMember), data)
		}
		// Three kinds have this code; none is guessed.
		var plain *jsonrpc.Error
		assert.ErrorAs(t, fails(-32602, `{"path":"x"}`), &plain)
		assert.ErrorAs(t, fails(1008, `{"kind":"new in version 3"}`), &plain)
		closeRuntime(t, rt)
	})
}
