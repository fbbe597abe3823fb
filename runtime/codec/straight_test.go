// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/codec"
)

// pair is read as a generator writes it: what repeats, then what changes.
type pair struct {
	Name  string
	Group int64
	N     int64
}

func (p *pair) read(d *codec.Decoder) bool {
	if last, ok := d.Repeat(0).(*pair); ok {
		p.Name, p.Group = last.Name, last.Group
	} else {
		from := d.Place()
		if !d.Opening(`{"name":`) {
			return false
		}
		p.Name = d.Again(p.Name)
		if !d.Lit(`,"group":`) {
			return false
		}
		p.Group = d.Int64()
		if d.Recurs(0, from) {
			d.Remember(0, from, &pair{Name: p.Name, Group: p.Group})
		}
	}
	if !d.Lit(`,"n":`) {
		return false
	}
	p.N = d.Int64()
	return d.Lit(`}`)
}

func TestRepeat(t *testing.T) {
	var d codec.Decoder
	var p pair
	read := func(text string) bool {
		d.Reset([]byte(text))
		return p.read(&d)
	}
	for _, memory := range []*codec.Memory{nil, {}} {
		d.Memory = memory
		for i, group := range []int{1, 1, 1, 12, 1, 12, 12, 1, 2, 2, 2, 123} {
			text := fmt.Sprintf(`{"name":"a\n","group":%d,"n":%d}`, group, i)
			if assert.True(t, read(text), text) {
				assert.Equal(t, pair{"a\n", int64(group), int64(i)}, p, "a number that begins as another is not that")
			}
		}
		assert.True(t, read(`{"name":"a\n","group":1,"n":1}`))
		assert.True(t, read(`{"name":"a\n","group":1,"n":1}`))
		assert.False(t, read(`{"name":"a\n","group":1.5,"n":1}`))
		assert.False(t, read(`{"name":"a\n","group":1e1,"n":1}`) && p.Group == 1)
		assert.False(t, read(`{"name":"a\n","group":1`))
		assert.False(t, read(`{"name":"a\n","group":1,"m":1}`), "another member")
		assert.False(t, read("{\"name\":\"a\n\",\"group\":1,\"n\":1}"), "what was read is not what is written")
	}
	d.Memory = &codec.Memory{}
	text := []byte(`{"name":"name","group":1,"n":1}`)
	allocs := testing.AllocsPerRun(100, func() {
		d.Reset(text)
		_ = p.read(&d)
	})
	assert.Zero(t, allocs)
}

func TestOpeningKeepsTheDepth(t *testing.T) {
	d := codec.Decoder{MaxDepth: 1}
	d.Reset([]byte(`{"name":"a","group":1,"n":1}`))
	assert.True(t, d.Opening(`{"name":`))
	d.Reset([]byte(`[{"name":"a","group":1,"n":1}]`))
	for d.Array(); d.Next(); d.Skip() {
		assert.False(t, d.Opening(`{"name":`))
	}
}

// What was read in one manner is not what the same text is in another.
func TestRepeatKeepsTheManner(t *testing.T) {
	read := func(d *codec.Decoder, text string) bool {
		var p pair
		d.Reset([]byte(text))
		return p.read(d) && d.Err() == nil
	}
	bad, good := "{\"name\":\"a\xff\",\"group\":1,\"n\":1}", `{"name":"a","group":1,"n":1}`
	d := codec.Decoder{Memory: &codec.Memory{}, Lax: true}
	for range 3 {
		assert.True(t, read(&d, bad))
	}
	d.Lax = false
	assert.False(t, read(&d, bad), "text that is not UTF-8")
	for range 3 {
		assert.True(t, read(&d, good))
	}
	d.MaxDepth = 1
	d.Reset([]byte(`[` + good + `]`))
	for d.Array(); d.Next(); d.Skip() {
		assert.False(t, new(pair).read(&d), "deeper than it may be")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	d := codec.Decoder{Memory: &codec.Memory{}}
	long := fmt.Sprintf(`{"name":%q,"group":1,"n":1}`, strings.Repeat("x", 1<<20))
	for range 3 {
		d.Reset([]byte(long))
		assert.True(t, new(pair).read(&d))
	}
	d.Reset([]byte(long))
	assert.True(t, d.Repeat(0) == nil, "it is remembered")
}

func TestBack(t *testing.T) {
	var d codec.Decoder
	for range 3 {
		d.MaxDepth = 2
		d.Reset([]byte(`{"a":[["b",1]]}`))
		for d.Object(); d.More(); {
			p := d.Place()
			_ = d.Int64() // which looks into the list, and finds no end of it
			assert.ErrorContains(t, d.Err(), "too deep")
			d.Back(p)
			d.Array()
			assert.NoError(t, d.Err(), "it is as deep as it was")
			d.Back(p)
			d.Fail(codec.Type, "here")
			assert.ErrorContains(t, d.Err(), "a: here")
		}
	}
	d.Reset([]byte(`1.5`))
	p := d.Place()
	_ = d.Int64()
	assert.Error(t, d.Err())
	d.Back(p)
	assert.NoError(t, d.Err())
	assert.InDelta(t, 1.5, d.Float64(), 0)
}
