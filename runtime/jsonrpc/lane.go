// SPDX-License-Identifier: Apache-2.0

package jsonrpc

// Lane is one ordered stream of outgoing frames: one session's on one
// connection, say. What is put into it is written in that order; between lanes
// there is none, and the writer takes them in turn. All methods may be called
// by any goroutine; frame functions are called at once, under the connection's
// lock, so they must only append.
//
// A lane holds at most Limits.Lane bytes, about. When its reader is behind,
// live frames are merged, then dropped and counted; events are forgotten and
// read again from the lane's Source; small frames and answers keep their place.
// What one kind takes costs no other its place: a reader that takes a long event
// gets the live frames that follow it.
type Lane struct {
	conn   *Conn
	source Source

	// Guarded by conn.out.mu.
	next    *Lane // in line
	inLine  bool
	closed  bool
	dead    bool // the connection ended
	buf     []byte
	head    int   // of buf: what is before it has been taken
	offset  int64 // position in the lane's stream of buf[head]
	hurried int64 // where the last frame ends that may not wait for a tick
	hasty   bool  // it is in line, and counted as one that may not
	marks   []*mark
	held    int           // bytes that live frames in marks hold
	answers int           // bytes of answers in buf, at most
	small   int           // bytes of small frames in buf, at most
	long    int           // bytes of a frame in buf that is longer than the lane's bound, about
	behind  bool          // a producer waited in vain, and there was no room since
	room    chan struct{} // closed when there is room; nil: no goroutine waits
	dropped LaneCounters
}

// LaneCounters says what became of a lane's frames.
type LaneCounters struct {
	Merged  uint64 // live frames that were merged into one before them
	Dropped uint64 // live frames that were dropped
	Reread  uint64 // events that were read again from the source
	Lost    uint64 // events and small frames that could not be kept
}

// mark is something at a place in a lane's stream that is not in its buffer.
type mark struct {
	at   int64     // offset
	live LiveFrame // a live frame that waits to be merged; or
	gap  *gap      // events that will be read again
}

const (
	// markCost is what a mark counts in a lane's bound.
	markCost = 64
	// longMost is how many bytes of events that are longer than their lanes' bounds
	// may wait in a connection, or one that is longer still.
	longMost = 4 << 20
)

// NewLane opens a lane. source may be nil: what the lane cannot hold is then
// lost, and counted. Close it when its stream has ended.
func (c *Conn) NewLane(source Source) *Lane {
	l := &Lane{conn: c, source: source}
	c.mu.Lock()
	c.lanes[l] = struct{}{}
	c.mu.Unlock()
	return l
}

// Frame puts one small frame into the lane: a status, a marker. It is false
// when the frame was not taken, because the lane is closed, the connection
// over, or the reader so far behind that the lane's bound is full of small
// frames alone. However much else waits, an event that is long say, does not
// cost a reader a small frame.
func (l *Lane) Frame(frame func(b []byte) []byte) bool {
	o := &l.conn.out
	o.mu.Lock()
	if l.closed || o.err != nil {
		o.mu.Unlock()
		return false
	}
	if l.small > l.conn.limits.Lane {
		l.dropped.Lost++
		o.mu.Unlock()
		l.conn.report(Diagnostic{Kind: FrameDropped})
		return false
	}
	next, err := o.put(l, byWriter, frame, &l.small)
	o.mu.Unlock()
	o.do(next)
	return l.conn.unwritten(err) == nil
}

// Event puts the event with number seq into the lane. When there is no room
// for it, it is read again from the source once there is; until then frame is
// not called. size is about how long the frame is, in bytes; 0 if that is not
// known. One longer than the bound does not count in it, but has room only while
// the reader is not behind, no other such one is there, and the connection's other
// lanes have not too much of them.
func (l *Lane) Event(seq int64, size int, frame func(b []byte) []byte) {
	o := &l.conn.out
	o.mu.Lock()
	next, lost, err := l.event(seq, size, frame)
	o.mu.Unlock()
	o.do(next)
	if lost {
		l.conn.report(Diagnostic{Kind: FrameDropped})
	}
	_ = l.conn.unwritten(err)
}

