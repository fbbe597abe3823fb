// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// output is the writing side of a connection. Frames of the connection itself
// lie in buf; lanes have their own memory and stand in line while they have
// something to write.
//
// Writing needs the pen, and one goroutine at a time has it: the writer, or one
// that has just added a frame and tries to write it without blocking, which
// saves waking the writer. A goroutine that adds a frame while the pen is taken
// leaves it to the holder, and so frames gather.
//
// A burst begins when live frames came while the writer wrote others. Until it
// is over the writer sleeps, the goroutine that has filled a write writes it,
// and the writer writes what is left when it wakes: that keeps a flood on one
// thread.
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
	chunk   []byte     // what is being written, from its beginning
	rest    []byte     // what of it has not been
	inHand  int        // bytes of buf that are being written
	owed    int        // bytes of answers in buf
	owing   int        // bytes of answers that are being written
	answers int        // bytes of answers that wait in lanes
	long    int        // bytes of events there that are longer than their lanes' bounds, about
	reading int        // lanes that wait for their sources
	pen     bool       // a goroutine has the pen
	burst   bool       // the writer sleeps for a tick
	fresh   int        // bytes that were added since the last gather
	corked  bool       // the reader has more lines, and will flush
	err     error
	first   *Lane // lanes with something to write, in turn
	last    *Lane
	hasty   int           // lanes among them that may not wait for a tick
	room    chan struct{} // closed when unsent falls; nil: no goroutine waits
	empty   chan struct{} // closed when nothing waits; nil: no goroutine waits
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

// owesTooMuch is nil if reading may continue, and otherwise closed when it may.
func (o *output) owesTooMuch() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil || o.owes() <= o.conn.limits.Unsent {
		return nil
	}
	return o.waitRoom()
}

// put adds a frame to a lane, or to the connection's own order if l is nil, and its
// bytes to counts. It returns what is to be done once mu, which is held, is
// released. Of a frame that cannot be written nothing stays.
func (o *output) put(l *Lane, hurry when, frame func(b []byte) []byte, counts ...*int) (todo, error) {
	buf := &o.buf
	if l != nil {
		buf = &l.buf
	}
	if *buf == nil {
		*buf = o.lend()
	}
	start := len(*buf)
	b, err := encode(*buf, frame, o.conn.limits.Line)
	if err != nil {
		return todo{}, err
	}
	*buf = append(b, '\n')
	n := len(*buf) - start
	for _, count := range counts {
		*count += n
	}
	o.lines++
	if l != nil {
		o.fresh += n
		if hurry != soon {
			l.hurried = l.end()
		}
		o.push(l)
	}
	return o.kick(hurry), nil
}

// encode appends a frame to b. The error is an *encodeError.
func encode(b []byte, frame func(b []byte) []byte, limit int) (_ []byte, err error) {
	start := len(b)
	defer func() {
		if v := recover(); v != nil {
			err = &encodeError{panicked: v, stack: debug.Stack()}
		}
	}()
	if b = frame(b); len(b)-start > limit {
		return nil, &encodeError{size: len(b) - start}
	}
	return b, nil
}

// encodeError is why a frame was not written: it panicked, or is too long.
type encodeError struct {
	panicked any
	stack    []byte
	size     int
}

func (e *encodeError) Error() string {
	return fmt.Sprintf("a message could not be encoded: %v\n%s", e.panicked, e.stack)
}

// unwritten reports why a frame was not written, and returns the fault for it. No
// lock is held.
func (c *Conn) unwritten(err error) error {
	e, ok := err.(*encodeError)
	switch {
	case !ok:
		return err
	case e.panicked != nil:
		c.report(Diagnostic{Kind: HandlerPanic, Err: e})
		return &Fault{Kind: InternalFault, Err: e}
	}
	c.report(Diagnostic{Kind: OutputTooLong, Bytes: int64(e.size)})
	return &Fault{Kind: LimitFault, Limit: LimitLine, Value: int64(c.limits.Line), Detail: "the message is longer than the line limit"}
}

// answer adds a response, to a lane if there is one. It is never refused: requests
// in flight bound them, and reading pauses while too many wait.
func (o *output) answer(l *Lane, frame func(b []byte) []byte) error {
	count := &o.owed
	if l != nil {
		count = &o.answers
	}
	o.mu.Lock()
	if o.err != nil {
		err := o.err
		o.mu.Unlock()
		return &ConnectionLostError{Err: err}
	}
	var next todo
	var err error
	if l == nil {
		next, err = o.put(nil, now, frame, count)
	} else {
		next, err = o.put(l, now, frame, count, &l.answers)
	}
	o.mu.Unlock()
	o.do(next)
	return o.conn.unwritten(err)
}

// notify adds a notification in the connection's own order.
func (o *output) notify(frame func(b []byte) []byte) error {
	o.mu.Lock()
	err := o.err
	if err != nil {
		err = &ConnectionLostError{Err: err}
	} else if o.unsent() > o.conn.limits.Unsent {
		err = ErrFull
	}
	var next todo
	if err == nil {
		next, err = o.put(nil, now, frame)
	}
	o.mu.Unlock()
	o.do(next)
	return o.conn.unwritten(err)
}

// call adds requests to the peer, which leave together. It waits while the peer
// does not read.
func (o *output) call(ctx context.Context, crowd bool, frames ...[]byte) error {
	for {
		o.mu.Lock()
		if err := o.err; err != nil {
			o.mu.Unlock()
			return &ConnectionLostError{Err: err}
		}
		if o.unsent() <= o.conn.limits.Unsent {
			break
		}
		room := o.waitRoom()
		o.mu.Unlock()
		select {
		case <-room:
		case <-o.broken:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if o.buf == nil {
		o.buf = o.lend()
	}
	for _, frame := range frames {
		o.buf = append(append(o.buf, frame...), '\n')
		o.lines++
	}
	gather := crowd && !o.pen
	var next todo
	if gather {
		o.pen = true
	} else {
		next = o.kick(now)
	}
	o.mu.Unlock()
	if gather {
		// Others are calling too: let them add their frames to this write.
		runtime.Gosched()
		o.mu.Lock()
		o.pen = false
		next = o.kick(now)
		o.mu.Unlock()
	}
	o.do(next)
	return nil
}

// waitRoom is closed when unsent falls below its limit. mu is held.
func (o *output) waitRoom() <-chan struct{} {
	if o.room == nil {
		o.room = make(chan struct{})
	}
	return o.room
}

// fail ends writing. mu is held.
func (o *output) fail(err error) {
	if o.err != nil {
		return
	}
	o.err = err
	o.buf, o.chunk, o.rest, o.spares = nil, nil, nil, nil
	o.inHand, o.owed, o.owing, o.answers, o.long = 0, 0, 0, 0, 0
	for l := o.pop(); l != nil; l = o.pop() {
		l.drop()
	}
	close(o.broken)
	o.nothing()
}

// nothing notifies the waiters that nothing waits any more. mu is held.
func (o *output) nothing() {
	if o.empty != nil && (o.err != nil || !o.waiting() && len(o.rest) == 0 && o.reading == 0) {
		close(o.empty)
		o.empty = nil
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
