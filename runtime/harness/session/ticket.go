// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// ticket is a client's request, from its dispatch to its answer. It is also the
// command that waits in its session's mailbox, so that a request is one object.
type ticket struct {
	c     *client
	req   *jsonrpc.Request
	to    answerer
	state atomic.Int32

	id     harness.SessionID
	create bool            // the family is made if it is not there
	quick  bool            // the work needs neither the store nor an agent
	work   func(f *family) // what is done, once; f is nil if the session is not live
}

// request is a ticket, or what embeds one and does its own work.
type request interface {
	command
	base() *ticket
}

func (t *ticket) base() *ticket { return t }

// answerer answers the call that a ticket is for.
type answerer interface {
	reply(result codec.Appender)
	fail(err error)
}

// The states of a ticket.
const (
	ticketWaits    int32 = iota // for its work to begin; its client may still abandon it
	ticketRuns                  // its work has begun
	ticketAnswered              // or abandoned before its work began
)

// typed is the ticket of a call that answers with results of type R.
type typed[R codec.Appender, C call[R]] struct {
	ticket
	call C
}

type call[R codec.Appender] interface {
	Reply(result R)
	Fail(err error)
}

func newTicket[R codec.Appender, C call[R]](c *client, req *jsonrpc.Request, id harness.SessionID, call C) *ticket {
	t := new(typed[R, C])
	t.init(c, req, id, call)
	return &t.ticket
}

func (t *typed[R, C]) init(c *client, req *jsonrpc.Request, id harness.SessionID, call C) {
	t.c, t.req, t.id, t.call, t.to = c, req, id, call, t
}

func (t *typed[R, C]) reply(result codec.Appender) {
	r, ok := result.(R)
	if !ok {
		t.call.Fail(fmt.Errorf("the engine answered %s with a %T", t.req.Method, result))
		return
	}
	t.call.Reply(r)
}

func (t *typed[R, C]) fail(err error) { t.call.Fail(err) }

// reply and fail answer the request; only the first answer counts.
func (t *ticket) reply(result codec.Appender) {
	if t.state.Swap(ticketAnswered) != ticketAnswered {
		t.to.reply(result)
	}
}

func (t *ticket) fail(err error) {
	if t.state.Swap(ticketAnswered) != ticketAnswered {
		t.to.fail(err)
	}
}

// run does the work on the family that the ticket waited for.
func (t *ticket) run(f *family) {
	if t.begins() {
		t.work(f)
	}
}

// begins reports whether the work begins now: it does not if the client has
// abandoned the request, which was then never accepted.
func (t *ticket) begins() bool { return t.state.CompareAndSwap(ticketWaits, ticketRuns) }

// gone looks for the session again: a request that came while a family ended
// may be the first of the next one.
func (t *ticket) gone() { t.c.e.post(t) }

// Cancelled implements jsonrpc.Watcher, for a ticket whose work has not begun.
func (t *ticket) Cancelled() {
	if t.state.CompareAndSwap(ticketWaits, ticketAnswered) {
		t.to.fail(t.abandoned())
	}
}

// abandoned returns the error of a request that is not waited for any more: its
// client abandoned it, or the connection ended.
func (t *ticket) abandoned() error {
	if !t.req.Cancelled() && t.c.e.isDown() {
		return errShuttingDown()
	}
	return context.Canceled
}

// onCancel has f called when the client abandons a request that waits for
// something in a family. A connection that ends refuses the request by itself:
// nothing may depend on a mailbox whose store does not return.
func (t *ticket) onCancel(f func()) {
	t.req.OnCancel(func() {
		if !t.req.Cancelled() {
			t.fail(t.abandoned())
		}
		f()
	})
}

// via puts the answer into the order of a lane.
func (t *ticket) via(l lane) { t.req.Via(l) }

// read answers with what f reads in the store, on a goroutine of its own.
func (t *ticket) read(f func(ctx context.Context) (codec.Appender, error)) {
	t.req.Go(func(ctx context.Context) {
		bounded, cancel := context.WithTimeout(ctx, t.c.e.o.Bounds.Store)
		defer cancel()
		result, err := f(bounded)
		switch {
		case err == nil:
			t.reply(result)
		case ctx.Err() != nil:
			t.fail(t.abandoned())
		default:
			t.fail(err)
		}
	})
}
