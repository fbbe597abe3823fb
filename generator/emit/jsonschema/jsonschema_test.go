// SPDX-License-Identifier: Apache-2.0

package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/spec/model"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	got, err := jsonschema.Emit(emittest.Queue())
	require.NoError(t, err)
	const golden = "testdata/queue.schema.json"
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run go test ./generator/emit/jsonschema -update and read the difference")
}

func TestSameModelSameBytes(t *testing.T) {
	one, err := jsonschema.Emit(emittest.Queue())
	require.NoError(t, err)
	for range 20 {
		two, err := jsonschema.Emit(emittest.Queue())
		require.NoError(t, err)
		require.True(t, bytes.Equal(one, two))
	}
}

// compile also holds the bundle to the metaschema.
func compile(t *testing.T, p *model.Protocol) func(def, doc string) error {
	t.Helper()
	text, err := jsonschema.Emit(p)
	require.NoError(t, err)
	doc, err := check.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := check.NewCompiler()
	id := "urn:accord:" + p.Name
	require.NoError(t, c.AddResource(id, doc))
	_, err = c.Compile(id)
	require.NoError(t, err)
	return func(def, doc string) error {
		at := id
		if def != "" {
			at += "#/$defs/" + def
		}
		s, err := c.Compile(at)
		require.NoError(t, err)
		v, err := check.UnmarshalJSON(strings.NewReader(doc))
		require.NoError(t, err, doc)
		return s.Validate(v)
	}
}

// All references of a bundle must lead somewhere, whichever part is used.
func TestEachDefinitionCompiles(t *testing.T) {
	p := emittest.Queue()
	text, err := jsonschema.Emit(p)
	require.NoError(t, err)
	var bundle struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &bundle))
	validate := compile(t, p)
	for name := range bundle.Defs {
		assert.NotRegexp(t, `[^A-Za-z0-9_.-]`, name)
		_ = validate(name, `{}`)
	}
}

func TestExamplesAreValid(t *testing.T) {
	p := emittest.Queue()
	validate := compile(t, p)
	for _, m := range p.Methods {
		for _, e := range m.Examples {
			assert.NoError(t, validate(m.Params, e.Params), "%s: %s", m.Name, e.Name)
			if e.Error == "" {
				assert.NoError(t, validate(m.Result, e.Result), "%s: %s", m.Name, e.Name)
			}
		}
	}
	for _, n := range p.Notifications {
		for _, e := range n.Ex {
			assert.NoError(t, validate(n.Params, e.Params), "%s: %s", n.Name, e.Name)
		}
	}
}

func TestShapes(t *testing.T) {
	validate := compile(t, emittest.Queue())
	for _, c := range []struct {
		def, doc string
		ok       bool
	}{
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}]}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"unheard":{"of":1}}`, true},
		{"PrintParams", `{"trayId":"a","pages":[]}`, false},
		{"PrintParams", `{"trayId":"a"}`, false},
		{"PrintParams", `{"trayId":1,"pages":[{"type":"text","text":"x"}]}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text"}]}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"hologram","depth":3}]}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"text":"no tag"}]}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"book","pages":[{"type":"text","text":1}]}]}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"copies":0}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"copies":99}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"key":""}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"owner":null}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"owner":"a<b"}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"owner":"UPPER"}`, false},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"colour":"puce"}`, true},
		{"PrintParams", `{"trayId":"a","pages":[{"type":"text","text":"x"}],"_meta":{"a":[1,null]}}`, true},
		{"StopResult", `{"effect":"stopping"}`, true},
		{"StopResult", `{"effect":"puce"}`, false},
		{"Ticket", `{"job":"j","bytes":"9223372036854775807"}`, true},
		{"Ticket", `{"job":"j","bytes":7}`, false},
		{"HelloParams", `{"version":9007199254740993}`, false},
		{"Event", `{"seq":1,"type":"end","data":{"why":"done"}}`, true},
		{"Event", `{"seq":1,"type":"end"}`, false},
		{"Event", `{"seq":1,"type":"end","data":{}}`, false},
		{"Event", `{"seq":1,"type":"seed"}`, false},
		{"Event", `{"seq":1,"type":"seed","data":{}}`, true},
		{"Event", `{"seq":1,"type":"later"}`, false},
		{"Event", `{"type":"note","data":{}}`, false},
		{"Event", `{"seq":1,"type":"later","data":17}`, true},
		{"error.tray-full", `{"code":1001,"message":"m","data":{"kind":"tray-full","retry":"after","limit":8,"trayId":"a"}}`, true},
		{"error.tray-full", `{"code":-32603,"message":"m","data":{"kind":"tray-full","limit":8}}`, true},
		{"error.tray-full", `{"code":7,"message":"m","data":{"kind":"tray-full","limit":8}}`, false},
		{"error", `{"code":1001,"message":"m","data":{"kind":"tray-full"}}`, false},
		{"error", `{"code":7,"message":"m","data":{"kind":"later"}}`, true},
		{"error", `{"code":-32601,"message":"m"}`, true},
		{"", `{"jsonrpc":"2.0","id":1,"method":"job/print","params":{"trayId":"a","pages":[{"type":"text","text":"x"}]}}`, true},
		{"", `{"jsonrpc":"2.0","id":1,"method":"job/print"}`, false},
		{"", `{"jsonrpc":"2.0","method":"job/print","params":{"trayId":"a","pages":[{"type":"text","text":"x"}]}}`, false},
		{"", `{"jsonrpc":"2.0","method":"job/stop","params":{"trayId":"a"}}`, true},
		{"", `{"jsonrpc":"2.0","id":"x","method":"unheard/of","params":[]}`, true},
		{"", `{"jsonrpc":"2.0","method":"job.event","params":{"trayId":"a","event":{"seq":0,"type":"end","data":{"why":"x"}}}}`, true},
		{"frame.client", `{"jsonrpc":"2.0","method":"job.event","params":{"trayId":"a","event":{"seq":0,"type":"end","data":{"why":"x"}}}}`, false},
		{"frame.server", `{"jsonrpc":"2.0","method":"job.event","params":{"trayId":"a","event":{"seq":0,"type":"end","data":{}}}}`, false},
		{"", `{"jsonrpc":"2.0","id":1,"result":{}}`, true},
		{"", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, false},
		{"response.job.stop", `{"jsonrpc":"2.0","id":1,"result":{"effect":"over"}}`, true},
		{"response.job.stop", `{"jsonrpc":"2.0","id":1,"result":{}}`, false},
	} {
		err := validate(c.def, c.doc)
		assert.Equal(t, c.ok, err == nil, "%s %s: %v", c.def, c.doc, err)
	}
}

func TestBrokenModels(t *testing.T) {
	p := emittest.Queue()
	p.Types[2].Fields[0].Type = &model.Ref{Kind: model.RefNamed, Name: "Nowhere"}
	p.Methods = append(p.Methods, &model.Method{Name: "job.print", From: model.Client})
	_, err := jsonschema.Emit(p)
	require.ErrorContains(t, err, `HelloParams.version refers to the type "Nowhere"`)
	require.ErrorContains(t, err, `"request.job.print"`)
}

func TestTextsAreLegible(t *testing.T) {
	got, err := jsonschema.Emit(emittest.Queue())
	require.NoError(t, err)
	assert.Contains(t, string(got), `"^[a-z<>&]*$"`)
	assert.Contains(t, string(got), `"x-zh": "Print 将任务放入纸盒。\n\n任务会写在纸上。"`)
}
