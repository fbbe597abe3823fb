package codec

// Place is where a reader was: see Back.
type Place struct {
	pos int
	err *Error
}

// Place remembers where d is, before an attempt with Lit.
func (d *Decoder) Place() Place { return Place{d.pos, d.err} }

// Back goes back to a place: what has been read since, and what was found wrong
// with it, is forgotten. No object or list may have been begun and not ended
// since.
func (d *Decoder) Back(p Place) { d.pos, d.err = p.pos, p.err }

// Opening is Lit for what begins with an object's bracket: false where no object
// may begin any more.
func (d *Decoder) Opening(s string) bool {
	limit := d.MaxDepth
	if limit == 0 {
		limit = DefaultMaxDepth
	}
	return len(d.stack) < limit && d.Lit(s)
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
