package track

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Repeats says what a repeated call of a method does.
type Repeats uint8

// Unsafe calls are never repeated; Keyed ones only with a key; ReadOnly and
// Idempotent ones always may be.
const (
	Unsafe Repeats = iota
	Keyed
	Idempotent
	ReadOnly
)

// Method is what a Caller must know about a method.
type Method struct {
	Name    string
	Needs   string // capability that the peer must announce; empty: none
	Common  bool   // peers of all generations serve it
	Repeats Repeats
}

// Retry says how often a call is made again after an error that allows it, and
// only if the method's idempotency does. The zero value repeats nothing.
type Retry struct {
	// Attempts is how often a call is made at most, the first included.
	Attempts int
	// Delay is the wait before the second attempt; it doubles from one to the
	// next. An error that names a time to wait is waited for that long. 0 means
	// 100 ms.
	Delay time.Duration
	// Max bounds each wait; 0 means 10 s.
	Max time.Duration
}

// Errors turn what went wrong into the protocol's own errors. All are required.
type Errors struct {
	// Decode makes the typed error of a response.
	Decode func(e *jsonrpc.Error, negotiated bool) error
	// Missing tells whether an error of a peer that did not negotiate says that
	// it does not know the method. Without negotiation there are no such peers.
	Missing func(e *jsonrpc.Error, method string) bool
	// Unsupported is the error of a method that the peer lacks.
	Unsupported func(m *Method) error
	// Repeat tells whether the same call may be made again after an error, and
	// after which time, if the peer named one.
	Repeat func(err error) (again bool, after time.Duration)
}

// Caller makes the calls of one connection.
type Caller struct {
	conn   *jsonrpc.Conn
	owner  *Owner
	errors Errors
	retry  Retry

	negotiated atomic.Bool
	announced  func(capability string) bool // set before negotiated is

	lost    chan struct{} // closed when lostErr is set
	lostErr error

	mu      sync.Mutex // guards missing
	missing map[string]bool
}

// NewCaller returns a caller for a connection whose peer has not negotiated.
func NewCaller(conn *jsonrpc.Conn, owner *Owner, errs Errors, retry Retry) *Caller {
	return &Caller{conn: conn, owner: owner, errors: errs, retry: retry, lost: make(chan struct{}), missing: map[string]bool{}}
}

// Negotiated says that the peer announces what it can do; nil: that it has all
// there is. From now on it is asked for nothing else, and held to the strict
// dialect.
func (c *Caller) Negotiated(announced func(capability string) bool) {
	c.announced = announced
	c.negotiated.Store(true)
	c.conn.SetStrict(true)
}

// Lost says that the connection is lost, once, and as which error calls tell.
func (c *Caller) Lost(err error) {
	c.lostErr = err
	close(c.lost)
}

// Unsupported is nil if the peer may be asked, and else the error that a call
// would get.
func (c *Caller) Unsupported(m *Method) error {
	if c.negotiated.Load() {
		if m.Needs != "" && c.announced != nil && !c.announced(m.Needs) {
			return c.errors.Unsupported(m)
		}
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.missing[m.Name] {
		return c.errors.Unsupported(m)
	}
	return nil
}

// Place is the scope in whose order a call stands. A *Scope is one.
type Place interface {
	Pass(now bool, f func())
	Expect()
	Arrived()
}

// Exchange is one call.
type Exchange struct {
	Params codec.Appender
	// Keyed says that the params bear an idempotency key.
	Keyed bool
	// In is the scope whose messages the answer stands among; nil: none.
	In Place
	// Read reads the result. On the reading goroutine.
	Read func(d *codec.Decoder)
	// Accept, if set, is called after Read, on the reading goroutine, before
	// any message that follows the answer: to bind what it brought. An error
	// becomes the call's.
	Accept func() error
	// Undo, if set, is called when the call was accepted after its caller had
	// gone. It must not block.
	Undo func()
}

// Call makes a call and waits for its answer, or for ctx. An answer is handed
// out after the messages that came before it have been handled, unless ctx
// comes from a handler of the same connection.
func (c *Caller) Call(ctx context.Context, m *Method, x Exchange) error {
	for attempt := 1; ; attempt++ {
		err := c.once(ctx, m, &x)
		if err == nil || attempt >= c.retry.Attempts || ctx.Err() != nil {
			return err
		}
		if m.Repeats == Unsafe || m.Repeats == Keyed && !x.Keyed {
			return err
		}
		again, after := c.errors.Repeat(err)
		if !again {
			return err
		}
		timer := time.NewTimer(c.retry.wait(attempt, after))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-c.lost:
			timer.Stop()
			return err
		}
	}
}

