package main

import (
	"context"
	"io"
	"strconv"
	"sync"

	wire "github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// layered is a server that does nothing, as the peer's: what is left of a call,
// or of a stream, are the generated layers and the wire.
type layered struct {
	wire.UnimplementedServer
	peer  *wire.Peer
	turns sync.WaitGroup

	lane *jsonrpc.Lane
	seq  int64
	turn wire.TurnID
}

func serveLayers(ctx context.Context, r io.Reader, w io.Writer) error {
	s := &layered{}
	s.peer = wire.NewPeer(r, w, jsonrpc.Config{}, func(*wire.Peer) wire.Server { return s })
	err := s.peer.Serve(ctx)
	s.turns.Wait()
	return err
}

func (*layered) Initialize(c wire.InitializeCall, _ *wire.InitializeParams) {
	c.Reply(&wire.InitializeResult{
		ServerInfo:   wire.Implementation{Name: "layers", Version: "1"},
		Capabilities: &wire.RuntimeCapabilities{Session: &wire.SessionCapabilities{Cancel: true, Resume: true}},
	})
}

func (*layered) SessionResume(c wire.SessionResumeCall, p *wire.ResumeParams) {
	c.Reply(&wire.LoadResult{SessionID: p.SessionID, State: wire.StateIdle, PendingMessageIDs: []wire.MessageID{}})
}

// idle is the one answer: it is no layer's.
var idle = &wire.CancelResult{Cancelled: true, Effect: wire.EffectIdle, Withdrawn: []wire.MessageID{}}

func (*layered) SessionCancel(c wire.SessionCancelCall, _ *wire.CancelParams) { c.Reply(idle) }

// SessionPrompt answers with as many deltas as the prompt says, between the events
// that a turn begins and ends with.
func (s *layered) SessionPrompt(c wire.SessionPromptCall, p *wire.PromptParams) {
	if s.lane == nil {
		s.lane = s.peer.Conn().NewLane(nil)
	}
	text, _ := p.ContentBlocks[0].(*wire.TextBlock)
	n, _ := strconv.ParseInt(text.Text, 10, 64)
	s.turn++
	turn := s.turn
	id := wire.MessageID("m" + strconv.FormatInt(int64(turn), 10))
	c.Via(s.lane)
	c.Reply(&wire.PromptReceipt{MessageID: id})
	s.turns.Go(func() {
		event := func(data wire.EventData) {
			s.peer.SessionEvent(s.lane, &wire.SessionEventParams{
				SessionID: p.SessionID, Turn: turn, Event: wire.Event{Seq: s.seq, Data: data},
			})
			s.seq++
		}
		event(&wire.TurnStart{Turn: turn})
		event(&wire.UserMessage{ID: id, Role: wire.RoleUser, Source: &wire.SourceUser{}, Content: []wire.ContentBlock{}})
		d := wire.SessionDelta{SessionID: p.SessionID, Turn: turn, Step: 1, Attempt: 1, Kind: wire.DeltaText, Text: text40}
		for d.N = range n {
			s.peer.SessionDelta(s.lane, &d)
		}
		event(&wire.TurnEnd{Turn: turn, Reason: &wire.EndCompleted{}})
	})
}
