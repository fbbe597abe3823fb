// SPDX-License-Identifier: Apache-2.0

package codec

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
	p := d.lookFor(name)
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

// lookFor is the offset of a member's value in the object that comes next; -1: it
// is not there.
func (d *Decoder) lookFor(name string) int {
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
	return p
}

// untagged makes the error that the object that comes next has no tag, unless
// it is no object in the first place.
func (d *Decoder) untagged(name string) {
	at := d.pos
	if d.Skip(); d.err != nil {
		return
	}
	path := memberPath(d.path(len(d.stack)), name)
	d.err = &Error{Kind: Missing, Path: path, Offset: at, Msg: "this member must be there, and a string"}
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

// ends reports whether a byte ends a number or a word.
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

// escapesEnd reports whether a string's escapes are whole, so that unescape
// stays within it.
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
