// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"strings"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// toOne makes rows of generation 1: those of 0 with repairs of what the first
// releases wrote.
type toOne struct {
	*migration
	id         string // of the session
	retry      string // id of the retry that was announced last, if it had none
	compaction string // id of the compaction that runs, if it had none
}

func (s *toOne) row(r log.Row, next func(log.Row) error) error {
	switch {
	case strings.HasPrefix(r.Type, "compact/"):
		r.Type = "compaction/" + strings.TrimPrefix(r.Type, "compact/")
	case r.Type == "steering/message":
		r.Type = harness.EventTypeUserMessage
		if r.Surface.Op == "" {
			r.Surface.Op = "append"
		}
	case !log.Known(0, r.Type):
		return s.refuse(r, "the type is not known, and rows of this generation cannot be skipped")
	}
	data, ok := parse(r.Data)
	if !ok {
		return s.refuse(r, errShape.Error())
	}
	changed := data
	switch r.Type {
	case harness.EventTypeTurnStart:
		changed = data.remove("trigger")
	case harness.EventTypeTurnEnd:
		changed = data.set("reason", turnEnd(data.object("reason")))
	case harness.EventTypeRequestHeader:
		if data.text("reason") == "fallback" {
			return s.refuse(r, "a request header with the reason fallback has no successor")
		}
		if h := data.object("header"); h.get("messagePrefix") != nil {
			changed = data.set("header", h.remove("messagePrefix").bytes())
		}
	case harness.EventTypeUserMessage:
		changed = s.identify(r, data)
	case harness.EventTypeAssistantMessage:
		if m := data.object("message"); m != nil {
			changed = data.set("message", s.identify(r, m).bytes())
		}
	case harness.EventTypeToolResult:
		changed = s.toolResult(r, data)
	case harness.EventTypeLLMRetry:
		if data.text("retryId") == "" {
			s.retry = fmt.Sprintf("legacy-retry:%s:%d", s.id, r.Seq)
			changed = data.set("retryId", quote(s.retry))
		}
	case harness.EventTypeLLMRetryStarted:
		if data.text("retryId") == "" {
			changed = data.set("retryId", quote(s.retry))
		}
	case harness.EventTypeCompactionStart:
		if data.text("compactionId") == "" {
			s.compaction = fmt.Sprintf("legacy-compaction:%s:%d", s.id, r.Seq)
			changed = data.set("compactionId", quote(s.compaction))
		}
	case harness.EventTypeCompactionSummary, harness.EventTypeCompactionEnd:
		if data.text("compactionId") == "" {
			changed = data.set("compactionId", quote(s.compaction))
		}
	default:
		return next(r)
	}
	r.Data = changed.bytes()
	return next(r)
}

func (s *toOne) end(func(log.Row) error) error { return nil }

// identify gives a message an id if it has none.
func (s *toOne) identify(r log.Row, m object) object {
	if m.text("id") != "" {
		return m
	}
	return m.remove("id").set("id", quote(fmt.Sprintf("legacy-message:%s:%d", s.id, r.Seq)))
}

// toolResult puts a flat result into a message.
func (s *toOne) toolResult(r log.Row, data object) object {
	if m := data.object("message"); m != nil {
		return data.set("message", s.identify(r, m).bytes())
	}
	call := data.get("callId")
	if call == nil {
		return data
	}
	block := object{{"type", quote("tool-result")}, {"toolCallId", call}}
	for _, key := range []string{"content", "isError"} {
		if raw := data.get(key); raw != nil {
			block = block.set(key, raw)
		}
		data = data.remove(key)
	}
	source := object{{"kind", quote("tool")}, {"callId", call}}
	m := object{{"source", source.bytes()}, {"content", list([][]byte{block.bytes()})}, {"role", quote("user")}}
	return data.remove("callId").set("message", s.identify(r, m).bytes())
}

// turnEnd repairs the reason of a turn's end.
func turnEnd(reason object) []byte {
	switch reason.text("kind") {
	case "disposed":
		return []byte(`{"kind":"aborted","reason":{"kind":"disposed"}}`)
	case "aborted":
		if reason.get("reason") == nil {
			return []byte(`{"kind":"aborted","reason":{"kind":"legacy"}}`)
		}
	case "error":
		if reason.get("error") == nil {
			code := reason.get("code")
			if code == nil {
				code = quote("UNKNOWN")
			}
			message := reason.get("message")
			if message == nil {
				message = quote("")
			}
			failure := object{{"message", message}, {"code", code}}
			return object{{"kind", quote("error")}, {"error", failure.bytes()}}.bytes()
		}
	}
	return reason.bytes()
}
