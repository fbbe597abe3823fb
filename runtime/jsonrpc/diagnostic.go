// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import "sync/atomic"

// DiagnosticKind says what a Diagnostic is about.
type DiagnosticKind uint8

// What a connection reports and counts.
const (
	MalformedLine     DiagnosticKind = iota + 1 // not JSON, or not UTF-8
	InvalidMessage                              // JSON, but no message
	DuplicateMember                             // one member twice
	LineTooLong                                 // a request or notification over the limit; discarded
	ResponseTooLong                             // a line over the limit that may be a response; its call ends by its own context
	TooDeep                                     // nesting over the limit
	UnterminatedLine                            // the stream ended within a line, which is not handled
	ReusedID                                    // a request with the id of one in flight
	UnknownResponse                             // a response that no call waits for
	LateResponse                                // a response to a call that was given up
	MalformedResponse                           // with both result and error, or neither, or an error that is none; its call fails
	PeerRefused                                 // an error with id null: the peer could not read a line of ours
	UnknownMethod                               // a notification that the handler does not know
	InvalidParams                               // a notification whose params are not as the method wants them
	InvalidMember                               // a member of a notification, a result or an error, not as its type wants it: taken as missing
	Overloaded                                  // a request was refused because too many are in flight
	HandlerPanic                                // a handler panicked; Err has value and stack
	HandlerFailed                               // a handler failed with an error that says nothing to the peer; Err has it
	AnsweredTwice                               // a second answer to one request, dropped
	OutputTooLong                               // a frame of ours over the limit, not sent
	LiveDropped                                 // live frames dropped for a slow reader
	FrameDropped                                // a small frame dropped for a reader that does not read at all
	SourceFailed                                // a lane could not read its events again
	diagnosticKinds
)

var diagnosticNames = [diagnosticKinds]string{
	MalformedLine:     "malformed line",
	InvalidMessage:    "invalid message",
	DuplicateMember:   "duplicate member",
	LineTooLong:       "line too long",
	ResponseTooLong:   "response too long",
	TooDeep:           "too deep",
	UnterminatedLine:  "unterminated line",
	ReusedID:          "reused id",
	UnknownResponse:   "unknown response",
	LateResponse:      "late response",
	MalformedResponse: "malformed response",
	PeerRefused:       "peer refused",
	UnknownMethod:     "unknown method",
	InvalidParams:     "invalid params",
	InvalidMember:     "invalid member",
	Overloaded:        "overloaded",
	HandlerPanic:      "handler panic",
	HandlerFailed:     "handler failed",
	AnsweredTwice:     "answered twice",
	OutputTooLong:     "output too long",
	LiveDropped:       "live dropped",
	FrameDropped:      "frame dropped",
	SourceFailed:      "source failed",
}

// String is the kind in words.
func (k DiagnosticKind) String() string {
	if k < diagnosticKinds && diagnosticNames[k] != "" {
		return diagnosticNames[k]
	}
	return "unknown diagnostic"
}

// Diagnostic is a defect that a connection found and survived. It never holds
// content of a message: only sizes, places and names from the protocol.
type Diagnostic struct {
	Kind   DiagnosticKind
	Method string // of a method that the handler knows; else empty
	ID     ID     // of the message, when it was read
	Bytes  int64  // length of the line, or how many bytes were dropped
	Err    error  // what was wrong, without content
}

// Counters says how often each kind of diagnostic has happened on a
// connection, and how much has passed through it.
type Counters struct {
	kinds    [diagnosticKinds]uint64
	LinesIn  uint64 // lines read, blank ones not counted
	LinesOut uint64 // frames handed to the writer
	BytesIn  uint64
	BytesOut uint64
	Writes   uint64 // calls of Write
}

// Of is the count of one kind.
func (c Counters) Of(k DiagnosticKind) uint64 {
	if k < diagnosticKinds {
		return c.kinds[k]
	}
	return 0
}

// counters is what a connection counts in.
type counters struct {
	kinds   [diagnosticKinds]atomic.Uint64
	linesIn atomic.Uint64
	bytesIn atomic.Uint64
}

func (c *counters) snapshot() Counters {
	var out Counters
	for i := range c.kinds {
		out.kinds[i] = c.kinds[i].Load()
	}
	out.LinesIn, out.BytesIn = c.linesIn.Load(), c.bytesIn.Load()
	return out
}
