// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// stringKind says what a scanned string has in it.
type stringKind uint8

const (
	hasEscape stringKind = 1 << iota
	hasHigh              // bytes of 0x80 and above
	hasControl
	hasNoEnd
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of x that end or complicate a string: quotes,
// backslashes, control characters and bytes above ASCII. The lowest mark is
// exact; those above it may be false.
func special(x uint64) uint64 {
	quote := x ^ '"'*ones
	back := x ^ '\\'*ones
	return (x | (x-' '*ones)&^x | (quote-ones)&^quote | (back-ones)&^back) & highs
}

// scanString finds the end of the string whose first byte after the quote is
// at p: the offset of the closing quote.
func scanString(data []byte, p int) (end int, kind stringKind) {
	for {
		for p+8 <= len(data) {
			m := special(binary.LittleEndian.Uint64(data[p:]))
			if m != 0 {
				p += bits.TrailingZeros64(m) / 8
				break
			}
			p += 8
		}
		if p >= len(data) {
			return len(data), kind | hasNoEnd
		}
		switch c := data[p]; {
		case c == '"':
			return p, kind
		case c == '\\':
			kind |= hasEscape
			p += 2
		case c < ' ':
			kind |= hasControl
			p++
		case c >= utf8.RuneSelf:
			kind |= hasHigh
			for p < len(data) && data[p] >= utf8.RuneSelf {
				p++
			}
		default:
			p++
		}
	}
}

// checkString makes an error of what scanString found, if it is one.
func (d *Decoder) checkString(start, end int, kind stringKind) bool {
	if kind == 0 {
		return true
	}
	if kind&hasNoEnd != 0 {
		d.fail(Syntax, start-1, "the text ends within a string")
		return false
	}
	if kind&hasControl != 0 {
		d.fail(Syntax, start-1, "a control character within a string")
		return false
	}
	if kind&hasHigh != 0 && !d.Lax && !utf8.Valid(d.data[start:end]) {
		d.fail(UTF8, start-1, "the string is not valid UTF-8")
		return false
	}
	if kind&hasEscape != 0 {
		return d.checkEscapes(d.data[start:end], start)
	}
	return true
}

func (d *Decoder) checkEscapes(s []byte, start int) bool {
	for p := 0; p < len(s); p++ {
		if s[p] != '\\' {
			continue
		}
		at := start + p
		p++ // a string never ends in a backslash: it would have escaped the quote
		switch s[p] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			r, ok := hex4(s[p+1:])
			if !ok {
				d.fail(Syntax, at, `want four hexadecimal digits after \u`)
				return false
			}
			p += 4
			if !utf16.IsSurrogate(r) {
				break
			}
			if _, ok := lowSurrogate(s[p+1:]); ok && r < surrogateLow {
				p += 6
			} else if !d.Lax {
				d.fail(UTF8, at, "half a surrogate pair")
				return false
			}
		default:
			d.fail(Syntax, at, "an unknown escape within a string")
			return false
		}
	}
	return true
}

// surrogateLow is the first low surrogate.
const surrogateLow = 0xdc00

// lowSurrogate reads the second half of a pair.
func lowSurrogate(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r, ok := hex4(s[2:])
	return r, ok && utf16.IsSurrogate(r) && r >= surrogateLow
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescape appends what a checked string means. What is not valid becomes
// U+FFFD.
func unescape(b, s []byte) []byte {
	for p := 0; p < len(s); {
		c := s[p]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(s[p:])
			b = utf8.AppendRune(b, r)
			p += n
			continue
		case c != '\\':
			b = append(b, c)
			p++
			continue
		}
		switch c := s[p+1]; c {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r, _ := hex4(s[p+2:])
			p += 6
			if utf16.IsSurrogate(r) {
				low, ok := lowSurrogate(s[p:])
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					p += 6
				}
			}
			b = utf8.AppendRune(b, r)
			continue
		default:
			b = append(b, c)
		}
		p += 2
	}
	return b
}
