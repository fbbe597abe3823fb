package core

import (
	"bytes"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// attempt is one model attempt while it streams: what a message or a failed
// attempt will be made of.
type attempt struct {
	number  int64 // in its step, from 1
	n       int64 // deltas so far
	through int64 // the last seq when the request was made
	blocks  []*block
	ended   bool // the last block is complete: the next delta begins another
}

// block is one content block while it streams. Its deltas are told apart by
// where they end, so that the text is there once.
type block struct {
	kind  harness.DeltaKind
	id    harness.ToolCallID
	name  string
	begun int64 // time
	over  int64 // time, 0: it is open
	text  []byte
	ends  []int   // of each delta, in text
	times []int64 // of each delta
}

// current is the block that a delta of a kind belongs to.
func (a *attempt) current(kind harness.DeltaKind, now int64) *block {
	if n := len(a.blocks); n > 0 && !a.ended && a.blocks[n-1].kind == kind {
		return a.blocks[n-1]
	}
	return a.open(kind, now)
}

func (a *attempt) open(kind harness.DeltaKind, now int64) *block {
	a.close(now)
	b := &block{kind: kind, begun: now}
	a.blocks = append(a.blocks, b)
	a.ended = false
	return b
}

func (a *attempt) close(now int64) {
	if n := len(a.blocks); n > 0 && a.blocks[n-1].over == 0 {
		a.blocks[n-1].over = now
	}
	a.ended = true
}

// last is the block that was begun last, nil: none was.
func (a *attempt) last() *block {
	if n := len(a.blocks); n > 0 {
		return a.blocks[n-1]
	}
	return nil
}

func (b *block) add(delta string, now int64) {
	b.text = append(b.text, delta...)
	b.ends = append(b.ends, len(b.text))
	b.times = append(b.times, now)
}

// content is the block as a message has it.
func (b *block) content() harness.ContentBlock {
	switch b.kind {
	case harness.DeltaReasoning:
		return &harness.ReasoningBlock{Text: string(b.text)}
	case harness.DeltaToolCall:
		return &harness.ToolCallBlock{ID: b.id, Name: b.name, Arguments: string(b.text)}
	default:
		return &harness.TextBlock{Text: string(b.text)}
	}
}

func (b *block) blockType() harness.BlockType {
	switch b.kind {
	case harness.DeltaReasoning:
		return harness.BlockReasoning
	case harness.DeltaToolCall:
		return harness.BlockToolCall
	default:
		return harness.BlockText
	}
}

// content is the whole message's. Tool calls that may not have been complete,
// or that a limit cut off, are left out.
func (a *attempt) content(calls bool) []harness.ContentBlock {
	out := make([]harness.ContentBlock, 0, len(a.blocks))
	for _, b := range a.blocks {
		if b.kind != harness.DeltaToolCall || calls {
			out = append(out, b.content())
		}
	}
	return out
}

// visible says whether something was said that is not blank.
func (a *attempt) visible() bool {
	for _, b := range a.blocks {
		if b.kind != harness.DeltaToolCall && len(bytes.TrimSpace(b.text)) > 0 {
			return true
		}
	}
	return false
}

// stream is how the attempt came, in the form that logs keep.
func (a *attempt) stream() []harness.StreamRecord {
	records := make([]harness.StreamRecord, 0, 3*len(a.blocks)+2)
	for i, b := range a.blocks {
		records = append(records, chunk(b.begun, &harness.BlockStartChunk{Index: int64(i), BlockType: b.blockType()}))
		records = b.deltas(records, int64(i))
		if b.over != 0 {
			records = append(records, chunk(b.over, &harness.BlockEndChunk{Index: int64(i), Block: b.content()}))
		}
	}
	return records
}

func chunk(time int64, c harness.StreamChunk) harness.StreamRecord {
	return &harness.ChunkRecord{Time: time, Chunk: c}
}

// deltas packs a block's deltas. The first one of a tool call stands alone,
// since it alone has the name.
func (b *block) deltas(records []harness.StreamRecord, index int64) []harness.StreamRecord {
	if len(b.ends) == 0 {
		return records
	}
	text := string(b.text)
	pieces := make([]string, len(b.ends))
	dt := make([]int64, len(b.ends))
	from := 0
	for i, end := range b.ends {
		pieces[i] = text[from:end]
		from = end
		if i > 0 {
			dt[i] = b.times[i] - b.times[i-1]
		}
	}
	switch b.kind {
	case harness.DeltaReasoning:
		return append(records, &harness.ReasoningChunks{Time0: b.times[0], Index: index, DT: dt[1:], Texts: pieces})
	case harness.DeltaToolCall:
		records = append(records, &harness.ToolCallChunks{Time0: b.times[0], Index: index, DT: dt[1:1], ID: b.id, Name: b.name, Args: pieces[:1]})
		if len(pieces) > 1 {
			records = append(records, &harness.ToolCallChunks{Time0: b.times[1], Index: index, DT: dt[2:], ID: b.id, Args: pieces[1:]})
		}
		return records
	default:
		return append(records, &harness.TextChunks{Time0: b.times[0], Index: index, DT: dt[1:], Texts: pieces})
	}
}

// finished is the stream of an attempt that came to its end.
func (a *attempt) finished(now int64, usage *harness.Usage, reason harness.FinishReason, replay codec.Raw) []harness.StreamRecord {
	a.close(now)
	records := a.stream()
	if usage != nil {
		records = append(records, chunk(now, &harness.UsageChunk{Usage: *usage}))
	}
	return append(records, chunk(now, &harness.FinishChunk{Reason: reason, ReplayState: replay}))
}

// Text takes more text of the answer.
func (t *Turn) Text(delta string) (harness.SessionDelta, bool) {
	return t.say(harness.DeltaText, delta)
}

// Reasoning takes more reasoning.
func (t *Turn) Reasoning(delta string) (harness.SessionDelta, bool) {
	return t.say(harness.DeltaReasoning, delta)
}

func (t *Turn) say(kind harness.DeltaKind, delta string) (d harness.SessionDelta, ok bool) {
	if !t.speaking() {
		return d, false
	}
	now := t.S.f.Now()
	b := t.attempt.current(kind, now)
	b.add(delta, now)
	d = t.delta(kind)
	d.Text = delta
	return d, true
}

// Call begins a tool call.
func (t *Turn) Call(id harness.ToolCallID, name string) (d harness.SessionDelta, ok bool) {
	if !t.speaking() {
		return d, false
	}
	now := t.S.f.Now()
	b := t.attempt.open(harness.DeltaToolCall, now)
	b.id, b.name = id, name
	b.add("", now)
	d = t.delta(harness.DeltaToolCall)
	d.ToolCallID, d.Name = id, name
	return d, true
}

// Arguments takes more of the arguments of the call that was begun last.
func (t *Turn) Arguments(delta string) (d harness.SessionDelta, ok bool) {
	if !t.speaking() {
		return d, false
	}
	b := t.attempt.last()
	if b == nil || b.kind != harness.DeltaToolCall {
		return d, true // arguments of nothing: there is no block they could belong to
	}
	b.add(delta, t.S.f.Now())
	d = t.delta(harness.DeltaToolCall)
	d.ToolCallID, d.Arguments = b.id, delta
	return d, true
}

// Break ends the current block.
func (t *Turn) Break() bool {
	if !t.speaking() {
		return false
	}
	t.attempt.close(t.S.f.Now())
	return true
}

// speaking says whether the turn may still say something; what it says after
// its end is counted (rule E9).
func (t *Turn) speaking() bool {
	if t.settled || t.attempt == nil {
		t.dropped++
		return false
	}
	t.delivered()
	return true
}

// delta is the frame of the delta that was just taken.
func (t *Turn) delta(kind harness.DeltaKind) harness.SessionDelta {
	d := harness.SessionDelta{
		SessionID: t.S.Agent.ID, Turn: t.N, Step: t.step, Attempt: t.attempt.number,
		N: t.attempt.n, Index: int64(len(t.attempt.blocks)) - 1, Kind: kind,
	}
	t.attempt.n++
	return d
}

// delivered records, once, that the provider took the log with the request.
func (t *Turn) delivered() {
	if t.prepared == nil || !t.prepared.d.Uploads || t.attempt.through < 0 {
		return
	}
	t.S.row(&harness.DeliveryAccepted{SessionID: t.S.Agent.ID, SessionFormatVersion: 4, ThroughSeq: t.attempt.through})
	t.attempt.through = -1
}
