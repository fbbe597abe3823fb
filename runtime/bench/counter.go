// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync"
)

// counter counts the deltas that a client decoded, for the peers that deliver
// notifications on another goroutine than answers.
type counter struct {
	mu   sync.Mutex
	left int64
	last string
	done chan struct{}
}

// expect begins to wait for n deltas.
func (c *counter) expect(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left, c.done = n, make(chan struct{})
}

func (c *counter) add(d *delta) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = d.Text
	if c.left--; c.left == 0 {
		close(c.done)
	}
}

// wait returns when all that were expected have come.
func (c *counter) wait(ctx context.Context) error {
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
