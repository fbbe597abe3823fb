// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"sync"

	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Serial runs requests that share a key one after another, in the order of the
// calls of Run, and those of different keys concurrently. The zero Serial is
// ready; one belongs to each method that is declared serial. What waits is
// bounded, because each waiting request counts as one in flight.
type Serial struct {
	mu    sync.Mutex
	tails map[string]chan struct{} // closed when the last request of a key is over
}

// Run has f run by the request's connection, after the requests of the same
// key that came before. A request that is abandoned while it waits is refused
// with the end of its context, and f is not called.
func (s *Serial) Run(key string, r *jsonrpc.Request, f func(ctx context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tails == nil {
		s.tails = make(map[string]chan struct{})
	}
	before, mine := s.tails[key], make(chan struct{})
	taken := r.Go(func(ctx context.Context) {
		defer s.over(key, mine)
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
				r.Fail(ctx.Err())
				<-before // the next one still waits for the one that runs
				return
			}
		}
		f(ctx)
	})
	if taken {
		s.tails[key] = mine
	}
}

func (s *Serial) over(key string, mine chan struct{}) {
	s.mu.Lock()
	if s.tails[key] == mine {
		delete(s.tails, key)
	}
	s.mu.Unlock()
	close(mine)
}
