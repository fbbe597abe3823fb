// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	schema "github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/sample"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/runtime/codec"
)

// The published schema and a strict reader take and refuse the same values: of
// random ones, some of them spoilt in one place. What no schema can say is left
// out: whether a string is base64.
func TestSchemaAgreesWithStrictReaders(t *testing.T) {
	p, problems, err := load.Load(t.Context(), "github.com/accordkit/accord/spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, problems.Errors(), "%s", problems)
	text, err := schema.Emit(p)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("urn:schema", doc))
	definitions := map[string]*jsonschema.Schema{}
	for name := range vectorTypes {
		definitions[name], err = compiler.Compile("urn:schema#/$defs/" + name)
		require.NoError(t, err)
	}
	names := slices.Sorted(maps.Keys(vectorTypes))
	writer := sample.New(p)
	writer.Unknown = true
	taken, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		name := names[rapid.IntRange(0, len(names)-1).Draw(t, "type")]
		text := writer.Type(t, name)
		if rapid.IntRange(0, 3).Draw(t, "spoil") > 0 {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			require.NoError(t, err)
			v = spoilt(t, v)
			if text, err = json.Marshal(v); err != nil {
				t.Fatal(err)
			}
		}
		d := codec.Decoder{Strict: true}
		d.Reset(text)
		value := vectorTypes[name]()
		value.DecodeJSON(&d)
		d.End()
		var wrong *codec.Error
		if errors.As(d.Err(), &wrong) && (wrong.Kind.OfText() || strings.Contains(wrong.Msg, "base64")) {
			t.Skip()
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		err = definitions[name].Validate(v)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%s %s\nreader: %v\nschema: %v", name, text, wrong, err)
		}
		if err == nil {
			taken++
		} else {
			refused++
		}
	})
	t.Logf("%d taken, %d refused", taken, refused)
}

// spoilt is a value with one part of it replaced, taken away or added.
func spoilt(t *rapid.T, v any) any {
	if rapid.IntRange(0, 2).Draw(t, "deeper") > 0 {
		switch v := v.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(v))
			if len(keys) == 0 {
				break
			}
			key := keys[rapid.IntRange(0, len(keys)-1).Draw(t, "member")]
			if rapid.IntRange(0, 3).Draw(t, "away") == 0 {
				delete(v, key)
			} else {
				v[key] = spoilt(t, v[key])
			}
			return v
		case []any:
			if len(v) > 0 {
				i := rapid.IntRange(0, len(v)-1).Draw(t, "item")
				v[i] = spoilt(t, v[i])
				return v
			}
		}
	}
	return rapid.SampledFrom([]any{
		nil, true, false, "", "x", "followup", strings.Repeat("y", 300), json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("2.0"), json.Number("0.5"),
		json.Number("9007199254740992"),
		map[string]any{},
		map[string]any{"type": "text"},
		map[string]any{"kind": 1},
		[]any{},
		[]any{"x"},
		[]any{nil},
	}).Draw(t, "instead")
}
