// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"

	acpsdk "github.com/coder/acp-go-sdk"
)

// acpWindow is how many deltas are asked for at once: a connection closes
// itself when 1 024 notifications are queued.
const acpWindow = 512

// newACP returns a connection of coder/acp-go-sdk that handles requests and
// notifications with handle.
func newACP(r io.Reader, w io.Writer, handle func(ctx context.Context, method string, params json.RawMessage) (any, error)) *acpsdk.Connection {
	conn := acpsdk.NewConnection(func(ctx context.Context, method string, params json.RawMessage) (any, *acpsdk.RequestError) {
		result, err := handle(ctx, method, params)
		if err != nil {
			return nil, acpsdk.NewInternalError(err.Error())
		}
		return result, nil
	}, w, r)
	conn.SetLogger(slog.New(slog.DiscardHandler))
	return conn
}

// serveACP is its server, which runs each handler on a goroutine of its own.
func serveACP(_ context.Context, r io.Reader, w io.Writer) {
	ready := make(chan struct{}) // closed when conn is set
	var conn *acpsdk.Connection
	conn = newACP(r, w, func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		<-ready
		if method == "session/cancel" {
			var p cancelParams
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, err
			}
			return &cancelResult{Cancelled: true, Effect: "idle", Withdrawn: []string{}}, nil
		}
		var p promptParams
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, err
		}
		for n := range p.N {
			if err := conn.SendNotification(ctx, "session.delta", newDelta(p.SessionID, n)); err != nil {
				return nil, err
			}
		}
		return struct{}{}, nil
	})
	close(ready)
	<-conn.Done()
}

type acpClient struct {
	*acpsdk.Connection
	counter
	closing func() error
}

func newACPClient(r io.Reader, w io.Writer, closing func() error) *acpClient {
	c := &acpClient{closing: closing}
	c.Connection = newACP(r, w, func(_ context.Context, _ string, params json.RawMessage) (any, error) {
		var d delta
		if err := json.Unmarshal(params, &d); err != nil {
			return nil, err
		}
		c.add(&d)
		return nil, nil
	})
	return c
}

func (c *acpClient) open(ctx context.Context, _ bool) error { return c.stream(ctx, 1) }

func (c *acpClient) stream(ctx context.Context, n int64) error {
	for ; n > 0; n -= acpWindow {
		size := min(n, acpWindow)
		c.expect(size)
		if err := c.SendRequestNoResult(ctx, "stream", &promptParams{sessionID, size}); err != nil {
			return err
		}
		if err := c.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *acpClient) roundTrip(ctx context.Context) error {
	_, err := acpsdk.SendRequest[cancelResult](c.Connection, ctx, "session/cancel", &cancelParams{sessionID})
	return err
}

func (c *acpClient) close() { _ = c.closing() }
