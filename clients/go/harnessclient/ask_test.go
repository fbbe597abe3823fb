// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
)

// asked is what Ask returned.
type asked struct {
	text string
	err  error
}

// ask asks a session, and returns once a turn has taken the prompt.
func ask(t *testing.T, p *peer, s *harnessclient.Session, ctx context.Context) <-chan asked {
	t.Helper()
	done := make(chan asked, 1)
	go func() {
		text, err := s.Ask(ctx, "go")
		done <- asked{text, err}
	}()
	f := p.next("session/prompt")
	id := string(s.ID())
	p.insert(id, 0, "m-1")
	p.turnStart(id, 1)
	p.remove(id, 0, 1, "")
	p.reply(f, `{"messageId":"m-1"}`)
	return done
}

func TestAskGivesTheAnswerOrWhyThereIsNone(t *testing.T) {
	for name, c := range map[string]struct {
		end     string // of the turn; empty: the connection is lost
		outcome harnessclient.Outcome
		says    string
	}{
		"completed": {end: completed},
		"failed":    {`{"kind":"error","error":{"message":"no model answers","code":"TRANSPORT"}}`, harnessclient.OutcomeFailed, "the turn ended as failed: no model answers"},
		"cancelled": {abortedByUser, harnessclient.OutcomeCancelled, "the turn ended as cancelled"},
		"lost":      {"", "", "the connection is lost"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, rt := connect(t, allCapabilities, harnessclient.Options{})
				s := rt.NewSession()
				done := ask(t, p, s, t.Context())
				p.answer(string(s.ID()), 1, "hello", "")
				if c.end == "" {
					_ = p.out.Close()
				} else {
					p.turnEnd(string(s.ID()), 1, c.end)
				}
				got := <-done
				assert.Equal(t, "hello", got.text)
				if c.says == "" {
					require.NoError(t, got.err)
				} else {
					require.ErrorContains(t, got.err, c.says)
				}
				if c.outcome != "" {
					var failure *harnessclient.OutcomeError
					require.ErrorAs(t, got.err, &failure)
					assert.Equal(t, c.outcome, failure.Outcome)
				}
				closeRuntime(t, rt)
			})
		})
	}
}

// A caller that does not wait any longer has the turn cancelled.
func TestAskThatIsGivenUpCancelsItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		done := ask(t, p, rt.Session("a"), ctx)
		p.delta("a", 1, 0, "hel")
		synctest.Wait()
		cancel()
		got := <-done
		require.ErrorIs(t, got.err, context.Canceled)
		assert.Equal(t, "hel", got.text)
		f := p.next("session/cancel")
		assert.Contains(t, string(f.Params), `"messageId":"m-1"`)
		p.reply(f, `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`)
		closeRuntime(t, rt)
	})
}

// What a caller reads without looking at the error says that nothing is known.
func TestASettlementIsNeverNil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, rt := connect(t, allCapabilities, harnessclient.Options{})
		turn := begin(t, p, rt.Session("a"), "m-1", 1)
		p.delta("a", 1, 0, "hel")
		synctest.Wait()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		end, err := turn.Settled(over)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, harnessclient.OutcomeUnsettled, end.Outcome)
		assert.False(t, end.OK())
		assert.ErrorIs(t, end.Err(), context.Canceled)
		assert.Equal(t, harness.TurnID(1), end.Turn)
		assert.Equal(t, "hel", end.Text)
		p.turnEnd("a", 1, completed)
		end, err = turn.Settled(t.Context())
		require.NoError(t, err)
		assert.NoError(t, end.Err())
		closeRuntime(t, rt)
	})
}

func TestNewSessionsHaveIDsOfTheirOwn(t *testing.T) {
	var rt harnessclient.Runtime
	assert.NotEqual(t, rt.NewSession().ID(), rt.NewSession().ID())
	assert.NotEmpty(t, rt.NewSession().ID())
}
