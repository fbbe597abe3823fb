// SPDX-License-Identifier: Apache-2.0

package codec

// Mark is a place to which Misfit can go back.
type Mark struct {
	pos, depth, keys int
	outer            int // what was marked before
	failed           bool
}

// Mark remembers the place before a union's variant. Each is followed by a
// Misfit, once the variant has been read.
func (d *Decoder) Mark() Mark {
	d.space()
	m := Mark{pos: d.pos, depth: len(d.stack), keys: d.keys.len(), outer: d.marked, failed: d.err != nil}
	d.marks++
	d.marked = m.depth
	return m
}

// Misfit reports whether the value that was read since m had the wrong shape,
// though it is proper JSON. The error is then taken back, and the value can be
// read again, raw. It is never true when Strict, nor of what can be Mended.
func (d *Decoder) Misfit(m Mark) bool {
	d.marks--
	d.marked = m.outer
	if d.err == nil || m.failed || d.Strict || d.err.Kind.OfText() || !d.err.gap.none() {
		return false
	}
	d.err, d.pos = nil, m.pos
	d.stack = d.stack[:m.depth]
	d.keys.truncate(m.keys)
	return true
}
