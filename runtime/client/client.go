// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/process"
)

// ClientConfig is what a Client is made of.
type ClientConfig struct {
	Conn   jsonrpc.Config
	Errors Errors
	Retry  Retry
	// Lost makes the error of a lost connection. exit is nil if the peer is no
	// child of ours or has not ended; stderr are the last lines of a child.
	Lost func(cause error, exit *process.Exit, stderr []string) error
	// Fail is called once with that error, before any call gets it: to fail all
	// scopes.
	Fail func(err error)
}

// Client is one connection as its client holds it: it reads, it calls, it knows
// when the connection is lost and why, and it ends what it started.
type Client struct {
	Owner  *Owner
	Conn   *jsonrpc.Conn
	Caller *Caller

	cfg     ClientConfig
	process *process.Process
	done    chan struct{} // closed when the connection is lost and all have been notified
	err     error         // set before done is closed

	close    sync.Once
	closeErr error
}

// How long a lost connection waits for the child's exit code, how many lines of
// its stderr are shown, and how long Close waits for handlers, and for the
// goroutine that reads if a function holds it up.
const (
	exitWait    = time.Second
	stderrLines = 20
	handlerWait = 2 * time.Second
	readerWait  = 10 * time.Second
)

// NewClient returns a client over a pair of streams, which it closes in the end
// if they are io.Closers; p is the child that they belong to, or nil. Start
// begins reading.
func NewClient(r io.Reader, w io.Writer, p *process.Process, cfg ClientConfig) *Client {
	c := &Client{Owner: NewOwner(), cfg: cfg, process: p, done: make(chan struct{})}
	c.Owner.Batched()
	c.Owner.panicked = func(err error) { c.Conn.Report(jsonrpc.Diagnostic{Kind: jsonrpc.HandlerPanic, Err: err}) }
	if cfg.Conn.Diagnose == nil {
		cfg.Conn.Diagnose = unobserved
	}
	cfg.Conn.Drained = c.Owner.Wake
	// All waiters are notified when nothing more can come, and not only when the
	// answers that the host still works on have returned, which may be never.
	cfg.Conn.EOF = func(err error) { c.Owner.Go(func() { c.lose(err) }) }
	c.Conn = jsonrpc.NewConn(r, w, cfg.Conn)
	c.Caller = NewCaller(c.Conn, c.Owner, cfg.Errors, cfg.Retry)
	return c
}

// unobserved takes the reports of a connection whose host wants none. A panic of
// the host must be noticed: it ends the process, as it would elsewhere.
func unobserved(d jsonrpc.Diagnostic) {
	if d.Kind == jsonrpc.HandlerPanic {
		panic(d.Err)
	}
}

// Start begins reading.
func (c *Client) Start() {
	c.Owner.Go(func() { _ = c.Conn.Serve(context.Background()) })
}

// handshakeTimeout bounds the beginning of a connection unless said otherwise.
const handshakeTimeout = 30 * time.Second

// Begin makes the calls with which a connection begins, within a bound. If that
// fails the connection is closed, and a child at its other end is ended and
// explained.
func (c *Client) Begin(ctx context.Context, timeout time.Duration, first func(context.Context) error) error {
	if timeout <= 0 {
		timeout = handshakeTimeout
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	err := first(bounded)
	cancel()
	if err == nil {
		return nil
	}
	at, cancel := context.WithTimeout(context.WithoutCancel(ctx), exitWait)
	defer cancel()
	_ = c.Close(at, nil)
	if lost := c.Err(); c.process != nil && !(lost != nil && errors.Is(err, lost)) { // the loss says how the child ended
		return fmt.Errorf("no connection: %w: %s", err, c.process.Describe(stderrLines))
	}
	return fmt.Errorf("no connection: %w", err)
}

// lose notifies all waiters that the connection is lost.
func (c *Client) lose(cause error) {
	var exit *process.Exit
	var stderr []string
	if c.process != nil {
		timer := time.NewTimer(exitWait)
		select {
		case <-c.process.Done():
		case <-timer.C:
		}
		timer.Stop()
		if e, ok := c.process.Exit(); ok {
			exit = &e
		}
		stderr = c.process.Tail(stderrLines)
	}
	if errors.Is(cause, jsonrpc.ErrClosed) {
		cause = io.EOF
	}
	c.err = c.cfg.Lost(cause, exit, stderr)
	c.cfg.Fail(c.err)
	c.Caller.Lost(c.err)
	close(c.done)
}

// ended waits until the connection is over. The end of reading, and the child's
// exit, have their bounds; a host's function on the goroutine that reads has not.
func (c *Client) ended() bool {
	timer := time.NewTimer(readerWait)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}

// Done is closed when the connection is lost or closed.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err is why the connection is lost; nil while it is not.
func (c *Client) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Counters count what passed on a connection, and what went wrong.
type Counters struct {
	jsonrpc.Counters
	Scopes ScopeCounters // what became of the messages of all scopes, together
}

// Counters returns the counters of the connection and of scopes on it.
func (c *Client) Counters(scopes ...interface{ Counters() ScopeCounters }) Counters {
	all := Counters{Counters: c.Conn.Counters()}
	for _, s := range scopes {
		all.Scopes.add(s.Counters())
	}
	return all
}

// Process is the child at the other end, or nil.
func (c *Client) Process() *process.Process { return c.process }

// Close ends the connection, and the child at its other end by the ladder whose
// first rung is shutdown. It runs once; later calls get the same answer. It
// returns when no goroutine is left that the client started; a handler that
// does not return in time is an error. A handler may call it with its own
// context: it is then not waited for.
func (c *Client) Close(ctx context.Context, shutdown func(context.Context) error) error {
	if c.Owner.InHandler(ctx) || ctx.Value(askedKey{}) == c.Conn {
		c.Owner.Leave()
		defer c.Owner.Return()
	}
	c.close.Do(func() { c.closeErr = c.end(ctx, shutdown) })
	return c.closeErr
}

func (c *Client) end(ctx context.Context, shutdown func(context.Context) error) error {
	var err error
	if c.process != nil {
		_, err = c.process.Stop(ctx, shutdown)
	}
	_ = c.Conn.Close()
	if !c.ended() {
		return errors.Join(err, errors.New("the goroutine that reads has not ended: a function that it calls, and that must not block, has not returned, or called Close itself; call Close from another goroutine"))
	}
	graceful, cancel := context.WithTimeout(ctx, handlerWait)
	waited := c.Owner.Wait(graceful)
	cancel()
	c.Owner.Stop()
	if waited != nil {
		// The contexts of handlers have ended. A handler that ignores its context is
		// waited for within a bound.
		final, cancel := context.WithTimeout(context.WithoutCancel(ctx), handlerWait)
		defer cancel()
		if c.Owner.Wait(final) != nil {
			err = errors.Join(err, errors.New("a handler of messages has not returned, though its context has ended"))
		}
	}
	return err
}
