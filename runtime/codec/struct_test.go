// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

func TestStruct(t *testing.T) {
	members := codec.NewMembers(codec.Ignored("type"), codec.Required("a"), codec.Optional("b"), codec.Nullish("c"))
	read := func(text string, setup func(*codec.Decoder)) (string, *codec.Error) {
		var got strings.Builder
		var extra codec.Extra
		e := check(text, setup, func(d *codec.Decoder) {
			for d.Struct(members); d.More(); {
				switch string(d.Key()) {
				case "a", "b", "c":
					fmt.Fprintf(&got, "%s=%s ", d.Key(), d.RawBorrowed())
				default:
					d.Extra(&extra)
				}
			}
		})
		if len(extra) > 0 {
			fmt.Fprintf(&got, "extra=%s", extra)
		}
		return got.String(), e
	}
	for _, c := range []struct {
		name, text, want string
		setup            func(*codec.Decoder)
		kind             codec.Kind
		path             string
	}{
		{"in order", `{"type":"t","a":1,"b":2,"c":3}`, "a=1 b=2 c=3 ", nil, 0, ""},
		{"reversed", `{ "c" : 3 , "b" : 2 , "a" : 1 , "type" : "t" }`, "c=3 b=2 a=1 ", nil, 0, ""},
		{"escaped name", `{"\u0061":1}`, "a=1 ", nil, 0, ""},
		{"unknown ones are kept as written", `{"x": {"y" : 1},"a":1,"\u007a":[ ]}`, `a=1 extra="x":{"y" : 1},"\u007a":[ ]`, nil, 0, ""},
		{"optional null is absent", `{"a":1,"b":null,"c":null}`, "a=1 c=null ", nil, 0, ""},
		{"optional null when strict", `{"a":1,"b":null}`, "a=1 b=null ", strict, 0, ""},
		{"missing", `{"b":1}`, "b=1 ", nil, 0, ""},
		{"missing when strict", `{"b":1}`, "b=1 ", strict, codec.Missing, "a"},
		{"twice", `{"a":1,"b":2,"a":3}`, "a=1 b=2 ", nil, codec.Duplicate, "a"},
		{"ignored twice", `{"type":1,"type":3}`, "", nil, codec.Duplicate, "type"},
		{"unknown twice", `{"x":1,"a":1,"\u0078":2}`, `a=1 extra="x":1`, nil, codec.Duplicate, "x"},
		{"last of two when lax", `{"x":1,"a":1,"x":2,"a":3,"y":4}`, `a=1 a=3 extra="x":2,"y":4`, lax, 0, ""},
		{"wrong case is unknown", `{"A":1,"a":2}`, `a=2 extra="A":1`, nil, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, e := read(c.text, c.setup)
			if c.kind == 0 {
				require.Nil(t, e)
				assert.Equal(t, c.want, got)
				return
			}
			require.NotNil(t, e)
			assert.Equal(t, c.kind, e.Kind)
			assert.Equal(t, c.path, e.Path)
		})
	}
}

func TestStructOverDeepIgnoredValue(t *testing.T) {
	members := codec.NewMembers(codec.Ignored("type"), codec.Required("a"), codec.Required("b"))
	for depth := range 20 {
		deep := strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth)
		d := reader(`{"type":` + deep + `,"a":1,"a":2}`) // new each time: its stack must grow
		for d.Struct(members); d.More(); {
			d.Skip()
		}
		assert.ErrorContains(t, d.Err(), "a: the object has this member twice", "depth %d", depth)
	}
}

func TestTag(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"a"}`: "a",
		` { "x" : {"type":"no"} , "type" : "a" }`: "a",
		`{"x":[1,"]",{"y":"}"}],"type":"a"}`:      "a",
		`{"\u0074ype":"a\n"}`:                     "a\n",
		`{"x":-1.5e3,"y":true,"type":"ü"}`:        "ü",
		`{"type":5}`:                              "",
		`{"x":1}`:                                 "",
		`{}`:                                      "",
		`[]`:                                      "",
		`{"x":[}`:                                 "",
		`{"x":"`:                                  "",
		`{"type":"\u12`:                           "",
		`{"type":"\u12"`:                          "",
	} {
		d := reader(text)
		assert.Equal(t, want, string(d.Tag("type")), text)
		assert.NoError(t, d.Err(), text)
	}
	for text, kind := range map[string]codec.Kind{
		`{"type":5}`: codec.Missing, `{}`: codec.Missing, `[]`: codec.Type, `{"x":[}`: codec.Syntax, ``: codec.Syntax,
	} {
		d := reader(text)
		d.Strict = true
		d.Tag("type")
		var e *codec.Error
		require.ErrorAs(t, d.Err(), &e, text)
		assert.Equal(t, kind, e.Kind, text)
	}
}

