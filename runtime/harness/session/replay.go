// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"context"
	"iter"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/store"
)

// replay reads a session's stored events for a session/load: all of them,
// those too that are never live on the wire.
type replay struct {
	f     *family
	id    harness.SessionID
	log   store.Log
	turns func(seq int64) harness.TurnID
}

// Events implements jsonrpc.Source. It runs concurrently with the mailbox.
func (r *replay) Events(ctx context.Context, from, to int64, emit func(seq int64, frame func(b []byte) []byte) bool) error {
	for rec, err := range r.read(ctx, from) {
		if err != nil {
			return err
		}
		if rec.Seq > to {
			return nil
		}
		var turn harness.TurnID
		if !isSplice(rec.Data) {
			turn = r.turns(rec.Seq)
		}
		if !emit(rec.Seq, func(b []byte) []byte { return appendEvent(b, r.id, rec.Data, turn, true) }) {
			return nil
		}
	}
	return nil
}

// read reads the log through its owner, as long as there is one.
func (r *replay) read(ctx context.Context, from int64) (records iter.Seq2[store.Record, error]) {
	if !r.f.do(func() { records = r.log.Read(ctx, from) }) {
		records = r.f.e.o.Store.Read(ctx, string(r.id), from)
	}
	return records
}

// isSplice reports whether an event is an inbox splice, which belongs to no turn.
func isSplice(data []byte) bool {
	if rest, ok := bytes.CutPrefix(data, []byte(`{"type":"`)); ok {
		return bytes.HasPrefix(rest, []byte(harness.EventTypeInboxSpliced+`"`))
	}
	var d codec.Decoder
	d.Reset(data)
	for d.Object(); d.More(); {
		if string(d.Key()) == "type" {
			return d.String() == harness.EventTypeInboxSpliced
		}
		d.Skip()
	}
	return false
}

// replays reports whether a replay of the same events is still on its way: a
// concurrent load gets no second one.
func (s *subscription) replays(after int64) bool {
	return s.loading != -2 && s.loading <= after && s.lane.Pending() > 0
}
