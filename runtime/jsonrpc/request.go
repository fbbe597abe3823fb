// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
)

// Request is one request of the peer. It is answered exactly once, with Reply
// or Fail, by any goroutine and at any time (rule E8); what comes after the
// first answer is dropped and counted.
type Request struct {
	Op     Op
	Method string
	ID     ID

	// Params is what Handler.Params returned, nil when params are no object. The
	// connection lets go of it when Handler.Request returns.
	Params any

	// Raw is params as they were written, nil when there are none. It is borrowed
	// and ends when Handler.Request returns.
	Raw []byte

	// Err is why params are not as the method wants them: a *codec.Error from
	// Handler.Params, or a *Fault when they are no object at all.
	Err error

	conn     *Conn
	lane     *Lane
	silent   bool // a notification in truth
	answered atomic.Bool

	// Guarded by conn.mu.
	listed    bool
	cancelled bool
	ctx       context.Context
	cancel    context.CancelFunc
	watcher   Watcher
}

// Conn is the connection on which the request came.
func (r *Request) Conn() *Conn { return r.conn }

// Silent reports whether the request came as a notification: the peer gets no
// answer to it.
func (r *Request) Silent() bool { return r.silent }

// Context ends when the peer abandons the request, when the connection ends,
// and with the answer.
func (r *Request) Context() context.Context {
	c := r.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ctx == nil {
		r.ctx, r.cancel = context.WithCancel(c.ctx)
		if r.cancelled || r.answered.Load() {
			r.cancel()
		}
	}
	return r.ctx
}

// Cancelled says whether the peer has abandoned the request.
func (r *Request) Cancelled() bool {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	return r.cancelled
}

// OnCancel has f called once if the peer abandons the request, or the
// connection ends, before it is answered; at once if that has happened. f
// must not block. A second call replaces the first.
func (r *Request) OnCancel(f func()) { r.Watch(cancelFunc(f)) }

// Watcher is notified when a request need not be answered any more.
type Watcher interface{ Cancelled() }

// cancelFunc is a function as a Watcher.
type cancelFunc func()

// Cancelled implements Watcher.
func (f cancelFunc) Cancelled() { f() }

// Watch is OnCancel for those who have a method for it.
func (r *Request) Watch(w Watcher) {
	c := r.conn
	c.mu.Lock()
	if r.answered.Load() {
		c.mu.Unlock()
		return
	}
	if r.cancelled || c.ctx.Err() != nil {
		c.mu.Unlock()
		w.Cancelled()
		return
	}
	r.watcher = w
	c.mu.Unlock()
}

// Via has the answer keep its place in the order of a lane: after all that
// was put into the lane before the answer is given (rule E5).
func (r *Request) Via(l *Lane) { r.lane = l }

// Reply answers with a result; nil is {}.
func (r *Request) Reply(result codec.Appender) {
	if !r.settle() {
		return
	}
	r.write(func(b []byte) []byte {
		b = append(b, `{"jsonrpc":"2.0","id":`...)
		b = r.ID.AppendJSON(b)
		b = append(b, `,"result":`...)
		if result == nil {
			b = append(b, "{}"...)
		} else {
			b = result.AppendJSON(b)
		}
		return append(b, '}')
	})
}

// Fail answers with an error, as Config.Encode writes it. The end of the
// request's own context becomes a CancelFault if the peer abandoned it, and a
// ConnectionFault if the connection ended.
func (r *Request) Fail(err error) {
	ended := errors.Is(err, context.Canceled)
	cancelled := ended && r.Cancelled()
	if !r.settle() {
		return
	}
	switch {
	case cancelled:
		err = &Fault{Kind: CancelFault, Err: err}
	case ended && r.conn.ctx.Err() != nil:
		err = &Fault{Kind: ConnectionFault, Err: err}
	}
	r.fail(err)
}

func (r *Request) fail(err error) {
	code, message, data := r.conn.encode(err, r.conn.Strict())
	if !explained(err) {
		r.conn.report(Diagnostic{Kind: HandlerFailed, Method: r.Method, ID: r.ID, Err: err})
	}
	r.write(func(b []byte) []byte { return appendError(b, r.ID, code, message, data) })
}

