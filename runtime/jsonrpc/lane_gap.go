// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import "context"

// gapRoom is how far a source reads ahead, in bytes.
const gapRoom = 64 << 10

// Source reads again the events that a lane did not keep for a slow reader:
// from the log, where each event is before it is on the wire.
type Source interface {
	// Events emits the frames of the events with from <= seq <= to, in order;
	// seqs that have no frame are left out. It stops, and returns nil, as soon
	// as emit returns false: the lane has no room, and asks again later, from
	// after the last one that it took. It runs on a goroutine of its own, one
	// at a time for a lane, and must return when the context ends.
	Events(ctx context.Context, from, to int64, emit func(seq int64, frame func(b []byte) []byte) bool) error
}

// gap is a run of events to be read from a source.
type gap struct {
	source  Source
	from    int64
	to      int64
	buf     []byte // read, not taken
	head    int
	reading bool
	failed  bool
}

// Replay puts events of a source here into the lane's order: they are read
// while they are written, however many they are.
func (l *Lane) Replay(source Source, from, to int64) {
	o := &l.conn.out
	var next todo
	o.mu.Lock()
	if !l.closed && o.err == nil && from <= to {
		l.mark(&mark{gap: &gap{source: source, from: from, to: to}})
		next = l.wakeUp()
	}
	o.mu.Unlock()
	o.do(next)
}

// tailGap is the gap at the very end of the stream, if one is there. output.mu
// is held.
func (l *Lane) tailGap() *gap {
	if m := l.tail(); m != nil {
		return m.gap
	}
	return nil
}

// takeGap moves what a source has read to b, and has it read on. over says that
// the gap is closed. output.mu is held.
func (l *Lane) takeGap(b *[]byte, g *gap, n int) (taken, over bool) {
	if size := len(g.buf) - g.head; size > 0 {
		size = cut(g.buf[g.head:], n)
		*b = append(*b, g.buf[g.head:g.head+size]...)
		g.head += size
		taken = true
		if g.head == len(g.buf) {
			g.buf, g.head = g.buf[:0], 0
		}
	}
	if g.reading {
		return taken, false
	}
	if g.failed || g.from > g.to {
		return taken, len(g.buf) == g.head
	}
	if len(g.buf)-g.head < gapRoom/2 && !l.dead {
		g.reading = true
		l.conn.out.reading++
		l.conn.workers.Add(1)
		go l.read(g, g.from, g.to)
	}
	return taken, false
}

// read asks the source for more of a gap. It does not hold the mutex.
func (l *Lane) read(g *gap, from, to int64) {
	c, o := l.conn, &l.conn.out
	defer c.workers.Done()
	full := false
	err := g.source.Events(c.sources, from, to, func(seq int64, frame func(b []byte) []byte) bool {
		o.mu.Lock()
		if l.dead || o.err != nil || full {
			o.mu.Unlock()
			return false
		}
		var next todo
		b, err := encode(g.buf, frame, c.limits.Line)
		g.from = seq + 1
		if err == nil {
			g.buf = append(b, '\n')
			o.lines++
			l.dropped.Reread++
			full = len(g.buf)-g.head >= gapRoom
			o.push(l)
			next = o.kick(byWriter)
		}
		more := !full
		o.mu.Unlock()
		o.do(next)
		_ = c.unwritten(err)
		return more
	})
	o.mu.Lock()
	g.reading = false
	o.reading--
	switch {
	case err != nil && !l.dead:
		g.failed = true
		l.dropped.Lost += uint64(g.to - g.from + 1)
	case err == nil && !full && !l.dead:
		g.from = max(g.from, to+1)
	}
	failed, next := g.failed, l.wakeUp()
	o.mu.Unlock()
	o.do(next)
	if failed {
		c.report(Diagnostic{Kind: SourceFailed, Err: err})
	}
}
