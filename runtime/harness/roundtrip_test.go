// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// payload is what the params and the result of one message are.
type payload struct{ params, result func() codec.Value }

func of[T any, P interface {
	*T
	codec.Value
}]() func() codec.Value {
	return func() codec.Value { return P(new(T)) }
}

var messages = map[string]payload{
	"initialize":                    {of[harness.InitializeParams](), of[harness.InitializeResult]()},
	"session/prompt":                {of[harness.PromptParams](), of[harness.PromptReceipt]()},
	"session/cancel":                {of[harness.CancelParams](), of[harness.CancelResult]()},
	"session/close":                 {of[harness.CloseParams](), of[harness.CloseResult]()},
	"session/load":                  {of[harness.LoadParams](), of[harness.LoadResult]()},
	"session/resume":                {of[harness.ResumeParams](), nil},
	"session/wait":                  {of[harness.WaitParams](), nil},
	"session/status":                {of[harness.StatusParams](), of[harness.StatusResult]()},
	"session/list":                  {of[harness.ListParams](), of[harness.ListResult]()},
	"session/working-directory/get": {of[harness.GetWorkingDirectoryParams](), of[harness.WorkingDirectoryResult]()},
	"session/working-directory/set": {of[harness.SetWorkingDirectoryParams](), of[harness.WorkingDirectoryResult]()},
	"session.event":                 {of[harness.SessionEventParams](), nil},
	"session.delta":                 {of[harness.SessionDelta](), nil},
	"session.status":                {of[harness.SessionStatusParams](), nil},
	"session.replayed":              {of[harness.SessionReplayed](), nil},
	"session.closed":                {of[harness.SessionClosed](), nil},
	"session.lost":                  {of[harness.SessionLost](), nil},
	"subagent.started":              {of[harness.SubagentStarted](), nil},
	"subagent.finished":             {of[harness.SubagentFinished](), nil},
}

// frame is a message, its parts as they were written.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// lines gives the objects of a file, one a line.
func lines(t testing.TB, path string) []json.RawMessage {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var list []json.RawMessage
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		if len(bytes.TrimSpace(s.Bytes())) > 0 {
			list = append(list, bytes.Clone(s.Bytes()))
		}
	}
	require.NoError(t, s.Err())
	return list
}

// value is a JSON text as a Go value, its numbers as they were written.
func value(t require.TestingT, text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), string(text))
	return v
}

// roundTrip reads text into v and writes it again: the same JSON value must
// come out, and no variant may have been too strange for its type.
func roundTrip(t testing.TB, v codec.Value, text []byte) []byte {
	t.Helper()
	var d codec.Decoder
	d.Reset(text)
	v.DecodeJSON(&d)
	d.End()
	require.NoError(t, d.Err(), string(text))
	out := v.AppendJSON(nil)
	if diff := cmp.Diff(value(t, text), value(t, out)); diff != "" {
		t.Errorf("not the same value (-read +written):\n%s", diff)
	}
	return out
}

func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	known := map[string]int{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			asked := map[string]string{}
			for _, line := range lines(t, file) {
				var entry struct{ Frame json.RawMessage }
				require.NoError(t, json.Unmarshal(line, &entry))
				var f frame
				if entry.Frame == nil || json.Unmarshal(entry.Frame, &f) != nil {
					continue // a remark, or a line that is no message
				}
				switch {
				case f.Method != "":
					asked[string(f.ID)] = f.Method
					p, ok := messages[f.Method]
					if !ok || f.Params == nil || strings.HasPrefix(filepath.Base(file), "errors") && f.ID != nil {
						continue // a method that does not exist, or params that are wrong on purpose
					}
					v := p.params()
					roundTrip(t, v, f.Params)
					known[f.Method]++
					if e, ok := v.(*harness.SessionEventParams); ok {
						unknown, strange := e.Event.Data.(*harness.UnknownEvent)
						if assert.False(t, strange, "%s", f.Params) {
							known[e.Event.Type()]++
						} else {
							t.Log(unknown.Type)
						}
					}
				case f.Result != nil:
					if p := messages[asked[string(f.ID)]]; p.result != nil {
						roundTrip(t, p.result(), f.Result)
					}
				}
			}
		})
	}
	for _, name := range []string{"session.event", "session.status", "subagent.finished", "session/prompt", "turn/end", "assistant/message", "request/header", "tool/result"} {
		assert.NotZero(t, known[name], name)
	}
}

// TestLogs reads one row of each form that logs of several releases have, as
// strictly as can be.
func TestLogs(t *testing.T) {
	var d codec.Decoder
	d.Strict = true
	for _, line := range lines(t, "testdata/events.jsonl") {
		var e harness.Event
		roundTrip(t, &e, line)
		d.Reset(line)
		e.DecodeJSON(&d)
		require.NoError(t, d.Err(), "%s", line)
		if _, unknown := e.Data.(*harness.UnknownEvent); unknown {
			assert.Equal(t, "plugin:stigmer/owner", e.Type(), "%s", line)
		}
	}
	for _, line := range lines(t, "testdata/headers.jsonl") {
		var h harness.SessionHeaderLine
		roundTrip(t, &h, line)
		d.Reset(line)
		h.DecodeJSON(&d)
		assert.NoError(t, d.Err(), "%s", line)
	}
}

