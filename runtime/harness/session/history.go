// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"slices"
	"sync"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// history reads a session's messages from its log, as the model sees them. It
// reads only what has come since it last did.
type history struct {
	log      store.Log
	next     int64
	turn     harness.TurnID
	messages []*agent.Message
	said     *core.Said // the session's last answer, if it was just given
}

// read returns all messages so far.
func (h *history) read(ctx context.Context) ([]*agent.Message, error) {
	var d codec.Decoder
	for r, err := range h.log.Read(ctx, h.next) {
		if err != nil {
			return nil, err
		}
		if said := h.said; said != nil && said.Seq == r.Seq {
			h.add(&harness.Event{Seq: r.Seq, Data: &harness.AssistantMessage{Message: said.Body}})
			h.next, h.said = r.Seq+1, nil
			continue
		}
		var e harness.Event
		d.Borrow = r.Stable
		d.Reset(r.Data)
		switch string(d.Tag("type")) {
		case harness.EventTypeAssistantMessage:
			decodeAnswer(&d, &e)
		case harness.EventTypeTurnStart, harness.EventTypeUserMessage, harness.EventTypeSystemMessage,
			harness.EventTypeDeveloperMessage, harness.EventTypeToolResult:
			e.DecodeJSON(&d)
		}
		if err := d.Err(); err != nil {
			return nil, err
		}
		h.add(&e)
		h.next = r.Seq + 1
	}
	return slices.Clip(h.messages), nil
}

// decodeAnswer reads an assistant/message without its stream: how an answer
// came is most of its event, and nothing of it is for the model.
func decodeAnswer(d *codec.Decoder, e *harness.Event) {
	m := &harness.AssistantMessage{}
	e.Data = m
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "seq":
			e.Seq = d.Int64()
		case "surfaceOp":
			e.SurfaceOp = d.Raw()
		case "data":
			for d.Object(); d.More(); {
				switch string(d.Key()) {
				case "message":
					m.Message.DecodeJSON(d)
				case "interrupted":
					m.Interrupted = d.Bool()
				default:
					d.Skip()
				}
			}
		default:
			d.Skip()
		}
	}
}

func (h *history) add(e *harness.Event) {
	m := &agent.Message{Seq: e.Seq, Turn: h.turn}
	switch d := e.Data.(type) {
	case *harness.TurnStart:
		h.turn = d.Turn
		return
	case *harness.UserMessage:
		m.ID, m.Role, m.Content, m.Source = d.ID, d.Role, d.Content, d.Source
	case *harness.SystemMessage:
		m.ID, m.Role, m.Content, m.Source = d.Message.ID, d.Message.Role, d.Message.Content, d.Message.Source
	case *harness.DeveloperMessage:
		m.ID, m.Role, m.Content, m.Source = d.Message.ID, d.Message.Role, d.Message.Content, d.Message.Source
	case *harness.AssistantMessage:
		m.ID, m.Role, m.Content, m.Source = d.Message.ID, d.Message.Role, d.Message.Content, d.Message.Source
		m.Interrupted = d.Interrupted
	case *harness.ToolResultEvent:
		m.ID, m.Role, m.Content, m.Source = d.Message.ID, d.Message.Role, d.Message.Content, d.Message.Source
		m.CallID = d.Message.ToolCallID
		m.IsError = d.Message.IsError != nil && *d.Message.IsError
	default:
		return
	}
	if from, to, ok := replaced(e.SurfaceOp); ok {
		i := slices.IndexFunc(h.messages, func(m *agent.Message) bool { return m.Seq >= from })
		j := slices.IndexFunc(h.messages, func(m *agent.Message) bool { return m.Seq > to })
		if j < 0 {
			j = len(h.messages)
		}
		if i >= 0 && i <= j {
			// A copy: the agent may still hold what it was given.
			h.messages = slices.Replace(slices.Clone(h.messages), i, j, m)
			return
		}
	}
	h.messages = append(h.messages, m)
}

// replaced reads a surfaceOp that replaces a range of messages.
func replaced(op codec.Raw) (from, to int64, ok bool) {
	if len(op) == 0 || op[0] != '{' {
		return 0, 0, false
	}
	var d codec.Decoder
	d.Reset(op)
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "op":
			ok = d.String() == "replace"
		case "startSeq", "start":
			from = d.Int64()
		case "endSeq", "end":
			to = d.Int64()
		default:
			d.Skip()
		}
	}
	return from, to, ok && d.Err() == nil
}

// histories keeps the histories that were read last, for sessions whose next
// turn begins soon: a turn takes its session's and gives it back at its end, so
// that an agent that was abandoned shares it with no other. A session at rest
// keeps none.
type histories struct {
	mu   sync.Mutex // guards what follows
	last [32]struct {
		of *family
		h  *history
	}
	next int
}

// take returns the history of a family's root, or an empty one.
func (k *histories) take(of *family) *history {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.last {
		if e := &k.last[i]; e.of == of {
			h := e.h
			e.of, e.h = nil, nil
			return h
		}
	}
	return &history{}
}

// keep keeps a history in place of the one that was kept first; nil only drops
// the family's.
func (k *histories) keep(of *family, h *history) {
	k.take(of)
	if h == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	e := &k.last[k.next]
	e.of, e.h = of, h
	k.next = (k.next + 1) % len(k.last)
}
