// SPDX-License-Identifier: Apache-2.0

package session

import (
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// deltaFrame is a session.delta on its way. Frames of one block are merged for
// a reader that is behind: they keep the first one's n, and count.
type deltaFrame struct {
	d    harness.SessionDelta
	text []byte // of a merged frame: text or arguments
}

// AppendFrame implements jsonrpc.LiveFrame.
func (f *deltaFrame) AppendFrame(b []byte) []byte {
	if f.text == nil {
		return (*harnessserver.Peer)(nil).AppendSessionDelta(b, &f.d)
	}
	d := f.d
	if d.Kind == harness.DeltaToolCall {
		d.Arguments = string(f.text)
	} else {
		d.Text = string(f.text)
	}
	return (*harnessserver.Peer)(nil).AppendSessionDelta(b, &d)
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
	if a.SessionID != b.SessionID || a.Turn != b.Turn || a.Step != b.Step || a.Attempt != b.Attempt ||
		a.Index != b.Index || a.Kind != b.Kind || a.ToolCallID != b.ToolCallID || b.Name != "" || b.N != a.N+max(a.Merged, 1) {
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
