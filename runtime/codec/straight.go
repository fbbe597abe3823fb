// SPDX-License-Identifier: Apache-2.0

package codec

import "bytes"

// Place is where a reader was: see Back.
type Place struct {
	pos, depth, keys int
	err, lacking     *Error
}

// Place remembers where d is, before an attempt with Lit.
func (d *Decoder) Place() Place { return Place{d.pos, len(d.stack), d.keys.len(), d.err, d.lacking} }

// Back goes back to a place: what has been read since, and what was found wrong
// with it, is forgotten.
func (d *Decoder) Back(p Place) {
	d.pos, d.err, d.lacking = p.pos, p.err, p.lacking
	d.stack = d.stack[:p.depth]
	d.keys.truncate(p.keys)
}

// Opening is Lit for what begins with an object's bracket: false where no object
// may begin any more.
func (d *Decoder) Opening(s string) bool { return d.levels() > 0 && d.Lit(s) }

// levels is how many objects and lists may be begun within each other from here.
func (d *Decoder) levels() int {
	limit := d.MaxDepth
	if limit == 0 {
		limit = DefaultMaxDepth
	}
	return limit - len(d.stack)
}

// Lit goes past s if that is what comes next, byte by byte. If not, or after an
// error, it is false and stays.
func (d *Decoder) Lit(s string) bool {
	end := d.pos + len(s)
	if end > len(d.data) || string(d.data[d.pos:end]) != s {
		return false
	}
	d.pos = end
	return true
}

// Memory remembers parts of texts that come again and again, and what was read
// from them: see Repeat. The zero Memory is empty. It belongs to one goroutine at
// a time.
type Memory struct{ parts [MemoryParts]part }

// MemoryParts is how many parts a Memory has room for.
const MemoryParts = 4

type part struct {
	text []byte
	how  manner // text was read
	read any
	seen []byte // in the last text that did not repeat this part
}

// manner is all on which it depends whether a text can be read, and as what.
type manner struct {
	strict, lax bool
	levels      int
}

func (d *Decoder) manner() manner { return manner{d.Strict, d.Lax, d.levels()} }

// longestRepeated is the longest part that is remembered: a peer does not choose
// how much memory that takes.
const longestRepeated = 1 << 10

// Repeat goes past what was remembered as part i, if the same text comes next,
// and returns what was read from it then; otherwise it returns nil, and does
// not advance.
func (d *Decoder) Repeat(i int) any {
	if d.Memory == nil {
		return nil
	}
	p := &d.Memory.parts[i]
	end := d.pos + len(p.text)
	if len(p.text) == 0 || end >= len(d.data) || string(d.data[d.pos:end]) != string(p.text) || inNumber(d.data[end]) || p.how != d.manner() {
		return nil
	}
	d.pos = end
	return p.read
}

// inNumber reports whether c may continue a number.
func inNumber(c byte) bool { return c-'0' <= 9 || c == '.' || c|0x20 == 'e' }

// Recurs reports whether what was read since from is worth to be remembered as
// part i: it has come twice in a row.
func (d *Decoder) Recurs(i int, from Place) bool {
	if d.Memory == nil || d.err != nil || d.lacking != nil {
		return false
	}
	p, text := &d.Memory.parts[i], d.data[from.pos:d.pos]
	if len(text) > longestRepeated {
		return false
	}
	if bytes.Equal(p.seen, text) {
		return true
	}
	p.seen = append(p.seen[:0], text...)
	return false
}

// Remember keeps what was read since from as part i, after Recurs.
func (d *Decoder) Remember(i int, from Place, read any) {
	p := &d.Memory.parts[i]
	p.text, p.how, p.read = append(p.text[:0], d.data[from.pos:d.pos]...), d.manner(), read
}

// Again reads a string that is often the same as the last one was, which then
// serves again.
func (d *Decoder) Again(last string) string {
	s := d.StringBytes()
	switch {
	case string(s) == last:
		return last
	case d.Interner != nil:
		return d.Interner.String(s)
	}
	return string(s)
}
