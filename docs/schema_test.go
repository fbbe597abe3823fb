// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

const schemaID = "urn:accord:harness"

// schema is the published bundle, held to its metaschema.
type schema struct {
	t *testing.T
	c *jsonschema.Compiler
}

func openSchema(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile("reference/harness.schema.json")
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(schemaID, doc))
	_, err = c.Compile(schemaID)
	require.NoError(t, err)
	return schema{t, c}
}

func (s schema) validate(def string, doc []byte) error {
	s.t.Helper()
	compiled, err := s.c.Compile(schemaID + "#/$defs/" + def)
	require.NoError(s.t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	require.NoError(s.t, err, "%s", doc)
	return compiled.Validate(v)
}

func declared(t *testing.T) *model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "../spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), "%v", s.Problems)
	return s.Model
}

// Each example of the declaration has the shape that the schema says.
func TestExamplesAreValid(t *testing.T) {
	s := openSchema(t)
	p := declared(t)
	n := 0
	check := func(name, typ, text string) {
		if typ == "" || text == "" {
			return
		}
		n++
		assert.NoError(t, s.validate(typ, []byte(text)), name)
	}
	for _, m := range p.Methods {
		for _, e := range m.Examples {
			check(m.Name+": "+e.Name, m.Params, e.Params)
			check(m.Name+": "+e.Name, m.Result, e.Result)
		}
	}
	for _, note := range p.Notifications {
		for _, e := range note.Ex {
			check(note.Name+": "+e.Name, note.Params, e.Params)
		}
	}
	assert.Greater(t, n, 30)
}

// What an official runtime and its clients really sent has the shape that the
// schema says, except for requests that are wrong on purpose.
func TestRecordingsAreValid(t *testing.T) {
	s := openSchema(t)
	files, err := filepath.Glob("../runtime/harness/testdata/recordings/*.jsonl")
	require.NoError(t, err)
	n := 0
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var line struct {
				Dir   string
				Frame json.RawMessage
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
			def := "frame.server"
			if line.Dir == ">" {
				def = "frame.client"
			}
			if line.Frame == nil || line.Dir == ">" && strings.Contains(name, "errors") {
				continue
			}
			n++
			assert.NoError(t, s.validate(def, line.Frame), "%s: %.300s", name, line.Frame)
		}
		require.NoError(t, lines.Err())
		require.NoError(t, f.Close())
	}
	assert.Greater(t, n, 100)
}
