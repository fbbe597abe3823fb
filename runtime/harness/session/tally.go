// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"sync"
)

// tally counts goroutines, and can be waited for while it grows, which a
// [sync.WaitGroup] cannot: a connection may post a command while the engine's
// owner waits.
type tally struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // for those who wait; closed when n is 0
}

// Add counts n more.
func (t *tally) Add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += n
	if t.n == 0 && t.none != nil {
		close(t.none)
		t.none = nil
	}
}

// Done counts one less.
func (t *tally) Done() { t.Add(-1) }

// Wait returns when none is left, or with the context's error.
func (t *tally) Wait(ctx context.Context) error {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return nil
	}
	if t.none == nil {
		t.none = make(chan struct{})
	}
	none := t.none
	t.mu.Unlock()
	select {
	case <-none:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
