// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// recordedStream returns the answer that a log has as the stream of an
// assistant/message or assistant/attempt.
func recordedStream(stream []harness.StreamRecord) recordedAnswer {
	var a recordedAnswer
	block := func(i int64) *recordedBlock {
		for int64(len(a.Blocks)) <= i {
			a.Blocks = append(a.Blocks, recordedBlock{})
		}
		return &a.Blocks[i]
	}
	add := func(i int64, pieces []string, dt []int64) {
		b := block(i)
		for n, piece := range pieces {
			var d time.Duration
			if n > 0 {
				d = time.Duration(dt[n-1]) * time.Millisecond
			}
			b.Pieces = append(b.Pieces, piece)
			b.Pauses = append(b.Pauses, d)
		}
	}
	for _, r := range stream {
		switch r := r.(type) {
		case *harness.TextChunks:
			add(r.Index, r.Texts, r.DT)
		case *harness.ReasoningChunks:
			add(r.Index, r.Texts, r.DT)
		case *harness.ToolCallChunks:
			b := block(r.Index)
			b.ID = r.ID
			if r.Name != "" {
				b.Name = r.Name
				break // the first delta has the name and no arguments
			}
			add(r.Index, r.Args, r.DT)
		case *harness.ChunkRecord:
			a.chunk(r.Chunk, block)
		}
	}
	return a
}

func (a *recordedAnswer) chunk(c harness.StreamChunk, block func(i int64) *recordedBlock) {
	switch c := c.(type) {
	case *harness.BlockStartChunk:
		block(c.Index).Kind = c.BlockType
	case *harness.UsageChunk:
		u := c.Usage
		a.Usage = &u
	case *harness.FinishChunk:
		a.Replay = c.ReplayState
		switch r := c.Reason.(type) {
		case *harness.FinishMaxTokens:
			a.Stop = agent.MaxTokens
		case *harness.FinishError:
			f := r.Failure
			a.Fails = &f
		}
	}
}

// recordedHeader returns a description that a log has: its request/header and
// the text of its system/message.
func recordedHeader(system string, h *harness.RequestHeader, window int64) *agent.Description {
	d := &agent.Description{System: system, Effort: h.Header.Config.ReasoningEffort, Window: window}
	if n := h.Header.Config.MaxTokens; n != nil {
		d.MaxTokens = *n
	}
	for i := range h.Header.Tools {
		t := &h.Header.Tools[i]
		d.Tools = append(d.Tools, agent.Tool{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters,
		})
	}
	return d
}
