// SPDX-License-Identifier: Apache-2.0

package core

import (
	"slices"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Fold brings a session back from its log: it takes the events, one
// after another, and is then finished.
type Fold struct {
	s     *Session
	open  bool // a step is open
	turn  bool // a turn is open
	step  int64
	time  int64 // of the last event
	ids   []harness.MessageID
	calls []call
	last  harness.EventData
	byID  map[harness.MessageID]*key
}

// NewFold begins to bring a root session back.
func NewFold(o Options, a agent.Session, createdAt int64) *Fold {
	return &Fold{s: New(o, a, createdAt).Root}
}

// Add takes the next event of the log.
func (f *Fold) Add(e *harness.Event) {
	s := f.s
	s.next, f.time, f.last = e.Seq+1, e.Time, e.Data
	switch d := e.Data.(type) {
	case *harness.TurnStart:
		s.last, f.turn = d.Turn, true
		s.spans = append(s.spans, span{start: e.Seq, end: -1})
	case *harness.TurnEnd:
		f.endTurn(e.Seq, d.Reason)
	case *harness.StepStart:
		f.open, f.step, f.calls = true, d.Step, nil
	case *harness.StepEnd:
		f.open, f.calls = false, nil
	case *harness.InboxSpliced:
		f.splice(e.Seq, d)
	case *harness.AssistantMessage:
		for _, b := range d.Message.Content {
			if c, ok := b.(*harness.ToolCallBlock); ok && !d.Interrupted {
				f.calls = append(f.calls, call{block: c})
			}
		}
	case *harness.ToolCallEvent:
		for i := range f.calls {
			if c := &f.calls[i]; c.block.ID == d.CallID && !c.started {
				c.started, c.seq = true, e.Seq
				break
			}
		}
	case *harness.ToolResultEvent:
		for i := range f.calls {
			if c := &f.calls[i]; c.block.ID == d.Message.ToolCallID && !c.done {
				c.done = true
				break
			}
		}
	case *harness.SystemMessage:
		s.logged.system = digestOf([]byte(textOf(d.Message.Content)))
		s.logged.systemSeq = e.Seq
	case *harness.UserMessage:
		if _, ok := d.Source.(*harness.SourceRuntimeContext); ok {
			s.logged.snapshot = digestOf([]byte(textOf(d.Content)))
		}
	case *harness.RequestHeader:
		s.logged.header = digestOf(d.Header.AppendJSON(nil))
	case *harness.RequestContext:
		s.logged.context = digestOf(d.AppendJSON(nil))
	case *harness.SessionTitle:
		s.logged.titled = true
	case *harness.WorkingDirectoryChange:
		s.Agent.Cwd = d.CWD
	}
}

func (f *Fold) splice(seq int64, d *harness.InboxSpliced) {
	list := f.s.inbox.list(d.Target)
	start := min(int(d.Start), len(*list))
	end := start + int(min(d.RemovedCount, int64(len(*list)-start)))
	for _, i := range (*list)[start:end] {
		k := f.s.keyOf(i.msg)
		switch {
		case k == nil:
		case d.Outcome != "":
			k.reason = &harness.EndWithdrawn{}
		default:
			k.turn = f.s.last
			f.ids = append(f.ids, i.msg.ID)
		}
	}
	*list = slices.Delete(*list, start, end)
	for n := range d.Inserted {
		m := d.Inserted[n]
		i := item{msg: &m}
		switch src := m.Source.(type) {
		case *harness.SourceUser:
			i.wakes, i.prompt = true, true
			if src.IdempotencyKey != "" {
				f.remember(seq, &m, src)
			}
		case *harness.SourceWorkingDirectory:
		default:
			i.wakes = d.Target == harness.InboxNextTurn
		}
		*list = slices.Insert(*list, start+n, i)
	}
}

func (f *Fold) remember(seq int64, m *harness.UserMessage, src *harness.SourceUser) {
	k := &key{
		fingerprint: src.Fingerprint,
		receipt:     harness.PromptReceipt{MessageID: m.ID, Seq: &seq},
	}
	if f.s.keys == nil {
		f.s.keys = make(map[string]*key)
		f.byID = make(map[harness.MessageID]*key)
	}
	f.s.keys[src.IdempotencyKey] = k
	f.byID[m.ID] = k
}

func (f *Fold) endTurn(seq int64, reason harness.EndReason) {
	f.turn, f.open, f.calls = false, false, nil
	if n := len(f.s.spans); n > 0 {
		f.s.spans[n-1].end = seq
	}
	for _, id := range f.ids {
		if k := f.byID[id]; k != nil {
			k.reason = reason
		}
	}
	f.ids = nil
}

// Finish returns the family, its root idle. A turn that was open when the log's
// last owner died is closed as interrupted, with results for its open calls;
// nothing is run again. What waited in the inbox stays there, parked. The rows
// that this writes are in the family's outputs, off the wire.
func (f *Fold) Finish() *Family {
	s := f.s
	s.inbox.park(true)
	f.repair()
	if _, ok := f.last.(*harness.SessionEndSeed); !ok {
		s.hidden(&harness.SessionEndSeed{})
	}
	s.logged.resumed = true
	return s.f
}

// Repeat returns what answers a prompt whose key the log has. It is nil if the log
// does not have it. Nothing is written.
func (f *Fold) Repeat(p *Prompt) []Out {
	f.s.repeated(p)
	return f.s.f.Take()
}

const (
	textUnknown    = "The tool call was interrupted after it was recorded, so its outcome is unknown. It may have taken effect, in part or whole: check before you repeat it."
	textNotStarted = "The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed."
)

func (f *Fold) repair() {
	s := f.s
	if !f.turn {
		return
	}
	// Repair has the time of what it repairs, and says nothing new.
	now := s.f.Now
	s.f.Now = func() int64 { return f.time }
	defer func() { s.f.Now = now }()
	if f.open {
		for i := range f.calls {
			if c := &f.calls[i]; !c.done {
				f.interrupted(c)
			}
		}
		s.hidden(&harness.StepEnd{Turn: s.last, Step: f.step})
	}
	end := s.hidden(&harness.TurnEnd{Turn: s.last, Reason: &harness.EndInterrupted{}})
	f.endTurn(end, &harness.EndInterrupted{})
	f.last = nil
}

func (f *Fold) interrupted(c *call) {
	s, failed := f.s, true
	text, e := textNotStarted, &harness.ToolError{Name: "ToolNotStartedError", Code: "TOOL_NOT_STARTED"}
	var sources []int64
	if c.started {
		text, e = textUnknown, &harness.ToolError{Name: "ToolOutcomeUnknownError", Code: "TOOL_OUTCOME_UNKNOWN"}
		sources = []int64{c.seq}
	}
	id := "interrupted-tool-result-" + string(c.block.ID) + "-" + itoa(s.next)
	s.write(&harness.ToolResultEvent{Turn: s.last, Step: f.step, Error: e, Message: harness.ToolBody{
		Role: harness.RoleTool, Source: &harness.SourceTool{CallID: c.block.ID}, ToolCallID: c.block.ID,
		Content: []harness.ContentBlock{&harness.TextBlock{Text: text}}, IsError: &failed, ID: harness.MessageID(id),
	}}, sources, opAppend, true)
}
