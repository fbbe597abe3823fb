// SPDX-License-Identifier: Apache-2.0

package core

import (
	"slices"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// attempt is one model attempt while it streams: what a message or a failed
// attempt will be made of.
type attempt struct {
	number  int64 // in its step, from 1
	n       int64 // deltas so far
	through int64 // the last seq when the request was made
	blocks  []*block
	size    int  // bytes of text in them
	extra   int  // what else they take, at most
	written int  // both, as JSON has them, once it matters
	full    bool // there was no room for more in one event
	tight   bool // there may be none for how the answer came
	ended   bool // the last block is complete: the next delta begins another
}

// A message says how it streamed in addition to what it says, which makes it
// more than twice as long. Both bounds keep the text whole; and what a log has
// of a stream is faithful, or nothing.
const (
	// maxPieces is how finely a block's record separates its deltas: a longer
	// one keeps every second, then every fourth place where a delta ended, and so
	// on.
	maxPieces = 1024
	// maxStreamed is the text, in bytes, up to which a message has its stream.
	maxStreamed = 64 << 10
)

// block is one content block while it streams. Its deltas are separated by
// where they end, so that the text is there once.
type block struct {
	kind  harness.DeltaKind
	id    harness.ToolCallID
	name  string
	begun int64 // time
	over  int64 // time, 0: it is open
	text  codec.Pieces
	whole string  // text, once it was asked for; to be used while the attempt is
	ends  []int   // of each piece, in text
	times []int64 // of each piece's first delta
	each  int     // how many deltas make a piece
	last  int     // how many are in the last one
}

// continued returns the block that a delta continues, nil: it begins one.
func (a *attempt) continued(m *Remark) *block {
	b := a.last()
	if b == nil || m.Begins || b.kind != m.Kind || a.ended && m.Kind != harness.DeltaToolCall {
		return nil
	}
	return b
}

func (a *attempt) open(kind harness.DeltaKind, now int64) *block {
	a.close(now)
	b := &block{kind: kind, begun: now, each: 1, last: 1}
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

// last returns the block that was begun last, nil: none was.
func (a *attempt) last() *block {
	if n := len(a.blocks); n > 0 {
		return a.blocks[n-1]
	}
	return nil
}

// add adds a delta. The time is asked for only when a piece begins.
func (b *block) add(delta string, now func() int64) {
	b.text.Add(delta)
	if b.last++; b.last <= b.each {
		b.ends[len(b.ends)-1] = b.text.Len()
		return
	}
	if len(b.ends) == maxPieces {
		b.fold()
	}
	b.ends = append(b.ends, b.text.Len())
	b.times = append(b.times, now())
	b.last = 1
}

// fold makes one piece of every two.
func (b *block) fold() {
	half := len(b.ends) / 2
	for i := range half {
		b.ends[i], b.times[i] = b.ends[2*i+1], b.times[2*i]
	}
	b.ends, b.times = b.ends[:half], b.times[:half]
	b.each *= 2
}

// string returns the text, borrowed: it is written into events and then free, so that
// an answer is not copied for it.
func (b *block) string() string {
	if len(b.whole) != b.text.Len() {
		b.whole = b.text.Borrow()
	}
	return b.whole
}

// join makes one piece of all.
func (b *block) join() {
	if len(b.ends) > 0 {
		b.ends, b.times = append(b.ends[:0], b.text.Len()), b.times[:1]
	}
}

// free gives back what the text was put together in.
func (a *attempt) free() {
	for _, b := range a.blocks {
		b.whole = ""
		b.text.Reset()
	}
}

// kept returns content that may be used when its attempt is free.
func kept(content []harness.ContentBlock) []harness.ContentBlock {
	out := slices.Clone(content)
	for i, b := range out {
		switch b := b.(type) {
		case *harness.TextBlock:
			out[i] = &harness.TextBlock{Text: strings.Clone(b.Text)}
		case *harness.ReasoningBlock:
			out[i] = &harness.ReasoningBlock{Text: strings.Clone(b.Text)}
		}
	}
	return out
}

// content returns the block as an event has it. Tool calls are run when the
// attempt is free.
func (b *block) content() harness.ContentBlock {
	switch b.kind {
	case harness.DeltaReasoning:
		return &harness.ReasoningBlock{Text: b.string()}
	case harness.DeltaToolCall:
		return &harness.ToolCallBlock{ID: b.id, Name: b.name, Arguments: strings.Clone(b.string())}
	default:
		return &harness.TextBlock{Text: b.string()}
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

// content returns the whole message's. Tool calls that may not have been complete,
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

// visible reports whether something was said that is not blank.
func (a *attempt) visible() bool {
	for _, b := range a.blocks {
		if b.kind != harness.DeltaToolCall && strings.TrimSpace(b.string()) != "" {
			return true
		}
	}
	return false
}

// long reports whether the attempt is too long for its text to be written twice.
func (a *attempt) long() bool { return a.tight || a.size > maxStreamed }

// stream returns how the attempt came, in the form that logs keep. said says that the
// text is in a message too. A long attempt has each block in one piece.
func (a *attempt) stream(said bool) []harness.StreamRecord {
	if said && a.long() {
		return []harness.StreamRecord{}
	}
	records := make([]harness.StreamRecord, 0, 3*len(a.blocks)+2)
	for i, b := range a.blocks {
		records = append(records, chunk(b.begun, &harness.BlockStartChunk{Index: int64(i), BlockType: b.blockType()}))
		if a.long() {
			b.join()
		}
		records = b.deltas(records, int64(i))
		if b.over != 0 && !a.long() {
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
	text := b.string()
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

// finished returns the stream of an attempt that came to its end.
func (a *attempt) finished(said bool, now int64, usage *harness.Usage, reason harness.FinishReason, replay codec.Raw) []harness.StreamRecord {
	a.close(now)
	records := a.stream(said)
	if said && a.long() {
		return records // all or nothing
	}
	if usage != nil {
		records = append(records, chunk(now, &harness.UsageChunk{Usage: *usage}))
	}
	return append(records, chunk(now, &harness.FinishChunk{Reason: reason, ReplayState: replay}))
}

// Remark is one delta of an answer, as an agent says it.
type Remark struct {
	Kind   harness.DeltaKind
	Text   string // or arguments
	Begins bool   // a tool call, with what follows
	ID     harness.ToolCallID
	Name   string
}

// Say takes one delta of the answer, and makes its frame if there is something
// to show. The error says that the turn is over, or that there is no room for
// more. Arguments belong to the call that was begun last.
func (t *Turn) Say(m *Remark, d *harness.SessionDelta) (shown bool, err error) {
	if !t.speaking() {
		return false, agent.ErrSettled
	}
	a := t.attempt
	b, extra := a.continued(m), 0
	if b == nil {
		if m.Kind == harness.DeltaToolCall && !m.Begins {
			return false, nil // arguments of nothing: there is no block they could belong to
		}
		extra = blockCost + worstEscape*(len(m.ID)+len(m.Name))
	}
	if !a.grows(t.S.f.Longest, m.Text, extra) {
		return false, agent.ErrTooLong
	}
	if b == nil {
		b = a.open(m.Kind, t.S.f.Now())
		b.id, b.name = m.ID, m.Name
	}
	if len(b.ends) > 0 && a.long() {
		b.text.Add(m.Text) // it will be one piece
	} else {
		b.add(m.Text, t.S.f.Now)
	}
	d.SessionID, d.Turn, d.Step, d.Attempt = t.S.Agent.ID, t.N, t.step, a.number
	d.N, d.Index, d.Kind, d.ToolCallID, d.Name = a.n, int64(len(a.blocks))-1, m.Kind, b.id, m.Name
	if m.Kind == harness.DeltaToolCall {
		d.Text, d.Arguments = "", m.Text
	} else {
		d.Text, d.Arguments = m.Text, ""
	}
	a.n++
	return true, nil
}

// Break ends the current block.
func (t *Turn) Break() bool {
	if !t.speaking() {
		return false
	}
	t.attempt.close(t.S.f.Now())
	return true
}

// speaking reports whether the turn may still say something; what it says after
// its end is counted (rule E9).
func (t *Turn) speaking() bool {
	if t.settled || t.attempt == nil {
		t.dropped++
		return false
	}
	t.delivered()
	return true
}

// delivered records, once, that the provider took the log with the request.
func (t *Turn) delivered() {
	if t.prepared == nil || !t.prepared.Uploads || t.attempt.through < 0 {
		return
	}
	t.S.row(&harness.DeliveryAccepted{SessionID: t.S.Agent.ID, SessionFormatVersion: 4, ThroughSeq: t.attempt.through})
	t.attempt.through = -1
}
