// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// ticket is a client's request that waits for its answer. Until its work begins
// it is also the command that waits in a mailbox, so that a request is one
// object from the wire to its answer.
type ticket struct {
	c     *client
	req   *jsonrpc.Request // nil: it came as a notification, and wants no answer
	to    answers
	state atomic.Int32 // see begin and abandonable

	// What it waits for, and does then; see client.on.
	id     harness.SessionID
	create bool
	work   work
}

// answers is the call that a ticket is for.
type answers interface {
	reply(result codec.Appender)
	fail(err error)
}

// work is what a request does.
type work interface {
	on(f *family, t *ticket) // by the session's mailbox
	absent(t *ticket)        // the session is not live
}

// The states of a ticket: it waits for its turn, runs, or was given up before.
const (
	ticketWaits int32 = iota
	ticketRuns
	ticketGone
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

func newTicket[R codec.Appender, C call[R]](c *client, req *jsonrpc.Request, call C) *ticket {
	t := &typed[R, C]{call: call}
	t.c, t.req, t.to = c, req, t
	return &t.ticket
}

func (t *typed[R, C]) reply(result codec.Appender) {
	r, _ := result.(R)
	t.call.Reply(r)
}

func (t *typed[R, C]) fail(err error) { t.call.Fail(err) }

func (t *ticket) reply(result codec.Appender) { t.to.reply(result) }

func (t *ticket) fail(err error) { t.to.fail(err) }

// begin starts the request's work, unless its client has given it up: then it
// was never accepted.
func (t *ticket) begin() bool { return t.state.CompareAndSwap(ticketWaits, ticketRuns) }

// run begins the work on the family that it waited for.
func (t *ticket) run(f *family) {
	if t.begin() {
		t.work.on(f, t)
	}
}

// missed says that the session is not live.
func (t *ticket) missed() {
	if t.begin() {
		t.work.absent(t)
	}
}

// abandonable lets the client give the request up as long as it waits. It must
// be called before the request can begin, which may say otherwise.
func (t *ticket) abandonable() {
	if t.req != nil {
		t.req.Watch(t)
	}
}

// Cancelled implements jsonrpc.Watcher.
func (t *ticket) Cancelled() {
	if t.state.CompareAndSwap(ticketWaits, ticketGone) {
		t.fail(context.Canceled)
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

// errand is work that is told in functions.
type errand struct {
	run  func(f *family)
	gone func()
}

func (e *errand) on(f *family, _ *ticket) { e.run(f) }

func (e *errand) absent(*ticket) { e.gone() }
