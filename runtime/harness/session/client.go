// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// client is the other end of one connection.
type client struct {
	e    *Engine
	conn *jsonrpc.Conn
	peer *harnessserver.Peer
	gone atomic.Bool

	// alone says that the client is the only one: the runtime ends with it.
	alone bool

	mu       sync.Mutex // guards what follows
	settings settings
	families map[*family]struct{} // whose frames it gets
}

func (c *client) negotiated() bool { return c.peer.Negotiated() }

// answers reports whether the client can be asked for permissions.
func (c *client) answers() bool {
	return !c.gone.Load() && c.peer.Negotiated() && c.peer.Capabilities().Permissions
}

// permission waits for the answer to a question and returns the option that was
// selected; empty if none was.
func (c *client) permission(ctx context.Context, call *jsonrpc.Call) string {
	err := call.Wait(ctx)
	var lost *jsonrpc.ConnectionLostError
	if c.alone && errors.As(err, &lost) {
		// The shutdown that now comes ends the turn. To deny before it would let
		// the turn continue, and the next one start.
		<-ctx.Done()
	}
	var result harness.RequestPermissionResult
	if err != nil || call.ReadExact(&result) != nil {
		return ""
	}
	selected, _ := result.Outcome.(*harness.PermissionSelected)
	if selected == nil {
		return ""
	}
	return selected.OptionID
}

func (c *client) wantsDeltas() bool {
	switch c.e.o.Deltas {
	case DeltasAlways:
		return true
	case DeltasNegotiated:
		return c.peer.Capabilities().Deltas
	}
	return false
}

// opening returns what a session starts with that this connection opens.
func (c *client) opening(stored, missing bool) opening {
	c.mu.Lock()
	defer c.mu.Unlock()
	return opening{settings: c.settings, stored: stored, missing: missing}
}

// joined adds a family whose frames the connection gets. It returns false if the
// connection is lost.
func (c *client) joined(f *family) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone.Load() {
		return false
	}
	if c.families == nil {
		c.families = make(map[*family]struct{})
	}
	c.families[f] = struct{}{}
	return true
}

// left removes a family whose frames the connection does not get any more.
func (c *client) left(f *family) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.families, f)
}

// leave ends the client, whose connection is lost: what it was asked is denied,
// what it held is dropped, and nothing is stopped (rule A1).
func (c *client) leave() {
	c.mu.Lock()
	c.gone.Store(true)
	families := make([]*family, 0, len(c.families))
	for f := range c.families {
		families = append(families, f)
	}
	c.mu.Unlock()
	for _, f := range families {
		f.send(func() { f.detach(c) })
	}
	c.e.mu.Lock()
	delete(c.e.clients, c)
	c.e.mu.Unlock()
}
