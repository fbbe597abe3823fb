// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"

	"github.com/accordkit/accord/runtime/codec"
)

// Answering returns a function, for Request.Go, that answers r with what f returns.
// A nil result without an error is absent, and {} if that is nil too.
func Answering[R any, P interface {
	*R
	codec.Appender
}](r *Request, absent codec.Appender, f func(ctx context.Context) (P, error)) func(ctx context.Context) {
	return AnsweringBy(r, f, func(result P) codec.Appender {
		if result == nil {
			return absent
		}
		return result
	})
}

// AnsweringBy is Answering for a result that is no object, or may be null: what is
// written is what by makes of it.
func AnsweringBy[R any](r *Request, f func(ctx context.Context) (R, error), by func(result R) codec.Appender) func(ctx context.Context) {
	return func(ctx context.Context) {
		result, err := f(ctx)
		if err != nil {
			r.Fail(err)
			return
		}
		r.Reply(by(result))
	}
}

// Acknowledging is Answering for a request without a result.
func Acknowledging(r *Request, f func(ctx context.Context) error) func(ctx context.Context) {
	return func(ctx context.Context) {
		if err := f(ctx); err != nil {
			r.Fail(err)
			return
		}
		r.Reply(nil)
	}
}
