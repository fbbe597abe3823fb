package vectors_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

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

// The JSON Schema takes what a strict reader takes, and refuses what it
// refuses; that vectors say what a reader does is tested where one plays them.
// What no schema can say is left out: names that come twice, the encoding of
// texts, base64, and numbers beyond 64 bits.
func TestSchemasAgreeWithReaders(t *testing.T) {
	beyond := regexp.MustCompile(`: (no base64|too (few|many) bytes|more than 64 bits)$`)
	for name, p := range models(t) {
		c, err := vectors.CodecsOf(p)
		require.NoError(t, err)
		validate := schemas(t, p)
		taken, refused := 0, 0
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
		for _, m := range c.Messages {
			def := "frame." + m.From
			assert.NoError(t, validate(def, m.Frame), "%s", m.Frame)
			if m.Response != "" {
				assert.NoError(t, validate("response."+strings.NewReplacer("/", ".").Replace(m.Message), m.Response), "%s", m.Response)
			}
		}
		for _, e := range c.Errors {
			assert.NoError(t, validate("error."+e.Kind, string(e.Error)), "%s", e.Error)
		}
		t.Logf("%s: %d texts taken, %d refused", name, taken, refused)
		assert.Greater(t, taken, 40)
		assert.Greater(t, refused, 40)
	}
}

// Every kind of refusal, and every mode, is among the vectors.
func TestWhatVectorsCover(t *testing.T) {
	c, err := vectors.CodecsOf(emittest.Queue())
	require.NoError(t, err)
	kinds, modes, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, typ := range c.Types {
		seen := map[string]bool{}
		once := func(name string) {
			assert.False(t, seen[name], "%s has two vectors called %q", typ.Type, name)
			seen[name] = true
		}
		for _, v := range typ.Values {
			once("value " + v.Name)
			names[typ.Type+" "+v.Name] = true
		}
		for _, r := range typ.Reads {
			once("read " + r.By + r.Name)
			modes[r.By] = true
			names[typ.Type+" "+r.Name] = true
		}
		for _, r := range typ.Refuses {
			once("refuse " + r.Name)
			kinds[r.Kind], modes[r.By] = true, true
			names[typ.Type+" "+r.Name] = true
			if r.Kind != "syntax" && r.Base64 == nil {
				assert.NotNil(t, r.Path, r.Name)
			}
		}
	}
	for _, kind := range []string{"syntax", "utf8", "depth", "duplicate", "type", "missing", "bounds"} {
		assert.True(t, kinds[kind], kind)
	}
	for _, mode := range []string{"", vectors.Strict, vectors.Lenient, vectors.Lax} {
		assert.True(t, modes[mode], "mode %q", mode)
	}
	for _, name := range []string{
		"PrintParams the least", "PrintParams all members", "PrintParams colour: an unknown value", "PrintParams key: too many characters",
		"PrintParams key: too few characters", "PrintParams copies: too great", "PrintParams owner: another form", "PrintParams owner: null is a value",
		"PrintParams pages: too few items", "PrintParams pages: an item of another type", "PrintParams pages: without text: text",
		"Page an unknown variant is kept", "Page book: without pages", "StopResult effect: an unknown value",
		"Event note: content of another shape is kept by a lenient reader", "Ticket bytes: a plain number", "EndData sheets: 1e+21",
	} {
		assert.True(t, names[name], name)
	}
}

func TestSameModelSameVectors(t *testing.T) {
	want, err := vectors.EmitCodecs(emittest.Queue())
	require.NoError(t, err)
	require.True(t, json.Valid(want))
	var read vectors.Codecs
	require.NoError(t, json.Unmarshal(want, &read))
	direct, err := vectors.CodecsOf(emittest.Queue())
	require.NoError(t, err)
	assert.Equal(t, len(direct.Types), len(read.Types))
	for range 20 {
		got, err := vectors.EmitCodecs(emittest.Queue())
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

func TestMembersWithoutAValueAreNamed(t *testing.T) {
	p := emittest.Queue()
	p.Types[5].Fields[0].Type = &model.Ref{Kind: model.RefString}
	p.Types[5].Fields[0].Pattern = `^a\bb$` // matches nothing
	_, err := vectors.EmitCodecs(p)
	assert.ErrorContains(t, err, "no value of trayId can be made")
}
