package track

import (
	"context"
	"iter"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Optional is the params that a caller gave beside others: the first, or new
// ones. The caller's own are not changed.
func Optional[P any](more []P) *P {
	p := new(P)
	if len(more) > 0 {
		*p = more[0]
	}
	return p
}

// Read reads params into v and returns it. Without params v stays empty.
func Read[V codec.Reader](d *codec.Decoder, v V) V {
	if d != nil {
		v.DecodeJSON(d)
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

// Pages are the items of a listing, page after page; next reads one, and tells
// whether another follows. An error ends them.
func Pages[T any](next func() (items []T, more bool, err error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for {
			items, more, err := next()
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range items {
				if !yield(&items[i], nil) {
					return
				}
			}
			if !more {
				return
			}
		}
	}
}

// Answer answers a request of the peer with what a host's function returns, on
// a goroutine that the connection waits for; f's context ends when the peer
// withdraws the request. A nil result without error becomes absent.
func Answer[P, R any, A interface {
	*R
	codec.Appender
}](q *jsonrpc.Request, p P, absent A, f func(context.Context, P) (A, error)) {
	q.Go(func(ctx context.Context) {
		result, err := f(ctx, p)
		switch {
		case err != nil:
			q.Fail(err)
		case result == nil:
			q.Reply(absent)
		default:
			q.Reply(result)
		}
	})
}
