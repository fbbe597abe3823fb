// SPDX-License-Identifier: Apache-2.0

package openrpc_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/openrpc"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

var update = flag.Bool("update", false, "write the golden files")

func models(t *testing.T) map[string]*model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "../../../spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), "%v", s.Problems)
	return map[string]*model.Protocol{"sample": emittest.Queue(), "flagship": s.Model}
}

func emit(t *testing.T, p *model.Protocol) []byte {
	t.Helper()
	text, err := openrpc.Emit(p)
	require.NoError(t, err)
	return text
}

func TestGolden(t *testing.T) {
	got := emit(t, emittest.Queue())
	const golden = "testdata/queue.openrpc.json"
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run go test ./generator/emit/openrpc -update and read the difference")
}

func TestSameModelSameBytes(t *testing.T) {
	one := emit(t, emittest.Queue())
	for range 20 {
		require.True(t, bytes.Equal(one, emit(t, emittest.Queue())))
	}
}

func value(t *testing.T, text []byte) any {
	t.Helper()
	v, err := check.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err, "%s", text)
	return v
}

// metaschema is the schema of OpenRPC documents. Both of its files name as their
// own schema what is itself no metaschema, so draft 7, which it is, is said.
func metaschema(t *testing.T, at string) *check.Schema {
	t.Helper()
	c := check.NewCompiler()
	for url, file := range map[string]string{
		"https://meta.open-rpc.org/": "testdata/openrpc-1.4.schema.json", "https://meta.json-schema.tools": "testdata/json-schema-tools.schema.json",
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		schema := value(t, text).(map[string]any)
		schema["$schema"] = "http://json-schema.org/draft-07/schema#"
		schema["$id"] = url
		require.NoError(t, c.AddResource(url, schema))
		if !strings.HasSuffix(url, "/") {
			require.NoError(t, c.AddResource(url+"/", schema))
		}
	}
	s, err := c.Compile("https://meta.open-rpc.org/" + at)
	require.NoError(t, err)
	return s
}

func TestDocumentsAreOpenRPC(t *testing.T) {
	whole, method := metaschema(t, ""), metaschema(t, "#/definitions/methodObject")
	for name, p := range models(t) {
		doc := value(t, emit(t, p))
		assert.NoError(t, whole.Validate(doc), name)
		for _, m := range doc.(map[string]any)["x-from-server"].([]any) {
			assert.NoError(t, method.Validate(m), "%s: %v", name, m.(map[string]any)["name"])
		}
	}
	// The check can fail.
	assert.Error(t, whole.Validate(value(t, []byte(`{"openrpc":"1.3.2","info":{"title":"t","version":"1"},"methods":[]}`))))
	assert.Error(t, whole.Validate(value(t, []byte(`{"openrpc":"1.4.1","info":{"title":"t","version":"1"},"methods":[{"name":"m"}]}`))))
}

// method is what the tests look at.
type method struct {
	Name   string
	Params []struct {
		Name     string
		Required bool
	}
	Result *struct{ Name string }
	Errors []struct{ Code int }
	Fails  []string `json:"x-fails"`
}

type document struct {
	Methods    []method
	FromServer []method `json:"x-from-server"`
}

// What the schema of documents cannot say, but the specification does.
func TestRulesOfOpenRPC(t *testing.T) {
	for name, p := range models(t) {
		var doc document
		require.NoError(t, json.Unmarshal(emit(t, p), &doc))
		names := map[string]bool{}
		for _, m := range slices.Concat(doc.Methods, doc.FromServer) {
			assert.False(t, names[m.Name], "%s has %s twice", name, m.Name)
			names[m.Name] = true
			params, optional := map[string]bool{}, false
			for _, d := range m.Params {
				assert.False(t, params[d.Name], "%s has %s twice", m.Name, d.Name)
				params[d.Name] = true
				assert.False(t, optional && d.Required, "%s: %s must stand before those that may be absent", m.Name, d.Name)
				optional = optional || !d.Required
			}
			codes := map[int]bool{}
			for _, e := range m.Errors {
				assert.False(t, codes[e.Code], "%s has the code %d twice", m.Name, e.Code)
				codes[e.Code] = true
			}
		}
		for _, m := range p.Methods {
			assert.True(t, names[m.Name], m.Name)
		}
		for _, n := range p.Notifications {
			assert.True(t, names[n.Name], n.Name)
		}
		for _, m := range doc.Methods {
			i := slices.IndexFunc(p.Methods, func(d *model.Method) bool { return d.Name == m.Name })
			assert.Equal(t, i >= 0, m.Result != nil, "%s: what has no result is a notification", m.Name)
		}
	}
}

