// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"time"

	"github.com/accordkit/accord/runtime/codec"
)

// Op is a method's number in its protocol, given by generated code. 0 is a
// method that the handler does not know.
type Op uint16

// Handler is the receiving half of one side of a protocol. Generated code
// implements it. All its methods run on the goroutine that reads, one message
// after another in the order of the wire, and must not block.
type Handler interface {
	// Lookup gives the number of a method, or 0. The name is borrowed.
	Lookup(method []byte) Op

	// Params reads params into a value of the method's type, and returns a
	// pointer to it. It reads exactly one value from d, straight from the
	// connection's buffer, so it must copy what it keeps; of a message without
	// params that is {}. What is wrong stays in d. It must have no side effect,
	// since the rest of the message may turn out to be broken, and may be called
	// twice for one message. It is not called for methods without a number.
	Params(op Op, d *codec.Decoder) any

	// Request takes one request, of an unknown method too (Op 0).
	Request(r *Request)

	// Notification takes one notification of a known method.
	Notification(n *Notification)
}

// Notification is one message that wants no answer. It is valid until
// Handler.Notification returns; Params may be kept.
type Notification struct {
	Op     Op
	Method string
	Params any    // what Handler.Params returned; nil when params are no object
	Err    error  // why params are not as the method wants them: a *codec.Error or a *Fault
	Raw    []byte // params as they were written, borrowed; nil when there are none
	Bytes  int64  // length of the line without its newline
	Conn   *Conn
}

// Request makes a request of the notification, for a method that may come as
// either: answers to it go nowhere.
func (n *Notification) Request() *Request {
	return &Request{Op: n.Op, Method: n.Method, Params: n.Params, Err: n.Err, Raw: n.Raw, conn: n.Conn, silent: true}
}

// Limits bound what a connection may use. Zero values mean the defaults.
type Limits struct {
	// Line is the longest line that is read or written, in bytes without its
	// newline. A longer one that comes in is discarded and refused, and the
	// connection continues. Default 64 MiB.
	Line int

	// Depth is how deep a message may nest, the envelope counted: 2 at least, since
	// params are an object. Default 64.
	Depth int

	// InFlight is how many handlers may run under Request.Go at once. Default
	// 128. A request past it is refused with an OverloadFault.
	InFlight int

	// Requests is how many requests of the peer may be pending at once: taken, and not
	// answered yet. Default 16384. One past it is refused with an OverloadFault.
	Requests int

	// Unsent is how many bytes of answers, calls and notifications outside of
	// lanes may wait for the peer to read. Past it reading pauses until the
	// peer takes some, Call.Start waits, and Notify fails. Default 1 MiB.
	Unsent int

	// Lane is how many bytes one lane may hold. Default 256 KiB.
	Lane int

	// LiveWait is how long Lane.Live waits for a reader that takes nothing before
	// it merges or drops, once until the reader has caught up; for one that takes
	// and does not catch up, four times as long. Default 200 ms; negative: not at
	// all.
	LiveWait time.Duration

	// Linger is how long Serve continues after its input ended and Config.EOF
	// returned: one half for handlers that run under Request.Go, whose contexts
	// then end, the other for their answers and what else waits to be written.
	// Default 500 ms; negative: not at all.
	Linger time.Duration
}

// The defaults of Limits.
const (
	DefaultLine     = 64 << 20
	DefaultInFlight = 128
	DefaultRequests = 16 << 10
	DefaultUnsent   = 1 << 20
	DefaultLane     = 256 << 10
	DefaultLiveWait = 200 * time.Millisecond
	DefaultLinger   = 500 * time.Millisecond
)

func (l Limits) withDefaults() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Line, DefaultLine)
	set(&l.Depth, codec.DefaultMaxDepth)
	l.Depth = max(l.Depth, 2)
	set(&l.InFlight, DefaultInFlight)
	set(&l.Requests, DefaultRequests)
	set(&l.Unsent, DefaultUnsent)
	set(&l.Lane, DefaultLane)
	if l.LiveWait == 0 {
		l.LiveWait = DefaultLiveWait
	}
	if l.Linger == 0 {
		l.Linger = DefaultLinger
	}
	l.LiveWait, l.Linger = max(l.LiveWait, 0), max(l.Linger, 0)
	return l
}

// Config is what a connection is made of besides its streams. Every field may
// be left out.
type Config struct {
	// Handler takes what the peer asks. Without one every request is refused
	// as unknown.
	Handler Handler

	Limits Limits

	// Strict begins the connection in the strict dialect; see Conn.SetStrict.
	Strict bool

	// Encode says how an error is written to a peer, and in which dialect. It
	// gets generated errors, a *Fault for what this package refuses itself, and
	// whatever else Request.Fail was given. data is nil or one JSON value. The
	// default keeps what a Coded error says, and hides all others behind
	// "internal error".
	Encode func(err error, strict bool) (code int, message string, data []byte)

	// Diagnose is called with each defect that the connection found and survived.
	// It must be quick and may be called from several goroutines. A panic in it is
	// survived and counted as a HandlerPanic; one about a HandlerPanic is not caught,
	// so that a host may have panics end its process.
	Diagnose func(Diagnostic)

	// Drained runs on the reading goroutine each time that all lines which were
	// read have been handled: before it waits for more. It must not block.
	Drained func()

	// EOF runs once on the goroutine of Serve when the input has ended: by io.EOF,
	// an error, Close or the end of Serve's context, which err says. Requests are
	// still answered and lanes still written while it runs, so a server shuts its
	// sessions down in here, within bounds of its own.
	EOF func(err error)
}
