// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// shown is what a frame of the script's runtime shows of its agent.
type shown struct {
	Method string `json:"method"`
	Params struct {
		SessionID string `json:"sessionId"`
		Kind      string `json:"kind"`
		Text      string `json:"text"`
		Event     struct {
			Type string `json:"type"`
			Data struct {
				Turn        int64 `json:"turn"`
				Interrupted bool  `json:"interrupted"`
				Chunk       struct {
					Type string `json:"type"`
					Text string `json:"text"`
				} `json:"chunk"`
				Message struct {
					IsError bool            `json:"isError"`
					Content json.RawMessage `json:"content"`
				} `json:"message"`
				Reason struct {
					Kind  string          `json:"kind"`
					Error json.RawMessage `json:"error"`
				} `json:"reason"`
			} `json:"data"`
		} `json:"event"`
	} `json:"params"`
}

// speak passes to the agent what a frame shows of the script's.
func (p *player) speak(ctx context.Context, i int, frame []byte) {
	x := p.subject
	var f shown
	if json.Unmarshal(frame, &f) != nil {
		return
	}
	session, e := f.Params.SessionID, &f.Params.Event
	say := func(text string) {
		if text != "" {
			x.said[session] += text
			x.Voice.Text(session, text)
		}
	}
	switch {
	case f.Method == "session.delta" && f.Params.Kind == "text":
		say(f.Params.Text)
	case e.Type == "assistant/chunk" && e.Data.Chunk.Type == "text-delta":
		say(e.Data.Chunk.Text)
	case e.Type == "turn/start":
		x.said[session], x.silent[session] = "", true
	case e.Type == "assistant/message" && !e.Data.Interrupted:
		p.answer(i, &f, say)
	case e.Type == "tool/result":
		x.Voice.Return(session, e.Data.Message.Content, e.Data.Message.IsError)
	case e.Type == "assistant/message", // interrupted
		e.Type == "step/end" && p.reasonAfter(i, session) == "aborted",
		e.Type == "turn/end" && e.Data.Reason.Kind == "aborted":
		x.release(ctx, session)
	case e.Type == "step/end" && p.lastStep(i, session) && p.reasonAfter(i, session) == "error":
		x.Voice.Fail(session, p.failureAfter(i, session))
		x.failed[session] = true
	case e.Type == "turn/end" && e.Data.Reason.Kind == "error":
		if !x.failed[session] {
			x.Voice.Fail(session, e.Data.Reason.Error)
		}
		delete(x.failed, session)
	case e.Type == "turn/end" && e.Data.Reason.Kind == "completed" && x.silent[session]:
		x.Voice.End(session, "completed")
	}
}

// answer says what is left of a whole message, and ends it.
func (p *player) answer(i int, f *shown, say func(string)) {
	x, session := p.subject, f.Params.SessionID
	var blocks []struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		ID        string `json:"id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	if json.Unmarshal(f.Params.Event.Data.Message.Content, &blocks) != nil {
		return
	}
	whole := ""
	for _, b := range blocks {
		if b.Type == "text" {
			whole += b.Text
		}
	}
	say(strings.TrimPrefix(whole, x.said[session]))
	stop := p.endOf(i, session)
	for _, b := range blocks {
		if b.Type == "tool-call" {
			x.Voice.Call(session, b.ID, b.Name, b.Arguments)
			stop = "tool-calls"
		}
	}
	x.said[session], x.silent[session] = "", false
	if stop != "" {
		x.Voice.End(session, stop)
	}
}

// endOf is how an answer ends, by how the script's turn does: an answer that
// its turn's failure follows is no whole one.
func (p *player) endOf(i int, session string) string {
	switch p.reasonAfter(i, session) {
	case "max-tokens":
		return "max-tokens"
	case "error":
		return ""
	}
	return "completed"
}

// reasonAfter is the kind of reason for which the script's next turn of a
// session ends.
func (p *player) reasonAfter(i int, session string) string {
	return p.next(i, session, "turn/end").Params.Event.Data.Reason.Kind
}

// failureAfter is that of a turn which ends in an error.
func (p *player) failureAfter(i int, session string) json.RawMessage {
	return p.next(i, session, "turn/end").Params.Event.Data.Reason.Error
}

// lastStep reports whether a turn ends with the step that the script ends here.
func (p *player) lastStep(i int, session string) bool {
	return p.next(i+1, session, "turn/end", "step/start").Params.Event.Type == "turn/end"
}

// next is the first event of a session, from a step on, that is of one of some
// types; empty if there is none.
func (p *player) next(i int, session string, types ...string) *shown {
	for _, s := range p.c.Steps[i:] {
		var f shown
		if s.Kind != kindS2C || s.Frame == nil || json.Unmarshal(s.Frame, &f) != nil {
			continue
		}
		if f.Params.SessionID == session && slices.Contains(types, f.Params.Event.Type) {
			return &f
		}
	}
	return &shown{}
}
