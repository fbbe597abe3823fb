package main

import (
	"context"
	"io"

	wire "github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// layered is a server that answers at once: what is left of a call are the
// generated layers and the wire.
type layered struct{ wire.UnimplementedServer }

func serveLayers(ctx context.Context, r io.Reader, w io.Writer) error {
	return wire.NewPeer(r, w, jsonrpc.Config{}, func(*wire.Peer) wire.Server { return layered{} }).Serve(ctx)
}

func (layered) Initialize(c wire.InitializeCall, _ *wire.InitializeParams) {
	c.Reply(&wire.InitializeResult{
		ServerInfo:   wire.Implementation{Name: "layers", Version: "1"},
		Capabilities: &wire.RuntimeCapabilities{Session: &wire.SessionCapabilities{Cancel: true, Resume: true}},
	})
}

func (layered) SessionResume(c wire.SessionResumeCall, p *wire.ResumeParams) {
	c.Reply(&wire.LoadResult{SessionID: p.SessionID, State: wire.StateIdle, PendingMessageIDs: []wire.MessageID{}})
}

// idle is the one answer: it is no layer's.
var idle = &wire.CancelResult{Cancelled: true, Effect: wire.EffectIdle, Withdrawn: []wire.MessageID{}}

func (layered) SessionCancel(c wire.SessionCancelCall, _ *wire.CancelParams) { c.Reply(idle) }