// event is Event under output.mu. lost says that there is no room, and no source to
// read it again from.
func (l *Lane) event(seq int64, size int, frame func(b []byte) []byte) (_ todo, lost bool, err error) {
	o := &l.conn.out
	if l.closed || o.err != nil {
		return todo{}, false, nil
	}
	if g := l.tailGap(); g != nil && g.source == l.source && !g.failed {
		g.to = max(g.to, seq)
		return l.wakeUp(), false, nil
	}
	n, limit := l.pending()-l.long, l.conn.limits.Lane
	full := n > 0 && n >= limit
	long := size > limit && (n >= limit/2 || l.long > 0 || o.long > 0 && o.long+size > longMost)
	switch {
	case l.source != nil && (full || long):
		l.mark(&mark{gap: &gap{source: l.source, from: seq, to: seq}})
		return l.wakeUp(), false, nil
	case full && n > 2*limit:
		l.dropped.Lost++
		return todo{}, true, nil
	}
	if size > cap(l.buf)-len(l.buf) && size > flushAt {
		l.grow(size)
	}
	if size > limit {
		next, err := o.put(l, byWriter, frame, &l.long, &o.long)
		return next, false, err
	}
	next, err := o.put(l, byWriter, frame)
	return next, false, err
}

// Close ends the lane: what is in it is still written, answers too, and
// nothing else is taken.
func (l *Lane) Close() {
	o := &l.conn.out
	o.mu.Lock()
	l.closed = true
	l.letIn()
	o.mu.Unlock()
	c := l.conn
	c.mu.Lock()
	delete(c.lanes, l)
	c.mu.Unlock()
}

// Pending is how many bytes wait in the lane, about.
func (l *Lane) Pending() int {
	l.conn.out.mu.Lock()
	defer l.conn.out.mu.Unlock()
	return l.pending()
}

// Counters says what became of the lane's frames so far.
func (l *Lane) Counters() LaneCounters {
	l.conn.out.mu.Lock()
	defer l.conn.out.mu.Unlock()
	return l.dropped
}

// In everything below output.mu is held.

func (l *Lane) pending() int { return len(l.buf) - l.head + l.held + len(l.marks)*markCost }

// wakeUp has the lane written, if there is something to take.
func (l *Lane) wakeUp() todo {
	o := &l.conn.out
	if l.ready() {
		o.push(l)
	}
	return o.kick(byWriter)
}

// end is the position of the end of the buffer in the lane's stream.
func (l *Lane) end() int64 { return l.offset + int64(len(l.buf)-l.head) }

// mark adds a mark at the end of the stream.
func (l *Lane) mark(m *mark) {
	m.at = l.end()
	l.marks = append(l.marks, m)
}

// tail is the mark at the very end of the stream, if one is there.
func (l *Lane) tail() *mark {
	if n := len(l.marks); n > 0 && l.marks[n-1].at == l.end() {
		return l.marks[n-1]
	}
	return nil
}

// urgent says whether something in the lane may not wait for others to go with
// it: all but live frames while the reader is not behind.
func (l *Lane) urgent() bool { return l.hurried > l.offset || len(l.marks) > 0 }

// ready says whether take would take something.
func (l *Lane) ready() bool {
	if len(l.marks) == 0 {
		return l.head < len(l.buf)
	}
	m := l.marks[0]
	if m.at > l.offset || m.live != nil {
		return true
	}
	// While the source is being read there is only what it has given: that it
	// gave the last event does not close the gap, its return does.
	g := m.gap
	return g.head < len(g.buf) || !g.reading
}

