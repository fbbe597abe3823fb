// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"errors"

	"github.com/accordkit/accord/runtime/codec"
)

// Call is one request to the peer. Calls are pooled: Begin gives one, Release
// takes it back, and nothing of it may be used after that.
//
//	call := conn.Begin("session/cancel")
//	call.Buf = params.AppendJSON(call.Buf)
//	err := call.Send(ctx)
//	if err == nil { err = call.Read(&result) }
//	call.Release()
type Call struct {
	// Buf is the beginning of the frame. Append the params to it, as one JSON
	// object; if nothing is, the request has no params.
	Buf []byte

	// Gate, if set, decides when the answer is handed out.
	Gate Gate

	// Late, if set, is called with the answer if the context of Send or Wait
	// ended before it came, or with the error if the connection was lost
	// meanwhile: so that a caller who has gone can still undo what was
	// accepted. It runs on the reading goroutine, must not block, and the call
	// is released after it.
	Late func(*Call)

	// Follow says that Wait must not read lines itself: the caller is one that
	// handlers wait for.
	Follow bool

	// Before, if set, is a call of the same connection that Start starts too: its
	// request leaves first, and in the same write. Each is waited for by itself. It
	// does not go with Via.
	Before *Call

	conn   *Conn
	lane   *Lane // whose order the request keeps; nil: the connection's own
	id     int64
	head   int       // length of Buf before the params
	sealed bool      // Buf is the whole frame
	state  callState // guarded by conn.mu
	done   chan struct{}
	answer []byte // the result, as it was written
	err    error
	gone   bool // guarded by conn.mu: the caller has released it
	over   bool // guarded by conn.mu
	dec    codec.Decoder
}

type callState uint8

const (
	callIdle      callState = iota // not started
	callPending                    // in the table
	callAnswered                   // with its gate, or finished
	callAbandoned                  // the caller has gone; the goroutine that finishes it releases it
	callFinished
)

// Gate holds an answer back until what came before it has been dealt with.
type Gate interface {
	// Pass takes a call that has been answered. It runs on the reading
	// goroutine, must not block, and must see to it that c.Finish is called in
	// the end, by any goroutine.
	Pass(c *Call)
}

const paramsKey = `,"params":`

// Begin takes a call from the pool. Params are appended to its Buf; a request
// for which nothing was has no member params.
func (c *Conn) Begin(method string) *Call {
	call, _ := c.pool.Get().(*Call)
	if call == nil {
		call = &Call{done: make(chan struct{}, 1)}
	}
	call.conn = c
	call.id = c.lastCall.Add(1)
	b := append(call.Buf[:0], `{"jsonrpc":"2.0","id":`...)
	b = codec.AppendInt(b, call.id)
	b = append(b, `,"method":`...)
	b = codec.AppendString(b, method)
	call.Buf = append(b, paramsKey...)
	call.head = len(call.Buf)
	return call
}

// ID is the id that the request has on the wire.
func (call *Call) ID() ID { return IntID(call.id) }

// Send sends the request and waits for its answer: Start and Wait in one.
func (call *Call) Send(ctx context.Context) error {
	if err := call.Start(ctx); err != nil {
		return err
	}
	return call.Wait(ctx)
}

// Seal ends the frame: its params are complete. Start does so too. The error is a
// *Fault when the frame is longer than Limits.Line.
func (call *Call) Seal() error {
	if call.sealed {
		return nil
	}
	if len(call.Buf) == call.head {
		call.Buf = call.Buf[:call.head-len(paramsKey)] // none is not the same as {}
	}
	call.Buf = append(call.Buf, '}')
	call.sealed = true
	if c := call.conn; len(call.Buf) > c.limits.Line {
		c.report(Diagnostic{Kind: OutputTooLong, Bytes: int64(len(call.Buf))})
		return &Fault{Kind: LimitFault, Limit: LimitLine, Value: int64(c.limits.Line), Detail: "the request is longer than the line limit"}
	}
	return nil
}

