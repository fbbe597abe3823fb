package jsonrpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

const (
	flushAt  = 16 << 10 // a write is at least so long under load: see Conn.gather
	quantum  = 8 << 10  // what one lane may add before the next has its turn
	keepSpan = 128 << 10
	keepLong = 2 << 20 // the one buffer that is kept for long frames

	// writeMost is what one write is at most: one as large as a pipe would have
	// the reader and the writer take turns.
	writeMost = 32 << 10

	// burstTick is how long a live frame waits at most for others to go with it,
	// while they come faster than they could be written one by one.
	burstTick = 500 * time.Microsecond
)

// when says how much hurry a frame has.
type when uint8

const (
	soon when = iota // live frames: in a burst they gather
	next             // the writer writes it
	now              // the caller writes it, if that can be done without blocking
)

// output is the writing side of a connection. Frames of the connection itself
// lie in buf; lanes have their own memory and stand in line while they have
// something to write.
//
// Writing needs the pen, and one goroutine at a time has it: the writer, or
// one that has just added a frame and tries to write it without blocking,
// which saves waking the writer. Whoever adds a frame while the pen is taken
// leaves it to its holder, and so frames gather.
//
// A burst begins when live frames came while the writer wrote others. Until it
// is over the writer sleeps, whoever has filled a write writes it, and what is
// left when the writer wakes is its own: that keeps a flood on one thread.
type output struct {
	conn   *Conn
	w      io.Writer
	try    func(b []byte) (int, error) // writes what fits without blocking; nil: there is no such way
	wake   chan struct{}               // gives the writer the pen
	quit   chan struct{}               // closed by stop
	broken chan struct{}               // closed with the first error

	mu      sync.Mutex // guards what follows
	buf     []byte     // frames of the connection itself
	spares  [][]byte   // buffers that are not in use
	long    []byte     // another one, for long frames
	chunk   []byte     // what is being written, from its beginning
	rest    []byte     // what of it has not been
	inHand  int        // bytes of buf that are being written
	owed    int        // bytes of answers in buf
	owing   int        // bytes of answers that are being written
	answers int        // bytes of answers that wait in lanes
	reading int        // lanes that wait for their sources
	pen     bool       // somebody has the pen
	burst   bool       // the writer sleeps for a tick
	fresh   int        // bytes that were added since the last gather
	urgent  bool       // some of them may not wait for a tick
	corked  bool       // the reader has more lines, and will flush
	err     error
	first   *Lane // lanes with something to write, in turn
	last    *Lane
	room    chan struct{} // closed when unsent falls; nil: nobody waits
	empty   chan struct{} // closed when nothing waits; nil: nobody waits
	writes  uint64        // counts writes that ended
	bytes   uint64        // counts what they wrote
	lines   uint64        // counts frames
}

func (o *output) init(c *Conn, w io.Writer) {
	o.conn, o.w = c, w
	o.wake = make(chan struct{}, 1)
	o.quit = make(chan struct{})
	o.broken = make(chan struct{})
	o.try = tryWriter(w)
}

// unsent is how many bytes outside of lanes wait for the peer. mu is held.
func (o *output) unsent() int { return len(o.buf) + o.inHand }

// owes is how many bytes of answers wait for the peer. mu is held.
func (o *output) owes() int { return o.owed + o.owing + o.answers }

// owesTooMuch is nil if reading may go on, and else closed when it may.
func (o *output) owesTooMuch() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil || o.owes() <= o.conn.limits.Unsent {
		return nil
	}
	return o.waitRoom()
}

// append adds one frame to the connection's own order. mu is held, and
// released. hurry says that the caller may write.
func (o *output) append(frame func(b []byte) []byte, answer, hurry bool) error {
	if o.buf == nil {
		o.buf = o.lend()
	}
	start := len(o.buf)
	defer o.undo(start)
	b := frame(o.buf)
	if n := len(b) - start; n > o.conn.limits.Line {
		o.buf = b[:start]
		o.mu.Unlock()
		return o.conn.outputTooLong(n)
	}
	o.buf = append(b, '\n')
	if answer {
		o.owed += len(o.buf) - start
	}
	o.lines++
	o.urgent = true
	if hurry {
		o.kick(now)
	} else {
		o.kick(next)
	}
	return nil
}

// undo lets go of the mutex when a frame panics while it is appended.
func (o *output) undo(start int) {
	if v := recover(); v != nil {
		o.buf = o.buf[:start]
		o.mu.Unlock()
		panic(v)
	}
}