// vector is one case of what absent, zero and empty mean.
type vector struct {
	ID                   string
	Value                json.RawMessage
	Wire                 *string
	As                   string
	EncodeMustContain    []string
	EncodeMustNotContain []string
	DecodeEncodeSame     bool `json:"decodeEncodeSameValue"`
	Runtime              string
}

// block reads a ContentBlock as one value.
type block struct{ harness.ContentBlock }

func (v *block) DecodeJSON(d *codec.Decoder) { v.ContentBlock = harness.DecodeContentBlock(d) }

func TestAbsentZeroAndEmpty(t *testing.T) {
	text, err := os.ReadFile("testdata/absent.json")
	require.NoError(t, err)
	var vectors []vector
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.Len(t, vectors, 15)
	types := map[string]func() codec.Value{
		"ContentBlock":      of[block](),
		"InitializeParams":  messages["initialize"].params,
		"SubagentFinished":  of[harness.SubagentFinished](),
		"SessionEvent":      of[harness.Event](),
		"SessionHeaderLine": of[harness.SessionHeaderLine](),
	}
	done := 0
	for _, c := range vectors {
		done++
		switch c.As {
		case "Request":
			t.Run(c.ID, func(t *testing.T) {
				sent := request(t, value(t, c.Value).(map[string]any)["method"].(string))
				assert.NotContains(t, sent, c.EncodeMustNotContain[0])
			})
			continue
		case "Response[]":
			t.Run(c.ID, func(t *testing.T) {
				var responses []frame
				require.NoError(t, json.Unmarshal(c.Value, &responses))
				a, ok := jsonrpc.ParseID(responses[0].ID)
				require.True(t, ok)
				b, ok := jsonrpc.ParseID(responses[1].ID)
				require.True(t, ok)
				assert.NotEqual(t, a, b)
				assert.Equal(t, string(responses[0].ID), string(a.AppendJSON(nil)))
				assert.Equal(t, string(responses[1].ID), string(b.AppendJSON(nil)))
			})
			continue
		}
		create := types[c.As]
		require.NotNil(t, create, c.As)
		t.Run(c.ID, func(t *testing.T) {
			if c.Wire != nil {
				var d codec.Decoder
				d.Reset([]byte(*c.Wire))
				create().DecodeJSON(&d)
				var e *codec.Error
				require.ErrorAs(t, d.Err(), &e, "a typed error")
				require.Equal(t, codec.UTF8, e.Kind)

				d.Lax = true
				d.Reset([]byte(*c.Wire))
				v := create()
				v.DecodeJSON(&d)
				require.NoError(t, d.Err())
				require.Equal(t, "\uFFFD", v.(*block).ContentBlock.(*harness.TextBlock).Text)
				return
			}
			compact := new(bytes.Buffer)
			require.NoError(t, json.Compact(compact, c.Value))
			var d codec.Decoder
			d.Reset(compact.Bytes())
			v := create()
			v.DecodeJSON(&d)
			d.End()
			require.NoError(t, d.Err())
			out := string(v.AppendJSON(nil))
			for _, s := range c.EncodeMustContain {
				assert.Contains(t, out, s)
			}
			for _, s := range c.EncodeMustNotContain {
				assert.NotContains(t, out, s)
			}
			assert.Equal(t, value(t, c.Value), value(t, []byte(out)))
			if c.Runtime != "" {
				d.Strict = true
				d.Reset(compact.Bytes())
				create().DecodeJSON(&d)
				assert.Error(t, d.Err(), "a runtime refuses it")
			}
		})
	}
	assert.Equal(t, 15, done)
}

// request gives the line that a connection writes for a call without params.
func request(t *testing.T, method string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	in, peerOut := io.Pipe()
	peerIn, out := io.Pipe()
	conn := jsonrpc.NewConn(in, out, jsonrpc.Config{})
	ended := make(chan error, 1)
	go func() { ended <- conn.Serve(ctx) }()
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(peerIn).ReadString('\n')
		line <- text
		var f frame
		_ = json.Unmarshal([]byte(text), &f)
		_, _ = io.WriteString(peerOut, `{"jsonrpc":"2.0","id":`+string(f.ID)+`,"result":{}}`+"\n")
	}()
	call := conn.Begin(method)
	require.NoError(t, call.Send(ctx))
	call.Release()
	require.NoError(t, peerOut.Close())
	<-ended
	return <-line
}