// Start sends the request without waiting for its answer. It waits, until the
// context ends, only while the peer does not read what waits for it. The error
// is the context's, a *ConnectionLostError, or a *Fault when the frame is
// longer than Limits.Line; nothing was then sent, of Before neither.
func (call *Call) Start(ctx context.Context) error {
	c, first := call.conn, call.Before
	switch {
	case first == nil:
	case call.lane != nil:
		return errBefore
	default:
		if err := first.Seal(); err != nil {
			return err
		}
	}
	if err := call.Seal(); err != nil {
		return err
	}
	c.mu.Lock()
	if c.ended != nil {
		err := c.ended
		c.mu.Unlock()
		return &ConnectionLostError{Err: err}
	}
	call.enter()
	if first != nil {
		first.enter()
	}
	crowd := len(c.calls)-c.lost > 1
	c.mu.Unlock()
	var err error
	switch {
	case call.lane == nil && first != nil:
		err = c.out.call(ctx, false, first.Buf, call.Buf)
	case call.lane == nil:
		err = c.out.call(ctx, crowd, call.Buf)
	case !call.lane.Frame(func(b []byte) []byte { return append(b, call.Buf...) }):
		err = ErrFull
	}
	if err == nil {
		return nil
	}
	call.leave()
	if first != nil {
		first.leave()
	}
	return err
}

var errBefore = errors.New("two calls leave in one write in the order of the connection alone, and not in that of a lane")

// enter puts the call into the table. conn.mu is held.
func (call *Call) enter() {
	call.state = callPending
	call.conn.calls[call.id] = call
}

// leave takes a call that was not sent out of the table.
func (call *Call) leave() {
	c := call.conn
	c.mu.Lock()
	mine := call.state == callPending
	if mine {
		delete(c.calls, call.id)
		call.state = callIdle
	}
	c.mu.Unlock()
	if !mine { // failCalls was quicker
		<-call.done
	}
}

// Via has the request, and its withdrawal, keep their place in the order of a
// lane. Start then never waits: its error is ErrFull if the lane does not take
// the frame.
func (call *Call) Via(l *Lane) { call.lane = l }

// Withdraw gives the call up, unless the peer answered it: a peer that
// negotiated is sent $/cancel_request before Withdraw returns, also if the
// connection's input has ended meanwhile. Who waits for the answer ends the
// context of Wait then. It must not be called after Release.
func (call *Call) Withdraw() {
	call.conn.mu.Lock()
	pending := call.state == callPending
	if pending {
		call.drop()
	}
	var lost *ConnectionLostError
	open := pending || call.state == callFinished && errors.As(call.err, &lost)
	call.conn.mu.Unlock()
	if open {
		call.sendCancel()
	}
}

// drop gives a pending call up. conn.mu is held.
func (call *Call) drop() {
	call.state = callAbandoned
	if call.Late == nil {
		call.conn.forget(call.id)
		call.over = true
	}
}

// sendCancel sends $/cancel_request to a peer that negotiated.
func (call *Call) sendCancel() {
	c, id := call.conn, call.id
	if !c.Strict() {
		return
	}
	params := func(b []byte) []byte {
		b = append(b, `{"requestId":`...)
		b = codec.AppendInt(b, id)
		return append(b, '}')
	}
	if call.lane != nil {
		call.lane.Frame(func(b []byte) []byte { return AppendNotification(b, cancelMethod, params) })
		return
	}
	_ = c.Notify(cancelMethod, params)
}

// Wait waits for the answer. The error is an *Error that the peer sent, the
// context's, a *ResponseError, or a *ConnectionLostError. When the context ends
// first the request is abandoned: a peer that negotiated is notified with
// $/cancel_request.
func (call *Call) Wait(ctx context.Context) error {
	if !call.Follow && ctx.Err() == nil {
		call.conn.lead(call)
	}
	select {
	case <-call.done:
		return call.err
	case <-ctx.Done():
		return call.abandon(ctx.Err())
	}
}

// abandon gives the call up, unless its answer has just come.
func (call *Call) abandon(err error) error {
	c := call.conn
	c.mu.Lock()
	switch call.state {
	case callFinished:
		c.mu.Unlock()
		<-call.done
		return call.err
	case callPending:
		call.drop()
		c.mu.Unlock()
		call.sendCancel()
	default: // answered, and held back by its gate
		call.state = callAbandoned
		c.mu.Unlock()
	}
	return err
}

// Finish hands the answer out. Only a Gate calls it.
func (call *Call) Finish() {
	c := call.conn
	c.mu.Lock()
	if call.state != callAbandoned {
		call.state = callFinished
		c.mu.Unlock()
		call.done <- struct{}{}
		return
	}
	c.mu.Unlock()
	if call.Late != nil {
		call.Late(call)
	}
	c.mu.Lock()
	call.over = true
	gone := call.gone
	c.mu.Unlock()
	if gone {
		call.recycle()
	}
}

