// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/codec"
)

// ID identifies a request. It keeps the exact token that the peer wrote, so
// that an answer echoes it byte for byte, and it is comparable: "1" and 1 are
// two ids, and so are 1 and 1.0 (see rule WP-08).
//
// The zero ID is that of a notification; an answer to a message whose id could
// not be read has it too, and writes it as null.
type ID struct {
	kind idKind
	num  int64  // an integer that strconv would write just so
	text string // any other token, as it was written
}

type idKind uint8

const (
	noID idKind = iota
	intID
	numberID
	stringID
)

// IntID is the id that is written as the integer n.
func IntID(n int64) ID { return ID{kind: intID, num: n} }

// StringID is the id that is written as the string s.
func StringID(s string) ID {
	return ID{kind: stringID, text: string(codec.AppendString(nil, s))}
}

// ParseID reads a JSON string or number as an id. Anything else is not one,
// and ok is false.
func ParseID(token []byte) (id ID, ok bool) {
	if len(token) == 0 {
		return ID{}, false
	}
	switch c := token[0]; {
	case c == '"':
		return ID{kind: stringID, text: string(token)}, true
	case c == '-' || c >= '0' && c <= '9':
		if n, ok := plainInt(token); ok {
			return ID{kind: intID, num: n}, true
		}
		return ID{kind: numberID, text: string(token)}, true
	}
	return ID{}, false
}

// IsZero says whether there is no id.
func (id ID) IsZero() bool { return id.kind == noID }

// AppendJSON appends the token as it was written; null if there is none.
func (id ID) AppendJSON(b []byte) []byte {
	switch id.kind {
	case noID:
		return append(b, "null"...)
	case intID:
		return strconv.AppendInt(b, id.num, 10)
	}
	return append(b, id.text...)
}

// String returns the token as it was written.
func (id ID) String() string { return string(id.AppendJSON(nil)) }

// sanitised is the id without invalid UTF-8, so that its echo is proper text.
func (id ID) sanitised() ID {
	if id.kind == stringID && !utf8.ValidString(id.text) {
		id.text = strings.ToValidUTF8(id.text, "\uFFFD")
	}
	return id
}

// exact says whether a peer that negotiated may use the id: any string, and
// any number without exponent and without a fraction other than .0.
func (id ID) exact() bool {
	if id.kind != numberID {
		return true
	}
	for i := 0; i < len(id.text); i++ {
		switch id.text[i] {
		case 'e', 'E':
			return false
		case '.':
			return id.text[i:] == ".0"
		}
	}
	return true
}

// key is what two tokens that mean the same id have in common: the table of
// requests in flight is kept by it.
func (id ID) key() ID {
	switch id.kind {
	case numberID:
		text := id.text
		if n := len(text); n > 2 && text[n-2:] == ".0" {
			text = text[:n-2]
		}
		if text == "-0" {
			return ID{kind: intID}
		}
		if n, ok := plainInt([]byte(text)); ok {
			return ID{kind: intID, num: n}
		}
		return ID{kind: numberID, text: text}
	case stringID:
		for i := 0; i < len(id.text); i++ {
			if id.text[i] == '\\' {
				var d codec.Decoder
				d.Lax = true
				d.Reset([]byte(id.text))
				return ID{kind: stringID, text: d.String()}
			}
		}
		return ID{kind: stringID, text: id.text[1 : len(id.text)-1]}
	}
	return id
}

// plainInt reads an integer of at most 18 digits in the form in which
// strconv writes it.
func plainInt(token []byte) (int64, bool) {
	digits, neg := token, false
	if len(digits) > 0 && digits[0] == '-' {
		digits, neg = digits[1:], true
	}
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && (len(digits) > 1 || neg) {
		return 0, false
	}
	var n int64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}
