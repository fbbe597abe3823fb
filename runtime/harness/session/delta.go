// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// deltaFrame is a session.delta on its way. Frames of one block are merged for
// a reader that is behind: they keep the first one's n, and count.
type deltaFrame struct {
	d    harness.SessionDelta
	text []byte // of a merged frame: text or arguments

	// Frames of one block of text differ in n and text: what stands before n, and
	// between the two, is encoded once.
	of         deltaBlock
	head, then []byte
}

// deltaBlock is what the frames of one block have in common.
type deltaBlock struct {
	id                   harness.SessionID
	turn                 harness.TurnID
	step, attempt, index int64
	kind                 harness.DeltaKind
	call                 harness.ToolCallID
}

func blockOf(d *harness.SessionDelta) deltaBlock {
	return deltaBlock{d.SessionID, d.Turn, d.Step, d.Attempt, d.Index, d.Kind, d.ToolCallID}
}

// AppendFrame implements jsonrpc.LiveFrame.
func (f *deltaFrame) AppendFrame(b []byte) []byte {
	d := &f.d
	switch {
	case f.text == nil && d.Text != "":
		if of := blockOf(d); f.of != of {
			f.of = of
			f.head, f.then = f.template()
		}
		b = codec.AppendInt(append(b, f.head...), d.N)
		b = codec.AppendString(append(b, f.then...), d.Text)
		return append(b, "}}"...)
	case f.text == nil:
		return (*harnessserver.Peer)(nil).AppendSessionDelta(b, d)
	}
	whole := *d
	if d.Kind == harness.DeltaToolCall {
		whole.Arguments = string(f.text)
	} else {
		whole.Text = string(f.text)
	}
	return (*harnessserver.Peer)(nil).AppendSessionDelta(b, &whole)
}

// template returns the two constant parts of the block's frames. Inside of a
// string a quote is escaped, so neither is found in one.
func (f *deltaFrame) template() (head, then []byte) {
	d := f.d
	d.N, d.Text = 0, "."
	b := (*harnessserver.Peer)(nil).AppendSessionDelta(nil, &d)
	head, then, _ = bytes.Cut(b, []byte(`"n":0,`))
	return append(head, `"n":`...), append([]byte{','}, bytes.TrimSuffix(then, []byte(`"."}}`))...)
}

// Keep implements jsonrpc.LiveFrame.
func (f *deltaFrame) Keep() jsonrpc.LiveFrame {
	kept := *f
	return &kept
}

// Merge implements jsonrpc.LiveFrame.
func (f *deltaFrame) Merge(next jsonrpc.LiveFrame) bool {
	n, ok := next.(*deltaFrame)
	if !ok {
		return false
	}
	a, b := &f.d, &n.d
	if blockOf(a) != blockOf(b) || b.Name != "" || b.N != a.N+max(a.Merged, 1) {
		return false
	}
	if f.text == nil {
		f.text = append(make([]byte, 0, 256), a.Text+a.Arguments...)
	}
	if n.text != nil {
		f.text = append(f.text, n.text...)
	} else {
		f.text = append(append(f.text, b.Text...), b.Arguments...)
	}
	a.Merged = max(a.Merged, 1) + max(b.Merged, 1)
	return true
}

// deltaSize is what a delta frame has in addition to its text, about.
const deltaSize = 200

// Size implements jsonrpc.LiveFrame.
func (f *deltaFrame) Size() int {
	return deltaSize + max(len(f.text), len(f.d.Text)+len(f.d.Arguments))
}

// publishDelta shows a delta to those who want it, and adds the lanes that have
// little room left to those to wait for.
func (f *family) publishDelta(d *deltaFrame, full []lane) []lane {
	shown := uint64(0)
	for _, s := range f.subs {
		if s.muted || !s.c.wantsDeltas() {
			continue
		}
		if _, room := s.lane.Offer(d); !room {
			full = append(full, s.lane)
		}
		shown++
	}
	f.e.counts.deltas.Add(shown)
	return full
}