func TestTagOfLaxText(t *testing.T) {
	d := reader(`{"type":"a","x":[{"type":"no"}],"type":"b"}`)
	d.Lax = true
	assert.Equal(t, "b", string(d.Tag("type")), "the last one counts")
	d.Reset([]byte(`{"type":"a","x":1`))
	assert.Equal(t, "a", string(d.Tag("type")))
}

func TestMisfit(t *testing.T) {
	d := reader(`[{"a":{"b":5}},7]`)
	var kept []string
	for d.Array(); d.Next(); {
		m := d.Mark()
		for d.Object(); d.More(); {
			for d.Object(); d.More(); {
				_ = d.String()
			}
		}
		if d.Misfit(m) {
			kept = append(kept, string(d.Raw()))
		}
	}
	d.End()
	require.NoError(t, d.Err())
	assert.Equal(t, []string{`{"a":{"b":5}}`, `7`}, kept)

	d = reader(`{"a":tru}`)
	m := d.Mark()
	for d.Object(); d.More(); {
		_ = d.String()
	}
	assert.False(t, d.Misfit(m), "an error of the text stays")
	assert.Error(t, d.Err())
}

func TestExtra(t *testing.T) {
	e := codec.Extra(`"k": {"a":1} , "l":[],"m":"x"`)
	assert.Equal(t, `{"a":1}`, string(e.Get("k")))
	assert.Equal(t, `[]`, string(e.Get("l")))
	assert.Equal(t, `"x"`, string(e.Get("m")))
	assert.Nil(t, e.Get("n"))
	assert.Equal(t, `"k": {"a":1},"m":"x","l":2`, string(e.Set("l", codec.Raw("2"))))
	assert.Equal(t, `"n":1`, string(codec.Extra(nil).Set("n", codec.Raw("1"))))
	assert.Equal(t, `{"a":1,"n":1}`, string(codec.AppendExtra([]byte(`{"a":1`), codec.Extra(`"n":1`)))+"}")
	assert.Equal(t, `{"n":1}`, string(codec.AppendExtra([]byte(`{`), codec.Extra(`"n":1`)))+"}")
}

func TestNewMembersPanics(t *testing.T) {
	assert.Panics(t, func() { codec.NewMembers(codec.Required("a"), codec.Optional("a")) })
	assert.Panics(t, func() { codec.NewMembers(make([]codec.Member, 65)...) })
}

func TestShape(t *testing.T) {
	for text, want := range map[string]codec.Shape{
		` null`: codec.ShapeNull, `true`: codec.ShapeBool, `false`: codec.ShapeBool, "\t-1": codec.ShapeNumber, `9`: codec.ShapeNumber,
		`"a"`: codec.ShapeString, `[]`: codec.ShapeList, `{}`: codec.ShapeObject, ``: 0, `]`: 0, `x`: 0,
	} {
		d := reader(text)
		assert.Equal(t, want, d.Shape(), text)
		assert.NoError(t, d.Err(), text)
	}
}

func TestHas(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":"x"}`:                            true,
		`{"b":{"a":1},"\u0061" : "x"}`:         true,
		`{"a":null}`:                           true,
		`{"a":1}`:                              false,
		`{"b":{"a":"x"}}`:                      false,
		`{"b":["a","x"]}`:                      false,
		`{}`:                                   false,
		`["a"]`:                                false,
		`{"a":`:                                false,
		`{"a"`:                                 false,
		`{"b":"`:                               false,
		``:                                     false,
		`{"a":"first","a":1}`:                  true,
		`{"a":1,"b":[1,{"a":"x"}],"a":"last"}`: false,
	} {
		d := reader(text)
		assert.Equal(t, want, d.Has("a", codec.ShapeString|codec.ShapeNull), text)
		assert.NoError(t, d.Err(), text)
	}
	d := reader(`{"a":1,"b":[1,{"a":"x"}],"a":"last"}`)
	d.Lax = true
	assert.True(t, d.Has("a", codec.ShapeString), "the last one counts")

	d = reader(`7`)
	d.Unlike("a string or a list")
	assert.ErrorContains(t, d.Err(), "want a string or a list, found a number")
}
