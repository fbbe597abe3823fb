// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"iter"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Ask makes a call whose result is read into r, and returns r, or the call's
// error alone.
func Ask[R codec.Reader](ctx context.Context, x *Exchange, r R) (R, error) {
	x.Into = r
	if err := x.Do(ctx); err != nil {
		var none R
		return none, err
	}
	return r, nil
}

// Offer is a capability that is announced by an object, if a client has it.
func Offer[T any](can bool, v T) *T {
	if !can {
		return nil
	}
	return &v
}

// Result is a call's result, or its error alone.
func Result[R any](r *R, err error) (*R, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Value is a call's result that is no pointer, or its error alone.
func Value[R any](r *R, err error) (R, error) {
	if err != nil {
		var none R
		return none, err
	}
	return *r, nil
}

// Unusable reports whether nothing can be done with a notification, because of what
// is wrong with its params. One that only lacks a member can be read.
func Unusable(n *jsonrpc.Notification) bool {
	if n.Err == nil {
		return false
	}
	var wrong *codec.Error
	return !errors.As(n.Err, &wrong) || wrong.Kind != codec.Missing
}

// Constant reads a value that generated code holds as text.
func Constant[V codec.Reader](v V, text string) V {
	if err := codec.Unmarshal([]byte(text), v); err != nil {
		panic("generated code holds what cannot be read: " + err.Error())
	}
	return v
}

// Notes are the messages of items of one type.
func Notes[N any](items iter.Seq[*Item]) iter.Seq[N] {
	return func(yield func(N) bool) {
		for it := range items {
			if n, ok := it.Note.(N); ok && !yield(n) {
				return
			}
		}
	}
}

// Pages returns the items of a listing, page after page; read returns the page at
// a cursor and the cursor of the next page. The zero C stands before the first
// page and after the last. An error ends the items. Each range over them begins
// with the first page.
func Pages[T any, C comparable](read func(at C) (items []T, next C, err error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var at, none C
		for {
			items, next, err := read(at)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range items {
				if !yield(&items[i], nil) {
					return
				}
			}
			if next == none {
				return
			}
			at = next
		}
	}
}

// Asked runs a host's answer to a request on a goroutine that the connection waits
// for; its context ends when the peer withdraws the request. The context is known
// to Close, which does not wait for a handler that calls it.
func Asked(q *jsonrpc.Request, answer func(context.Context)) {
	q.Go(func(ctx context.Context) { answer(context.WithValue(ctx, askedKey{}, q.Conn())) })
}

type askedKey struct{}

// Again hands what a load sends again to a host.
type Again struct {
	end func() error
}

// Replaying has replayed messages of a call's scope handed to f; a nil f lets
// them pass. End of what it returns ends that.
func Replaying[N any](x *Exchange, f func(context.Context, *N)) *Again {
	if f == nil {
		return &Again{end: func() error { return nil }}
	}
	in := x.in
	r := in.Replay(func(ctx context.Context, it *Item) {
		if n, ok := it.Note.(*N); ok {
			f(ctx, n)
		}
	})
	return &Again{end: func() error { return in.EndReplay(r) }}
}

// End ends the replay. The result is err, or why the replay was not complete.
func (a *Again) End(err error) error {
	if behind := a.end(); err == nil {
		return behind
	}
	return err
}