func (c *Conn) outputTooLong(n int) error {
	c.report(Diagnostic{Kind: OutputTooLong, Bytes: int64(n)})
	return &Fault{Kind: LimitFault, Limit: LimitLine, Value: int64(c.limits.Line), Detail: "the message is longer than the line limit"}
}

// encodePanic is the fault of a result that could not be encoded.
func (c *Conn) encodePanic(v any) error {
	err := fmt.Errorf("a message could not be encoded: %v\n%s", v, debug.Stack())
	c.report(Diagnostic{Kind: HandlerPanic, Err: err})
	return &Fault{Kind: InternalFault, Err: err}
}

// answer adds a response, to a lane if there is one.
func (o *output) answer(l *Lane, frame func(b []byte) []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = o.conn.encodePanic(v)
		}
	}()
	o.mu.Lock()
	if o.err != nil {
		err := o.err
		o.mu.Unlock()
		return &ConnectionLostError{Err: err}
	}
	if l != nil {
		return l.answer(frame)
	}
	return o.append(frame, true, true)
}

// call adds a request to the peer. It waits while the peer does not read.
func (o *output) call(ctx context.Context, frame []byte, crowd bool) error {
	o.mu.Lock()
	for o.err == nil && o.unsent() > o.conn.limits.Unsent {
		room := o.waitRoom()
		o.mu.Unlock()
		select {
		case <-room:
		case <-o.broken:
		case <-ctx.Done():
			return ctx.Err()
		}
		o.mu.Lock()
	}
	if o.err != nil {
		err := o.err
		o.mu.Unlock()
		return &ConnectionLostError{Err: err}
	}
	if o.buf == nil {
		o.buf = o.lend()
	}
	o.buf = append(append(o.buf, frame...), '\n')
	o.lines++
	if crowd && !o.pen {
		// Others are calling too: let them add their frames to this write.
		o.pen = true
		o.mu.Unlock()
		runtime.Gosched()
		o.mu.Lock()
		o.pen = false
	}
	o.urgent = true
	o.kick(now)
	return nil
}

// waitRoom is closed when unsent falls below its limit. mu is held.
func (o *output) waitRoom() <-chan struct{} {
	if o.room == nil {
		o.room = make(chan struct{})
	}
	return o.room
}

// kick sees to it that what was added gets written: by whoever has the pen, by
// the caller, or by the writer. mu is held, and released.
func (o *output) kick(hurry when) {
	if o.pen || o.err != nil || o.corked && o.unsent() < flushAt || o.burst && hurry == soon && o.fresh < flushAt {
		o.mu.Unlock()
		return
	}
	o.pen = true
	if hurry != now && !o.burst || o.try == nil {
		o.mu.Unlock()
		o.wake <- struct{}{}
		return
	}
	if chunk := o.gather(); len(chunk) > 0 {
		o.mu.Unlock()
		n, err := o.try(chunk)
		o.mu.Lock()
		o.settle(chunk, n, err)
	}
	if o.err == nil && (len(o.rest) > 0 || o.waiting() && (!o.burst || hurry != soon)) {
		o.mu.Unlock()
		o.wake <- struct{}{}
		return
	}
	o.layDown()
}

// layDown gives the pen back. mu is held, and released.
func (o *output) layDown() {
	o.pen = false
	o.nothing()
	failed := o.err != nil
	o.mu.Unlock()
	if failed {
		o.conn.stop()
	}
}

// cork has frames gather until uncork, if there are not too many: the reader
// has more lines to handle.
func (o *output) cork(corked bool) {
	o.mu.Lock()
	o.corked = corked
	o.mu.Unlock()
}

// uncork writes what has gathered.
func (o *output) uncork() {
	o.mu.Lock()
	o.corked = false
	if !o.waiting() {
		o.mu.Unlock()
		return
	}
	o.kick(now)
}

// waiting says whether there is something to gather. mu is held.
func (o *output) waiting() bool { return len(o.buf) > 0 || o.first != nil }

// gather takes what is to be written next: the frames of the connection, then
// those of one lane at least, and of more in turn up to flushAt. mu and the pen
// are held.
func (o *output) gather() []byte {
	o.fresh, o.urgent = 0, false
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
	}
	return b
}