// explained reports whether the peer learns what went wrong. What it does not
// learn is reported on this side.
func explained(err error) bool {
	var coded Coded
	var fault *Fault
	var wire *Error
	return errors.As(err, &coded) || errors.As(err, &fault) || errors.As(err, &wire)
}

func appendError(b []byte, id ID, code int, message string, data []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = id.AppendJSON(b)
	b = append(b, `,"error":{"code":`...)
	b = codec.AppendInt(b, int64(code))
	b = append(b, `,"message":`...)
	b = codec.AppendString(b, message)
	if len(data) > 0 {
		b = append(b, `,"data":`...)
		b = codec.AppendRaw(b, data)
	}
	return append(b, "}}"...)
}

// settle takes the right to answer, and takes the request out of the table, so
// that the peer may use its id again.
func (r *Request) settle() bool {
	if r.answered.Swap(true) {
		r.conn.report(Diagnostic{Kind: AnsweredTwice, Method: r.Method, ID: r.ID})
		return false
	}
	c := r.conn
	c.mu.Lock()
	if r.listed {
		delete(c.requests, r.ID.key())
		r.listed = false
	}
	cancel := r.cancel
	r.watcher = nil
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return true
}

// write puts the answer into its lane, or into the connection's own order. An
// answer that cannot be encoded, or is too long, becomes an error.
func (r *Request) write(frame func(b []byte) []byte) {
	if r.silent {
		return
	}
	err := r.conn.out.answer(r.lane, frame)
	if err == nil || errors.Is(err, ErrClosed) {
		return
	}
	var lost *ConnectionLostError
	if errors.As(err, &lost) {
		return
	}
	code, message, data := r.conn.encode(err, r.conn.Strict())
	_ = r.conn.out.answer(r.lane, func(b []byte) []byte { return appendError(b, r.ID, code, message, data) })
}

// Go runs a handler that may block, on a goroutine of its own that the
// connection waits for. It is false, and the request refused with an
// OverloadFault, when too many run; f is then not called. A panic in f
// answers the request with an InternalFault.
func (r *Request) Go(f func(ctx context.Context)) bool {
	c := r.conn
	ctx := r.Context()
	c.mu.Lock()
	if c.running >= c.limits.InFlight {
		c.mu.Unlock()
		c.report(Diagnostic{Kind: Overloaded, Method: r.Method, ID: r.ID})
		r.Fail(&Fault{Kind: OverloadFault})
		return false
	}
	c.running++
	c.workers.Add(1)
	c.mu.Unlock()
	go r.run(ctx, f)
	return true
}

func (r *Request) run(ctx context.Context, f func(ctx context.Context)) {
	c := r.conn
	defer func() {
		if v := recover(); v != nil {
			r.panicked(v)
		}
		c.mu.Lock()
		if c.running--; c.running == 0 && c.idle != nil {
			close(c.idle)
			c.idle = nil
		}
		c.mu.Unlock()
		c.workers.Done()
	}()
	f(ctx)
}

// panicked answers for a handler that panicked. The stack stays on this side.
func (r *Request) panicked(v any) {
	err := &Fault{Kind: InternalFault, Err: fmt.Errorf("handler of %s panicked: %v\n%s", r.Method, v, debug.Stack())}
	r.conn.report(Diagnostic{Kind: HandlerPanic, Method: r.Method, ID: r.ID, Err: err.Err})
	if !r.answered.Load() && r.settle() {
		r.fail(err)
	}
}

// cancelRequests ends every request that is still open, because the
// connection has.
func (c *Conn) cancelRequests() {
	c.mu.Lock()
	var told []Watcher
	for _, r := range c.requests {
		if r.watcher != nil {
			told = append(told, r.watcher)
			r.watcher = nil
		}
	}
	c.mu.Unlock()
	for _, w := range told {
		w.Cancelled()
	}
}

// cancelRequest is the effect of $/cancel_request. An id that is not in
// flight is over, which is no error.
func (c *Conn) cancelRequest(id ID) {
	c.mu.Lock()
	r := c.requests[id.key()]
	if r == nil || r.cancelled {
		c.mu.Unlock()
		return
	}
	r.cancelled = true
	cancel, told := r.cancel, r.watcher
	r.watcher = nil
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	if told != nil {
		told.Cancelled()
	}
}
