// SPDX-License-Identifier: Apache-2.0

package client

import "github.com/accordkit/accord/runtime/jsonrpc"

// Item is one message of a scope.
type Item struct {
	// Note is what generated code decoded: a pointer. It must not be changed,
	// since handler and runs share it.
	Note any
	// Size is the message's length on the wire, in bytes.
	Size int
	// Seq orders the message in its scope; meaningful if Numbered.
	Seq int64

	order   uint64   // counts the scope's messages
	mark    func()   // not a message, but something to do at this place
	until   *barrier // not a message, but something to wait for at this place
	of      *silence
	charged int // what it costs in the stream that holds it

	// Kind is the message's number in its protocol, for generated code.
	Kind     jsonrpc.Op
	Numbered bool
	// Live messages may be merged or dropped under pressure; others never are.
	Live bool
	// Broken messages lack a required member. They are counted and not handed
	// out, but what they say of the work counts: a run does not wait for an end
	// that has come.
	Broken bool
	big    bool // larger than the whole bound, and so not charged
	sole   bool // only one stream has it, so that its reader has the last use of Note
	sink   sink
}

// sink says for whom an item in the handler's queue is.
type sink uint8

const (
	toHandler sink = iota
	toReplays
)

// overhead is roughly what keeping a message costs in addition to its own
// bytes.
const overhead = 96

func (it *Item) cost() int { return it.Size + overhead }
