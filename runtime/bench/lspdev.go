// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"

	"go.lsp.dev/jsonrpc2"
)

// duplex is a stream of two halves.
type duplex struct {
	io.Reader
	io.Writer
	close func() error
}

func (d duplex) Close() error { return d.close() }

// serveLSP is the server of go.lsp.dev/jsonrpc2, with inline handlers, as it is fastest.
func serveLSP(ctx context.Context, r io.Reader, w io.Writer) {
	conn := jsonrpc2.NewConn(jsonrpc2.NewNDJSONStream(duplex{r, w, func() error { return nil }}))
	conn.Go(ctx, func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		switch req.Method() {
		case "session/cancel":
			var p cancelParams
			if err := jsonrpc2.DefaultCodec.Unmarshal(req.Params(), &p); err != nil {
				return nil, err
			}
			return &cancelResult{Cancelled: true, Effect: "idle", Withdrawn: []string{}}, nil
		case "stream":
			var p promptParams
			if err := jsonrpc2.DefaultCodec.Unmarshal(req.Params(), &p); err != nil {
				return nil, err
			}
			for n := range p.N {
				if err := conn.Notify(ctx, "session.delta", newDelta(p.SessionID, n)); err != nil {
					return nil, err
				}
			}
			return struct{}{}, nil
		}
		return nil, jsonrpc2.ErrNotHandled
	})
	<-conn.Done()
}

// lspClient is its client, which counts the deltas that it decoded.
type lspClient struct {
	conn jsonrpc2.Conn
	got  int64
	last string
}

func newLSPClient(ctx context.Context, r io.Reader, w io.Writer, close func() error) *lspClient {
	c := &lspClient{conn: jsonrpc2.NewConn(jsonrpc2.NewNDJSONStream(duplex{r, w, close}))}
	c.conn.Go(ctx, func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		var d delta
		if err := jsonrpc2.DefaultCodec.Unmarshal(req.Params(), &d); err != nil {
			return nil, err
		}
		c.got++
		c.last = d.Text
		return nil, nil
	})
	return c
}

func (c *lspClient) open(ctx context.Context, _ bool) error { return c.stream(ctx, 1) }

func (c *lspClient) stream(ctx context.Context, n int64) error {
	before := c.got
	if _, err := c.conn.Call(ctx, "stream", &promptParams{sessionID, n}, nil); err != nil {
		return err
	}
	if got := c.got - before; got != n {
		return fmt.Errorf("%d deltas of %d came", got, n)
	}
	return nil
}

func (c *lspClient) roundTrip(ctx context.Context) error {
	var r cancelResult
	_, err := c.conn.Call(ctx, "session/cancel", &cancelParams{sessionID}, &r)
	return err
}

func (c *lspClient) close() { _ = c.conn.Close() }
