// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"crypto/sha256"
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// toThree makes rows of generation 3: the system prompt leaves the request headers
// and becomes a message, at first an empty one.
type toThree struct {
	*migration
	id     string // of the session
	turn   int64
	step   int64
	head   int64 // the last system message, as a negative sequence; 0: there is none
	prompt string
}

func (s *toThree) row(r log.Row, next func(log.Row) error) error {
	if !log.Known(2, r.Type) {
		return s.refuse(r, "the type is not known, and rows of this generation cannot be skipped")
	}
	if r.Surface.Op != "" && s.head == 0 {
		return s.refuse(r, "a row of the conversation comes before the first step, where its system message has no place")
	}
	switch r.Type {
	case harness.EventTypeCodeDispatchStart:
		r.Type = harness.EventTypePTCDispatchStart
	case harness.EventTypeCodeDispatch:
		r.Type = harness.EventTypePTCDispatch
	case harness.EventTypeAgentPresetSelected:
		if data, _ := parse(r.Data); data.text("agentPreset") == "code" {
			r.Data = data.set("agentPreset", quote("ptc")).bytes()
		}
	case harness.EventTypeStepStart:
		data, _ := parse(r.Data)
		s.turn, s.step = data.number("turn"), data.number("step")
		if err := next(r); err != nil || s.head != 0 {
			return err
		}
		return s.system(r, next, "", "[]")
	case harness.EventTypeRequestHeader:
		return s.header(r, next)
	}
	return next(r)
}

func (s *toThree) end(func(log.Row) error) error { return nil }

func (s *toThree) header(r log.Row, next func(log.Row) error) error {
	data, ok := parse(r.Data)
	header := data.object("header")
	if !ok || header == nil {
		return s.refuse(r, errShape.Error())
	}
	prompt := header.text("system")
	header = header.remove("system")
	for key, empty := range map[string]string{"tools": "[]", "adapterDefaults": "{}"} {
		if string(header.get(key)) == empty {
			header = header.remove(key)
		}
	}
	if prompt != s.prompt {
		if s.head == 0 {
			return s.refuse(r, "a request comes before the first step")
		}
		content := "[]"
		if prompt != "" {
			content = fmt.Sprintf(`[{"type":"text","text":%s}]`, quote(prompt))
		}
		if err := s.system(r, next, prompt, content); err != nil {
			return err
		}
	}
	r.Data = data.set("header", header.bytes()).bytes()
	return next(r)
}

// system writes a system message with the time of r, in the place of the last one.
func (s *toThree) system(r log.Row, next func(log.Row) error, prompt, content string) error {
	id := sha256.Sum256(fmt.Appendf(nil, "%s:%d:%s", s.id, r.Seq, prompt))
	m := log.Row{
		Type: harness.EventTypeSystemMessage, Seq: s.head - 1, Time: r.Time,
		Data: fmt.Appendf(nil, `{"turn":%d,"step":%d,"message":{"id":"v2-to-v3-system-%x","role":"system","source":{"kind":"system-prompt"},"content":%s}}`,
			s.turn, s.step, id, content),
		Surface: log.Surface{Op: "append"}, SurfaceFirst: true,
	}
	if s.head != 0 {
		m.Surface = log.Surface{Op: "replace", Start: s.head, End: s.head}
		m.Sources = []log.Range{{First: s.head, Last: s.head}}
	}
	s.head--
	s.prompt = prompt
	return next(m)
}
