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

// append adds one frame to the connection's own order. mu is held, and
// released.
func (o *output) append(frame func(b []byte) []byte, answer bool) error {
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
	o.kick(now)
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
	return o.append(frame, true)
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
