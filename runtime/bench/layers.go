// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// layered is a server that does nothing, as the peers' do: what is left of a call,
// or of a stream, are the generated layers and the wire.
type layered struct {
	harnessserver.UnimplementedServer
	peer  *harnessserver.Peer
	turns sync.WaitGroup

	lane *jsonrpc.Lane
	seq  int64
	turn harness.TurnID
}

func serveLayers(ctx context.Context, r io.Reader, w io.Writer) error {
	s := &layered{}
	s.peer = harnessserver.NewPeer(r, w, jsonrpc.Config{}, func(*harnessserver.Peer) harnessserver.Server { return s })
	err := s.peer.Serve(ctx)
	s.turns.Wait()
	return err
}

func (*layered) Initialize(c harnessserver.Call[*harness.InitializeResult], _ *harness.InitializeParams) {
	c.Reply(&harness.InitializeResult{
		ServerInfo:   harness.Implementation{Name: "layers", Version: "1"},
		Capabilities: &harness.RuntimeCapabilities{Session: &harness.SessionCapabilities{Cancel: true, Resume: true}},
	})
}

func (*layered) SessionResume(c harnessserver.Call[*harness.LoadResult], p *harness.ResumeParams) {
	c.Reply(&harness.LoadResult{SessionID: p.SessionID, State: harness.StateIdle, PendingMessageIDs: []harness.MessageID{}})
}

// idle is the one answer: it is no layer's.
var idle = &harness.CancelResult{Cancelled: true, Effect: harness.EffectIdle, Withdrawn: []harness.MessageID{}}

func (*layered) SessionCancel(c harnessserver.Call[*harness.CancelResult], _ *harness.CancelParams) {
	c.Reply(idle)
}

// SessionPrompt answers with as many deltas as the prompt says, between the events
// that a turn begins and ends with.
func (s *layered) SessionPrompt(c harnessserver.Call[*harness.PromptReceipt], p *harness.PromptParams) {
	if s.lane == nil {
		s.lane = s.peer.Conn().NewLane(nil)
	}
	text, _ := p.ContentBlocks[0].(*harness.TextBlock)
	n, _ := strconv.ParseInt(text.Text, 10, 64)
	s.turn++
	turn := s.turn
	id := harness.MessageID("m" + strconv.FormatInt(int64(turn), 10))
	c.Via(s.lane)
	c.Reply(&harness.PromptReceipt{MessageID: id})
	s.turns.Go(func() {
		event := func(data harness.EventData) {
			s.peer.SessionEvent(s.lane, &harness.SessionEventParams{
				SessionID: p.SessionID, Turn: turn, Event: harness.Event{Seq: s.seq, Data: data},
			})
			s.seq++
		}
		event(&harness.TurnStart{Turn: turn})
		event(&harness.UserMessage{ID: id, Role: harness.RoleUser, Source: &harness.SourceUser{}, Content: []harness.ContentBlock{}})
		d := harness.SessionDelta{SessionID: p.SessionID, Turn: turn, Step: 1, Attempt: 1, Kind: harness.DeltaText, Text: text40}
		for d.N = range n {
			s.peer.SessionDelta(s.lane, &d)
		}
		event(&harness.TurnEnd{Turn: turn, Reason: &harness.EndCompleted{}})
	})
}
