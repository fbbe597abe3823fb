// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/generator/emit/sample"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// TestRandomValues reads random texts of the declared types, strictly and not,
// in order and not, with unknown members and variants: the same value is
// written.
func TestRandomValues(t *testing.T) {
	p, problems, err := load.Load(context.Background(), "github.com/accordkit/accord/spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, problems.Errors(), "%s", problems)
	types := map[string]func() codec.Value{
		"InitializeParams": of[harness.InitializeParams](), "InitializeResult": of[harness.InitializeResult](),
		"PromptParams": of[harness.PromptParams](), "PromptReceipt": of[harness.PromptReceipt](),
		"CancelParams": of[harness.CancelParams](), "CancelResult": of[harness.CancelResult](),
		"CloseParams": of[harness.CloseParams](), "CloseResult": of[harness.CloseResult](),
		"LoadParams": of[harness.LoadParams](), "LoadResult": of[harness.LoadResult](),
		"WaitResult": of[harness.WaitResult](), "StatusResult": of[harness.StatusResult](), "ListResult": of[harness.ListResult](),
		"RequestPermissionParams": of[harness.RequestPermissionParams](), "RequestPermissionResult": of[harness.RequestPermissionResult](),
		"SessionEventParams": of[harness.SessionEventParams](), "SessionDelta": of[harness.SessionDelta](),
		"SubagentFinished": of[harness.SubagentFinished](), "SessionHeaderLine": of[harness.SessionHeaderLine](),
		"Event": of[harness.Event](), "ContentBlock": of[block](), "StreamRecord": of[record](),
	}
	for name, create := range types {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			w := sample.New(p)
			w.Unknown, w.Wild = rapid.Bool().Draw(t, "unknown"), rapid.Bool().Draw(t, "wild")
			text := w.Type(t, name)
			for _, strict := range []bool{true, false} {
				var d codec.Decoder
				d.Strict, d.MaxDepth = strict, 100
				d.Reset(text)
				v := create()
				v.DecodeJSON(&d)
				d.End()
				require.NoError(t, d.Err(), "%s", text)
				out := v.AppendJSON(nil)
				require.Empty(t, cmp.Diff(value(t, text), value(t, out)), "%s\n%s", text, out)
			}
		}))
	}
}

// record reads a StreamRecord as one value.
type record struct{ harness.StreamRecord }

func (v *record) DecodeJSON(d *codec.Decoder) { v.StreamRecord = harness.DecodeStreamRecord(d) }

// FuzzEvent reads any text as an event, as a client does: it never panics, and
// what it takes it writes again as the same value, except for what absence and
// zero have in common.
func FuzzEvent(f *testing.F) {
	for _, path := range []string{"testdata/recordings/wait-with-child.jsonl", "testdata/recordings/tool-call.jsonl"} {
		for _, line := range lines(f, path) {
			var entry struct{ Frame frame }
			if json.Unmarshal(line, &entry) == nil && entry.Frame.Params != nil {
				f.Add([]byte(entry.Frame.Params))
			}
		}
	}
	f.Add([]byte(chunkText))
	f.Add([]byte(deltaText))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, create := range []func() codec.Value{of[harness.SessionEventParams](), of[harness.SessionDelta](), of[harness.PromptParams](), of[block]()} {
			for _, strict := range []bool{false, true} {
				var d codec.Decoder
				d.Strict = strict
				d.Reset(text)
				v := create()
				v.DecodeJSON(&d)
				d.End()
				if d.Err() != nil {
					continue
				}
				once := v.AppendJSON(nil)
				if err := codec.Validate(once, 100); err != nil {
					t.Fatalf("%q became %q: %v", text, once, err)
				}
				again := create()
				d.Reset(once)
				again.DecodeJSON(&d)
				if d.End(); d.Err() != nil {
					t.Fatalf("%q cannot be read again: %v", once, d.Err())
				}
				if twice := again.AppendJSON(nil); string(twice) != string(once) {
					t.Fatalf("%q became %q", once, twice)
				}
			}
		}
	})
}
