package session

import (
	"context"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// ticket is a client's request that waits for its answer.
type ticket struct {
	c     *client
	req   *jsonrpc.Request // nil: it came as a notification, and wants no answer
	reply func(result codec.Appender)
	fail  func(err error)
	state atomic.Int32 // see begin and abandonable
}

// The states of a ticket: it waits for its turn, runs, or was given up before.
const (
	ticketWaits int32 = iota
	ticketRuns
	ticketGone
)

// begin starts the request's work, unless its client has given it up: then it
// was never accepted.
func (t *ticket) begin() bool { return t.state.CompareAndSwap(ticketWaits, ticketRuns) }

// abandonable lets the client give the request up as long as it waits. It must
// be called before the request can begin, which may say otherwise.
func (t *ticket) abandonable() {
	if t.req != nil {
		t.req.OnCancel(func() {
			if t.state.CompareAndSwap(ticketWaits, ticketGone) {
				t.fail(context.Canceled)
			}
		})
	}
}

// newTicket is a request whose call answers with results of type R.
func newTicket[R codec.Appender](c *client, req *jsonrpc.Request, reply func(R), fail func(error)) *ticket {
	return &ticket{
		c: c, req: req, fail: fail,
		reply: func(result codec.Appender) {
			r, _ := result.(R)
			reply(r)
		},
	}
}

// via has the answer come in a lane's order.
func (t *ticket) via(l lane) {
	if t.req != nil {
		t.req.Via(l)
	}
}

// onCancel has f called, with what to refuse it with, if the client gives the
// request up.
func (t *ticket) onCancel(f func(err error)) {
	if t.req != nil {
		t.req.OnCancel(func() { f(context.Canceled) })
	}
}
