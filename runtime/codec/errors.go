// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"strconv"
	"strings"
)

// Kind says what an Error is about. Syntax, UTF8, Depth and Duplicate are about
// the text; Type, Missing and Bounds about what it says.
type Kind uint8

// The kinds of an Error.
const (
	Syntax    Kind = iota + 1 // not JSON
	UTF8                      // invalid UTF-8, or half a surrogate pair
	Depth                     // nested deeper than MaxDepth
	Duplicate                 // an object has a member twice
	Type                      // a value of another type than is wanted
	Missing                   // a required member is not there
	Bounds                    // a value outside of its bounds, or an unknown one of a closed enum
)

var kindNames = [...]string{"unknown", "syntax", "utf8", "depth", "duplicate", "type", "missing", "bounds"}

// String is the kind in one lower-case word.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// OfText reports whether the error is about the text, whatever it was read as.
func (k Kind) OfText() bool { return k >= Syntax && k <= Duplicate }

// Error is the first thing that was wrong with a text. It never quotes values,
// which may be secret.
type Error struct {
	Kind   Kind
	Path   string // of the member: "params.contentBlocks[2].text"; empty: the whole value
	Offset int    // in bytes from the text's beginning
	Msg    string

	gap gap // the member that can be left out because of it, in the text
}

// Error says where and what.
func (e *Error) Error() string {
	at := " (byte " + strconv.Itoa(e.Offset) + ")"
	if e.Path == "" {
		return e.Msg + at
	}
	return e.Path + ": " + e.Msg + at
}

// Fail makes an error about the value that was read last. The first error
// stays.
func (d *Decoder) Fail(kind Kind, msg string) { d.fail(kind, d.start, msg) }

// Missing makes the error that the object that is being read lacks a member.
func (d *Decoder) Missing(name string) {
	if d.err != nil {
		return
	}
	d.err = d.missing(name)
	d.err.gap = d.mend(len(d.stack) - 1)
	d.pos = len(d.data)
}

func (d *Decoder) missing(name string) *Error {
	path := memberPath(d.path(len(d.stack)-1), name)
	return &Error{Kind: Missing, Path: path, Offset: d.whole(d.pos), Msg: "this required member is missing"}
}

func (d *Decoder) fail(kind Kind, offset int, msg string) {
	if d.err != nil {
		return
	}
	d.err = &Error{Kind: kind, Path: d.path(len(d.stack)), Offset: d.whole(offset), Msg: msg}
	if !kind.OfText() {
		d.err.gap = d.mend(len(d.stack))
	}
	d.pos = len(d.data)
}

func (d *Decoder) syntax(msg string) {
	if d.pos >= len(d.data) {
		msg = "the text ends too early: " + msg
	}
	d.fail(Syntax, d.pos, msg)
}

// mismatch is the error that another kind of value stands here than is wanted.
func (d *Decoder) mismatch(want string) {
	if d.err != nil {
		return
	}
	found := ""
	switch c := d.space(); c {
	case '{':
		found = "an object"
	case '[':
		found = "a list"
	case '"':
		found = "a string"
	case 't', 'f':
		found = "true or false"
	case 'n':
		found = "null"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		found = "a number"
	default:
		d.syntax("want " + want)
		return
	}
	at := d.pos
	if d.Skip(); d.err != nil {
		return // it is no JSON in the first place
	}
	d.fail(Type, at, "want "+want+", found "+found)
}

// maxPathKey is how many bytes of one name a path shows.
const maxPathKey = 64

// path says where the first n open objects and lists stand.
func (d *Decoder) path(n int) string {
	var b strings.Builder
	for i := range d.stack[:max(n, 0)] {
		f := &d.stack[i]
		switch {
		case f.list:
			if f.next > 0 {
				b.WriteString("[" + strconv.Itoa(f.next-1) + "]")
			}
		case f.keyAt >= 0:
			key := d.data[f.keyAt:f.keyEnd]
			if f.escaped {
				key = unescape(nil, key)
			}
			writeKey(&b, key)
		}
	}
	return b.String()
}

// memberPath is the path of a member of the object at a path.
func memberPath(path, name string) string {
	var b strings.Builder
	b.WriteString(path)
	writeKey(&b, []byte(name))
	return b.String()
}

// writeKey adds a name to a path, quoted if it would not read as one.
func writeKey(b *strings.Builder, key []byte) {
	cut := ""
	if len(key) > maxPathKey {
		key, cut = key[:maxPathKey], "…"
	}
	plain := len(key) > 0
	for _, c := range key {
		if c <= ' ' || c >= 0x7f || c == '.' || c == '[' || c == ']' || c == '"' {
			plain = false
		}
	}
	if !plain {
		b.WriteString("[" + strconv.Quote(string(key)) + cut + "]")
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.Write(key)
	b.WriteString(cut)
}