// settle accounts for a write. mu and the pen are held.
func (o *output) settle(chunk []byte, n int, err error) {
	o.writes++
	o.bytes += uint64(max(n, 0))
	if err != nil {
		o.fail(err)
		return
	}
	if n < len(chunk) {
		o.rest = chunk[n:]
		return
	}
	o.recycle(o.chunk)
	o.chunk, o.rest, o.inHand, o.owing = nil, nil, 0, 0
	if enough := o.conn.limits.Unsent / 2; o.room != nil && o.unsent() <= enough && o.owes() <= enough {
		close(o.room)
		o.room = nil
	}
}

// maxSpares is how many buffers go round: one is filled, one is written, and one
// is at hand.
const maxSpares = 3

// recycle keeps a buffer for the next that needs one. mu is held.
func (o *output) recycle(b []byte) {
	switch {
	case cap(b) == 0 || cap(b) > keepLong:
	case cap(b) > keepSpan:
		if cap(b) > cap(o.long) {
			o.long = b[:0]
		}
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
	}
	return b
}

// lendLong gives an empty buffer for so many bytes. mu is held.
func (o *output) lendLong(size int) []byte {
	if b := o.long; cap(b) >= size {
		o.long = nil
		return b
	}
	return make([]byte, 0, size)
}

// fail ends writing. mu is held.
func (o *output) fail(err error) {
	if o.err != nil {
		return
	}
	o.err = err
	o.buf, o.chunk, o.rest, o.spares, o.long = nil, nil, nil, nil, nil
	o.inHand, o.owed, o.owing, o.answers = 0, 0, 0, 0
	for l := o.pop(); l != nil; l = o.pop() {
		l.drop()
	}
	close(o.broken)
	o.nothing()
}

// nothing tells those who wait that nothing waits any more. mu is held.
func (o *output) nothing() {
	if o.empty != nil && (o.err != nil || !o.waiting() && len(o.rest) == 0 && o.reading == 0) {
		close(o.empty)
		o.empty = nil
	}
}

// run is the writer.
func (o *output) run() {
	tick := time.NewTimer(burstTick)
	tick.Stop()
	for {
		select {
		case <-o.wake:
		case <-o.quit:
			return
		}
		for o.write() && o.sleep(tick) {
		}
	}
}

// write writes what there is. The pen is held, and released. It is true if a
// burst has begun, or goes on, and what is left may wait for a tick.
func (o *output) write() (burst bool) {
	o.mu.Lock()
	o.burst = false
	for o.err == nil && (len(o.rest) > 0 || o.waiting()) {
		chunk := o.rest
		if len(chunk) == 0 {
			chunk = o.gather()
			if len(chunk) == 0 {
				continue
			}
		}
		o.mu.Unlock()
		part := chunk[:min(len(chunk), writeMost)]
		n, err := o.w.Write(part)
		if err == nil && n < len(part) {
			err = io.ErrShortWrite
		}
		o.mu.Lock()
		o.settle(chunk, n, err)
		if o.try != nil && o.err == nil && len(o.rest) == 0 && 0 < o.fresh && o.fresh < flushAt && !o.urgent {
			o.burst = true
			break
		}
	}
	burst = o.burst
	o.layDown()
	return burst
}

// sleep is the writer's during a burst. It is true when the writer has the pen,
// and false when the burst is over.
func (o *output) sleep(tick *time.Timer) bool {
	writes := uint64(0)
	for {
		tick.Reset(burstTick)
		select {
		case <-o.wake:
			return true
		case <-o.quit:
			return false
		case <-tick.C:
		}
		o.mu.Lock()
		switch {
		case o.pen: // whoever has it writes all there is, or hands it over
		case o.waiting():
			o.pen = true
			o.mu.Unlock()
			return true
		case o.writes == writes:
			o.burst = false
			o.mu.Unlock()
			return false
		}
		writes = o.writes
		o.mu.Unlock()
	}
}

// stop ends the writer; what still waits is not written.
func (o *output) stop() {
	o.mu.Lock()
	o.fail(ErrClosed)
	o.mu.Unlock()
	close(o.quit)
}

// failure is what ended writing, nil if nothing did.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// flushed is closed once nothing waits.
func (o *output) flushed() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.empty == nil {
		o.empty = make(chan struct{})
	}
	ch := o.empty
	if !o.pen {
		o.nothing()
	}
	return ch
}

// push puts a lane at the end of the line. mu is held.
func (o *output) push(l *Lane) {
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
