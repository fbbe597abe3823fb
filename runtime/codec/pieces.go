// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"math/bits"
	"strings"
	"sync"
	"unsafe"
)

// Pieces is a text that is put together from many small ones. Up to 1 MiB it
// lies in one buffer, which goes round among all texts; what is longer grows
// without moving, so that the last piece costs what the first did. The zero
// Pieces is empty.
type Pieces struct {
	full [][]byte // buffers of the largest size
	open []byte
	size int
}

// The sizes of buffers: each is twice as large as the one before.
const (
	firstPart   = 256
	largestPart = 1 << 20
)

// Add adds a piece at the end.
func (p *Pieces) Add(s string) {
	p.size += len(s)
	for len(s) > cap(p.open)-len(p.open) {
		p.grow(len(s))
		n := min(len(s), cap(p.open)-len(p.open))
		p.open = append(p.open, s[:n]...)
		s = s[n:]
	}
	p.open = append(p.open, s...)
}

// grow makes room: for n bytes more, or what one buffer can hold of them.
func (p *Pieces) grow(n int) {
	size := max(2*cap(p.open), firstPart)
	for size < largestPart && size < len(p.open)+n {
		size *= 2
	}
	if size <= largestPart {
		b := append(newPart(size), p.open...)
		freePart(p.open)
		p.open = b
		return
	}
	if len(p.open) == cap(p.open) {
		p.full = append(p.full, p.open)
		p.open = newPart(largestPart)
	}
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

// Borrow is String without a copy, if that can be: what it gives may be used
// until the text changes.
func (p *Pieces) Borrow() string {
	if len(p.full) > 0 {
		return p.String()
	}
	return unsafe.String(unsafe.SliceData(p.open), len(p.open))
}

// Reset makes it empty.
func (p *Pieces) Reset() {
	for _, part := range p.full {
		freePart(part)
	}
	freePart(p.open)
	*p = Pieces{}
}

// parts has buffers that are not in use, by size. Small ones are not worth it.
var parts [9]sync.Pool // 4 KiB to 1 MiB

const leastKept = 4 << 10

// class is where buffers of a size are kept.
func class(size int) *sync.Pool { return &parts[bits.Len(uint(size/leastKept))-1] }

func newPart(size int) []byte {
	if size >= leastKept {
		if b, ok := class(size).Get().(*[]byte); ok {
			return (*b)[:0]
		}
	}
	return make([]byte, 0, size)
}

func freePart(b []byte) {
	if cap(b) >= leastKept {
		class(cap(b)).Put(&b)
	}
}
