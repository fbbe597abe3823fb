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
	return d.rewrite(nil, nil)
}

// rewrite reads a value and writes it anew. Without sensitive, of a member that
// came twice the last is left; with it, all are, and Redacted stands in place of
// the values for which it says so.
func (d *Decoder) rewrite(b []byte, sensitive func(name []byte, object bool) bool) []byte {
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
			if sensitive != nil && sensitive(d.Key(), d.space() == '{') {
				b = append(b, Redacted...)
				d.Skip()
				continue
			}
			b = d.rewrite(b, sensitive)
		}
		if twice && sensitive == nil {
			b = append(b[:begin], Extra(b[begin:]).last()...)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		begin := len(b)
		for d.Array(); d.Next(); {
			if len(b) > begin {
				b = append(b, ',')
			}
			b = d.rewrite(b, sensitive)
		}
		return append(b, ']')
	case '"':
		return AppendString(b, string(d.StringBytes()))
	}
	return append(b, d.RawBorrowed()...)
}
