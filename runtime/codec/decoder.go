// SPDX-License-Identifier: Apache-2.0

package codec

// DefaultMaxDepth is how deep objects and lists may nest when a Decoder says
// nothing else.
const DefaultMaxDepth = 64

// Decoder reads one JSON value from a complete text. The zero Decoder is ready
// for Reset, and keeps its buffers from one text to the next. It must not be
// copied while it is in use, and belongs to one goroutine at a time.
type Decoder struct {
	// Strict makes missing required members, unknown values of closed enums and
	// broken bounds errors, as a server wants them that reads params. Without it
	// missing members stay zero, an optional member may be null, null is an empty
	// list, and a variant of a union that has the wrong shape, a member missing
	// included, is kept raw, as a client wants it that reads events.
	Strict bool

	// Lax is for peers that never agreed on strict text: invalid UTF-8 and lone
	// surrogates become U+FFFD, and of a member that comes twice the last counts.
	Lax bool

	// Mend has a value of the wrong shape end the reading also in a union's variant
	// if the member that holds it is optional there, so that the text can be read
	// again without it: see Mended. It does nothing when Strict.
	Mend bool

	// Firm makes a member that is Member.Firm an error when it is missing, or has
	// the wrong shape, in the object that is read first, as a client wants it that
	// reads an answer on which more hangs.
	Firm bool

	// Whole has Lacking report the first required member that is missing, as a client
	// wants it that hands out what it reads. Reading continues.
	Whole bool

	// MaxDepth bounds nesting; 0 is DefaultMaxDepth.
	MaxDepth int

	// Interner, if set, serves Shared.
	Interner *Interner

	// Block, if set, is where String puts short strings.
	Block *Block

	// Memory, if set, serves Repeat.
	Memory *Memory

	// Borrow has String give parts of the text instead of copies. The text must
	// never change then, and keeping a string keeps all of the text.
	Borrow bool

	data    []byte
	pos     int
	start   int // where the value that was read last begins
	err     *Error
	lacking *Error // see Whole
	stack   []frame
	keys    keySet
	marks   int    // variants that are being read, which Misfit can take back
	marked  int    // how many objects and lists were open when the last of them began
	gaps    []gap  // what the text is read without, each in the text that was left before
	mended  []byte // the text that is left
	key     []byte // that More went to last
	scratch []byte // the last unescaped string
	keybuf  []byte // the last unescaped key
	tagbuf  []byte // the last unescaped tag
	joined  []byte // the strings of a list
	ends    []int  // where each of them ends
}

// frame is one open object or list.
type frame struct {
	members *Members // of an object that was opened by Struct
	seen    uint64   // members that were read, by index
	next    int      // object: the member that the encoder writes next; list: number of items begun
	keyAt   int      // offset of the current key's first byte after the quote; -1: none yet
	keyEnd  int
	keys    int    // length of the key set when the object was opened
	serial  uint32 // distinguishes objects in the key set
	list    bool
	started bool   // something was read, so a comma comes next
	escaped bool   // the current key has escapes
	again   bool   // the current key, which is none of members, came before; only when Lax
	twice   *Extra // what was kept of it has a member twice, which its end puts right
}

// Reset begins a new text. Options stay; what was read before must not be in
// use any more where it was borrowed.
func (d *Decoder) Reset(data []byte) {
	d.data, d.pos, d.start, d.err, d.lacking = data, 0, 0, nil, nil
	d.stack, d.marks, d.marked, d.gaps, d.key = d.stack[:0], 0, 0, d.gaps[:0], nil
	if cap(d.scratch) > keepBytes {
		d.scratch = nil
	}
	if cap(d.mended) > keepBytes {
		d.mended = nil
	}
	if cap(d.keybuf) > keepBytes || cap(d.tagbuf) > keepBytes {
		d.keybuf, d.tagbuf = nil, nil
	}
	d.keys.reset()
}

