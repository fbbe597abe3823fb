// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// tape records what a step says.
type tape struct {
	said    []string
	settled bool
}

func (t *tape) add(s string) error {
	if t.settled {
		return agent.ErrSettled
	}
	t.said = append(t.said, s)
	return nil
}

func (t *tape) Text(d string) error      { return t.add(d) }
func (t *tape) Reasoning(d string) error { return t.add("(" + d + ")") }
func (t *tape) Call(id harness.ToolCallID, name string) error {
	return t.add(fmt.Sprintf("%s:%s", id, name))
}
func (t *tape) Arguments(d string) error { return t.add(d) }
func (t *tape) Break() error             { return nil }

func (t *tape) Retry(context.Context, agent.Retry) error { return nil }

func user(turn harness.TurnID, text string) *agent.Message {
	return &agent.Message{
		Turn: turn, Role: harness.RoleUser, Source: &harness.SourceUser{},
		Content: []harness.ContentBlock{&harness.TextBlock{Text: text}},
	}
}

func answer(turn harness.TurnID) *agent.Message {
	return &agent.Message{Turn: turn, Role: harness.RoleAssistant, Source: &harness.SourceModel{}}
}

func result(turn harness.TurnID) *agent.Message {
	return &agent.Message{Turn: turn, Role: harness.RoleTool, Source: &harness.SourceTool{}}
}

func step(t *testing.T, ctx context.Context, messages ...*agent.Message) (*tape, agent.Result, error) {
	t.Helper()
	var out tape
	last := messages[len(messages)-1]
	r, err := Agent{}.Step(ctx, &agent.Request{Turn: last.Turn, Step: 1, Messages: messages}, &out)
	return &out, r, err
}

func TestCommands(t *testing.T) {
	for _, tc := range []struct {
		name, prompt string
		said         []string
		stop         agent.Stop
	}{
		{"say", "say hello big world", []string{"hello ", "big ", "world"}, agent.Finished},
		{"echo", "anything  at all", []string{"anything  ", "at ", "all"}, agent.Finished},
		{"lines", "say a\n\nsay b", []string{"a", "\nb"}, agent.Finished},
		{"count", "count 3", []string{"1 ", "2 ", "3 "}, agent.Finished},
		{"flood", "flood 3", []string{"a", "b", "c"}, agent.Finished},
		{"think", "think of it\nsay so", []string{"(of )", "(it)", "so"}, agent.Finished},
		{"tool", "say a\ntool bash 5ms\nsay b", []string{"a", "call_1_1:bash", `{"duration":"5ms"}`}, agent.ToolCalls},
		{"ask", "ask rm", []string{"call_1_1:rm", `{"ask":true}`}, agent.ToolCalls},
		{"child", "child say hi", []string{"call_1_1:subagent", `{"prompt":"say hi","description":"say hi","run_in_background":true}`}, agent.ToolCalls},
		{"child!", "child! say hi", []string{"call_1_1:subagent", `{"prompt":"say hi","description":"say hi"}`}, agent.ToolCalls},
		{"not a command after all", "sleep well", []string{"sleep ", "well"}, agent.Finished},
		{"remember", "remember x 42", []string{"I ", "remember ", "x."}, agent.Finished},
		{"recall nothing", "recall x", []string{"I ", "remember ", "nothing ", "as ", "x."}, agent.Finished},
		{"empty", "", nil, agent.Finished},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, r, err := step(t, context.Background(), user(1, tc.prompt))
			require.NoError(t, err)
			assert.Equal(t, tc.said, out.said)
			assert.Equal(t, tc.stop, r.Stop)
		})
	}
}

// The rest of a prompt is found by counting results: a pure function of the
// history.
func TestGoesOnAfterResults(t *testing.T) {
	prompt := user(2, "tool a\nsay between\ntool b\nsay end")
	before := []*agent.Message{user(1, "tool old"), answer(1), result(1), answer(1)}
	history := append(before, prompt, answer(2), result(2))
	out, r, err := step(t, context.Background(), history...)
	require.NoError(t, err)
	assert.Equal(t, []string{"between", "call_2_1:b", "{}"}, out.said)
	assert.Equal(t, agent.ToolCalls, r.Stop)

	out, r, err = step(t, context.Background(), append(history, answer(2), result(2))...)
	require.NoError(t, err)
	assert.Equal(t, []string{"end"}, out.said)
	assert.Equal(t, agent.Finished, r.Stop)

	out, _, err = step(t, context.Background(), append(history, answer(2), result(2), answer(2), result(2))...)
	require.NoError(t, err)
	assert.Empty(t, out.said, "more results than calls: nothing is left to say")
}

