// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

// sampleMessage is a message: members of its own, a list, one that nests, and a union
// whose variant has a member that must be there and two that need not.
type sampleMessage struct {
	id, time int64
	names    []string
	inner    *inner
	variant  string
	raw      string
	key      int64
	usage    *inner
}

type inner struct{ n int64 }

var (
	toldMembers    = codec.NewMembers(codec.Required("id").Firm(), codec.Required("time"), codec.Optional("names"), codec.Optional("inner"), codec.Optional("union"))
	innerMembers   = codec.NewMembers(codec.Required("n"))
	variantMembers = codec.NewMembers(codec.Ignored("kind"), codec.Required("key"), codec.Optional("usage"))
)

func (v *inner) DecodeJSON(d *codec.Decoder) {
	*v = inner{}
	for d.Struct(innerMembers); d.More(); {
		if string(d.Key()) == "n" {
			v.n = d.Int64()
		} else {
			d.Skip()
		}
	}
}

func (v *sampleMessage) DecodeJSON(d *codec.Decoder) {
	*v = sampleMessage{}
	for d.Struct(toldMembers); d.More(); {
		switch string(d.Key()) {
		case "id":
			v.id = d.Int64()
		case "time":
			v.time = d.Int64()
		case "names":
			v.names = codec.Strings(d)
		case "inner":
			v.inner = new(inner)
			v.inner.DecodeJSON(d)
		case "union":
			start := d.Mark()
			v.variant = string(d.Tag("kind"))
			for d.Struct(variantMembers); d.More(); {
				switch string(d.Key()) {
				case "key":
					v.key = d.Int64()
				case "usage":
					v.usage = new(inner)
					v.usage.DecodeJSON(d)
				default:
					d.Skip()
				}
			}
			if d.Misfit(start) {
				v.raw, v.key, v.usage = string(d.Raw()), 0, nil
			}
		default:
			d.Skip()
		}
	}
}

func TestMend(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want sampleMessage
		left []string // paths of what was left out
		fail string   // path of what cannot be
		firm bool
	}{
		"nothing is wrong":              {text: `{"id":1,"time":2}`, want: sampleMessage{id: 1, time: 2}},
		"the first":                     {text: `{ "time" : "x" , "id":1}`, want: sampleMessage{id: 1}, left: []string{"time"}},
		"one in the middle":             {text: `{"id":1,"time":1.5,"names":["a"]}`, want: sampleMessage{id: 1, names: []string{"a"}}, left: []string{"time"}},
		"the last":                      {text: `{"id":1 , "names" : [ "a", 5 ] }`, want: sampleMessage{id: 1}, left: []string{"names[1]"}},
		"the only one":                  {text: `{"time":{}}`, want: sampleMessage{}, left: []string{"time"}},
		"beyond 2^53-1":                 {text: `{"id":1,"time":9007199254740992}`, want: sampleMessage{id: 1}, left: []string{"time"}},
		"null is no number":             {text: `{"id":1,"time":null}`, want: sampleMessage{id: 1}, left: []string{"time"}},
		"several":                       {text: `{"id":"x","time":"x","names":"x"}`, want: sampleMessage{}, left: []string{"id", "time", "names"}},
		"a struct that is none":         {text: `{"id":1,"inner":[]}`, want: sampleMessage{id: 1}, left: []string{"inner"}},
		"in a struct":                   {text: `{"id":1,"inner":{"n":"x","o":2}}`, want: sampleMessage{id: 1, inner: &inner{}}, left: []string{"inner.n"}},
		"an escaped name":               {text: `{"id":1,"\u0074ime":"x"}`, want: sampleMessage{id: 1}, left: []string{"time"}},
		"optional in a variant":         {text: `{"id":1,"union":{"kind":"k","key":7,"usage":5}}`, want: sampleMessage{id: 1, variant: "k", key: 7}, left: []string{"union.usage"}},
		"in what is optional there":     {text: `{"id":1,"union":{"kind":"k","usage":{"n":"x"},"key":7}}`, want: sampleMessage{id: 1, variant: "k", key: 7}, left: []string{"union.usage.n"}},
		"missing in what is optional":   {text: `{"id":1,"union":{"kind":"k","usage":{},"key":7}}`, want: sampleMessage{id: 1, variant: "k", key: 7}, left: []string{"union.usage.n"}},
		"required in a variant":         {text: `{"id":1,"union":{"kind":"k","key":"x"},"time":"x"}`, want: sampleMessage{id: 1, variant: "k", raw: `{"kind":"k","key":"x"}`}, left: []string{"time"}},
		"missing in a variant":          {text: `{"id":1,"union":{"kind":"k"}}`, want: sampleMessage{id: 1, variant: "k", raw: `{"kind":"k"}`}},
		"both in a variant":             {text: `{"id":1,"union":{"kind":"k","usage":5,"key":"x"}}`, want: sampleMessage{id: 1, variant: "k", raw: `{"kind":"k","key":"x"}`}, left: []string{"union.usage"}},
		"no object":                     {text: `[]`, fail: ""},
		"firm and missing":              {text: `{"time":1}`, firm: true, fail: "id"},
		"firm and of another shape":     {text: `{"id":"x","time":"x"}`, firm: true, fail: "id"},
		"firm, and another is mended":   {text: `{"id":1,"time":"x"}`, firm: true, want: sampleMessage{id: 1}, left: []string{"time"}},
		"firm, and the list is nothing": {text: `{"id":1,"names":null}`, firm: true, want: sampleMessage{id: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(c.text)
			d := &codec.Decoder{Mend: true, Firm: c.firm}
			d.Reset(text)
			var got sampleMessage
			var left []string
			got.DecodeJSON(d)
			var failed *codec.Error
			for d.Err() != nil {
				err := d.Err().(*codec.Error)
				if !d.Mended() {
					failed = err
					break
				}
				left = append(left, err.Path)
				got.DecodeJSON(d)
			}
			assert.Equal(t, c.text, string(text), "the caller's text is as it was")
			if c.want.id == 0 && c.left == nil {
				require.NotNil(t, failed)
				assert.Equal(t, c.fail, failed.Path)
				return
			}
			require.Nil(t, failed)
			assert.Equal(t, c.left, left)
			assert.Equal(t, c.want, got)
			d.End()
			assert.NoError(t, d.Err())
		})
	}
}