// Err is the first error, an *Error, or nil.
func (d *Decoder) Err() error {
	if d.err == nil {
		return nil
	}
	return d.err
}

// Lacking is the first required member that was missing, an *Error, or nil; see
// Whole.
func (d *Decoder) Lacking() error {
	if d.lacking == nil {
		return nil
	}
	return d.lacking
}

// Offset is how many bytes have been read.
func (d *Decoder) Offset() int { return d.pos }

// Object begins an object; continue with More. An object may not have a member
// twice.
func (d *Decoder) Object() { d.open('{', nil) }

// Struct begins an object with known members; continue with More, which then
// tries first what an encoder would write next, and which sees to it that no
// required member is missing when Strict.
func (d *Decoder) Struct(m *Members) { d.open('{', m) }

// Array begins a list; continue with Next.
func (d *Decoder) Array() { d.open('[', nil) }

func (d *Decoder) open(bracket byte, m *Members) {
	if d.space() != bracket {
		if bracket == '{' {
			d.mismatch("an object")
		} else {
			d.mismatch("a list")
		}
		return
	}
	if d.levels() <= 0 {
		d.fail(Depth, d.pos, "objects and lists nest too deep")
		return
	}
	d.start = d.pos
	d.pos++
	n := len(d.stack)
	if n == cap(d.stack) {
		d.stack = append(d.stack, frame{})
	} else {
		d.stack = d.stack[:n+1]
	}
	f := &d.stack[n]
	f.members, f.seen, f.next = m, 0, 0
	f.keyAt, f.keys = -1, d.keys.len()
	f.list, f.started = bracket == '[', false
	f.twice = nil
	if !f.list {
		f.serial = d.keys.serial()
	}
}

// More goes to the next member of the object that was begun last, and is false
// after the last one and after an error. Key then names the member, and its
// value must be read before More is called again.
func (d *Decoder) More() bool {
	n := len(d.stack)
	if n == 0 {
		return false
	}
	if f := &d.stack[n-1]; f.members != nil && f.next < len(f.members.list) {
		// What an encoder writes next, in compact text, is one comparison.
		m := &f.members.list[f.next]
		written := m.later
		if !f.started {
			written = m.first
		}
		bit := uint64(1) << f.next
		if end := d.pos + len(written); end < len(d.data) && string(d.data[d.pos:end]) == written &&
			f.seen&bit == 0 && m.presence != ignored && (m.presence != optional || d.data[end] != 'n') {
			f.started = true
			f.seen |= bit
			f.keyAt, f.keyEnd, f.escaped = end-len(m.first)+1, end-2, m.escaped
			d.pos, d.key = end, m.key
			f.next++
			return true
		}
	}
	return d.more()
}

// more is More for whatever else may come.
func (d *Decoder) more() bool {
	for {
		f := &d.stack[len(d.stack)-1] // anew: what is skipped may have moved the stack
		index := d.expected(f)
		if index < 0 {
			var more bool
			if index, more = d.another(f); !more {
				return false
			}
			if index < 0 {
				return d.err == nil
			}
		}
		bit := uint64(1) << index
		if f.seen&bit != 0 && !d.Lax {
			d.fail(Duplicate, f.keyAt-1, "the object has this member twice")
			return false
		}
		f.seen |= bit
		switch f.members.list[index].presence {
		case ignored:
			d.Skip()
		case optional:
			if d.Strict || d.space() != 'n' || !d.Null() {
				return true
			}
		default:
			return true
		}
	}
}

// expected reads the member that a writer of the same table would write next,
// in compact text, and gives its index; -1: something else comes.
func (d *Decoder) expected(f *frame) int {
	if f.members == nil || f.next >= len(f.members.list) {
		return -1
	}
	p := d.pos
	if f.started {
		if p >= len(d.data) || d.data[p] != ',' {
			return -1
		}
		p++
	}
	m := &f.members.list[f.next]
	end := p + len(m.first)
	if end > len(d.data) || string(d.data[p:end]) != m.first {
		return -1
	}
	f.started = true
	f.keyAt, f.keyEnd, f.escaped = p+1, end-2, m.escaped
	d.pos, d.key = end, m.key
	f.next++
	return f.next - 1
}

