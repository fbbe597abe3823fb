// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"encoding/base64"
	"unsafe"
)

// StringBytes reads a string. The bytes are valid until the next call.
func (d *Decoder) StringBytes() []byte {
	if d.space() != '"' {
		d.mismatch("a string")
		return nil
	}
	d.start = d.pos
	start := d.pos + 1
	end, kind := scanString(d.data, start)
	if kind == 0 {
		d.pos = end + 1
		return d.data[start:end]
	}
	if !d.checkString(start, end, kind) {
		return nil
	}
	d.pos = end + 1
	s := d.data[start:end]
	if kind&hasEscape != 0 || d.Lax {
		d.scratch = unescape(d.scratch[:0], s)
		return d.scratch
	}
	return s
}

// String reads a string.
func (d *Decoder) String() string {
	s := d.StringBytes()
	switch {
	case d.Borrow && len(s) > 0 && &s[0] == &d.data[d.start+1]: // not unescaped
		return unsafe.String(&s[0], len(s))
	case d.Block != nil:
		return d.Block.String(s)
	}
	return string(s)
}

// Shared reads a string whose values repeat from message to message: with an
// Interner it need not be allocated again.
func (d *Decoder) Shared() string { return d.Intern(d.Interner) }

// Intern is Shared with an Interner of the caller's; nil is String.
func (d *Decoder) Intern(in *Interner) string {
	if in == nil {
		return d.String()
	}
	return in.String(d.StringBytes())
}

// Bytes reads the bytes of a base64 string (RFC 4648 section 4, padded).
func (d *Decoder) Bytes() []byte {
	if d.none() {
		return []byte{}
	}
	s := d.StringBytes()
	b := make([]byte, base64.StdEncoding.DecodedLen(len(s)))
	n, err := base64.StdEncoding.Strict().Decode(b, s)
	if err != nil {
		d.Fail(Type, "the string is not base64")
		return nil
	}
	return b[:n]
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	switch d.space() {
	case 't':
		return d.word("true")
	case 'f':
		d.word("false")
	default:
		d.mismatch("true or false")
	}
	return false
}

// Null reads null if it comes next, and says whether it did.
func (d *Decoder) Null() bool { return d.space() == 'n' && d.word("null") }

func (d *Decoder) word(w string) bool {
	if len(d.data)-d.pos < len(w) || string(d.data[d.pos:d.pos+len(w)]) != w {
		d.syntax("want " + w)
		return false
	}
	d.start = d.pos
	d.pos += len(w)
	return true
}
