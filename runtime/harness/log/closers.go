// SPDX-License-Identifier: Apache-2.0

package log

import (
	"fmt"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// What DSH writes for a tool call whose process ended, byte for byte: it checks the
// text of the second when it opens a log.
const (
	codeOutcomeUnknown = "TOOL_OUTCOME_UNKNOWN"
	nameOutcomeUnknown = "ToolOutcomeUnknownError"
	textOutcomeUnknown = "The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may have side effects, first verify external state or ask the user. Do not retry blindly."

	codeNotStarted = "TOOL_NOT_STARTED"
	nameNotStarted = "ToolNotStartedError"
	textNotStarted = "The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed."
)

// Closers are the rows that end what is open, as interrupted: a result for each tool
// call without one, the step, the turn. They have the time of the last row. DSH
// writes the same when it opens a log for writing. There are none if nothing is
// open.
func (c *Checker) Closers() []Row {
	if !c.turnOpen {
		return nil
	}
	var rows []Row
	seq := c.next
	add := func(kind string, data []byte) *Row {
		rows = append(rows, Row{Type: kind, Seq: seq, Time: c.lastTime, Data: data})
		seq++
		return &rows[len(rows)-1]
	}
	if c.stepOpen {
		for _, call := range c.calls {
			name, code, text := nameNotStarted, codeNotStarted, textNotStarted
			if call.seq >= 0 {
				name, code, text = nameOutcomeUnknown, codeOutcomeUnknown, textOutcomeUnknown
			}
			id := string(codec.AppendString(nil, call.id))
			r := add(harness.EventTypeToolResult, fmt.Appendf(nil,
				`{"turn":%d,"step":%d,"message":{"id":%s,"role":"tool","toolCallId":%s,"isError":true,"source":{"kind":"tool","callId":%s},"content":[{"type":"text","text":"%s"}]},"error":{"name":"%s","code":"%s"}}`,
				c.turn, c.step, codec.AppendString(nil, fmt.Sprintf("interrupted-tool-result-%s-%d", call.id, seq)), id, id, text, name, code))
			r.Surface.Op, r.SurfaceFirst = "append", true
			if call.seq >= 0 {
				r.Sources = []Range{{call.seq, call.seq}}
			}
		}
		add(harness.EventTypeStepEnd, fmt.Appendf(nil, `{"turn":%d,"step":%d}`, c.turn, c.step))
	}
	add(harness.EventTypeTurnEnd, fmt.Appendf(nil, `{"turn":%d,"reason":{"kind":"interrupted"}}`, c.turn))
	return rows
}

// EndSeed is the row that a resumed session begins with, which follows the Closers
// in a batch of its own; false: the last row is one already.
func (c *Checker) EndSeed(time int64) (Row, bool) {
	r := Row{Type: harness.EventTypeSessionEndSeed, Seq: c.next, Time: time, Data: []byte(`{}`)}
	return r, c.lastType != harness.EventTypeSessionEndSeed
}
