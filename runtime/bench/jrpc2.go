// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"

	jrpc "github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"
)

// serveJRPC2 is the server of creachadair/jrpc2, which runs each handler on a
// goroutine of its own.
func serveJRPC2(r io.Reader, w io.WriteCloser) error {
	return jrpc.NewServer(handler.Map{
		"session/cancel": handler.New(func(context.Context, *cancelParams) (*cancelResult, error) {
			return &cancelResult{Cancelled: true, Effect: "idle", Withdrawn: []string{}}, nil
		}),
		"stream": handler.New(func(ctx context.Context, p *promptParams) (struct{}, error) {
			server := jrpc.ServerFromContext(ctx)
			for n := range p.N {
				if err := server.Notify(ctx, "session.delta", newDelta(p.SessionID, n)); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		}),
	}, &jrpc.ServerOptions{AllowPush: true}).Start(channel.Line(r, w)).Wait()
}

type jrpc2Client struct {
	*jrpc.Client
	counter
}

func newJRPC2Client(r io.Reader, w io.WriteCloser) *jrpc2Client {
	c := new(jrpc2Client)
	c.Client = jrpc.NewClient(channel.Line(r, w), &jrpc.ClientOptions{OnNotify: func(note *jrpc.Request) {
		var d delta
		if err := note.UnmarshalParams(&d); err == nil {
			c.add(&d)
		}
	}})
	return c
}

func (c *jrpc2Client) open(ctx context.Context, _ bool) error { return c.stream(ctx, 1) }

func (c *jrpc2Client) stream(ctx context.Context, n int64) error {
	c.expect(n)
	var answer struct{}
	if err := c.CallResult(ctx, "stream", &promptParams{sessionID, n}, &answer); err != nil {
		return err
	}
	return c.wait(ctx)
}

func (c *jrpc2Client) roundTrip(ctx context.Context) error {
	var r cancelResult
	return c.CallResult(ctx, "session/cancel", &cancelParams{sessionID}, &r)
}

func (c *jrpc2Client) close() { _ = c.Close() }
