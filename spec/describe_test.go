// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

type roomID string

type deep struct {
	Name  string              `json:"name"`
	First leaf                `json:"first"`
	Maybe *leaf               `json:"maybe,omitempty"`
	Null  spec.Nullable[leaf] `json:"null,omitzero"`
	shared
	Choice choice `json:"choice"`
	Again  *deep  `json:"again,omitempty"`
}

type leaf struct {
	A string `json:"a"` // has the address of the leaf itself
	B string `json:"b"`
}

type shared struct {
	Room roomID `json:"room"`
}

type choice struct {
	_    spec.Union `tag:"kind" content:"data"`
	Seq  int64      `json:"seq"`
	Some *leaf      `variant:"some.thing"`
	Void *void      `variant:"void"`
}

type void struct{}

// described runs a method with one selector through Model.
func described(t *testing.T, pick spec.Member[deep]) (path string, problems []string) {
	t.Helper()
	m := &spec.Method[deep, spec.None]{Name: "m", From: spec.Client, AnswersAt: pick}
	p := &spec.Protocol{Name: "p", Unknown: spec.Keep, Methods: spec.Methods(m)}
	out, wrong := spec.Model(p, map[string]any{"M": m, "P": p})
	for _, w := range wrong {
		problems = append(problems, w.Text)
	}
	require.Len(t, out.Methods, 1)
	return out.Methods[0].AnswersAt, problems
}

func TestSelectors(t *testing.T) {
	for want, pick := range map[string]spec.Member[deep]{
		"name":                func(d *deep) any { return &d.Name },
		"first":               func(d *deep) any { return &d.First },
		"first.a":             func(d *deep) any { return &d.First.A },
		"first.b":             func(d *deep) any { return &d.First.B },
		"maybe":               func(d *deep) any { return &d.Maybe },
		"maybe.b":             func(d *deep) any { return &d.Maybe.B },
		"null":                func(d *deep) any { return &d.Null },
		"null.b":              func(d *deep) any { return &d.Null.V.B },
		"room":                func(d *deep) any { return &d.Room },
		"choice":              func(d *deep) any { return &d.Choice },
		"choice.seq":          func(d *deep) any { return &d.Choice.Seq },
		"choice.some.thing":   func(d *deep) any { return &d.Choice.Some },
		"choice.some.thing.b": func(d *deep) any { return &d.Choice.Some.B },
		"choice.void":         func(d *deep) any { return &d.Choice.Void },
		"again.choice.seq":    func(d *deep) any { return &d.Again.Choice.Seq },
	} {
		path, problems := described(t, pick)
		assert.Equal(t, want, path)
		assert.Empty(t, problems, want)
	}
	// The member itself, where it is a pointer.
	path, _ := described(t, func(d *deep) any { return d.Maybe })
	assert.Equal(t, "maybe", path)
}

func TestSelectorsThatSelectNothing(t *testing.T) {
	other := &deep{}
	for want, pick := range map[string]spec.Member[deep]{
		"is no member of the deep it is given": func(*deep) any { return &other.Name },
		"embedded struct":                      func(d *deep) any { return &d.shared },
		"which is empty":                       func(d *deep) any { return d.Choice.Void },
		"put & before the member":              func(d *deep) any { return d.Name },
		"returns nil":                          func(*deep) any { return nil },
		"panics":                               func(d *deep) any { return &d.Again.Again.Again.Again.Again.Name },
	} {
		path, problems := described(t, pick)
		assert.Empty(t, path)
		require.Len(t, problems, 1, want)
		assert.Contains(t, problems[0], want)
	}
}

type text struct {
	S string                `json:"s"`
	O *string               `json:"o,omitempty"`
	L []string              `json:"l,omitzero"`
	R []string              `json:"r"`
	M map[string]int64      `json:"m,omitzero"`
	N spec.Nullable[string] `json:"n,omitzero"`
	F float64               `json:"f,omitzero"`
	B []byte                `json:"b,omitzero"`
	W spec.Wide             `json:"w,omitzero"`
}

func encoded(t require.TestingT, v text) (string, []spec.Problem) {
	m := &spec.Method[text, spec.None]{Name: "m", From: spec.Client, Examples: spec.List(spec.Ex("x", v, spec.None{}))}
	p := &spec.Protocol{Name: "p", Unknown: spec.Keep, Methods: spec.Methods(m)}
	out, problems := spec.Model(p, map[string]any{"M": m, "P": p})
	require.Len(t, out.Methods, 1)
	require.Len(t, out.Methods[0].Examples, 1)
	return out.Methods[0].Examples[0].Params, problems
}

func TestEncoding(t *testing.T) {
	for want, v := range map[string]text{
		`{"s":"","r":[]}`:                                               {},
		`{"s":"","o":"","l":[],"r":[],"m":{}}`:                          {O: new(""), L: []string{}, M: map[string]int64{}},
		`{"s":"","r":[],"n":null}`:                                      {N: spec.Nullable[string]{Set: true, Null: true}},
		`{"s":"","r":[],"n":""}`:                                        {N: spec.Nullable[string]{Set: true}},
		`{"s":"","r":[],"m":{"a":1,"b":2}}`:                             {M: map[string]int64{"b": 2, "a": 1}},
		`{"s":"","r":[],"f":0.5,"b":"AQI=","w":"-9223372036854775808"}`: {F: 0.5, B: []byte{1, 2}, W: -1 << 63},
		`{"s":"<\"\\\n\u0001` + "\u2028" + `中>","r":[]}`:                {S: "<\"\\\n\x01\u2028中>"},
	} {
		got, problems := encoded(t, v)
		assert.Equal(t, want, got)
		assert.Empty(t, problems)
	}
	_, problems := encoded(t, text{S: "\xff", M: map[string]int64{"big": 1 << 60}})
	require.Len(t, problems, 2)
}

// TestStringsMatchEncodingJSON holds the encoder's strings against those that
// the standard library reads.
func TestStringsMatchEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		got, problems := encoded(t, text{S: s})
		var back struct{ S string }
		require.NoError(t, json.Unmarshal([]byte(got), &back), got)
		if len(problems) == 0 {
			require.Equal(t, s, back.S)
		}
	})
}

func TestNamesOfInstances(t *testing.T) {
	m := &spec.Method[page[leaf], page[page[roomID]]]{Name: "m", From: spec.Client}
	p := &spec.Protocol{Name: "p", Unknown: spec.Keep, Methods: spec.Methods(m)}
	out, problems := spec.Model(p, map[string]any{"M": m, "P": p})
	assert.Empty(t, problems)
	var names []string
	for _, x := range out.Types {
		names = append(names, x.Name)
	}
	assert.ElementsMatch(t, []string{"pageLeaf", "leaf", "pagePageRoomID", "pageRoomID", "roomID"}, names)
}

type page[T any] struct {
	Items []T `json:"items"`
}

func TestVariablesAreSorted(t *testing.T) {
	vars := map[string]any{}
	for _, name := range strings.Split("dcbagfe", "") {
		vars[strings.ToUpper(name)] = &spec.Rule{ID: name}
	}
	_, first := spec.Model(&spec.Protocol{Name: "p", Unknown: spec.Keep}, vars)
	for range 20 {
		_, again := spec.Model(&spec.Protocol{Name: "p", Unknown: spec.Keep}, vars)
		require.Equal(t, first, again)
	}
	require.Len(t, first, 7)
}

func TestNoProtocol(t *testing.T) {
	out, problems := spec.Model(nil, nil)
	assert.Equal(t, model.Format, out.Format)
	require.Len(t, problems, 1)
}
