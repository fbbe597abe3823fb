// SPDX-License-Identifier: Apache-2.0

package server

import (
	"fmt"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Call is one request of the peer P for a result R. Its handler answers it later:
// exactly once, with Reply or Fail.
type Call[P, R any] struct {
	*jsonrpc.Request
	peer P
	how  *Answers[P, R]
}

// Answers says how a method's answers differ from what its handler gives; what is
// not set, differs in nothing.
type Answers[P, R any] struct {
	Result func(peer P, result R) codec.Appender
	Error  func(err error) error
}

// NewCall returns the call of a request; how may be nil if R is a codec.Appender.
func NewCall[P, R any](r *jsonrpc.Request, peer P, how *Answers[P, R]) Call[P, R] {
	return Call[P, R]{r, peer, how}
}

// Peer returns the peer that asks.
func (c Call[P, R]) Peer() P { return c.peer }

// Reply answers with the result; nil is {}.
func (c Call[P, R]) Reply(result R) {
	if c.how != nil && c.how.Result != nil {
		c.Request.Reply(c.how.Result(c.peer, result))
		return
	}
	answer, ok := any(result).(codec.Appender)
	if !ok && any(result) != nil {
		c.Request.Fail(fmt.Errorf("%s was answered with a %T, which cannot be written", c.Method, result))
		return
	}
	c.Request.Reply(answer)
}

// Fail answers with an error, in the words that the peer knows.
func (c Call[P, R]) Fail(err error) {
	if c.how != nil && c.how.Error != nil {
		err = c.how.Error(err)
	}
	c.Request.Fail(err)
}
