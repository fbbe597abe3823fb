// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"

	"github.com/accordkit/accord/runtime/codec"
)

// Pending is a handle H whose call is on its way, with the result R of the call:
// one object, so that a call which begins work allocates once. It is a Binder.
type Pending[H, R any] struct {
	Handle H
	Result R

	// Follow gives the handle what the answer leads to; see Binder.Accept.
	Follow func(h *H, in Place)
	// Cancel, if set, takes back what was accepted after the caller of the call
	// had gone. It runs on a goroutine of its own; its context ends with the
	// connection.
	Cancel func(ctx context.Context, h *H)
}

// Accept implements Binder.
func (p *Pending[H, R]) Accept(in Place) error {
	p.Follow(&p.Handle, in)
	return nil
}

// Undo implements Binder.
func (p *Pending[H, R]) Undo(o *Owner) {
	if p.Cancel != nil {
		o.Go(func() { p.Cancel(o.Context(), &p.Handle) })
	}
}

// NoResult is the result of a method that has none.
type NoResult struct{}

// DecodeJSON implements codec.Reader.
func (*NoResult) DecodeJSON(d *codec.Decoder) { d.Skip() }
