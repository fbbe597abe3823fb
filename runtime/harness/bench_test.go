// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

const (
	chunkText = `{"sessionId":"6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11","event":{"type":"assistant/chunk","seq":417,"time":1795990900822,"data":{"turn":3,"step":1,"chunk":{"type":"text-delta","index":0,"text":"and then the next few words"}}}}`
	deltaText = `{"sessionId":"6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11","turn":3,"step":1,"attempt":1,"n":41,"index":0,"kind":"text","text":"and then the next few words"}`
	// The same, the other way round and with blanks: what the reader does not guess.
	chunkAround = `{ "event": { "data": { "chunk": { "text": "and then the next few words", "index": 0, "type": "text-delta" }, "step": 1, "turn": 3 }, "time": 1795990900822, "seq": 417, "type": "assistant/chunk" }, "sessionId": "6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11" }`
)

// The peers of the benchmarks: the same payloads for encoding/json, the union
// in two steps, as one has to.
type (
	plainParams struct {
		SessionID string `json:"sessionId"`
		Event     struct {
			Type string          `json:"type"`
			Seq  int64           `json:"seq"`
			Time int64           `json:"time"`
			Data json.RawMessage `json:"data"`
		} `json:"event"`
	}
	plainData struct {
		Turn  int64           `json:"turn"`
		Step  int64           `json:"step"`
		Chunk json.RawMessage `json:"chunk"`
	}
	plainTag   struct{ Type string }
	plainChunk struct {
		Type  string `json:"type"`
		Index int64  `json:"index"`
		Text  string `json:"text"`
	}
	plainDelta struct {
		SessionID string `json:"sessionId"`
		Turn      int64  `json:"turn"`
		Step      int64  `json:"step"`
		Attempt   int64  `json:"attempt"`
		N         int64  `json:"n"`
		Index     int64  `json:"index"`
		Kind      string `json:"kind"`
		Text      string `json:"text,omitempty"`
	}
)

func BenchmarkDecodeEvent(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"in-order", chunkText}, {"any-order", chunkAround}} {
		text := []byte(c.text)
		b.Run(c.name+"/generated", func(b *testing.B) {
			b.ReportAllocs()
			d := codec.Decoder{Interner: new(codec.Interner)}
			for b.Loop() {
				var v harness.SessionEventParams
				d.Reset(text)
				v.DecodeJSON(&d)
				if d.End(); d.Err() != nil {
					b.Fatal(d.Err())
				}
			}
		})
		b.Run(c.name+"/encoding-json", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v plainParams
				var data plainData
				var tag plainTag
				var chunk plainChunk
				require.NoError(b, json.Unmarshal(text, &v))
				require.NoError(b, json.Unmarshal(v.Event.Data, &data))
				require.NoError(b, json.Unmarshal(data.Chunk, &tag))
				require.NoError(b, json.Unmarshal(data.Chunk, &chunk))
			}
		})
	}
}

func BenchmarkEncodeEvent(b *testing.B) {
	v := &harness.SessionEventParams{
		SessionID: "6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11",
		Event: harness.Event{Seq: 417, Time: 1795990900822, Data: &harness.AssistantChunk{
			Turn: 3, Step: 1, Chunk: &harness.TextDeltaChunk{Text: "and then the next few words"},
		}},
	}
	require.Equal(b, chunkText, string(v.AppendJSON(nil)))
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		var out []byte
		for b.Loop() {
			out = v.AppendJSON(out[:0])
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			chunk, _ := json.Marshal(plainChunk{"text-delta", 0, "and then the next few words"})
			data, _ := json.Marshal(plainData{3, 1, chunk})
			p := plainParams{SessionID: "6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11"}
			p.Event.Type, p.Event.Seq, p.Event.Time, p.Event.Data = "assistant/chunk", 417, 1795990900822, data
			if _, err := json.Marshal(p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeDelta(b *testing.B) {
	text := []byte(deltaText)
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		d := codec.Decoder{Interner: new(codec.Interner)}
		var v harness.SessionDelta
		for b.Loop() {
			d.Reset(text)
			v.DecodeJSON(&d)
			if d.End(); d.Err() != nil {
				b.Fatal(d.Err())
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v plainDelta
			require.NoError(b, json.Unmarshal(text, &v))
		}
	})
}

func BenchmarkEncodeDelta(b *testing.B) {
	v := &harness.SessionDelta{
		SessionID: "6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11", Turn: 3, Step: 1, Attempt: 1, N: 41,
		Kind: harness.DeltaText, Text: "and then the next few words",
	}
	require.Equal(b, deltaText, string(v.AppendJSON(nil)))
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		var out []byte
		for b.Loop() {
			out = v.AppendJSON(out[:0])
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		p := plainDelta{"6b1f0c8e-8f0a-4f1f-9c57-8a2c8a0c9f11", 3, 1, 1, 41, 0, "text", "and then the next few words"}
		for b.Loop() {
			if _, err := json.Marshal(p); err != nil {
				b.Fatal(err)
			}
		}
	})
}
