// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Params reads params into v and returns it.
func Params[V codec.Reader](d *codec.Decoder, v V) V {
	v.DecodeJSON(d)
	return v
}

// Answering is a handler that answers a request with what f returns. A nil
// result without an error is {}.
func Answering[R any, P interface {
	*R
	codec.Appender
}](r *jsonrpc.Request, f func(ctx context.Context) (P, error)) func(ctx context.Context) {
	return func(ctx context.Context) {
		result, err := f(ctx)
		switch {
		case err != nil:
			r.Fail(err)
		case result == nil:
			r.Reply(nil)
		default:
			r.Reply(result)
		}
	}
}

// Acknowledging is Answering for a request that has no result.
func Acknowledging(r *jsonrpc.Request, f func(ctx context.Context) error) func(ctx context.Context) {
	return func(ctx context.Context) {
		if err := f(ctx); err != nil {
			r.Fail(err)
			return
		}
		r.Reply(nil)
	}
}
