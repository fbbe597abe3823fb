// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bytes"

	"github.com/accordkit/accord/runtime/codec"
)

// skimRow reads a row that has its members in the order in which DSH writes them,
// and only looks for the end of its data; false: the row must be read otherwise.
func (p *rowParser) skimRow(line []byte) (Row, bool) {
	r := Row{Line: line}
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return r, false
	}
	r.Type = p.types.String(rest[:end])
	if r.Seq, rest, ok = skimInt(rest[end:], `","seq":`); !ok {
		return r, false
	}
	if r.Time, rest, ok = skimInt(rest, `,"time":`); !ok {
		return r, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"data":`)); !ok {
		return r, false
	}
	if end = skimObject(rest); end < 0 {
		return r, false
	}
	r.Data, rest = rest[:end], rest[end:]
	if cut, ok := bytes.CutPrefix(rest, []byte(`,"sourceEventSeqs":`)); ok {
		end := bytes.LastIndexByte(cut, ']') + 1
		p.d.Reset(cut[:end])
		r.Sources = p.ranges()
		if p.d.End(); p.d.Err() != nil {
			return r, false
		}
		rest = cut[end:]
	}
	if cut, ok := bytes.CutPrefix(rest, []byte(`,"surfaceOp":"append"`)); ok {
		r.Surface.Op, rest = "append", cut
	}
	if cut, ok := bytes.CutPrefix(rest, []byte(`,"ignorable":true`)); ok {
		r.Ignorable, rest = true, cut
	}
	return r, string(rest) == "}"
}

// skimInt reads an integer after a name.
func skimInt(text []byte, name string) (n int64, rest []byte, ok bool) {
	if rest, ok = bytes.CutPrefix(text, []byte(name)); !ok {
		return 0, rest, false
	}
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
		n = n*10 + int64(rest[digits]-'0')
		digits++
	}
	leading := digits > 1 && rest[0] == '0'
	return n, rest[digits:], 0 < digits && digits < 16 && !leading && n <= codec.MaxInt
}

// skimObject is the length of the object that text begins with; -1: it begins with
// none. Brackets match; nothing else is checked.
func skimObject(text []byte) int {
	if len(text) == 0 || text[0] != '{' {
		return -1
	}
	var open []byte
	var space [64]byte
	open = space[:0]
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			n := skimString(text[i+1:])
			if n < 0 {
				return -1
			}
			i += n
		case '{', '[':
			open = append(open, c+2) // its closing bracket
		case '}', ']':
			if open[len(open)-1] != c {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skimString is the length of a string after its first quote, with its last one.
func skimString(text []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		escapes := 0
		for j := i - 2; j >= 0 && text[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
}
