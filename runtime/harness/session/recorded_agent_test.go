// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// tape records what is said.
type tape struct{ said []string }

func (t *tape) add(s string) error { t.said = append(t.said, s); return nil }

func (t *tape) Text(d string) error      { return t.add("text " + d) }
func (t *tape) Reasoning(d string) error { return t.add("reasoning " + d) }
func (t *tape) Call(id harness.ToolCallID, name string) error {
	return t.add("call " + string(id) + " " + name)
}
func (t *tape) Arguments(d string) error                 { return t.add("arguments " + d) }
func (t *tape) Break() error                             { return t.add("|") }
func (t *tape) Retry(context.Context, agent.Retry) error { return nil }

func asked(text string, answers int) *agent.Request {
	r := &agent.Request{Messages: []*agent.Message{{
		Source: &harness.SourceUser{}, Content: []harness.ContentBlock{&harness.TextBlock{Text: text}},
	}}}
	for range answers {
		r.Messages = append(r.Messages, &agent.Message{Source: &harness.SourceModel{}})
	}
	return r
}

func TestAnswersByPromptAndStep(t *testing.T) {
	a := &recordedAgent{Answers: map[string][]recordedAnswer{"p": {recordedCalls("c1", "bash", `{"x"`, ":1}"), recordedText("do", "ne")}}}
	var first, second tape
	r, err := a.Step(context.Background(), asked("p", 0), &first)
	require.NoError(t, err)
	assert.Equal(t, agent.ToolCalls, r.Stop)
	assert.Equal(t, []string{"|", "call c1 bash", `arguments {"x"`, "arguments :1}"}, first.said)
	r, err = a.Step(context.Background(), asked("p", 1), &second)
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, r.Stop)
	assert.Equal(t, []string{"|", "text do", "text ne"}, second.said)
	_, err = a.Step(context.Background(), asked("p", 2), &tape{})
	assert.ErrorContains(t, err, "nothing is recorded for step 3")
	_, err = a.Step(context.Background(), asked("other", 0), &tape{})
	assert.ErrorContains(t, err, "nothing is recorded")
}

func TestFailsAndHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := recordedText("so far")
		fails.Fails = &harness.Failure{Message: "bad req", Code: "INVALID_REQUEST"}
		hangs := recordedAnswer{Hangs: true}
		a := &recordedAgent{Answers: map[string][]recordedAnswer{"fails": {fails}, "hangs": {hangs}}}
		_, err := a.Step(t.Context(), asked("fails", 0), &tape{})
		var f *agent.Failure
		require.ErrorAs(t, err, &f)
		assert.Equal(t, "INVALID_REQUEST", f.Code)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = a.Step(ctx, asked("hangs", 0), &tape{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// A recorded stream is answered as it came, pauses and all.
func TestRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		total := int64(19)
		answer := recordedStream([]harness.StreamRecord{
			&harness.ChunkRecord{Chunk: &harness.BlockStartChunk{BlockType: harness.BlockReasoning}},
			&harness.ReasoningChunks{DT: []int64{200}, Texts: []string{"a", "b"}},
			&harness.ChunkRecord{Chunk: &harness.BlockStartChunk{Index: 1, BlockType: harness.BlockToolCall}},
			&harness.ToolCallChunks{Index: 1, ID: "c1", Name: "bash", Args: []string{""}, DT: []int64{}},
			&harness.ToolCallChunks{Index: 1, ID: "c1", Args: []string{"{", "}"}, DT: []int64{100}},
			&harness.ChunkRecord{Chunk: &harness.UsageChunk{Usage: harness.Usage{InputTokens: 10, TotalTokens: &total}}},
			&harness.ChunkRecord{Chunk: &harness.FinishChunk{Reason: &harness.FinishToolCalls{}}},
		})
		a := &recordedAgent{Answers: map[string][]recordedAnswer{"p": {answer}}}
		begin := time.Now()
		var out tape
		r, err := a.Step(t.Context(), asked("p", 0), &out)
		require.NoError(t, err)
		assert.Equal(t, 300*time.Millisecond, time.Since(begin))
		assert.Equal(t, "| reasoning a reasoning b | call c1 bash arguments { arguments }", strings.Join(out.said, " "))
		assert.Equal(t, agent.ToolCalls, r.Stop)
		assert.EqualValues(t, 10, r.Usage.InputTokens)
	})
}
