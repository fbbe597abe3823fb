// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Serve serves the one connection of a runtime that speaks on standard input
// and output: the end of input, and the context's, is a shutdown. It returns
// when the shutdown is done, or was asked for and answered: nil for every
// orderly end.
func (e *Engine) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	return e.serve(ctx, r, w, true)
}

// ServeConn serves one connection of many: its end stops nothing, and denies
// the permissions that its client was asked for (rule A1). It returns when the
// connection has ended.
func (e *Engine) ServeConn(ctx context.Context, r io.Reader, w io.Writer) error {
	return e.serve(ctx, r, w, false)
}

func (e *Engine) serve(ctx context.Context, r io.Reader, w io.Writer, alone bool) error {
	c := &client{e: e, alone: alone}
	p := harnessserver.NewPeer(r, w, jsonrpc.Config{
		Limits:   e.o.Limits,
		Diagnose: e.o.Diagnose,
		EOF: func(error) {
			if alone {
				<-e.goDown()
			}
			c.leave()
		},
	}, func(p *harnessserver.Peer) harnessserver.Server {
		c.peer, c.conn = p, p.Conn()
		return server{c}
	})
	e.mu.Lock()
	e.clients[c] = struct{}{}
	e.mu.Unlock()
	return p.Serve(ctx)
}

// Initialize implements harnessserver.Server.
func (s server) Initialize(call harnessserver.Call[*harness.InitializeResult], p *harness.InitializeParams) {
	result, err := s.c.initialize(p)
	if err != nil {
		call.Fail(err)
		return
	}
	call.Reply(result)
}

// Shutdown implements harnessserver.Server.
func (s server) Shutdown(call harnessserver.Call[codec.Appender]) {
	e := s.c.e
	down := e.goDown()
	call.Go(func(ctx context.Context) {
		<-down
		// The answer follows the sessions' last frames, if the client reads.
		// The request's own context ends with the answer.
		flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.o.Bounds.Shutdown/4)
		defer cancel()
		_ = s.c.conn.Flush(flush)
		call.Reply(nil)
		e.HangUp(flush)
	})
}

// initialize answers initialize. Nothing changes unless all params are right.
func (c *client) initialize(p *harness.InitializeParams) (*harness.InitializeResult, error) {
	if c.e.isDown() {
		return nil, errShuttingDown()
	}
	s := settings{provider: p.Provider, model: p.Model}
	if p.ReasoningEffort != nil {
		s.effort = *p.ReasoningEffort
	}
	if p.MaxTokens != nil {
		s.maxTokens = *p.MaxTokens
	}
	if o, ok := c.e.o.Agent.(agent.Offerer); ok {
		if err := o.Offers(s.provider, s.model, s.effort); err != nil {
			refused := &harness.InvalidParamsError{Message: err.Error(), Legacy: err.Error(), Err: err}
			var what *agent.NotOffered
			if errors.As(err, &what) {
				refused.Path = what.Member
			}
			return nil, refused
		}
	}
	cwd, err := filepath.Abs(p.CWD)
	if err != nil {
		return nil, errInvalid("cwd", "cwd cannot be resolved: %v", err)
	}
	s.cwd = cwd
	c.mu.Lock()
	c.settings = s
	c.mu.Unlock()
	r := &harness.InitializeResult{
		ServerInfo: harness.Implementation{Name: c.e.o.Name, Version: c.e.o.Version},
		Capabilities: &harness.RuntimeCapabilities{
			Session: &harness.SessionCapabilities{
				Cancel: true, Close: true, Load: true, Resume: true, Wait: true, Status: true, List: true, WorkingDirectory: true,
			},
			Deltas:     c.e.o.Deltas != DeltasNever,
			Durability: harness.Durability(c.e.o.Store.Durability()),
		},
	}
	return r, nil
}
