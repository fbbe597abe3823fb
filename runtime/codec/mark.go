package codec

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
