// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"bytes"
	"encoding/json"
	"testing"

	js "github.com/invopop/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/spec/model"
)

// asEncodingJSON is the document by the document model's own encoding.
func asEncodingJSON(t require.TestingT, document any) string {
	compact, err := json.Marshal(document)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, json.Indent(&out, plain(compact), "", "  "))
	return out.String() + "\n"
}

type within struct {
	Scope string `json:"scope"`
}

// everything has each form that documents are made of.
type everything struct {
	Name string `json:"name"`
	*within
	Inner    inner                     `json:"inner"`
	Schema   *js.Schema                `json:"schema,omitempty"`
	None     *js.Schema                `json:"none"`
	Schemas  js.Definitions            `json:"schemas"`
	Maps     map[string]map[string]any `json:"maps"`
	Raw      json.RawMessage           `json:"raw,omitempty"`
	List     []string                  `json:"list"`
	Empty    []string                  `json:"empty,omitempty"`
	Zero     model.Pos                 `json:"zero,omitzero"`
	Number   json.Number               `json:"number,omitempty"`
	Float    float64                   `json:"float"`
	Unsigned uint64                    `json:"unsigned"`
	Any      any                       `json:"any"`
	Hidden   string                    `json:"-"`
	Plain    bool
}

type inner struct {
	A, B int
	within
}

func TestRenderIsAsEncodingJSON(t *testing.T) {
	properties := js.NewProperties()
	properties.Set("z", &js.Schema{Type: "string", Extras: map[string]any{"x-b": 1, "x-a": []any{"<&>", nil, true}}})
	properties.Set("a", js.TrueSchema)
	properties.Set("f", js.FalseSchema)
	properties.Set("e", &js.Schema{})
	whole := everything{
		Name: "a \"name\"\\\n\t\x01\x7f<b>&\u2028中\xff", within: &within{"s"}, Inner: inner{A: 1, within: within{"t"}},
		Schema: &js.Schema{
			Properties: properties, Required: []string{"z"}, Not: js.FalseSchema, Items: &js.Schema{Ref: "#/$defs/x"},
			AnyOf: []*js.Schema{{Type: "null"}, {}}, Const: "c", Enum: []any{"a", 1}, Minimum: "0", MaxLength: new(uint64(5)),
			Default: map[string]any{"k": []int{}}, AdditionalProperties: js.FalseSchema, Extras: map[string]any{"x": map[string]any{}},
		},
		Schemas: js.Definitions{"b": {Type: "object"}, "a": {Extras: map[string]any{"only": 1}}},
		Maps:    map[string]map[string]any{"none": nil, "some": {"k": 1.5}},
		Raw:     json.RawMessage(`{"a":[1,{"b":"\u003c"}],"c":{}}`), Number: "12", Float: 1e21, Unsigned: 7, Any: []any{map[string]int{}},
	}
	for name, document := range map[string]any{
		"whole": whole, "pointer": &whole, "zero": everything{}, "schema": whole.Schema, "true": js.TrueSchema, "nothing": nil,
	} {
		got, err := Render(document)
		require.NoError(t, err)
		assert.Equal(t, asEncodingJSON(t, document), string(got), name)
	}
}

func TestStringsAreAsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := map[string]string{rapid.String().Draw(t, "key"): string(rapid.SliceOf(rapid.Byte()).Draw(t, "value"))}
		got, err := Render(document)
		require.NoError(t, err)
		require.Equal(t, asEncodingJSON(t, document), string(got))
	})
}
