// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/accordkit/accord/runtime/codec"
)

// Conn is one end of a connection.
type Conn struct {
	handler  Handler
	limits   Limits
	encode   func(err error, strict bool) (int, string, []byte)
	diagnose func(Diagnostic)
	drained  func()
	eof      func(error)

	r      io.Reader
	w      io.Writer
	in     input
	out    output
	counts counters
	strict atomic.Bool

	ctx        context.Context // ends with the connection's input
	cancel     context.CancelCauseFunc
	sources    context.Context // of lanes; ends when no more is written
	endSources context.CancelFunc
	served     atomic.Bool
	closed     chan struct{} // closed by Close and by a failed write
	stopped    atomic.Bool   // closed is
	done       chan struct{} // closed when Serve returns
	closing    sync.Once
	pool       sync.Pool    // of *Call
	lastCall   atomic.Int64 // the last id that was given
	rd         reader
	turn       lead
	workers    sync.WaitGroup // handlers under Request.Go, and lanes that read their source

	mu       sync.Mutex         // guards what follows
	ended    error              // why no call can be answered any more
	calls    map[int64]*Call    // waiting for their answers; nil: given up, the answer is still to come
	lost     int                // how many of calls are nil
	requests map[ID]*Request    // not answered yet, by ID.key
	running  int                // handlers under Request.Go
	idle     chan struct{}      // closed when running becomes 0; nil: no goroutine waits
	lanes    map[*Lane]struct{} // open lanes
}

// NewConn makes a connection that reads lines from r and writes lines to w.
// Nothing happens before Serve, except that messages may be queued.
//
// If r and w are io.Closers they are closed when the connection ends, which is
// also what releases a Read or Write that hangs.
func NewConn(r io.Reader, w io.Writer, config Config) *Conn {
	c := &Conn{
		handler:  config.Handler,
		limits:   config.Limits.withDefaults(),
		encode:   config.Encode,
		diagnose: config.Diagnose,
		drained:  config.Drained,
		eof:      config.EOF,
		r:        r,
		w:        w,
		closed:   make(chan struct{}),
		done:     make(chan struct{}),
		calls:    make(map[int64]*Call),
		requests: make(map[ID]*Request),
		lanes:    make(map[*Lane]struct{}),
	}
	if c.handler == nil {
		c.handler = noHandler{}
	}
	if c.encode == nil {
		c.encode = EncodeDefault
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.sources, c.endSources = context.WithCancel(context.Background())
	c.strict.Store(config.Strict)
	c.turn.back = make(chan struct{}, 1)
	c.in.init(r, c.limits.Line)
	c.out.init(c, w)
	return c
}

// SetStrict chooses the dialect, for both directions and from the next line on.
//
// Tolerant, the default, is for peers that never negotiated: a broken line is
// dropped and counted, jsonrpc is not looked at, an id that is neither string
// nor number makes a notification, params that are null are none, invalid
// UTF-8 becomes U+FFFD, and of a member that comes twice the last counts.
//
// Strict is for peers that negotiated: what cannot be a message is answered
// with -32700 or -32600, and $/cancel_request works both ways.
func (c *Conn) SetStrict(strict bool) { c.strict.Store(strict) }

// Strict says which dialect is spoken.
func (c *Conn) Strict() bool { return c.strict.Load() }

// Context ends when the connection's input has, after Config.EOF.
func (c *Conn) Context() context.Context { return c.ctx }

// Done is closed when Serve has returned.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Counters says what has passed and what went wrong so far.
//
// Lines that are being handled may be missing.
func (c *Conn) Counters() Counters {
	counts := c.counts.snapshot()
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	counts.LinesOut, counts.BytesOut, counts.Writes = c.out.lines, c.out.bytes, c.out.writes
	return counts
}

// Close ends the connection: Serve stops reading, fails calls, lets handlers
// and output linger, and returns. Close does not wait for it; see Done.
func (c *Conn) Close() error {
	c.stop()
	return nil
}

// stop ends reading.
func (c *Conn) stop() {
	c.closing.Do(func() {
		c.stopped.Store(true)
		close(c.closed)
		if r, ok := c.r.(io.Closer); ok {
			_ = r.Close()
		}
	})
}

// Serve runs the connection: it reads on the calling goroutine and owns the
// one that writes. It returns after everything that it started has ended: nil
// when the peer closed the stream or Close was called, the context's error when
// that ended, else what went wrong with reading or writing. It may be called
// once.
func (c *Conn) Serve(ctx context.Context) error {
	if c.served.Swap(true) {
		return errors.New("jsonrpc: Serve was called twice on one connection")
	}
	defer close(c.done)
	released := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() { c.stop(); close(released) })
	written := make(chan struct{})
	go func() { defer close(written); c.out.run() }()

	err := c.read()
	if ctx.Err() != nil {
		err = ctx.Err()
	} else if c.stopped.Load() {
		err = ErrClosed
		if werr := c.out.failure(); werr != nil {
			err = werr
		}
	}
	c.finish(err)
	if werr := c.out.failure(); errors.Is(err, io.EOF) && werr != nil && !errors.Is(werr, syscall.EPIPE) && !errors.Is(werr, io.ErrClosedPipe) {
		err = werr // the peer is there and was not sent all; one that has gone is an orderly end
	}
	c.out.stop()
	if w, ok := c.w.(io.Closer); ok {
		_ = w.Close()
	}
	<-written
	c.stop()
	c.workers.Wait()
	if !unhook() {
		<-released
	}
	if errors.Is(err, io.EOF) || errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// finish ends everything above the streams, in the order in which it can
// still be of use.
func (c *Conn) finish(err error) {
	c.failCalls(err)
	if c.eof != nil {
		c.eof(err)
	}
	linger := c.limits.Linger
	c.awaitUntil(linger/2, c.quiet)
	c.cancel(&ConnectionLostError{Err: err})
	c.cancelRequests()
	c.awaitUntil(linger-linger/2, c.quiet, c.out.flushed)
	c.closeLanes()
	c.endSources()
}

// awaitUntil waits for one thing after another, for as long as something can
// still be written.
func (c *Conn) awaitUntil(bound time.Duration, things ...func() <-chan struct{}) {
	if bound <= 0 {
		return
	}
	timer := time.NewTimer(bound)
	defer timer.Stop()
	for _, thing := range things {
		select {
		case <-thing():
		case <-c.out.broken:
			return
		case <-timer.C:
			return
		}
	}
}

// quiet is closed once no handler runs under Request.Go.
func (c *Conn) quiet() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan struct{})
	if c.running == 0 {
		close(ch)
		return ch
	}
	c.idle = ch
	return ch
}

