// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Voice is the agent of a runtime under test, which says what the script shows.
type Voice interface {
	// Text is more of the answer.
	Text(s harness.SessionID, delta string)
	// Call is a tool call in the answer.
	Call(s harness.SessionID, id harness.ToolCallID, name, arguments string)
	// End ends the answer.
	End(s harness.SessionID, r agent.Result)
	// Fail fails the turn.
	Fail(s harness.SessionID, f harness.Failure)
	// Release lets what was cancelled in the session come to its end.
	Release(s harness.SessionID)
	// Return is what the next tool call yields.
	Return(s harness.SessionID, o agent.Output)
}

// voice is what the player keeps of what a session's agent said.
type voice struct {
	said   string // of the answer in progress
	silent bool   // the turn has no answer yet
	failed bool   // the agent has the turn fail
}

// eventOf is the event of a session that a frame of a runtime's carries; nil for others.
func eventOf(frame []byte) harness.EventData {
	var f struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	var p harness.SessionEventParams
	if json.Unmarshal(frame, &f) != nil || f.Method != "session.event" || p.UnmarshalJSON(f.Params) != nil {
		return nil
	}
	return p.Event.Data
}

// speak has the agent do what a frame, of step i, shows of the script's.
func (p *player) speak(ctx context.Context, i int, h *head, frame []byte) {
	x, session := p.subject, harness.SessionID(h.Params.SessionID)
	v := x.voices[session]
	if v == nil {
		v = &voice{}
		x.voices[session] = v
	}
	say := func(text string) {
		if text != "" {
			v.said += text
			x.Voice.Text(session, text)
		}
	}
	if h.Method == "session.delta" && h.Params.Kind == string(harness.DeltaText) {
		say(h.Params.Text)
	}
	turn, last := p.turnEnd(i, session)
	_, aborted := turn.Reason.(*harness.EndAborted)
	failure, _ := turn.Reason.(*harness.EndError)
	switch e := eventOf(frame).(type) {
	case *harness.AssistantChunk:
		if piece, ok := e.Chunk.(*harness.TextDeltaChunk); ok {
			say(piece.Text)
		}
	case *harness.TurnStart:
		v.said, v.silent = "", true
	case *harness.AssistantMessage:
		if e.Interrupted {
			x.release(ctx, session)
			break
		}
		// What is left of the message, and its end; an answer that its turn's failure
		// follows is no whole one.
		rest := strings.TrimPrefix(harness.Words(e.Message.Content), v.said)
		x.script[tally("session.delta", h.Params.SessionID, "", "")] += len(rest) // a delta that the script has not
		say(rest)
		stop := agent.Finished
		if _, ok := turn.Reason.(*harness.EndMaxTokens); ok {
			stop = agent.MaxTokens
		}
		for _, b := range e.Message.Content {
			if call, ok := b.(*harness.ToolCallBlock); ok {
				x.Voice.Call(session, call.ID, call.Name, call.Arguments)
				stop = agent.ToolCalls
			}
		}
		v.said, v.silent = "", false
		if stop == agent.ToolCalls || failure == nil {
			x.Voice.End(session, agent.Result{Stop: stop})
		}
	case *harness.ToolResultEvent:
		x.Voice.Return(session, agent.Output{Content: e.Message.Content, IsError: e.Message.IsError != nil && *e.Message.IsError})
	case *harness.StepEnd:
		switch {
		case aborted:
			x.release(ctx, session)
		case failure != nil && last:
			x.Voice.Fail(session, failure.Error)
			v.failed = true
		}
	case *harness.TurnEnd:
		switch e.Reason.(type) {
		case *harness.EndAborted:
			x.release(ctx, session)
		case *harness.EndError:
			if !v.failed {
				x.Voice.Fail(session, failure.Error)
			}
			v.failed = false
		case *harness.EndCompleted:
			if v.silent {
				x.Voice.End(session, agent.Result{Stop: agent.Finished})
			}
		}
	}
}

// turnEnd is how the script's next turn of a session ends, from a step on, and whether
// no step of it begins before; empty if there is none.
func (p *player) turnEnd(i int, session harness.SessionID) (end harness.TurnEnd, last bool) {
	last = true
	for _, s := range p.c.Steps[i:] {
		if s.Kind != kindS2C || headOf(s.Frame).Params.SessionID != string(session) {
			continue
		}
		switch e := eventOf(s.Frame).(type) {
		case *harness.StepStart:
			last = false
		case *harness.TurnEnd:
			return *e, last
		}
	}
	return end, last
}
