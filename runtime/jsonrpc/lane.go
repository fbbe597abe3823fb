package jsonrpc

import (
	"context"
	"time"
)

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

// LiveFrame is a frame that may be merged with its neighbours, or dropped, when
// the reader is slow. Generated types of live notifications are.
type LiveFrame interface {
	// AppendFrame appends the whole message, without a newline.
	AppendFrame(b []byte) []byte

	// Keep returns a copy that the lane may hold and merge into.
	Keep() LiveFrame

	// Merge adds next, which came right after the receiver, to it, or returns
	// false if the two may not be one. Only called on what Keep returned.
	Merge(next LiveFrame) bool

	// Size is about how many bytes the frame has on the wire.
	Size() int
}

// Lane is one ordered stream of outgoing frames: one session's on one
// connection, say. What is put into it is written in that order; between lanes
// there is none, and the writer takes them in turn. All methods may be called
// by any goroutine; frame functions are called at once, under the connection's
// lock, so they must only append.
//
// A lane holds at most Limits.Lane bytes, about. When its reader is behind,
// live frames are merged, then dropped and counted; events are forgotten and
// read again from the lane's Source; small frames and answers keep their place.
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
	marks   []*mark
	held    int           // bytes that live frames in marks hold
	answers int           // bytes of answers in buf, at most
	small   int           // bytes of small frames in buf, at most
	behind  bool          // a producer waited in vain, and there was no room since
	room    chan struct{} // closed when there is room; nil: nobody waits
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

const (
	markCost = 64       // what a mark counts
	gapRoom  = 64 << 10 // how far a source reads ahead
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
	before := len(l.buf)
	return l.append(func(b []byte) []byte {
		b = frame(b)
		l.small += len(b) - before + 1
		return b
	}, false) == nil
}

// Event puts the event with number seq into the lane. When there is no room
// for it, it is read again from the source once there is; until then frame is
// not called.
func (l *Lane) Event(seq int64, frame func(b []byte) []byte) {
	o := &l.conn.out
	o.mu.Lock()
	if l.closed || o.err != nil {
		o.mu.Unlock()
		return
	}
	if g := l.tailGap(); g != nil && g.source == l.source {
		g.to = max(g.to, seq)
		l.wakeUp()
		return
	}
	if n := l.pending(); n > 0 && n >= l.conn.limits.Lane {
		if l.source != nil {
			l.mark(&mark{gap: &gap{source: l.source, from: seq, to: seq}})
			l.wakeUp()
			return
		}
		if n > 2*l.conn.limits.Lane {
			l.dropped.Lost++
			o.mu.Unlock()
			l.conn.report(Diagnostic{Kind: FrameDropped})
			return
		}
	}
	_ = l.append(frame, false)
}

// Replay puts events of a source here into the lane's order: they are read
// while they are written, however many they are.
func (l *Lane) Replay(source Source, from, to int64) {
	o := &l.conn.out
	o.mu.Lock()
	if l.closed || o.err != nil || from > to {
		o.mu.Unlock()
		return
	}
	l.mark(&mark{gap: &gap{source: source, from: from, to: to}})
	l.wakeUp()
}

// Live puts a live frame into the lane, and returns false if it was dropped.
// While the reader takes what it is sent, Live waits a short time for room, so
// that such a reader gets every frame; for one that has stopped it does not.
func (l *Lane) Live(frame LiveFrame) bool {
	l.Room()
	return l.Offer(frame)
}

// Room waits as Live does before it puts its frame into the lane.
func (l *Lane) Room() {
	o := &l.conn.out
	o.mu.Lock()
	if limit := l.conn.limits.Lane; l.pending() >= limit/4 {
		l.await(limit / 4)
	}
	o.mu.Unlock()
}