// another reads any member, or the end of the object. The index is that of a
// known member; -1 is an unknown one, or an error.
func (d *Decoder) another(f *frame) (index int, more bool) {
	c := d.space()
	if c == '}' && d.err == nil {
		d.pos++
		d.close(f)
		return -1, false
	}
	if f.started {
		if c != ',' {
			d.syntax("want a comma or the end of the object")
			return -1, false
		}
		d.pos++
		c = d.space()
	}
	if c != '"' {
		d.syntax("want a member's name")
		return -1, false
	}
	f.started = true
	start := d.pos + 1
	end, kind := scanString(d.data, start)
	if !d.checkString(start, end, kind) {
		return -1, false
	}
	f.keyAt, f.keyEnd, f.escaped = start, end, kind&hasEscape != 0 || kind&hasHigh != 0 && d.Lax
	d.key = d.data[start:end]
	if f.escaped {
		d.keybuf = unescape(d.keybuf[:0], d.key)
		d.key = d.keybuf
	}
	d.pos = end + 1
	if d.space() != ':' {
		d.syntax("want a colon after the member's name")
		return -1, false
	}
	d.pos++
	if f.members != nil {
		if index := f.members.find(d.key, f.next); index >= 0 {
			f.next = index + 1
			return index, true
		}
	}
	f.again = d.keys.add(f, d.key, d.data, start, f.escaped)
	if f.again && !d.Lax {
		d.fail(Duplicate, start-1, "the object has this member twice")
	}
	return -1, true
}

func (d *Decoder) close(f *frame) {
	if f.members != nil && (d.Strict || d.marks > 0 || d.Firm && len(d.stack) == 1) {
		must := f.members.required
		if !d.Strict && d.marks == 0 {
			must = f.members.firm
		}
		if missing := must &^ f.seen; missing != 0 {
			d.Missing(f.members.first(missing))
			return
		}
	}
	if d.Whole && d.lacking == nil && f.members != nil {
		if missing := f.members.required &^ f.seen; missing != 0 {
			d.lacking = d.missing(f.members.first(missing))
		}
	}
	if f.twice != nil {
		*f.twice = f.twice.last()
		f.twice = nil
	}
	d.keys.truncate(f.keys)
	d.stack = d.stack[:len(d.stack)-1]
}

// Key is the name of the member to which More went, without escapes. It is
// valid until its value is read.
func (d *Decoder) Key() []byte { return d.key }

// Next goes to the next item of the list that was begun last, and is false
// after the last one and after an error.
func (d *Decoder) Next() bool {
	if len(d.stack) == 0 {
		return false
	}
	f := &d.stack[len(d.stack)-1]
	c := d.space()
	if c == ']' && d.err == nil {
		d.pos++
		d.stack = d.stack[:len(d.stack)-1]
		return false
	}
	if f.started {
		if c != ',' {
			d.syntax("want a comma or the end of the list")
			return false
		}
		d.pos++
		if d.space() == ']' {
			d.syntax("want a value")
			return false
		}
	}
	f.started = true
	f.next++
	return d.err == nil
}

// End sees to it that nothing but white space follows.
func (d *Decoder) End() {
	if d.err == nil && d.space() != 0 || d.pos < len(d.data) {
		d.syntax("there is more after the value")
	}
}

// Peek is the first byte of the next value or bracket, white space skipped;
// 0 at the end and after an error.
func (d *Decoder) Peek() byte { return d.space() }

// space skips white space. After an error the text is at its end, which is what
// makes errors sticky.
func (d *Decoder) space() byte {
	for d.pos < len(d.data) {
		switch c := d.data[d.pos]; c {
		case ' ', '\n', '\r', '\t':
			d.pos++
		default:
			return c
		}
	}
	return 0
}
