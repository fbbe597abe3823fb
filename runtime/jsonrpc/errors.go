// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"errors"
	"strconv"

	"github.com/accordkit/accord/runtime/codec"
)

// The codes that JSON-RPC itself reserves, and the one that the language
// server protocol added for an abandoned request.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeUnknownMethod  = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeOverloaded     = -32000
	CodeCancelled      = -32800
)

// Error is the error member of a response, as the peer wrote it. Generated
// code turns it into the typed error of its kind.
type Error struct {
	Code    int
	Message string    // for people; never to be parsed
	Data    codec.Raw // nil when absent
}

// Error gives the message and the code.
func (e *Error) Error() string {
	return e.Message + " (code " + strconv.Itoa(e.Code) + ")"
}

// Coded is an error that knows how it is written in a response. Generated
// error types are.
type Coded interface {
	error
	Code() int
	// AppendData appends the data member's value, or nothing if there is none.
	AppendData(b []byte) []byte
}

// FaultKind says what kind of Fault it is.
type FaultKind uint8

// The reasons for which this package itself refuses a message.
const (
	ParseFault      FaultKind = iota + 1 // not JSON, or not UTF-8
	RequestFault                         // JSON, but no message
	ParamsFault                          // params of the wrong shape
	LimitFault                           // longer or deeper than allowed; Limit says which
	OverloadFault                        // too many requests in flight
	CancelFault                          // abandoned with $/cancel_request
	InternalFault                        // a handler failed without saying why
	ConnectionFault                      // the connection ended first
	MethodFault                          // a method that is not served
)

// The names of limits in a LimitFault.
const (
	LimitLine  = "line"  // bytes in one line
	LimitDepth = "depth" // nesting of one message
)

// Fault is a refusal that this package makes by itself. Config.Encode gives it
// the protocol's own code, text and data.
type Fault struct {
	Kind   FaultKind
	Limit  string // LimitFault: LimitLine or LimitDepth
	Value  int64  // LimitFault: the limit, in bytes or levels
	Path   string // ParamsFault: the member, "a.b[2]"; empty: params itself
	Detail string // for people, never with content of the message
	Legacy string // the text for peers that never negotiated, if it is another
	Err    error  // what it came from, for diagnostics; never on the wire
}

// Error gives the detail.
func (f *Fault) Error() string {
	if f.Detail != "" {
		return f.Detail
	}
	return f.Kind.String()
}

// Unwrap gives what the fault came from.
func (f *Fault) Unwrap() error { return f.Err }

// Code is the code of JSON-RPC for the fault.
func (f *Fault) Code() int { return f.Kind.Code() }

// Code is the code of JSON-RPC for faults of the kind.
func (k FaultKind) Code() int {
	switch k {
	case ParseFault:
		return CodeParseError
	case RequestFault, LimitFault:
		return CodeInvalidRequest
	case ParamsFault:
		return CodeInvalidParams
	case MethodFault:
		return CodeUnknownMethod
	case OverloadFault:
		return CodeOverloaded
	case CancelFault:
		return CodeCancelled
	}
	return CodeInternal
}

// String is the text of a fault of which nothing more is known.
func (k FaultKind) String() string {
	switch k {
	case ParseFault:
		return "the line is not JSON in UTF-8"
	case RequestFault:
		return "the line is not a request, a notification or a response"
	case ParamsFault:
		return "params are not as the method wants them"
	case LimitFault:
		return "the message exceeds a limit"
	case OverloadFault:
		return "too many requests are in flight; try again later"
	case CancelFault:
		return "the request was cancelled"
	case ConnectionFault:
		return "the connection ended"
	case MethodFault:
		return "the method is unknown"
	}
	return "internal error"
}

// ConnectionLostError is why a call failed whose connection ended before its
// answer came. Whether the peer did the work is not known.
type ConnectionLostError struct {
	// Err is what ended the connection: io.EOF when the peer closed it,
	// ErrClosed when this side did.
	Err error
}

// Error says that the connection is lost, and why.
func (e *ConnectionLostError) Error() string {
	if e.Err == nil {
		return "connection lost"
	}
	return "connection lost: " + e.Err.Error()
}

// Unwrap gives what ended the connection.
func (e *ConnectionLostError) Unwrap() error { return e.Err }

// ResponseError is why a call failed whose answer was no response, or a result
// that its reader cannot take: nothing more will come. Whether the peer did the
// work is not known.
type ResponseError struct {
	// Err says what is wrong with it.
	Err error
}

// Error says what is wrong with the answer.
func (e *ResponseError) Error() string { return "the answer cannot be read: " + e.Err.Error() }

// Unwrap gives what is wrong with it.
func (e *ResponseError) Unwrap() error { return e.Err }

// ErrClosed is the end of a connection that this side closed.
var ErrClosed = errors.New("jsonrpc: connection closed by this side")

// ErrFull is returned when a message was not taken because the peer has not
// read what already waits for it.
var ErrFull = errors.New("jsonrpc: the peer does not read what waits for it")
