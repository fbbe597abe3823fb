// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"
	"sync"
)

// What is written next, and the buffers that it lies in.

// quantum is what one lane may add before the next has its turn.
const quantum = 8 << 10

// waiting says whether there is something to gather, and urgent whether it may not
// wait for a tick. mu is held.
func (o *output) waiting() bool { return len(o.buf) > 0 || o.first != nil }
func (o *output) urgent() bool  { return len(o.buf) > 0 || o.hasty > 0 }

// gather takes what is to be written next: the frames of the connection, then
// those of one lane at least, and of more in turn up to flushAt. mu and the pen
// are held.
func (o *output) gather() []byte {
	o.fresh = 0
	if l := o.first; l != nil && len(o.buf) == 0 && l.alone() {
		o.pop()
		o.chunk = l.give()
		return o.chunk
	}
	b := o.buf
	if b == nil {
		b = o.lend()
	}
	o.inHand, o.owing, o.owed = len(b), o.owed, 0
	for served := false; o.first != nil && (!served || len(b) < flushAt); served = true {
		l, before := o.pop(), len(b)
		if b = l.take(b, quantum); l.ready() {
			o.push(l)
			if before > 0 && len(b) == before {
				break // a long frame has to wait for the next
			}
		}
	}
	o.buf, o.chunk = nil, b
	if len(b) == 0 { // only lanes that wait for their sources
		o.recycle(b)
		o.chunk = nil
	}
	return o.chunk
}

// push puts a lane at the end of the line, if it is in none. mu is held.
func (o *output) push(l *Lane) {
	if !l.hasty && l.urgent() {
		l.hasty = true
		o.hasty++
	}
	if l.inLine {
		return
	}
	l.inLine, l.next = true, nil
	if o.last == nil {
		o.first, o.last = l, l
	} else {
		o.last.next, o.last = l, l
	}
}

// pop takes the lane whose turn it is; nil if there is none. mu is held.
func (o *output) pop() *Lane {
	l := o.first
	if l == nil {
		return nil
	}
	if o.first = l.next; o.first == nil {
		o.last = nil
	}
	if l.hasty {
		l.hasty = false
		o.hasty--
	}
	l.inLine, l.next = false, nil
	return l
}

// cut is the length of the whole lines at b's beginning that fit into n, or
// of the first one.
func cut(b []byte, n int) int {
	if len(b) <= n {
		return len(b)
	}
	if i := bytes.LastIndexByte(b[:n], '\n'); i >= 0 {
		return i + 1
	}
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

const (
	maxSpares = 3         // one is filled, one is written, and one is at hand
	keepSpare = 32 << 10  // what a connection keeps: there may be thousands at rest
	keepSpan  = 128 << 10 // a longer one is for long frames
	keepLong  = 2 << 20   // a longer one is the collector's
)

// Buffers that are too large for a connection to keep are shared by all.
var spans, longs pool

// pool has buffers of about one size.
type pool struct{ buffers sync.Pool }

// get gives an empty buffer for so many bytes, nil if none is at hand.
func (p *pool) get(size int) []byte {
	if b, ok := p.buffers.Get().(*[]byte); ok && cap(*b) >= size {
		return (*b)[:0]
	}
	return nil
}

func (p *pool) put(b []byte) { p.buffers.Put(&b) }

// share gives a buffer to all connections, if it is worth it.
func share(b []byte) {
	switch n := cap(b); {
	case n <= keepSpare || n > keepLong:
	case n > keepSpan:
		longs.put(b)
	default:
		spans.put(b)
	}
}

// recycle keeps a buffer for the next use. mu is held.
func (o *output) recycle(b []byte) {
	switch {
	case cap(b) == 0:
	case cap(b) > keepSpare:
		share(b)
	case len(o.spares) < maxSpares:
		o.spares = append(o.spares, b[:0])
	default:
		for i, other := range o.spares {
			if cap(other) < cap(b) {
				o.spares[i] = b[:0]
				return
			}
		}
	}
}

// lend gives a buffer, perhaps nil. mu is held.
func (o *output) lend() (b []byte) {
	if n := len(o.spares); n > 0 {
		b = o.spares[n-1]
		o.spares = o.spares[:n-1]
		return b
	}
	return spans.get(0)
}

// lendLong gives an empty buffer for so many bytes.
func lendLong(size int) []byte {
	if b := longs.get(size); b != nil {
		return b
	}
	return make([]byte, 0, size)
}
