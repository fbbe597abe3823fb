// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
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
	// Attaches says that a call brings the messages of its scope to this
	// connection.
	Attaches bool
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

// Errors turn what went wrong into the protocol's own errors. All functions are
// required.
type Errors struct {
	// Decode makes the typed error of a response.
	Decode func(e *jsonrpc.Error, negotiated bool) error
	// Unknown are the texts by which peers that did not negotiate say that they do
	// not know a method, {method} being its name; others use the standard code.
	Unknown []string
	// Unsupported is the error of a method that the peer lacks.
	Unsupported func(m *Method) error
	// After is the time that an error names before the same call may be made again;
	// 0 if it names none.
	After func(err error) time.Duration
}

// unknown reports whether a peer that did not negotiate says that it does not know
// a method.
func (e *Errors) unknown(peer *jsonrpc.Error, method string) bool {
	return peer.Code == jsonrpc.CodeUnknownMethod || slices.ContainsFunc(e.Unknown, func(text string) bool {
		return peer.Message == strings.Replace(text, "{method}", method, 1)
	})
}

// Caller makes the calls of one connection.
type Caller struct {
	conn   *jsonrpc.Conn
	owner  *Owner
	errors Errors
	retry  Retry

	negotiated atomic.Bool
	announced  atomic.Pointer[func(capability string) bool] // nil: all there is

	pool    sync.Pool     // of *Exchange
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
	if announced != nil {
		c.announced.Store(&announced)
	}
	c.negotiated.Store(true)
	c.conn.SetStrict(true)
}

// Lost says that the connection is lost, once, and with which error calls fail.
func (c *Caller) Lost(err error) {
	c.lostErr = err
	close(c.lost)
}

