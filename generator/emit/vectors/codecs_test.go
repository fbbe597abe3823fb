// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/emittest/schematest"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

// That vectors say what a reader does is tested where one plays them.
func TestSchemasAgreeWithReaders(t *testing.T) {
	for name, p := range models(t) {
		taken, refused := schematest.Schema(t, p)
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