// take moves up to n bytes of whole frames to b, or one longer frame if b is
// empty.
func (l *Lane) take(b []byte, n int) []byte {
	end := len(b) + n
	for len(b) < end {
		size := len(l.buf) - l.head
		var m *mark
		if len(l.marks) > 0 {
			m = l.marks[0]
			size = int(m.at - l.offset)
		}
		if size > 0 {
			if size = cut(l.buf[l.head:l.head+size], end-len(b)); size > end-len(b) && len(b) > 0 {
				break // a long frame is not copied behind others
			}
			b = append(b, l.buf[l.head:l.head+size]...)
			l.head += size
			l.offset += int64(size)
			continue
		}
		if m == nil {
			break
		}
		if m.live != nil {
			l.held -= m.live.Size()
			b = append(m.live.AppendFrame(b), '\n')
			l.conn.out.lines++
			l.unmark()
			continue
		}
		taken, over := l.takeGap(&b, m.gap, end-len(b))
		if over {
			l.unmark()
		} else if !taken {
			break
		}
	}
	l.compact()
	l.caughtUp()
	return b
}

func (l *Lane) unmark() {
	l.marks[0] = nil
	if l.marks = l.marks[1:]; len(l.marks) == 0 {
		l.marks = nil
	}
}

// alone says whether the lane's buffer may be written as it is: nothing else of
// it waits, and no other lane, or not for long. With a long line in it, which
// cannot be cut, all of it may be.
func (l *Lane) alone() bool {
	n := len(l.buf) - l.head
	switch limit := l.conn.limits.Lane; {
	case n == 0 || len(l.marks) > 0:
		return false
	case n <= flushAt:
		return true
	case l.next == nil:
		return n <= limit/4+quantum || n >= limit
	}
	return n-cut(l.buf[l.head:], flushAt) <= quantum
}

// give hands the lane's buffer over, to be written and used again.
func (l *Lane) give() []byte {
	b := l.buf[l.head:]
	l.offset += int64(len(b))
	l.buf, l.head = nil, 0
	l.compact()
	l.caughtUp()
	return b
}

// grow makes room for a long frame.
func (l *Lane) grow(size int) {
	o := &l.conn.out
	rest := l.buf[l.head:]
	b := append(lendLong(len(rest)+size), rest...)
	o.recycle(l.buf)
	l.buf, l.head = b, 0
}

// caughtUp lets producers in if there is room.
func (l *Lane) caughtUp() {
	if l.pending() < l.conn.limits.Lane/8 {
		l.behind = false
		l.letIn()
	}
}

// keepLane is what a lane keeps while nothing is in it. There may be thousands.
const keepLane = 4 << 10

// compact gives room back.
func (l *Lane) compact() {
	rest := len(l.buf) - l.head
	switch {
	case rest == 0 && cap(l.buf) > keepLane:
		l.conn.out.recycle(l.buf)
		l.buf, l.head = nil, 0
	case rest == 0:
		l.buf, l.head = l.buf[:0], 0
	case l.head > rest && l.head > quantum:
		l.buf, l.head = l.buf[:copy(l.buf, l.buf[l.head:])], 0
	}
	l.small = min(l.small, rest)
	if over := l.long - rest; over > 0 {
		l.long -= over
		l.conn.out.long -= over
	}
	if over := l.answers - rest; over > 0 {
		l.answers -= over
		l.conn.out.answers -= over
	}
}

// drop forgets everything, because the connection is over.
func (l *Lane) drop() {
	l.dead, l.closed = true, true
	l.buf, l.head, l.marks, l.held, l.answers, l.small, l.long = nil, 0, nil, 0, 0, 0, 0
	l.letIn()
}

// closeLanes releases the producers of all lanes, since the connection ends.
func (c *Conn) closeLanes() {
	c.mu.Lock()
	lanes := make([]*Lane, 0, len(c.lanes))
	for l := range c.lanes {
		lanes = append(lanes, l)
	}
	c.mu.Unlock()
	for _, l := range lanes {
		l.Close()
	}
}
