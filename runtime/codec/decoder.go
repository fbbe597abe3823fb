package codec

import "bytes"

// DefaultMaxDepth is how deep objects and lists may nest when a Decoder says
// nothing else.
const DefaultMaxDepth = 64

// Decoder reads one JSON value from a complete text. The zero Decoder is ready
// for Reset, and keeps its buffers from one text to the next. It must not be
// copied while it is in use, and belongs to one goroutine at a time.
type Decoder struct {
	// Strict makes missing required members, unknown values of closed enums and
	// broken bounds errors, as a server wants them that reads params. Without it
	// missing members stay zero, an optional member may be null, and a variant of
	// a union that has the wrong shape, a member missing included, is kept raw, as
	// a client wants it that reads events.
	Strict bool

	// Lax is for peers that never agreed on strict text: invalid UTF-8 and lone
	// surrogates become U+FFFD, and of a member that comes twice the last counts.
	Lax bool

	// MaxDepth bounds nesting; 0 is DefaultMaxDepth.
	MaxDepth int

	// Interner, if set, serves Shared.
	Interner *Interner

	data    []byte
	pos     int
	start   int // where the value that was read last begins
	err     *Error
	stack   []frame
	keys    keySet
	marks   int    // variants that are being read, which Misfit can take back
	scratch []byte // the last unescaped string
	keybuf  []byte // the last unescaped key
	tagbuf  []byte // the last unescaped tag
}

// frame is one open object or list.
type frame struct {
	members *Members // of an object that was opened by Struct
	seen    uint64   // members that were read, by index
	next    int      // object: the member that the encoder writes next; list: number of items begun
	keyAt   int      // offset of the current key's first byte after the quote; -1: none yet
	keyEnd  int
	keys    int    // length of the key set when the object was opened
	serial  uint32 // tells objects apart in the key set
	list    bool
	started bool // something was read, so a comma comes next
	escaped bool // the current key has escapes
}

// Reset begins a new text. Options stay; what was read before must not be in
// use any more where it was borrowed.
func (d *Decoder) Reset(data []byte) {
	d.data, d.pos, d.start, d.err = data, 0, 0, nil
	d.stack, d.marks = d.stack[:0], 0
	d.keys.reset()
}

// Err is the first error, an *Error, or nil.
func (d *Decoder) Err() error {
	if d.err == nil {
		return nil
	}
	return d.err
}

// Offset is how many bytes have been read.
func (d *Decoder) Offset() int { return d.pos }

// Object begins an object; go on with More. An object may not have a member
// twice.
func (d *Decoder) Object() { d.open('{', nil) }

// Struct begins an object with known members; go on with More, which then
// tries first what an encoder would write next, and which sees to it that no
// required member is missing when Strict.
func (d *Decoder) Struct(m *Members) { d.open('{', m) }

// Array begins a list; go on with Next.
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
	limit := d.MaxDepth
	if limit == 0 {
		limit = DefaultMaxDepth
	}
	if len(d.stack) >= limit {
		d.fail(Depth, d.pos, "objects and lists nest too deep")
		return
	}
	d.start = d.pos
	d.pos++
	f := frame{members: m, keyAt: -1, keys: d.keys.len(), list: bracket == '['}
	if !f.list {
		f.serial = d.keys.serial()
	}
	d.stack = append(d.stack, f)
}

// More goes to the next member of the object that was begun last, and is false
// after the last one and after an error. Key then names the member, and its
// value must be read before More is called again.
func (d *Decoder) More() bool {
	for {
		if len(d.stack) == 0 {
			return false
		}
		f := &d.stack[len(d.stack)-1]
		c := d.space()
		if c == '}' && d.err == nil {
			d.pos++
			d.close(f)
			return false
		}
		if f.started {
			if c != ',' {
				d.syntax("want a comma or the end of the object")
				return false
			}
			d.pos++
			c = d.space()
		}
		if c != '"' {
			d.syntax("want a member's name")
			return false
		}
		f.started = true
		index := d.member(f)
		if index < 0 {
			return d.err == nil
		}
		m := &f.members.list[index]
		switch {
		case m.presence == ignored:
			d.Skip()
		case m.presence == optional && !d.Strict && d.space() == 'n' && d.Null():
		default:
			return true
		}
	}
}

// member reads a key and the colon after it, and says which known member it
// is; -1 is an unknown one, or an error.
func (d *Decoder) member(f *frame) int {
	if f.members != nil && f.next < len(f.members.list) {
		if m := &f.members.list[f.next]; bytes.HasPrefix(d.data[d.pos:], m.quoted) {
			f.keyAt, f.keyEnd, f.escaped = d.pos+1, d.pos+len(m.quoted)-2, m.escaped
			d.pos += len(m.quoted)
			index := f.next
			f.next++
			return d.once(f, index)
		}
	}
	return d.anyMember(f)
}

func (d *Decoder) anyMember(f *frame) int {
	start := d.pos + 1
	end, kind := scanString(d.data, start)
	if !d.checkString(start, end, kind) {
		return -1
	}
	f.keyAt, f.keyEnd, f.escaped = start, end, kind&hasEscape != 0 || kind&hasHigh != 0 && d.Lax
	d.pos = end + 1
	if d.space() != ':' {
		d.syntax("want a colon after the member's name")
		return -1
	}
	d.pos++
	key := d.Key()
	if f.members != nil {
		if index := f.members.find(key, f.next); index >= 0 {
			f.next = index + 1
			return d.once(f, index)
		}
	}
	if d.keys.add(f, key, d.data, start, f.escaped) && !d.Lax {
		d.fail(Duplicate, start-1, "the object has this member twice")
	}
	return -1
}

// once sees to it that a known member comes only once.
func (d *Decoder) once(f *frame, index int) int {
	bit := uint64(1) << index
	if f.seen&bit != 0 && !d.Lax {
		d.fail(Duplicate, f.keyAt-1, "the object has this member twice")
		return -1
	}
	f.seen |= bit
	return index
}

func (d *Decoder) close(f *frame) {
	if f.members != nil && (d.Strict || d.marks > 0) {
		if missing := f.members.required &^ f.seen; missing != 0 {
			d.Missing(f.members.first(missing))
			return
		}
	}
	d.keys.truncate(f.keys)
	d.stack = d.stack[:len(d.stack)-1]
}

// Key is the name of the current member, without escapes. It is valid until
// its value has been read.
func (d *Decoder) Key() []byte {
	if len(d.stack) == 0 {
		return nil
	}
	f := &d.stack[len(d.stack)-1]
	if f.keyAt < 0 || f.list {
		return nil
	}
	raw := d.data[f.keyAt:f.keyEnd]
	if !f.escaped {
		return raw
	}
	d.keybuf = unescape(d.keybuf[:0], raw)
	return d.keybuf
}

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