func TestASteeredMessageTakesOver(t *testing.T) {
	out, _, err := step(t, context.Background(),
		user(1, "tool a\nsay old"), answer(1), result(1), user(1, "say new"), user(1, "say more"))
	require.NoError(t, err)
	assert.Equal(t, "new\nmore", strings.Join(out.said, ""))
}

// A message whose turn failed is not run again with the next one.
func TestAFailedTurnIsOver(t *testing.T) {
	out, _, err := step(t, context.Background(), user(1, "fail once"), user(2, "say ok"))
	require.NoError(t, err)
	assert.Equal(t, []string{"ok"}, out.said)
}

func TestNoticesAreNeverCommands(t *testing.T) {
	notice := &agent.Message{
		Turn: 2, Role: harness.RoleUser, Source: &harness.SourceSubagentSettled{},
		Content: []harness.ContentBlock{
			&harness.TextBlock{Text: "Background subagent x finished."},
			&harness.TextBlock{Text: "Its closing message:"},
			&harness.TextBlock{Text: "child say hi"},
		},
	}
	out, r, err := step(t, context.Background(), user(1, "child echo child say hi"), answer(1), result(1), notice)
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, r.Stop)
	assert.Equal(t, "The child says: child say hi", strings.Join(out.said, ""))
}

func TestRecallIsHistory(t *testing.T) {
	out, _, err := step(t, context.Background(),
		user(1, "remember k one"), answer(1), user(2, "remember k two words"), answer(2), user(3, "recall k"))
	require.NoError(t, err)
	assert.Equal(t, "two words", strings.Join(out.said, ""))
}

func TestFailKeepsTheMessage(t *testing.T) {
	_, _, err := step(t, context.Background(), user(1, "say a\nfail out of paper"))
	var f *agent.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, "out of paper", f.Message)
}

func TestTimesAndCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, _, err := step(t, t.Context(), user(1, "count 3 50ms\nsleep 1s"))
		require.NoError(t, err)
		assert.Equal(t, 1100*time.Millisecond, time.Since(begin))

		begin = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, _, err = step(t, ctx, user(1, "sleep 1h\nsay never"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 20*time.Millisecond, time.Since(begin))
	})
}

func TestStubbornGoesOnThoughCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begin := time.Now()
		out, _, err := step(t, ctx, user(1, "stubborn 3s\nsay still here"))
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, time.Since(begin))
		assert.Equal(t, "still here", strings.Join(out.said, ""))
	})
}

// host is a client that says yes or no.
type host struct{ yes bool }

func (h host) Ask(context.Context, agent.Question) (bool, error) { return h.yes, nil }
func (host) Start(context.Context, agent.Child) (harness.SessionID, error) {
	return "c-1", nil
}

func (host) Run(_ context.Context, c agent.Child) (agent.ChildEnd, error) {
	return agent.ChildEnd{ID: "c-1", Reason: &harness.EndCompleted{}, Message: c.Prompt}, nil
}

func TestTools(t *testing.T) {
	run := func(h host, name, args string) agent.Output {
		o, err := Agent{}.Tool(context.Background(), &agent.Call{Name: name, Arguments: args}, h)
		require.NoError(t, err)
		return o
	}
	text := func(o agent.Output) string { return o.Content[0].(*harness.TextBlock).Text }
	assert.Equal(t, "bash done", text(run(host{}, "bash", `{"duration":"1ms"}`)))
	assert.Equal(t, "rm done", text(run(host{yes: true}, "rm", `{"ask":true}`)))
	denied := run(host{}, "rm", `{"ask":true}`)
	assert.True(t, denied.IsError)
	assert.Equal(t, "PERMISSION_DENIED", denied.Code)
	assert.Equal(t, "started subagent c-1", text(run(host{}, "subagent", `{"prompt":"say x","run_in_background":true}`)))
	assert.Equal(t, "say x", text(run(host{}, "subagent", `{"prompt":"say x"}`)))
	assert.True(t, run(host{}, "bash", `nonsense`).IsError)
}

func TestOffers(t *testing.T) {
	a := Agent{}
	require.NoError(t, a.Offers("deepseek-official", "any", "high"))
	require.NoError(t, a.Offers("demo", "m", ""))
	assert.EqualError(t, a.Offers("zzz", "m", ""), `no adapter registered for provider "zzz"`)
	assert.EqualError(t, a.Offers("demo", "", ""), `adapter returned invalid exact model metadata for provider "demo" model ""`)
	assert.EqualError(t, a.Offers("demo", "m", "zzz"), `provider "demo" model "m" does not support reasoning effort "zzz"`)
}
