// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// toFour makes rows of generation 4: a tool's result is a message of its own role,
// and what a plugin wrote is named after it.
type toFour struct {
	*migration
}

func (s *toFour) row(r log.Row, next func(log.Row) error) error {
	if !log.Known(4, r.Type) {
		if !r.Ignorable {
			return s.refuse(r, "the type is not known, and the row may not be skipped")
		}
		r.Type = "plugin:" + r.Type
		return next(r)
	}
	data, ok := parse(r.Data)
	if !ok {
		return s.refuse(r, errShape.Error())
	}
	switch r.Type {
	case harness.EventTypeUserMessage:
		data = message(data)
	case harness.EventTypeAssistantMessage, harness.EventTypeSystemMessage, harness.EventTypeDeveloperMessage:
		if m := data.object("message"); m != nil {
			data = data.set("message", message(m).bytes())
		}
	case harness.EventTypeToolResult:
		m, ok := toolResult(data.object("message"))
		if !ok {
			return s.refuse(r, "a tool's result is a message with exactly one block, which is the result")
		}
		data = data.set("message", message(m).bytes())
	case harness.EventTypeInboxSpliced:
		inserted := items(data.get("inserted"))
		for i, raw := range inserted {
			if m, ok := parse(raw); ok {
				inserted[i] = message(m).bytes()
			}
		}
		if inserted != nil {
			data = data.set("inserted", list(inserted))
		}
	default:
		return next(r)
	}
	r.Data = data.bytes()
	return next(r)
}

func (s *toFour) end(func(log.Row) error) error { return nil }

// toolResult takes the result out of its block. Members that belong to neither are
// kept under a plugin's name.
func toolResult(m object) (object, bool) {
	blocks := items(m.get("content"))
	if len(blocks) != 1 {
		return nil, false
	}
	block, ok := parse(blocks[0])
	if !ok || block.text("type") != "tool-result" {
		return nil, false
	}
	result := object{{"role", quote("tool")}}
	for _, o := range m {
		switch o.key {
		case "role":
		case "content":
			for _, in := range block {
				switch in.key {
				case "type":
				case "toolCallId", "content", "isError":
					result = result.set(in.key, in.raw)
				default:
					result = result.set("plugin:result:"+in.key, in.raw)
				}
			}
		case "source", "id":
			result = result.set(o.key, o.raw)
		default:
			result = result.set("plugin:message:"+o.key, o.raw)
		}
	}
	return result, true
}

// message renames what a plugin wrote: the source's kind, and blocks that are not
// known.
func message(m object) object {
	if source := m.object("source"); source.text("kind") == "plugin" {
		kind := pluginKind(source.text("plugin"), m.text("role"))
		m = m.set("source", source.remove("plugin").set("kind", quote(kind)).bytes())
	}
	blocks := items(m.get("content"))
	changed := false
	for i, raw := range blocks {
		if b, ok := parse(raw); ok && !declaredBlock(b.text("type")) {
			blocks[i] = b.set("type", quote("plugin:"+b.text("type"))).bytes()
			changed = true
		}
	}
	if changed {
		m = m.set("content", list(blocks))
	}
	return m
}

var pluginKinds = map[string]string{
	"compact":              harness.MessageSourceKindCompactCheckpoint,
	"tools-code-mode":      harness.MessageSourceKindPTCMode,
	"tools-ptc":            harness.MessageSourceKindPTCMode,
	"dsh-compaction-basic": harness.MessageSourceKindCompactBasic,
}

// pluginKind is the kind of what was a plugin's source. Names that the declaration
// has are kinds since.
func pluginKind(plugin, role string) string {
	kind, ok := pluginKinds[plugin]
	switch {
	case ok:
		return kind
	case plugin == "@deepseek-ai/dsh-system-prompt" && role == "system":
		return harness.MessageSourceKindSystemPrompt
	case plugin == "@deepseek-ai/dsh-system-prompt":
		return harness.MessageSourceKindRuntimeContext
	case declaredSource(plugin):
		return plugin
	}
	return "plugin:" + plugin
}

// strictMessage reads a message by the declaration, with a source of a kind and a
// block of a type: a value of a declared type is read as that type or refused.
func strictMessage(source, block string) (*harness.UserMessage, error) {
	d := codec.Decoder{Strict: true}
	text := append([]byte(`{"id":"m","role":"user","source":{"kind":`), quote(source)...)
	text = append(append(text, `},"content":[{"type":`...), quote(block)...)
	d.Reset(append(text, `}]}`...))
	m := codec.Decode(&d, new(harness.UserMessage))
	return m, d.Err()
}

func declaredSource(kind string) bool {
	m, err := strictMessage(kind, "unknown")
	_, unknown := m.Source.(*harness.UnknownMessageSource)
	return err != nil || !unknown
}

func declaredBlock(kind string) bool {
	m, err := strictMessage("unknown", kind)
	if err != nil || len(m.Content) == 0 {
		return true
	}
	_, unknown := m.Content[0].(*harness.UnknownContentBlock)
	return !unknown
}
