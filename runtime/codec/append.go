// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// Appender is a value that writes itself as compact JSON.
type Appender interface {
	AppendJSON(b []byte) []byte
}

const hexDigits = "0123456789abcdef"

// AppendString writes a string: compact, without HTML escapes, U+2028 as it is;
// what is not valid UTF-8 becomes U+FFFD (rule WP-06).
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for p := 0; p < len(s); {
		if p+8 <= len(s) {
			if m := special(load64(s, p)); m == 0 {
				p += 8
				continue
			} else if n := bits.TrailingZeros64(m) / 8; n > 0 {
				p += n
			}
		}
		c := s[p]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			p++
			continue
		}
		if c >= utf8.RuneSelf {
			high := p
			for high < len(s) && s[high] >= utf8.RuneSelf {
				high++
			}
			if utf8.ValidString(s[p:high]) {
				p = high
				continue
			}
			r, n := utf8.DecodeRuneInString(s[p:])
			if r == utf8.RuneError && n == 1 {
				b = append(b, s[from:p]...)
				b = append(b, "\uFFFD"...)
				from = p + 1
			}
			p += n
			continue
		}
		b = append(b, s[from:p]...)
		b = appendEscape(b, c)
		p++
		from = p
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func load64(s string, p int) uint64 {
	var a [8]byte
	copy(a[:], s[p:p+8])
	return binary.LittleEndian.Uint64(a[:])
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendKey writes a member's name and colon, after a comma if it is not the
// object's first.
func AppendKey(b []byte, name string) []byte {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	return append(AppendString(b, name), ':')
}

// AppendInt writes an integer.
func AppendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// AppendWide writes a 64-bit integer as a string.
func AppendWide(b []byte, n int64) []byte {
	return append(strconv.AppendInt(append(b, '"'), n, 10), '"')
}

// AppendBool writes true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendFloat writes a number as JavaScript does. JSON has no NaN and no
// infinity: they become null.
func AppendFloat(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1] // e-09 is e-9
		b = b[:n-1]
	}
	return b
}

// AppendBytes writes bytes as a base64 string.
func AppendBytes(b, v []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), v), '"')
}

// AppendRaw writes a value as it was read; none is null. Line breaks, which can
// stand only between its parts, become blanks: a frame is one line (WP-19).
func AppendRaw(b []byte, r Raw) []byte {
	if len(r) == 0 {
		return append(b, "null"...)
	}
	return appendLine(b, r)
}

// AppendExtra writes the kept members of an object, after a comma if they are
// not its first.
func AppendExtra(b []byte, e Extra) []byte {
	if len(e) == 0 {
		return b
	}
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	return appendLine(b, e)
}

func appendLine(b, text []byte) []byte {
	start := len(b)
	b = append(b, text...)
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return b
	}
	for i := start; i < len(b); i++ {
		if b[i] == '\n' || b[i] == '\r' {
			b[i] = ' '
		}
	}
	return b
}

// AppendContent writes a member whose value may write nothing: then its key,
// with comma and colon, is not written either.
func AppendContent(b []byte, key string, v Appender) []byte {
	if v == nil {
		return b
	}
	start := len(b)
	b = append(b, key...)
	value := len(b)
	if b = v.AppendJSON(b); len(b) == value {
		return b[:start]
	}
	return b
}