// Offer is Live without the wait, for producers that must not wait where they
// put their frames, and call Room where they may.
func (l *Lane) Offer(frame LiveFrame) bool {
	o := &l.conn.out
	o.mu.Lock()
	limit := l.conn.limits.Lane
	if l.closed || o.err != nil {
		o.mu.Unlock()
		return false
	}
	n := l.pending()
	if n < limit/4 {
		return l.append(frame.AppendFrame, false) == nil
	}
	size := frame.Size()
	if n+size > limit {
		l.dropped.Dropped++
		o.mu.Unlock()
		l.conn.report(Diagnostic{Kind: LiveDropped, Bytes: int64(size)})
		return false
	}
	if m := l.tail(); m != nil && m.live != nil {
		before := m.live.Size()
		if m.live.Merge(frame) {
			l.held += m.live.Size() - before
			l.dropped.Merged++
			o.mu.Unlock()
			return true
		}
	}
	l.mark(&mark{live: frame.Keep()})
	l.held += size
	l.wakeUp()
	return true
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

// append adds a frame and releases the mutex.
func (l *Lane) append(frame func(b []byte) []byte, now bool) error {
	o := &l.conn.out
	start := len(l.buf)
	defer l.undo(start)
	b := frame(l.buf)
	if n := len(b) - start; n > l.conn.limits.Line {
		l.buf = b[:start]
		o.mu.Unlock()
		return l.conn.outputTooLong(n)
	}
	l.buf = append(b, '\n')
	l.conn.counts.linesOut.Add(1)
	o.push(l)
	o.kick(now)
	return nil
}

func (l *Lane) undo(start int) {
	if v := recover(); v != nil {
		l.buf = l.buf[:start]
		l.conn.out.mu.Unlock()
		panic(v)
	}
}

// answer adds a response, which is never refused: requests in flight bound
// them, and reading pauses while too many wait.
func (l *Lane) answer(frame func(b []byte) []byte) error {
	before := len(l.buf)
	o := &l.conn.out
	return l.append(func(b []byte) []byte {
		b = frame(b)
		n := len(b) - before + 1
		l.answers += n
		o.answers += n
		return b
	}, true)
}

// wakeUp puts the lane in line and releases the mutex.
func (l *Lane) wakeUp() {
	if l.ready() {
		l.conn.out.push(l)
	}
	l.conn.out.kick(false)
}

// mark adds a mark at the end of the stream.
func (l *Lane) mark(m *mark) {
	m.at = l.offset + int64(len(l.buf)-l.head)
	l.marks = append(l.marks, m)
}

// tail is the mark at the very end of the stream, if one is there.
func (l *Lane) tail() *mark {
	if n := len(l.marks); n > 0 && l.marks[n-1].at == l.offset+int64(len(l.buf)-l.head) {
		return l.marks[n-1]
	}
	return nil
}

func (l *Lane) tailGap() *gap {
	if m := l.tail(); m != nil {
		return m.gap
	}
	return nil
}

// ready says whether take would take something.
func (l *Lane) ready() bool {
	if len(l.marks) == 0 {
		return l.head < len(l.buf)
	}
	m := l.marks[0]
	if m.at > l.offset || m.live != nil {
		return true
	}
	g := m.gap
	return g.head < len(g.buf) || g.from > g.to || g.failed || !g.reading
}

// take moves up to n bytes of whole frames, or one longer frame, to b.
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
			size = cut(l.buf[l.head:l.head+size], end-len(b))
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
			l.conn.counts.linesOut.Add(1)
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
	if l.pending() < l.conn.limits.Lane/8 {
		l.behind = false
		l.letIn()
	}
	return b
}

func (l *Lane) unmark() {
	l.marks[0] = nil
	if l.marks = l.marks[1:]; len(l.marks) == 0 {
		l.marks = nil
	}
}

// compact gives room back.
func (l *Lane) compact() {
	rest := len(l.buf) - l.head
	switch {
	case rest == 0 && cap(l.buf) > keepBuffer:
		l.buf, l.head = nil, 0
	case rest == 0:
		l.buf, l.head = l.buf[:0], 0
	case l.head > rest && l.head > quantum:
		l.buf, l.head = l.buf[:copy(l.buf, l.buf[l.head:])], 0
	}
	l.small = min(l.small, rest)
	if over := l.answers - rest; over > 0 {
		l.answers -= over
		l.conn.out.answers -= over
	}
}

// takeGap moves what a source has read to b, and has it read on. over says that
// the gap is closed.
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
		start := len(g.buf)
		b := frame(g.buf)
		g.from = seq + 1
		if n := len(b) - start; n > c.limits.Line {
			o.mu.Unlock()
			_ = c.outputTooLong(n)
			return true
		}
		g.buf = append(b, '\n')
		c.counts.linesOut.Add(1)
		l.dropped.Reread++
		full = len(g.buf)-g.head >= gapRoom
		o.push(l)
		o.kick(false)
		return !full
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
	failed := g.failed
	l.wakeUp()
	if failed {
		c.report(Diagnostic{Kind: SourceFailed, Err: err})
	}
}

// await waits until less than n bytes wait, once and for a bounded time: a
// reader that did not get there in that time is behind, and is not waited for
// again until it has caught up. It releases the mutex while it waits.
func (l *Lane) await(n int) {
	o, wait := &l.conn.out, l.conn.limits.LiveWait
	if wait == 0 || l.behind {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for !l.closed && o.err == nil && l.pending() >= n {
		if l.room == nil {
			l.room = make(chan struct{})
		}
		room := l.room
		o.mu.Unlock()
		late := false
		select {
		case <-room:
		case <-timer.C:
			late = true
		}
		o.mu.Lock()
		if late && l.pending() >= n {
			l.behind = true
			return
		}
	}
}

// letIn wakes those who wait for room.
func (l *Lane) letIn() {
	if l.room != nil {
		close(l.room)
		l.room = nil
	}
}

// drop forgets everything, because the connection is over.
func (l *Lane) drop() {
	l.dead, l.closed = true, true
	l.buf, l.head, l.marks, l.held, l.answers, l.small = nil, 0, nil, 0, 0, 0
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
