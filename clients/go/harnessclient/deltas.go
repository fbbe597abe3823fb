// SPDX-License-Identifier: Apache-2.0

package harnessclient

import (
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/harness"
)

// liveText shows live text in one form, wherever it comes from: session.delta
// of version 2, assistant/chunk events of dsh-0.1, or, late, the stream in an
// assistant/message or assistant/attempt of dsh-0.2. The second and third are
// turned into the first, and only where nothing better came.
type liveText struct {
	turn    harness.TurnID
	step    int64
	attempt int64
	n       int64
	seen    bool // live text of this attempt has come
	deltas  bool // as session.delta
}

// Delta sees a session.delta.
func (l *liveText) Delta(p *harness.SessionDelta) {
	if p.Turn != l.turn || p.Step != l.step || p.Attempt != l.attempt {
		l.turn, l.step, l.attempt, l.n = p.Turn, p.Step, p.Attempt, 0
	}
	l.seen, l.deltas = true, true
}

// Read derives deltas from an event.
func (l *liveText) Read(p *harness.SessionEventParams, m *client.Marks[harness.MessageID, harness.TurnID]) {
	switch d := p.Event.Data.(type) {
	case *harness.StepStart:
		l.begin(d.Turn, d.Step, 1)
	case *harness.AssistantChunk:
		l.at(d.Turn, d.Step)
		if l.deltas {
			return
		}
		if _, over := d.Chunk.(*harness.FinishChunk); over {
			// What follows in the step is another attempt.
			l.begin(l.turn, l.step, l.attempt+1)
			l.seen = true
			return
		}
		l.chunk(p.SessionID, d.Chunk, m)
	case *harness.AssistantMessage:
		l.at(d.Turn, d.Step)
		l.late(p.SessionID, d.Stream, m)
	case *harness.AssistantAttempt:
		l.at(d.Turn, d.Step)
		l.late(p.SessionID, d.Stream, m)
	}
}

func (l *liveText) at(turn harness.TurnID, step int64) {
	if turn != l.turn || step != l.step {
		l.begin(turn, step, 1)
	}
}

func (l *liveText) begin(turn harness.TurnID, step, attempt int64) {
	*l = liveText{turn: turn, step: step, attempt: attempt}
}

// late derives the deltas of a whole attempt, if none of them came live.
func (l *liveText) late(id harness.SessionID, records []harness.StreamRecord, m *client.Marks[harness.MessageID, harness.TurnID]) {
	if !l.seen {
		m.First = true
		for _, r := range records {
			switch r := r.(type) {
			case *harness.ChunkRecord:
				l.chunk(id, r.Chunk, m)
			case *harness.TextChunks:
				l.texts(id, harness.DeltaText, r.Index, r.Texts, m)
			case *harness.ReasoningChunks:
				l.texts(id, harness.DeltaReasoning, r.Index, r.Texts, m)
			case *harness.ToolCallChunks:
				for i, args := range r.Args {
					d := harness.SessionDelta{Index: r.Index, Kind: harness.DeltaToolCall, ToolCallID: r.ID, Arguments: args}
					if i == 0 {
						d.Name = r.Name
					}
					l.add(id, d, m)
				}
			}
		}
	}
	l.begin(l.turn, l.step, l.attempt+1)
}

func (l *liveText) texts(id harness.SessionID, kind harness.DeltaKind, index int64, texts []string, m *client.Marks[harness.MessageID, harness.TurnID]) {
	for _, text := range texts {
		l.add(id, harness.SessionDelta{Index: index, Kind: kind, Text: text}, m)
	}
}

func (l *liveText) chunk(id harness.SessionID, c harness.StreamChunk, m *client.Marks[harness.MessageID, harness.TurnID]) {
	switch c := c.(type) {
	case *harness.TextDeltaChunk:
		l.add(id, harness.SessionDelta{Index: c.Index, Kind: harness.DeltaText, Text: c.Text}, m)
	case *harness.ReasoningDeltaChunk:
		l.add(id, harness.SessionDelta{Index: c.Index, Kind: harness.DeltaReasoning, Text: c.Text}, m)
	case *harness.ToolCallDeltaChunk:
		l.add(id, harness.SessionDelta{Index: c.Index, Kind: harness.DeltaToolCall, ToolCallID: c.ID, Name: c.Name, Arguments: c.ArgumentsDelta}, m)
	}
}

func (l *liveText) add(id harness.SessionID, d harness.SessionDelta, m *client.Marks[harness.MessageID, harness.TurnID]) {
	d.SessionID, d.Turn, d.Step, d.Attempt, d.N = id, l.turn, l.step, l.attempt, l.n
	l.n++
	l.seen = true
	m.Derived = append(m.Derived, client.Item{
		Note: &d, Kind: opSessionDelta, Live: true, Size: len(d.Text) + len(d.Arguments),
	})
}
