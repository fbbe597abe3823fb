// SPDX-License-Identifier: Apache-2.0

package codec

import "bytes"

// Skip reads a value of any kind and checks it as if it were wanted.
func (d *Decoder) Skip() {
	switch c := d.space(); {
	case c == '{':
		at := d.pos
		for d.Object(); d.More(); {
			d.Skip()
		}
		d.start = at
	case c == '[':
		at := d.pos
		for d.Array(); d.Next(); {
			d.Skip()
		}
		d.start = at
	case c == '"':
		start := d.pos + 1
		end, kind := scanString(d.data, start)
		if d.checkString(start, end, kind) {
			d.start, d.pos = d.pos, end+1
		}
	case c == 't':
		d.word("true")
	case c == 'f':
		d.word("false")
	case c == 'n':
		d.word("null")
	case c == '-' || '0' <= c && c <= '9':
		d.number()
	default:
		d.syntax("want a value")
	}
}

// RawBorrowed reads a value of any kind and gives its text, which is borrowed
// from the whole.
func (d *Decoder) RawBorrowed() []byte {
	d.space()
	start := d.pos
	d.Skip()
	if d.err != nil {
		return nil
	}
	return d.data[start:d.pos:d.pos]
}

// Raw reads a value of any kind and keeps its text as it was written. Lax text
// that a strict reader would refuse is made one that it takes: what is kept may
// be written to any peer.
func (d *Decoder) Raw() Raw {
	b := d.RawBorrowed()
	if d.err != nil {
		return nil
	}
	if d.Lax {
		return strictText(b)
	}
	return bytes.Clone(b)
}

// Extra keeps the current member, which is unknown, as it was written.
func (d *Decoder) Extra(e *Extra) {
	if len(d.stack) == 0 {
		d.Skip()
		return
	}
	top := len(d.stack) - 1
	f := d.stack[top]
	var key string
	if d.Lax {
		key = string(d.key)
	}
	value := d.RawBorrowed()
	if d.err != nil || f.keyAt < 0 {
		return
	}
	name := d.data[f.keyAt:f.keyEnd]
	if d.Lax {
		value = strictText(value)
		name = AppendString(nil, key)
		name = name[1 : len(name)-1]
		if f.again {
			d.stack[top].twice = e
		}
	}
	b := []byte(*e)
	if len(b) > 0 {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	*e = append(b, value...)
}