// What a message of many such members costs has a bound, and what is left then
// is left by larger parts.
func TestMendComesToAnEnd(t *testing.T) {
	var items []string
	for i := range 5000 {
		items = append(items, fmt.Sprintf(`{"n":"%d"}`, i))
	}
	d := &codec.Decoder{Mend: true}
	d.Reset([]byte(`{"list":[` + strings.Join(items, ",") + `],"id":1}`))
	members := codec.NewMembers(codec.Required("list"), codec.Required("id"))
	id, passes := int64(0), 0
	read := func() {
		passes++
		for d.Struct(members); d.More(); {
			if string(d.Key()) == "id" {
				id = d.Int64()
			} else {
				codec.Structs(d, (*inner).DecodeJSON)
			}
		}
	}
	for read(); d.Mended(); {
		read()
	}
	require.NoError(t, d.Err())
	assert.Equal(t, int64(1), id)
	assert.Less(t, passes, 80)
}

func TestNobodyMendsUnasked(t *testing.T) {
	for _, d := range []*codec.Decoder{{}, {Strict: true, Mend: true}} {
		d.Reset([]byte(`{"id":1,"time":"x"}`))
		new(sampleMessage).DecodeJSON(d)
		require.Error(t, d.Err())
		assert.False(t, d.Mended())
		assert.Error(t, d.Err())
	}
}

func TestNullIsNone(t *testing.T) {
	reads := map[string]func(*codec.Decoder) int{
		"list":    func(d *codec.Decoder) int { return length(codec.List(d, (*codec.Decoder).Int64)) },
		"strings": func(d *codec.Decoder) int { return length(codec.Strings(d)) },
		"structs": func(d *codec.Decoder) int { return length(codec.Structs(d, (*inner).DecodeJSON)) },
		"bytes":   func(d *codec.Decoder) int { return length(d.Bytes()) },
		"map": func(d *codec.Decoder) int {
			m := codec.Map(d, (*codec.Decoder).Int64)
			if m == nil {
				return -1
			}
			return len(m)
		},
	}
	for name, read := range reads {
		n := -1
		assert.Nil(t, check(" null ", nil, func(d *codec.Decoder) { n = read(d) }), name)
		assert.Zero(t, n, "%s: empty, and not nil", name)
		e := check("null", strict, func(d *codec.Decoder) { read(d) })
		if assert.NotNil(t, e, name) {
			assert.Equal(t, codec.Type, e.Kind, name)
		}
		assert.NotNil(t, check("nul", nil, func(d *codec.Decoder) { read(d) }), name)
	}
}

func length[T any](list []T) int {
	if list == nil {
		return -1
	}
	return len(slices.Clip(list))
}