func TestUnknownVocabulary(t *testing.T) {
	for _, line := range lines(t, "testdata/unknown/wire.jsonl") {
		var step struct{ Frame json.RawMessage }
		require.NoError(t, json.Unmarshal(line, &step))
		var f frame
		if step.Frame == nil || json.Unmarshal(step.Frame, &f) != nil || f.Params == nil {
			continue
		}
		if p, ok := messages[f.Method]; ok {
			out := roundTrip(t, p.params(), f.Params)
			assert.Len(t, out, len(f.Params), "nothing is lost and nothing is added")
		}
	}
	for i, line := range lines(t, "testdata/unknown/session.jsonl") {
		if i == 0 {
			assert.Equal(t, string(line), string(roundTrip(t, new(harness.SessionHeaderLine), line)))
			continue
		}
		assert.Equal(t, string(line), string(roundTrip(t, new(harness.Event), line)))
	}
}

// Rules F3 and F8.
func TestWhatIsUnknownIsKeptByteForByte(t *testing.T) {
	// As compact text, the members that are known in the writer's order.
	for _, text := range []string{
		`{"sessionId":"a","event":{"type":"acme/audit","seq":5,"time":6,"data":{"x" : 1.0, "y":9007199254740993},"ignorable":true},"traceId":"tr-9"}`,
		`{"sessionId":"a","event":{"type":"turn/start","seq":9,"time":1,"data":{"turn":1}},"_meta":{"host" : [1]},"_x":null}`,
		`{"sessionId":"a","event":{"type":"turn/end","seq":9,"time":1,"data":{"turn":1,"reason":{"kind":"acme-budget","limit":5e0}}}}`,
		`{"sessionId":"a","event":{"type":"turn/end","seq":9,"time":1,"data":{"turn":"one","reason":{"kind":"completed"}}}}`,
		`{"sessionId":"a","event":{"type":"turn/end","seq":9,"time":1,"data":[1, 2]}}`,
		`{"sessionId":"a","event":{"type":"acme/audit","seq":9,"time":1}}`,
		`{"sessionId":"a","event":{"type":"turn/start","seq":9,"time":1}}`,
		`{"sessionId":"a","event":{"type":"turn/start","seq":9,"time":1,"data":{"turn":1,"\u0061cme":[ ]},"surfaceOp":{"op":"acme-splice" , "at":4},"shade":"blue"}}`,
	} {
		var v harness.SessionEventParams
		assert.Equal(t, text, string(roundTrip(t, &v, []byte(text))))
	}
	for _, text := range []string{`{"type":"acme-chart","points":[1, 2.50]}`, `{"type":"text","text":5}`, `{"type":7}`, `{}`, `[1]`, `5`, `null`, `{"points":1,"type":"acme"}`} {
		var v block
		assert.Equal(t, text, string(roundTrip(t, &v, []byte(text))))
		assert.IsType(t, &harness.UnknownContentBlock{}, v.ContentBlock)
	}
}

func TestTagMayComeLate(t *testing.T) {
	var v harness.Event
	roundTrip(t, &v, []byte(`{"data":{"reason":{"limit":1,"kind":"completed"},"turn":7},"time":2,"seq":1,"type":"turn/end"}`))
	assert.Equal(t, harness.TurnID(7), v.Data.(*harness.TurnEnd).Turn)
}

func TestStrictReading(t *testing.T) {
	for text, want := range map[string]string{
		`{"contentBlocks":[{"type":"text","text":"a"}]}`:                                           "sessionId: this required member is missing",
		`{"sessionId":"","contentBlocks":[{"type":"text","text":"a"}]}`:                            "sessionId: want a string of at least 1 character",
		`{"sessionId":"a","contentBlocks":[]}`:                                                     "contentBlocks: want a list of at least 1 item",
		`{"sessionId":"a","contentBlocks":[{"type":"text"}]}`:                                      "contentBlocks[0].text: this required member is missing",
		`{"sessionId":"a","contentBlocks":[{"type":"text","text":"a"},{"type":"text","text":1}]}`:  "contentBlocks[1].text: want a string, found a number",
		`{"sessionId":"a","contentBlocks":[{"text":"a"}]}`:                                         "contentBlocks[0].type: this member must be there, and a string",
		`{"sessionId":"a","contentBlocks":[{"type":"text","text":"a"}],"delivery":"soon"}`:         "delivery: want one of followup, steer",
		`{"sessionId":"a","contentBlocks":[{"type":"text","text":"a"}],"idempotencyKey":null}`:     "idempotencyKey: want a string, found null",
		`{"sessionId":"a","contentBlocks":[{"type":"text","text":"a"}],"x":{"a":1,"b":{},"a":[]}}`: "x.a: the object has this member twice",
	} {
		var d codec.Decoder
		d.Strict = true
		d.Reset([]byte(text))
		new(harness.PromptParams).DecodeJSON(&d)
		if assert.Error(t, d.Err(), text) {
			assert.Contains(t, d.Err().Error(), want)
		}
	}
	var d codec.Decoder
	d.Strict = true
	d.Reset([]byte(`{"sessionId":"a","contentBlocks":[{"type":"acme","x":1}],"delivery":"steer"}`))
	var v harness.PromptParams
	v.DecodeJSON(&d)
	require.NoError(t, d.Err(), "an unknown variant is no error")
	assert.IsType(t, &harness.UnknownContentBlock{}, v.ContentBlocks[0])
}