// Err is what Wait returned, or what Late gets: nil when the peer answered with
// a result.
func (call *Call) Err() error { return call.err }

// Read reads the result into v. A member of the wrong shape counts as missing,
// and is reported, as is the first required one that a strict peer left out; what
// makes the result none that v can take is a *ResponseError.
func (call *Call) Read(v codec.Reader) error {
	d := call.Result()
	d.Mend, d.Firm, d.Whole = true, true, call.conn.Strict()
	v.DecodeJSON(d)
	wrong := false // and so reported: it is not reported once more as missing
	for err := d.Err(); err != nil; err = d.Err() {
		if !d.Mended() {
			return &ResponseError{Err: err}
		}
		wrong = true
		call.conn.report(Diagnostic{Kind: InvalidMember, ID: call.ID(), Err: err})
		v.DecodeJSON(d)
	}
	if err := d.Lacking(); err != nil && !wrong {
		call.conn.report(Diagnostic{Kind: InvalidMember, ID: call.ID(), Err: err})
	}
	return nil
}

// ReadExact is Read for callers that act on a result and need all of it: a
// member of the wrong shape is a *ResponseError too.
func (call *Call) ReadExact(v codec.Reader) error {
	d := call.Result()
	v.DecodeJSON(d)
	if err := d.Err(); err != nil {
		return &ResponseError{Err: err}
	}
	return nil
}

// Result reads the result. It belongs to the call, and what is borrowed from
// it ends with Release. A peer that answered without a result gave {}.
func (call *Call) Result() *codec.Decoder {
	call.dec.Strict, call.dec.Lax = false, !call.conn.Strict()
	call.dec.Mend, call.dec.Firm, call.dec.Whole = false, false, false
	call.dec.MaxDepth = call.conn.limits.Depth
	if len(call.answer) == 0 {
		call.dec.Reset([]byte("{}"))
	} else {
		call.dec.Reset(call.answer)
	}
	return &call.dec
}

// Release gives the call back. Every call that Begin gave is released once.
func (call *Call) Release() {
	c := call.conn
	c.mu.Lock()
	free := call.over || call.state == callIdle || call.state == callFinished
	call.gone = true
	c.mu.Unlock()
	if free {
		call.recycle()
	}
}

// keepBuffer is how large a buffer may be to be kept for the next use.
const keepBuffer = 64 << 10

func (call *Call) recycle() {
	pool := &call.conn.pool
	call.conn, call.lane, call.Gate, call.Late, call.Before, call.err = nil, nil, nil, nil, nil, nil
	call.state, call.gone, call.over, call.id, call.Follow, call.sealed = callIdle, false, false, 0, false, false
	call.dec.Reset(nil)
	if cap(call.Buf) > keepBuffer {
		call.Buf = nil
	}
	if cap(call.answer) > keepBuffer {
		call.answer = nil
	}
	pool.Put(call)
}

// maxLost is how many abandoned calls a connection remembers: their answers
// are late, those of others unknown.
const maxLost = 1024

// forget drops a call whose answer no caller waits for. conn.mu is held.
func (c *Conn) forget(id int64) {
	if c.lost >= maxLost {
		delete(c.calls, id)
		return
	}
	c.calls[id] = nil
	c.lost++
}

// answered takes the call that a response is for out of the table. It is nil if
// no caller waits for it, and then the kind says why.
func (c *Conn) answered(id ID) (*Call, DiagnosticKind) {
	key := id.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	call, known := c.calls[key.num]
	if !known || key.kind != intID {
		return nil, UnknownResponse
	}
	delete(c.calls, key.num)
	if call == nil {
		c.lost--
		return nil, LateResponse
	}
	if call.state == callPending {
		call.state = callAnswered
	}
	return call, 0
}

// pass hands an answer to the call's gate, or to its caller.
func (call *Call) pass() {
	if call.Gate != nil {
		call.Gate.Pass(call)
	} else {
		call.Finish()
	}
}

// failCalls ends every call that waits, and those that come later.
func (c *Conn) failCalls(err error) {
	c.mu.Lock()
	c.ended = err
	failed := make([]*Call, 0, len(c.calls))
	for _, call := range c.calls {
		if call != nil {
			call.err = &ConnectionLostError{Err: err}
			failed = append(failed, call)
		}
	}
	clear(c.calls)
	c.lost = 0
	c.mu.Unlock()
	for _, call := range failed {
		call.Finish()
	}
}
