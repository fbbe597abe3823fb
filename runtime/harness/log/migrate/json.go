// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/accordkit/accord/runtime/codec"
)

// object is a JSON object whose members keep their order and their text.
type object []member

type member struct {
	key string
	raw []byte
}

func decoder(text []byte) *codec.Decoder {
	d := &codec.Decoder{Lax: true, MaxDepth: 10000}
	d.Reset(text)
	return d
}

// parse reads an object; false: the text is none.
func parse(text []byte) (object, bool) {
	d := decoder(text)
	if d.Peek() != '{' {
		return nil, false
	}
	var o object
	for d.Object(); d.More(); {
		key := string(d.Key())
		o = o.set(key, bytes.Clone(d.RawBorrowed()))
	}
	return o, d.Err() == nil
}

// items reads a list; nil: the text is none.
func items(text []byte) [][]byte {
	d := decoder(text)
	if d.Peek() != '[' {
		return nil
	}
	list := [][]byte{}
	for d.Array(); d.Next(); {
		list = append(list, bytes.Clone(d.RawBorrowed()))
	}
	if d.Err() != nil {
		return nil
	}
	return list
}

func list(items [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

// get is a member's text; nil: there is none.
func (o object) get(key string) []byte {
	for _, m := range o {
		if m.key == key {
			return m.raw
		}
	}
	return nil
}

// object is a member that is an object; nil: it is none.
func (o object) object(key string) object {
	inner, _ := parse(o.get(key))
	return inner
}

// text is a member that is a string; empty: it is none.
func (o object) text(key string) string {
	d := decoder(o.get(key))
	if d.Peek() != '"' {
		return ""
	}
	return d.String()
}

// number is a member that is an integer; -1: it is none.
func (o object) number(key string) int64 {
	n, err := strconv.ParseInt(string(o.get(key)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// set replaces a member in its place, or adds it at the end.
func (o object) set(key string, raw []byte) object {
	for i := range o {
		if o[i].key == key {
			o[i].raw = raw
			return o
		}
	}
	return append(o, member{key, raw})
}

func (o object) remove(key string) object {
	var kept object
	for _, m := range o {
		if m.key != key {
			kept = append(kept, m)
		}
	}
	return kept
}

func (o object) bytes() []byte {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = codec.AppendString(b, m.key)
		b = append(append(b, ':'), m.raw...)
	}
	return append(b, '}')
}

func quote(s string) []byte { return codec.AppendString(nil, s) }

var errShape = errors.New("its data has another shape than its type")
