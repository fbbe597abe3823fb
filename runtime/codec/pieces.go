package codec

import (
	"strings"
	"sync"
)

// Pieces is a text that is put together from many small ones. It grows without
// moving what it has, so that the last piece costs what the first did. The zero
// Pieces is empty.
type Pieces struct {
	full [][]byte
	open []byte
	size int
}

// The sizes of its parts: each is twice as large as the one before.
const (
	firstPart   = 256
	largestPart = 16 << 10
)

// Add adds a piece at the end.
func (p *Pieces) Add(s string) {
	p.size += len(s)
	for len(s) > cap(p.open)-len(p.open) {
		n := cap(p.open) - len(p.open)
		if p.open != nil {
			p.full = append(p.full, append(p.open, s[:n]...))
		}
		s = s[n:]
		p.open = newPart(min(max(2*cap(p.open), firstPart), largestPart))
	}
	p.open = append(p.open, s...)
}

// Len is the text's length in bytes.
func (p *Pieces) Len() int { return p.size }

// String is the whole text.
func (p *Pieces) String() string {
	var b strings.Builder
	b.Grow(p.size)
	for _, part := range p.full {
		b.Write(part)
	}
	b.Write(p.open)
	return b.String()
}

// Reset makes it empty. The largest parts go round among all texts.
func (p *Pieces) Reset() {
	for _, part := range p.full {
		if cap(part) == largestPart {
			parts.Put((*[largestPart]byte)(part[:largestPart]))
		}
	}
	clear(p.full)
	*p = Pieces{open: p.open[:0], full: p.full[:0]}
}

// parts has largest parts that are not in use.
var parts sync.Pool

func newPart(size int) []byte {
	if size == largestPart {
		if part, ok := parts.Get().(*[largestPart]byte); ok {
			return part[:0]
		}
	}
	return make([]byte, 0, size)
}
