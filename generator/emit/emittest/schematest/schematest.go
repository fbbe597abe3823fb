// SPDX-License-Identifier: Apache-2.0

// Package schematest holds what is generated from one model to each other: what its
// JSON Schema takes to what its readers take.
//
// The package is for tests only; nothing that ships may import it.
package schematest

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

// beyond are the refusals that no schema can say: base64, numbers beyond 64 bits
// and bounds of what stands in a string.
var beyond = regexp.MustCompile(`: (no base64|too (few|many) bytes|more than 64 bits)$`)

// Schema has the JSON Schema of a protocol take what a strict reader takes, and
// refuse what it refuses, by the protocol's golden vectors. What no schema can say
// is left out: names that come twice, the encoding of texts, and what is beyond.
func Schema(t *testing.T, p *model.Protocol) (taken, refused int) {
	t.Helper()
	c, err := vectors.CodecsOf(p)
	require.NoError(t, err)
	validate := schemas(t, p)
	takes := func(typ, name, text string) {
		taken++
		assert.NoError(t, validate(typ, text), "%s, %s: %s", typ, name, text)
	}
	for _, typ := range c.Types {
		for _, v := range typ.Values {
			takes(typ.Type, v.Name, v.Text)
		}
		for _, r := range typ.Reads {
			if r.By == "" {
				takes(typ.Type, r.Name, r.Text)
			}
			if r.By != vectors.Lax && r.Text != r.Writes {
				takes(typ.Type, r.Name, r.Writes)
			}
		}
		for _, r := range typ.Refuses {
			if r.By == vectors.Lenient || beyond.MatchString(r.Name) {
				continue
			}
			switch r.Kind {
			case "type", "missing", "bounds":
				refused++
				assert.Error(t, validate(typ.Type, r.Text), "%s, %s: %s", typ.Type, r.Name, r.Text)
			}
		}
	}
	twins, _ := p.Twins()
	for _, m := range c.Messages {
		assert.NoError(t, validate("frame."+m.From, m.Frame), "%s", m.Frame)
		if m.Response != "" {
			response := "response." + strings.NewReplacer("/", ".", "$", ".").Replace(m.Message)
			if twins[m.Message] && m.From == model.Server {
				response += "." + model.Server
			}
			assert.NoError(t, validate(response, m.Response), "%s", m.Response)
		}
	}
	for _, e := range c.Errors {
		assert.NoError(t, validate("error."+e.Kind, string(e.Error)), "%s", e.Error)
	}
	return taken, refused
}

// schemas validates by the definitions of a protocol's bundle.
func schemas(t *testing.T, p *model.Protocol) func(def, text string) error {
	t.Helper()
	text, err := jsonschema.Emit(p)
	require.NoError(t, err)
	doc, err := check.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := check.NewCompiler()
	id := "urn:accord:" + p.Name
	require.NoError(t, c.AddResource(id, doc))
	return func(def, text string) error {
		s, err := c.Compile(id + "#/$defs/" + def)
		require.NoError(t, err)
		v, err := check.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err, text)
		return s.Validate(v)
	}
}