// Each reference resolves, and none has siblings.
func TestReferences(t *testing.T) {
	for name, p := range models(t) {
		doc := value(t, emit(t, p)).(map[string]any)
		schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
		n := 0
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case []any:
				for _, x := range v {
					walk(x)
				}
			case map[string]any:
				if ref, ok := v["$ref"].(string); ok {
					n++
					target, ok := strings.CutPrefix(ref, "#/components/schemas/")
					assert.True(t, ok && schemas[target] != nil, "%s: %s", name, ref)
					assert.Len(t, v, 1, "%s: %v", name, slices.Collect(maps.Keys(v)))
				}
				for _, x := range v {
					walk(x)
				}
			}
		}
		walk(doc)
		assert.Greater(t, n, 20)
	}
}

// Each example has the shape that the document itself says, member by member
// and as a whole.
func TestExamplesAreValid(t *testing.T) {
	for name, p := range models(t) {
		c := check.NewCompiler()
		doc := value(t, emit(t, p)).(map[string]any)
		require.NoError(t, c.AddResource("urn:doc", doc))
		n := 0
		valid := func(at string, v any) {
			t.Helper()
			s, err := c.Compile("urn:doc#" + at)
			require.NoError(t, err, at)
			n++
			assert.NoError(t, s.Validate(v), "%s %s", name, at)
		}
		for _, list := range []string{"methods", "x-from-server"} {
			for i, x := range doc[list].([]any) {
				m := x.(map[string]any)
				at := "/" + list + "/" + itoa(i)
				for _, kind := range []string{"examples", "x-refused"} {
					examples, _ := m[kind].([]any)
					for _, e := range examples {
						whole := map[string]any{}
						for _, x := range e.(map[string]any)["params"].([]any) {
							param := x.(map[string]any)
							whole[param["name"].(string)] = param["value"]
							j := slices.IndexFunc(m["params"].([]any), func(d any) bool { return d.(map[string]any)["name"] == param["name"] })
							require.GreaterOrEqual(t, j, 0, "%s has no parameter %s", m["name"], param["name"])
							valid(at+"/params/"+itoa(j)+"/schema", param["value"])
						}
						if m["x-params"] != nil {
							valid(at+"/x-params", whole)
						}
						if result, ok := e.(map[string]any)["result"].(map[string]any); ok {
							valid(at+"/result/schema", result["value"])
						}
					}
				}
				if v, ok := m["x-absent-as"]; ok {
					valid(at+"/result/schema", v)
				}
			}
		}
		assert.Greater(t, n, 10, name)
	}
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// What the model says of a method is in the document, whatever it is.
func TestNothingOfAMethodIsLost(t *testing.T) {
	for _, p := range models(t) {
		text := string(emit(t, p))
		for _, m := range p.Methods {
			if m.Repeats != nil && m.Repeats.Window != "" {
				assert.Contains(t, text, m.Repeats.Window)
			}
			for _, kind := range m.Fails {
				assert.Contains(t, text, `"`+kind+`": {`)
			}
		}
		for _, a := range p.Activities {
			for _, o := range a.Outcomes {
				assert.Contains(t, text, `"name": "`+o.Name+`"`)
			}
		}
	}
}

func TestBrokenModels(t *testing.T) {
	p := emittest.Queue()
	p.Types[2].Fields[0].Type = &model.Ref{Kind: model.RefNamed, Name: "Nowhere"}
	p.Methods[0].Result = "Nothing"
	_, err := openrpc.Emit(p)
	require.ErrorContains(t, err, `HelloParams.version refers to the type "Nowhere"`)
	require.ErrorContains(t, err, `refers to the type "Nothing"`)
}
