// SPDX-License-Identifier: Apache-2.0

package codec

import "bytes"

// strictText is a copy of a value's lax text that strict readers take as the
// same: strings are valid, and of a member that came twice the last is left.
func strictText(value []byte) []byte {
	if Validate(value, jsonDepth) == nil {
		return bytes.Clone(value)
	}
	d := Decoder{Lax: true, MaxDepth: jsonDepth}
	d.Reset(value)
	return d.rewrite(nil)
}

// rewrite reads a value and writes it anew.
func (d *Decoder) rewrite(b []byte) []byte {
	switch d.space() {
	case '{':
		b = append(b, '{')
		begin, twice := len(b), false
		for d.Object(); d.More(); {
			twice = twice || d.stack[len(d.stack)-1].again
			if len(b) > begin {
				b = append(b, ',')
			}
			b = append(AppendString(b, string(d.Key())), ':')
			b = d.rewrite(b)
		}
		if twice {
			b = append(b[:begin], Extra(b[begin:]).last()...)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for first := true; d.arrayItem(first); first = false {
			if !first {
				b = append(b, ',')
			}
			b = d.rewrite(b)
		}
		return append(b, ']')
	case '"':
		return AppendString(b, string(d.StringBytes()))
	}
	return append(b, d.RawBorrowed()...)
}

// arrayItem begins a list, or goes to its next item.
func (d *Decoder) arrayItem(first bool) bool {
	if first {
		d.Array()
	}
	return d.Next()
}