// Unsupported is nil if the peer may be asked, and else the error that a call
// would get.
func (c *Caller) Unsupported(m *Method) error {
	if c.negotiated.Load() {
		if announced := c.announced.Load(); m.Needs != "" && announced != nil && !(*announced)(m.Needs) {
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
	Quiet() bool
	Pass(now bool, f func())
	Expect() (since int64)
	Answering(since int64)
	Arrived()
	Over(as string)
	Interrupt(kind int, queued bool) (since int64)
	Interrupted(kind int)
	Replay(handle func(ctx context.Context, it *Item)) *Replay
	EndReplay(r *Replay) error
	// Leave is called once a call in it is over for its caller.
	Leave()
}

// Binder takes over what an answer brought: the handle of what a call began, as
// a rule.
type Binder interface {
	// Accept is called once the result has been read, on the reading goroutine,
	// before any message that follows the answer; in is the call's place, or nil.
	// An error becomes the call's.
	Accept(in Place) error
	// Undo is called when the call was accepted after its caller had gone. It
	// must not block; o owns what it starts.
	Undo(o *Owner)
}

// Accepting is a Binder of which nothing can be undone.
type Accepting func(in Place) error

// Accept implements Binder.
func (f Accepting) Accept(in Place) error { return f(in) }

// Undo implements Binder.
func (Accepting) Undo(*Owner) {}

// Exchange is one call. Begin gives one, Do makes the call and takes it back;
// nothing of it may be used after that.
type Exchange struct {
	// Params are the params: append them, as one JSON object. Without any the
	// request has none.
	Params []byte
	// Keyed says that the params bear an idempotency key.
	Keyed bool
	// Into, if set, reads the result, on the reading goroutine.
	Into codec.Reader
	// Bind, if set, takes it over.
	Bind Binder

	c      *Caller
	method *Method
	in     Place // the scope whose messages the answer stands among; nil: none
	late   func(*jsonrpc.Call)
	gate   gate
	stops  *interruption // what is sent with it; nil: nothing
}

// interruption is the call that stops what another call takes the place of.
type interruption struct {
	*Exchange
	kind   int  // of the activities that it stops
	queued bool // calls that no work has taken yet are stopped too
	err    error
}

// Begin begins a call. Its answer stands among the messages of in, if that is
// not nil.
func (c *Caller) Begin(m *Method, in Place) *Exchange {
	x, _ := c.pool.Get().(*Exchange)
	if x == nil {
		x = &Exchange{}
		x.gate.x = x
		x.late = x.gate.late
	}
	x.c, x.method, x.in = c, m, in
	return x
}

// keptParams is how large a buffer may be to be kept for the next call.
const keptParams = 64 << 10

// Do makes the call, and again as often as may be, and waits for its answer, or
// for ctx. An answer is handed out after the messages that came before it have
// been handled, unless ctx comes from a handler of the same connection.
func (x *Exchange) Do(ctx context.Context) error {
	c, in := x.c, x.in
	for attempt := 1; ; attempt++ {
		call, err := c.prepare(ctx, x)
		over := err != nil // so far x is in no other hand
		if !over {
			sent := call.Start(ctx)
			err, over = c.settle(ctx, x, call, sent)
		}
		if err == nil || !over || attempt >= c.retry.Attempts || !c.again(ctx, x, err, attempt) {
			x.leave(in, over)
			return err
		}
		x.stops = nil // it was stopped with the first attempt
	}
}

// Interrupting is Do for a call that takes the place of what stop, a call in the same
// scope, stops: both leave in one write, stop first, and nothing of the old work is
// handed out from now on. kind says which activities those are in a scope with several,
// as Config.Kind does; with queued, calls that no work has taken yet are part of it. A
// peer that cannot be asked to stop works on what is withheld. The error of
// stop is stopped; it is nil if stop was not made because err came first.
func (x *Exchange) Interrupting(ctx context.Context, stop *Exchange, kind int, queued bool) (stopped, err error) {
	in := stop.in
	i := &interruption{Exchange: stop, kind: kind, queued: queued}
	x.stops = i
	err = x.Do(ctx)
	stop.leave(in, false)
	return i.err, err
}

// leave ends what Begin began. Once over, the exchange is used again.
func (x *Exchange) leave(in Place, over bool) {
	if in != nil {
		in.Leave()
	}
	if over {
		params := x.Params[:0]
		if cap(params) > keptParams {
			params = nil
		}
		c := x.c
		*x = Exchange{Params: params, late: x.late, gate: gate{x: x}}
		c.pool.Put(x)
	}
}

// again reports whether a call that failed with err is made again, and waits
// until it is time for that.
func (c *Caller) again(ctx context.Context, x *Exchange, err error, attempt int) bool {
	m := x.method
	if ctx.Err() != nil || m.Repeats == Unsafe || m.Repeats == Keyed && !x.Keyed {
		return false
	}
	if class := contract.RetryOf(err); class != contract.SameKey && class != contract.After {
		return false
	}
	timer := time.NewTimer(c.retry.wait(attempt, c.errors.After(err)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-c.lost:
	}
	return false
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

// prepare makes a call of an exchange, ready to be started. With an error nothing is
// to be sent.
func (c *Caller) prepare(ctx context.Context, x *Exchange) (*jsonrpc.Call, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.Unsupported(x.method); err != nil {
		return nil, err
	}
	x.gate = gate{x: x, ctx: ctx, now: c.owner.InHandler(ctx)}
	if x.in != nil {
		x.gate.since = x.in.Expect()
	}
	call := c.conn.Begin(x.method.Name)
	call.Buf = append(call.Buf, x.Params...)
	call.Gate, call.Late, call.Follow = &x.gate, x.late, x.gate.now
	if x.stops == nil {
		return call, nil
	}
	if err := call.Seal(); err != nil { // nothing is to be interrupted by what cannot be sent
		x.gate.arrive()
		call.Release()
		return nil, err
	}
	call.Before = c.interrupt(ctx, x, x.stops)
	return call, nil
}

// settle waits for the answer of a call; unsent is why it was not sent. over says that
// the answer has come, or never will, and that no other goroutine holds x any more.
func (c *Caller) settle(ctx context.Context, x *Exchange, call *jsonrpc.Call, unsent error) (err error, over bool) {
	first := call.Before
	if err = unsent; err == nil {
		err = call.Wait(ctx)
	} else {
		x.gate.arrive()
	}
	if first != nil {
		x.stops.err, _ = c.settle(ctx, x.stops.Exchange, first, unsent)
	}
	call.Release()
	switch {
	case err != nil:
		return c.failed(ctx, x.method, &x.gate, err)
	case x.gate.undone.Load(): // ctx ended just before the answer came
		return ctx.Err(), true
	}
	return x.gate.err, true
}

// interrupt interrupts what the place of which x takes, and returns the call that
// stops it; nil if the peer cannot be asked.
func (c *Caller) interrupt(ctx context.Context, x *Exchange, stop *interruption) *jsonrpc.Call {
	x.gate.since = stop.in.Interrupt(stop.kind, stop.queued)
	call, err := c.prepare(ctx, stop.Exchange)
	if stop.err = err; err != nil {
		stop.in.Interrupted(stop.kind)
		return nil
	}
	stop.gate.then = func() { stop.in.Interrupted(stop.kind) }
	return call
}

// failed is the error of a call.
func (c *Caller) failed(ctx context.Context, m *Method, g *gate, err error) (_ error, over bool) {
	var peer *jsonrpc.Error
	var lost *jsonrpc.ConnectionLostError
	var unreadable *jsonrpc.ResponseError
	switch {
	case errors.As(err, &unreadable):
		return m.unreadable(err), true
	case errors.As(err, &lost):
		g.arrive()
		select {
		case <-c.lost:
			return c.lostErr, false
		case <-ctx.Done():
			return ctx.Err(), false
		}
	case !errors.As(err, &peer):
		return err, false
	}
	if c.negotiated.Load() {
		return c.typed(peer, true), true
	}
	if !m.Common && c.errors.unknown(peer, m.Name) {
		c.mu.Lock()
		c.missing[m.Name] = true
		c.mu.Unlock()
		return c.errors.Unsupported(m), true
	}
	return c.typed(peer, false), true
}

// typed is an error of the peer in the protocol's own type, which says so if it
// could not be read whole.
func (c *Caller) typed(e *jsonrpc.Error, negotiated bool) error {
	err := c.errors.Decode(e, negotiated)
	var misread *codec.Error
	if errors.As(err, &misread) {
		c.conn.Report(jsonrpc.Diagnostic{Kind: jsonrpc.InvalidMember, Err: misread})
	}
	return err
}

// gate lets an answer through at its place.
type gate struct {
	x     *Exchange
	ctx   context.Context
	now   bool   // in a handler: nothing is waited for
	since int64  // see Place.Answering
	then  func() // called when the answer has come, or never will; nil: nothing

	err      error // what was wrong with the answer
	accepted bool
	arrived  atomic.Bool
	undone   atomic.Bool
}

// Pass is called on the reading goroutine. After call.Finish nothing of the
// exchange may be touched: its caller takes it back.
func (g *gate) Pass(call *jsonrpc.Call) {
	if call.Err() == nil {
		if g.x.Into != nil {
			g.err = g.x.method.unreadable(call.Read(g.x.Into))
		}
		if g.err == nil && g.x.Bind != nil {
			if g.x.in != nil {
				g.x.in.Answering(g.since)
			}
			g.err = g.x.Bind.Accept(g.x.in)
		}
		g.accepted = g.err == nil
	}
	g.arrive()
	gone := g.ctx.Err() != nil
	if gone {
		g.undo()
	}
	if in := g.x.in; in != nil && !g.now && !gone && !in.Quiet() {
		in.Pass(false, call.Finish)
		return
	}
	call.Finish()
}

// late is called when the answer comes, or never will, after the caller went.
func (g *gate) late(*jsonrpc.Call) {
	g.arrive()
	g.undo()
}

func (g *gate) undo() {
	if g.accepted && g.x.Bind != nil && !g.undone.Swap(true) {
		g.x.Bind.Undo(g.x.c.owner)
	}
}

func (g *gate) arrive() {
	if g.x.in != nil && !g.arrived.Swap(true) {
		g.x.in.Arrived()
		if g.then != nil {
			g.then()
		}
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
	var result rawResult
	x := c.Begin(&Method{Name: method}, nil)
	if len(params) > 0 {
		x.Params = codec.AppendRaw(x.Params, params)
	}
	x.Into = &result
	err := x.Do(ctx)
	return result.raw, err
}

// rawResult is a result as it was written.
type rawResult struct{ raw codec.Raw }

// DecodeJSON implements codec.Reader.
func (r *rawResult) DecodeJSON(d *codec.Decoder) { r.raw = d.Raw() }
