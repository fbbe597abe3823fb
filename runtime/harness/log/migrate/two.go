// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// toTwo makes rows of generation 2: the chunks of an attempt become the stream of
// its message, or else an assistant/attempt where its last chunk is. It holds the
// rows of one attempt.
type toTwo struct {
	*migration
	cut    int64     // of what is inherited; -1: nothing is, or its end has been marked
	time   int64     // of the last row
	chunks []log.Row // of the attempt that is open
	others []log.Row // that came between them, or behind them
	turn   int64     // of the attempt
	step   int64
	done   bool // the attempt has finished
}

func newToTwo(m *migration, old *harness.SessionHeaderLine) *toTwo {
	s := &toTwo{migration: m, cut: -1}
	if old.SeedLength != nil && *old.SeedLength > 0 {
		s.cut = *old.SeedLength
	}
	return s
}

func (s *toTwo) row(r log.Row, next func(log.Row) error) error {
	if r.Seq == s.cut {
		s.cut = -1
		if err := s.attempt(next); err != nil {
			return err
		}
		if r.Type == harness.EventTypeSessionEndSeed {
			r.Data = []byte(`{"inherited":true}`)
		} else if err := s.endSeed(next); err != nil {
			return err
		}
	}
	s.time = r.Time
	if !log.Known(1, r.Type) {
		return s.refuse(r, "the type is not known, and rows of this generation cannot be skipped")
	}
	data, ok := parse(r.Data)
	if !ok {
		return s.refuse(r, errShape.Error())
	}
	turn, step := data.number("turn"), data.number("step")
	same := turn == s.turn && step == s.step
	switch r.Type {
	case harness.EventTypeAssistantChunk:
		if len(s.chunks) > 0 && (s.done || !same) {
			if err := s.attempt(next); err != nil {
				return err
			}
		}
		s.turn, s.step = turn, step
		s.chunks = append(s.chunks, keep(r))
		s.done = data.object("chunk").text("type") == "finish"
		return nil
	case harness.EventTypeAssistantMessage:
		stream := []byte("[]")
		if len(s.chunks) > 0 && same && s.names(r.Sources) {
			var err error
			if stream, err = s.stream(); err != nil {
				return s.refuse(r, err.Error())
			}
			others := s.others
			s.chunks, s.others = nil, nil
			for _, o := range others {
				if err := next(o); err != nil {
					return err
				}
			}
		} else if err := s.attempt(next); err != nil {
			return err
		}
		r.Data, r.Sources = data.set("stream", stream).bytes(), nil
		return next(r)
	case harness.EventTypeStepEnd, harness.EventTypeTurnEnd, harness.EventTypeTurnStart,
		harness.EventTypeLLMRetry, harness.EventTypeLLMRetryStarted:
		if err := s.attempt(next); err != nil {
			return err
		}
	case harness.EventTypeUserMessage:
		if source := data.object("source"); source.text("kind") == "goal" && source.get("change") != nil {
			return s.refuse(r, "a goal's message that carries its change must be split, which this build does not do")
		}
	}
	if len(s.chunks) > 0 {
		s.others = append(s.others, keep(r))
		return nil
	}
	return next(r)
}

func (s *toTwo) end(next func(log.Row) error) error {
	if err := s.attempt(next); err != nil || s.cut < 0 {
		return err
	}
	s.cut = -1
	return s.endSeed(next)
}

func (s *toTwo) endSeed(next func(log.Row) error) error {
	return next(log.Row{Type: harness.EventTypeSessionEndSeed, Seq: 2 * inserted, Time: s.time, Data: []byte(`{"inherited":true}`)})
}

// names reports whether sources are exactly the open attempt's chunks.
func (s *toTwo) names(sources []log.Range) bool {
	i := 0
	for _, r := range sources {
		for n := r.First; n <= r.Last; n++ {
			if i == len(s.chunks) || s.chunks[i].Seq != n {
				return false
			}
			i++
		}
	}
	return i == len(s.chunks)
}

// attempt writes the open attempt as a row, and what came since it began.
func (s *toTwo) attempt(next func(log.Row) error) error {
	if len(s.chunks) == 0 {
		return nil
	}
	last := s.chunks[len(s.chunks)-1]
	stream, err := s.stream()
	if err != nil {
		return s.refuse(last, err.Error())
	}
	rows := append([]log.Row{{
		Type: harness.EventTypeAssistantAttempt, Seq: last.Seq, Time: last.Time,
		Data: fmt.Appendf(nil, `{"turn":%d,"step":%d,"stream":%s}`, s.turn, s.step, stream),
	}}, s.others...)
	s.chunks, s.others = nil, nil
	for _, r := range rows {
		if err := next(r); err != nil {
			return err
		}
	}
	return nil
}

// stream packs the open attempt's chunks.
func (s *toTwo) stream() ([]byte, error) {
	b := []byte{'['}
	var run *run
	flush := func() {
		if run != nil {
			b = run.append(b)
			run = nil
		}
	}
	for _, row := range s.chunks {
		data, _ := parse(row.Data)
		chunk := data.object("chunk")
		kind, ok := deltas[chunk.text("type")]
		if !ok {
			if chunk == nil {
				return nil, errShape
			}
			flush()
			b = separate(b)
			b = fmt.Appendf(b, `{"type":"chunk","time":%d,"chunk":%s}`, row.Time, chunk.bytes())
			continue
		}
		text := chunk.get(kind.text)
		if text == nil {
			return nil, errShape
		}
		key := string(chunk.remove(kind.text).bytes())
		if run == nil || run.key != key {
			flush()
			run = newRun(key, kind, chunk, row.Time)
		}
		run.add(row.Time, text)
	}
	flush()
	return append(b, ']'), nil
}

func separate(b []byte) []byte {
	if b[len(b)-1] != '[' {
		b = append(b, ',')
	}
	return b
}

// delta says how deltas of a kind are packed: the entry's type, the chunk's member
// with the text, and the entry's with the texts.
type delta struct{ entry, text, list string }

var deltas = map[string]delta{
	"text-delta":      {"text-chunks", "text", "texts"},
	"reasoning-delta": {"reasoning-chunks", "text", "texts"},
	"tool-call-delta": {"tool-call-chunks", "argumentsDelta", "args"},
}

// run is deltas that differ only in their text.
type run struct {
	key   string // what they have in common
	kind  delta
	chunk object // the first
	start int64
	last  int64
	gaps  []byte
	texts [][]byte
}

func newRun(key string, kind delta, chunk object, time int64) *run {
	return &run{key: key, kind: kind, chunk: chunk, start: time, last: time}
}

func (r *run) add(time int64, text []byte) {
	if len(r.texts) > 0 {
		if len(r.gaps) > 0 {
			r.gaps = append(r.gaps, ',')
		}
		r.gaps = codec.AppendInt(r.gaps, time-r.last)
	}
	r.last = time
	r.texts = append(r.texts, text)
}

func (r *run) append(b []byte) []byte {
	entry := object{
		{"type", quote(r.kind.entry)},
		{"time0", codec.AppendInt(nil, r.start)},
		{"index", r.chunk.get("index")},
		{"dt", append(append([]byte{'['}, r.gaps...), ']')},
	}
	for _, key := range []string{"id", "name"} {
		if raw := r.chunk.get(key); raw != nil {
			entry = entry.set(key, raw)
		}
	}
	return append(separate(b), entry.set(r.kind.list, list(r.texts)).bytes()...)
}