// Flush waits until all that waited when it was called has been written.
func (c *Conn) Flush(ctx context.Context) error {
	select {
	case <-c.out.flushed():
		return nil
	case <-c.out.broken:
		return &ConnectionLostError{Err: c.out.failure()}
	case <-c.done:
		return &ConnectionLostError{Err: ErrClosed}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Notify sends a notification outside of any lane. params appends the params
// as one JSON object; nil sends none. It never waits: ErrFull means that the
// peer does not read.
func (c *Conn) Notify(method string, params func(b []byte) []byte) error {
	return c.out.notify(func(b []byte) []byte { return AppendNotification(b, method, params) })
}

// AppendNotification appends the frame of a notification, without a newline.
func AppendNotification(b []byte, method string, params func(b []byte) []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","method":`...)
	b = codec.AppendString(b, method)
	if params != nil {
		b = append(b, `,"params":`...)
		b = params(b)
	}
	return append(b, '}')
}

// Report counts and reports a defect that code on top of the connection found
// and survived, as the connection does itself.
func (c *Conn) Report(d Diagnostic) { c.report(d) }

func (c *Conn) report(d Diagnostic) {
	c.counts.kinds[d.Kind].Add(1)
	if c.diagnose == nil {
		return
	}
	if d.Kind != HandlerPanic {
		defer func() {
			if recover() != nil {
				c.counts.kinds[HandlerPanic].Add(1)
			}
		}()
	}
	c.diagnose(d)
}

// EncodeDefault is Config.Encode when there is none: a Coded error keeps what
// it says, and all others are hidden.
func EncodeDefault(err error, strict bool) (code int, message string, data []byte) {
	var coded Coded
	if errors.As(err, &coded) {
		return coded.Code(), coded.Error(), coded.AppendData(nil)
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Code(), fault.Error(), nil
	}
	var wire *Error
	if errors.As(err, &wire) {
		return wire.Code, wire.Message, wire.Data
	}
	return CodeInternal, InternalFault.String(), nil
}

// noHandler knows no method.
type noHandler struct{}

func (noHandler) Lookup([]byte) Op              { return 0 }
func (noHandler) Params(Op, *codec.Decoder) any { return nil }
func (noHandler) Request(r *Request) {
	r.Fail(&Error{Code: CodeUnknownMethod, Message: "method not found: " + r.Method})
}
func (noHandler) Notification(*Notification) {}