func (r Retry) wait(attempt int, after time.Duration) time.Duration {
	limit := r.Max
	if limit <= 0 {
		limit = 10 * time.Second
	}
	if after <= 0 {
		if after = r.Delay; after <= 0 {
			after = 100 * time.Millisecond
		}
		for ; attempt > 1 && after < limit; attempt-- {
			after *= 2
		}
	}
	return min(after, limit)
}

func (c *Caller) once(ctx context.Context, m *Method, x *Exchange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.Unsupported(m); err != nil {
		return err
	}
	g := &gate{ctx: ctx, now: c.owner.InHandler(ctx), x: x}
	if x.In != nil {
		x.In.Expect()
	}
	call := c.conn.Begin(m.Name)
	if x.Params != nil {
		call.Buf = x.Params.AppendJSON(call.Buf)
	}
	call.Gate, call.Late = g, g.late
	err := call.Start(ctx)
	if err != nil {
		g.arrive()
	} else {
		err = call.Wait(ctx)
	}
	call.Release()
	if err == nil {
		if g.undone.Load() { // ctx ended just before the answer came
			return ctx.Err()
		}
		return g.err
	}
	var peer *jsonrpc.Error
	var lost *jsonrpc.ConnectionLostError
	switch {
	case errors.As(err, &lost):
		g.arrive()
		select {
		case <-c.lost:
			return c.lostErr
		case <-ctx.Done():
			return ctx.Err()
		}
	case !errors.As(err, &peer):
		return err
	}
	if c.negotiated.Load() {
		return c.errors.Decode(peer, true)
	}
	if !m.Common && c.errors.Missing(peer, m.Name) {
		c.mu.Lock()
		c.missing[m.Name] = true
		c.mu.Unlock()
		return c.errors.Unsupported(m)
	}
	return c.errors.Decode(peer, false)
}

// gate lets an answer through at its place.
type gate struct {
	ctx context.Context
	now bool // in a handler: nothing is waited for
	x   *Exchange

	err      error // what was wrong with the answer
	accepted bool
	arrived  atomic.Bool
	undone   atomic.Bool
}

// Pass is called on the reading goroutine.
func (g *gate) Pass(call *jsonrpc.Call) {
	if call.Err() == nil {
		d := call.Result()
		if g.x.Read != nil {
			g.x.Read(d)
			g.err = d.Err()
		}
		if g.err == nil && g.x.Accept != nil {
			g.err = g.x.Accept()
		}
		g.accepted = g.err == nil
	}
	g.arrive()
	gone := g.ctx.Err() != nil
	if gone {
		g.undo()
	}
	if g.x.In == nil {
		call.Finish()
		return
	}
	g.x.In.Pass(g.now || gone, call.Finish)
}

// late is called when the answer comes, or never will, after the caller went.
func (g *gate) late(*jsonrpc.Call) {
	g.arrive()
	g.undo()
}

func (g *gate) undo() {
	if g.accepted && g.x.Undo != nil && !g.undone.Swap(true) {
		g.x.Undo()
	}
}

func (g *gate) arrive() {
	if g.x.In != nil && !g.arrived.Swap(true) {
		g.x.In.Arrived()
	}
}

// Agreed acts on the answer of the call that negotiates: asked is nil if no
// version was offered, answered if the peer names none.
func (c *Caller) Agreed(asked, answered *int64, announced func(capability string) bool) error {
	switch {
	case answered == nil:
		return nil
	case asked == nil:
		return fmt.Errorf("the other side answered with version %d, but none was offered", *answered)
	case *asked != *answered:
		return fmt.Errorf("the other side answered with version %d, but %d was offered", *answered, *asked)
	}
	c.Negotiated(announced)
	return nil
}

// Notify sends a notification, or calls a method that may be called as one. It
// does not wait: jsonrpc.ErrFull means that the peer does not read.
func (c *Caller) Notify(m *Method, params codec.Appender) error {
	if err := c.Unsupported(m); err != nil {
		return err
	}
	var write func(b []byte) []byte
	if params != nil {
		write = params.AppendJSON
	}
	err := c.conn.Notify(m.Name, write)
	var gone *jsonrpc.ConnectionLostError
	if errors.As(err, &gone) {
		select {
		case <-c.lost:
			return c.lostErr
		default: // it is just being lost
		}
	}
	return err
}

// Raw makes a call of a method of which nothing is known.
func (c *Caller) Raw(ctx context.Context, method string, params codec.Raw) (codec.Raw, error) {
	var result codec.Raw
	x := Exchange{Read: func(d *codec.Decoder) { result = d.Raw() }}
	if len(params) > 0 {
		x.Params = params
	}
	err := c.Call(ctx, &Method{Name: method}, x)
	return result, err
}
