// SPDX-License-Identifier: Apache-2.0

package log

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Usage counts what model requests used. Input does not include what came from a
// cache.
type Usage struct {
	InputTokens      int64 `json:"inputTokens"`
	OutputTokens     int64 `json:"outputTokens"`
	CacheReadTokens  int64 `json:"cacheReadTokens"`
	CacheWriteTokens int64 `json:"cacheWriteTokens"`
	ReasoningTokens  int64 `json:"reasoningTokens"`
	Requests         int64 `json:"requests"` // failed attempts included
}

// Add adds v to u.
func (u *Usage) Add(v Usage) {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CacheReadTokens += v.CacheReadTokens
	u.CacheWriteTokens += v.CacheWriteTokens
	u.ReasoningTokens += v.ReasoningTokens
	u.Requests += v.Requests
}

// Tally counts a log's usage, each request once: what a stream and its message say
// of a request is one report, and a request that failed counts with what it
// reported. The sum of Own over the logs of a root counts nothing twice.
type Tally struct {
	Own       Usage // of the session itself, over all processes that resumed it
	Inherited Usage // of the part that a fork copied from its parent

	seedLength int64 // generations 0 and 1; -1: a marker ends what is inherited
	d          codec.Decoder
	open       bool  // an attempt of generation 0 or 1 has begun
	pending    Usage // of that attempt
}

// NewTally begins the count of a log.
func NewTally(header *harness.SessionHeaderLine) *Tally {
	t := &Tally{seedLength: -1, d: codec.Decoder{Lax: true, MaxDepth: maxDepth}}
	if header.Version < 2 {
		t.seedLength = 0
		if header.SeedLength != nil {
			t.seedLength = *header.SeedLength
		}
	}
	return t
}

// UsageOf counts the rows of a log that have not been read.
func UsageOf(l *Reader) (Tally, error) {
	t := NewTally(l.Header())
	for r, err := range l.Rows() {
		if err == nil {
			err = t.Add(r)
		}
		if err != nil {
			return *t, err
		}
	}
	t.end(l.Seq())
	return *t, nil
}

// Add counts a row. Rows come in the order of the log.
func (t *Tally) Add(r Row) error {
	var report usageReport
	switch r.Type {
	case harness.EventTypeAssistantMessage:
		report.read(&t.d, r.Data)
		switch {
		case report.message.reported:
			t.count(r.Seq, report.message.Usage)
		case report.stream.reported:
			t.count(r.Seq, report.stream.Usage)
		default:
			t.count(r.Seq, t.pending)
		}
		t.open, t.pending = false, Usage{}
	case harness.EventTypeAssistantAttempt:
		report.read(&t.d, r.Data)
		t.count(r.Seq, report.stream.Usage)
	case harness.EventTypeAssistantChunk:
		t.open = true
		report.read(&t.d, r.Data)
		if report.stream.reported {
			t.pending = report.stream.Usage
		}
	case harness.EventTypeCompactionSummary:
		report.read(&t.d, r.Data)
		if report.message.reported {
			t.count(r.Seq, report.message.Usage)
		}
	case harness.EventTypeLLMRetry, harness.EventTypeStepEnd, harness.EventTypeTurnEnd:
		t.end(r.Seq)
	case harness.EventTypeSessionEndSeed:
		report.read(&t.d, r.Data)
		if report.inherited && t.seedLength < 0 {
			t.Inherited.Add(t.Own)
			t.Own = Usage{}
		}
	}
	return t.d.Err()
}

// end ends an attempt that has no message.
func (t *Tally) end(seq int64) {
	if t.open {
		t.count(seq-1, t.pending)
		t.open, t.pending = false, Usage{}
	}
}

func (t *Tally) count(seq int64, u Usage) {
	u.Requests = 1
	if seq < t.seedLength {
		t.Inherited.Add(u)
		return
	}
	t.Own.Add(u)
}

// usageReport is what a row says of usage.
type usageReport struct {
	message, stream struct {
		Usage
		reported bool
	}
	inherited bool
}

func (u *usageReport) read(d *codec.Decoder, data []byte) {
	d.Reset(data)
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "usage":
			u.message.reported = true
			u.message.Usage = readUsage(d)
			return // the stream, which follows, says the same
		case "chunk":
			u.chunk(d)
		case "stream":
			array(d, func() {
				object(d, func(key string) {
					if key == "chunk" {
						u.chunk(d)
					} else {
						d.Skip()
					}
				})
			})
		case "inherited":
			u.inherited = d.Peek() == 't'
			d.Skip()
		default:
			d.Skip()
		}
	}
}

func (u *usageReport) chunk(d *codec.Decoder) {
	object(d, func(key string) {
		if key == "usage" {
			u.stream.reported = true
			u.stream.Usage = readUsage(d)
		} else {
			d.Skip()
		}
	})
}

func readUsage(d *codec.Decoder) (u Usage) {
	object(d, func(key string) {
		switch key {
		case "inputTokens":
			u.InputTokens = max(number(d), 0)
		case "outputTokens":
			u.OutputTokens = max(number(d), 0)
		case "cacheReadTokens":
			u.CacheReadTokens = max(number(d), 0)
		case "cacheWriteTokens":
			u.CacheWriteTokens = max(number(d), 0)
		case "reasoningTokens":
			u.ReasoningTokens = max(number(d), 0)
		default:
			d.Skip()
		}
	})
	return u
}
