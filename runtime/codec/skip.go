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

// Raw reads a value of any kind and keeps its text as it was written. In Lax
// text invalid UTF-8 becomes U+FFFD, so that what is kept stays valid.
func (d *Decoder) Raw() Raw {
	b := d.RawBorrowed()
	if d.err != nil {
		return nil
	}
	if d.Lax {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return bytes.Clone(b)
}

// Extra keeps the current member, which nobody knows, as it was written.
func (d *Decoder) Extra(e *Extra) {
	if len(d.stack) == 0 {
		d.Skip()
		return
	}
	f := d.stack[len(d.stack)-1]
	var key []byte
	if d.Lax {
		key = bytes.Clone(d.key)
	}
	value := d.RawBorrowed()
	if d.err != nil || f.keyAt < 0 {
		return
	}
	name := d.data[f.keyAt:f.keyEnd]
	if d.Lax {
		value = bytes.ToValidUTF8(value, []byte("\uFFFD"))
		name = bytes.ToValidUTF8(name, []byte("\uFFFD"))
		*e = e.without(key)
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

// Tag looks ahead for a member of the object that comes next, a union's tag,
// and reads nothing. It is usually the first one. It is empty if there is no
// such string, which is an error when Strict. The bytes are valid until the
// next call of Tag.
func (d *Decoder) Tag(name string) []byte {
	if d.space() != '{' {
		if d.Strict {
			d.mismatch("an object")
		}
		return nil
	}
	p := findMember(d.data, d.pos+1, name)
	for d.Lax && p >= 0 { // the last one counts
		next := skipSpace(d.data, skim(d.data, p))
		if next >= len(d.data) || d.data[next] != ',' {
			break
		}
		if next = findMember(d.data, next+1, name); next < 0 {
			break
		}
		p = next
	}
	if p < 0 || p >= len(d.data) || d.data[p] != '"' {
		if d.Strict && d.err == nil {
			d.untagged(name)
		}
		return nil
	}
	end, kind := scanString(d.data, p+1)
	if kind&^(hasEscape|hasHigh) != 0 {
		return nil // the reading proper will say what is wrong
	}
	tag := d.data[p+1 : end]
	if kind != 0 {
		if kind&hasEscape != 0 && !escapesEnd(tag) {
			return nil
		}
		d.tagbuf = unescape(d.tagbuf[:0], tag)
		return d.tagbuf
	}
	return tag
}

// untagged makes the error that the object that comes next has no tag, unless
// it is no object in the first place.
func (d *Decoder) untagged(name string) {
	at := d.pos
	if d.Skip(); d.err != nil {
		return
	}
	path := d.path(len(d.stack))
	if path != "" {
		path += "."
	}
	d.err = &Error{Kind: Missing, Path: path + name, Offset: at, Msg: "this member must be there, and a string"}
	d.pos = len(d.data)
}

// findMember is the offset of a member's value in the object whose first byte
// after the bracket is at p; -1: it is not there. It checks nothing beyond what
// it needs to stay within bounds.
func findMember(data []byte, p int, name string) int {
	for {
		p = skipSpace(data, p)
		if p >= len(data) || data[p] != '"' {
			return -1
		}
		end, kind := scanString(data, p+1)
		if kind&hasNoEnd != 0 {
			return -1
		}
		key := data[p+1 : end]
		p = skipSpace(data, end+1)
		if p >= len(data) || data[p] != ':' {
			return -1
		}
		p = skipSpace(data, p+1)
		if string(key) == name || kind&hasEscape != 0 && escapesEnd(key) && string(unescape(nil, key)) == name {
			return p
		}
		p = skipSpace(data, skim(data, p))
		if p >= len(data) || data[p] != ',' {
			return -1
		}
		p++
	}
}

// skim is the end of the value at p, if it is well-formed.
func skim(data []byte, p int) int {
	for depth := 0; p < len(data); {
		switch data[p] {
		case '"':
			end, _ := scanString(data, p+1)
			p = end + 1
		case '{', '[':
			depth++
			p++
			continue
		case '}', ']':
			depth--
			p++
		case ',', ':', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return p
			}
			p++
			continue
		default:
			p++
			for p < len(data) && !ends(data[p]) {
				p++
			}
		}
		if depth <= 0 {
			return p
		}
	}
	return p
}

// ends tells whether a byte ends a number or a word.
func ends(c byte) bool {
	switch c {
	case ',', ':', ' ', '\n', '\r', '\t', '}', ']', '{', '[', '"':
		return true
	}
	return false
}

func skipSpace(data []byte, p int) int {
	for p < len(data) && (data[p] == ' ' || data[p] == '\n' || data[p] == '\r' || data[p] == '\t') {
		p++
	}
	return p
}

// escapesEnd tells whether a string's escapes are whole, so that unescape stays
// within it.
func escapesEnd(s []byte) bool {
	for p := 0; p < len(s); p++ {
		if s[p] != '\\' {
			continue
		}
		p++
		if p >= len(s) {
			return false
		}
		if s[p] == 'u' {
			if _, ok := hex4(s[p+1:]); !ok {
				return false
			}
			p += 4
		}
	}
	return true
}

// Mark is a place to which Misfit can go back.
type Mark struct {
	pos, depth, keys int
	failed           bool
}

// Mark remembers the place before a union's variant. Each is followed by a
// Misfit, once the variant has been read.
func (d *Decoder) Mark() Mark {
	d.space()
	d.marks++
	return Mark{pos: d.pos, depth: len(d.stack), keys: d.keys.len(), failed: d.err != nil}
}

// Misfit tells whether the value that was read since m had the wrong shape,
// though it is proper JSON. The error is then taken back, and the value can be
// read again, raw. It is never true when Strict.
func (d *Decoder) Misfit(m Mark) bool {
	d.marks--
	if d.err == nil || m.failed || d.Strict || d.err.Kind.OfText() {
		return false
	}
	d.err, d.pos = nil, m.pos
	d.stack = d.stack[:m.depth]
	d.keys.truncate(m.keys)
	return true
}
