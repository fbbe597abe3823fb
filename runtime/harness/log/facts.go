// SPDX-License-Identifier: Apache-2.0

package log

import (
	"github.com/accordkit/accord/runtime/codec"
)

// facts are the members of an event's data that relations between rows are about.
// Members of several types are read alike; what is not there is zero.
type facts struct {
	turn, step int64
	message    message

	callID, name, arguments string
	retryID, provider       string
	commandID, compactionID string
	childID, sessionID      string

	retry, throughSeq, version int64
	headerSeq                  int64 // -1: absent
	inherited                  bool
	failed                     bool // has an error
	code                       string
	messageSeqs                []int64
	repeated                   bool // messageSeqs has one twice

	config    string   // provider of a request's header
	tools     []string // of a request's header
	hasSystem bool     // the request's header has a system prompt, as before generation 3
}

// message is a message of the conversation.
type message struct {
	id, role, kind string // kind: of the source
	callID, toolID string // of a tool's result: in the source, and of its own
	isError        bool
	hasContent     bool // content is a list
	text           string
	wrapped        bool // a block is a tool's result, as before generation 4
	calls          []toolCall
	added          []string // tools that a block adds
}

// toolCall is a call that an assistant's message has, or a row that begins one.
type toolCall struct {
	id, name, arguments string
	seq                 int64 // of the row that recorded its start; -1: none did
}

func text(d *codec.Decoder) string {
	if d.Peek() != '"' {
		d.Skip()
		return ""
	}
	return d.String()
}

func number(d *codec.Decoder) int64 {
	if c := d.Peek(); c != '-' && (c < '0' || c > '9') {
		d.Skip()
		return -1
	}
	return d.Int64()
}

func object(d *codec.Decoder, member func(key string)) {
	if d.Peek() != '{' {
		d.Skip()
		return
	}
	for d.Object(); d.More(); {
		member(string(d.Key()))
	}
}

func array(d *codec.Decoder, item func()) bool {
	if d.Peek() != '[' {
		d.Skip()
		return false
	}
	for d.Array(); d.Next(); {
		item()
	}
	return true
}

// readFacts reads the facts of a row. bare says that the data is a message itself.
func readFacts(d *codec.Decoder, data []byte, bare bool) (facts, error) {
	f := facts{headerSeq: -1}
	d.Reset(data)
	object(d, func(key string) {
		if bare {
			f.message.member(d, key)
			return
		}
		f.member(d, key)
	})
	return f, d.Err()
}

func (f *facts) member(d *codec.Decoder, key string) {
	switch key {
	case "turn":
		f.turn = number(d)
	case "step":
		f.step = number(d)
	case "message":
		object(d, func(key string) { f.message.member(d, key) })
	case "callId":
		f.callID = text(d)
	case "name":
		f.name = text(d)
	case "arguments":
		f.arguments = text(d)
	case "retryId":
		f.retryID = text(d)
	case "provider":
		f.provider = text(d)
	case "commandId":
		f.commandID = text(d)
	case "compactionId":
		f.compactionID = text(d)
	case "childId":
		f.childID = text(d)
	case "sessionId":
		f.sessionID = text(d)
	case "retry":
		f.retry = number(d)
	case "throughSeq":
		f.throughSeq = number(d)
	case "sessionFormatVersion":
		f.version = number(d)
	case "headerSeq":
		f.headerSeq = number(d)
	case "inherited":
		f.inherited = d.Peek() == 't'
		d.Skip()
	case "source":
		f.message.source(d)
	case "messageSeqs":
		seen := map[int64]bool{}
		array(d, func() {
			n := number(d)
			f.repeated = f.repeated || seen[n]
			seen[n] = true
			f.messageSeqs = append(f.messageSeqs, n)
		})
	case "error":
		f.failed = true
		object(d, func(key string) {
			if key == "code" {
				f.code = text(d)
			} else {
				d.Skip()
			}
		})
	case "header":
		object(d, func(key string) { f.request(d, key) })
	default:
		d.Skip()
	}
}

func (f *facts) request(d *codec.Decoder, key string) {
	switch key {
	case "config":
		object(d, func(key string) {
			if key == "provider" {
				f.config = text(d)
			} else {
				d.Skip()
			}
		})
	case "tools":
		array(d, func() {
			object(d, func(key string) {
				if key == "name" {
					f.tools = append(f.tools, text(d))
				} else {
					d.Skip()
				}
			})
		})
	case "system":
		f.hasSystem = true
		d.Skip()
	default:
		d.Skip()
	}
}

func (m *message) source(d *codec.Decoder) {
	object(d, func(key string) {
		switch key {
		case "kind":
			m.kind = text(d)
		case "callId":
			m.callID = text(d)
		default:
			d.Skip()
		}
	})
}

func (m *message) member(d *codec.Decoder, key string) {
	switch key {
	case "id":
		m.id = text(d)
	case "role":
		m.role = text(d)
	case "toolCallId":
		m.toolID = text(d)
	case "isError":
		m.isError = d.Peek() == 't'
		d.Skip()
	case "source":
		m.source(d)
	case "content":
		m.hasContent = array(d, func() { m.block(d) })
	default:
		d.Skip()
	}
}

func (m *message) block(d *codec.Decoder) {
	var kind, tool, body string
	call := toolCall{seq: -1}
	object(d, func(key string) {
		switch key {
		case "type":
			kind = text(d)
		case "id":
			call.id = text(d)
		case "name":
			call.name = text(d)
		case "arguments":
			call.arguments = text(d)
		case "toolName":
			tool = text(d)
		case "text":
			body = text(d)
		default:
			d.Skip()
		}
	})
	switch kind {
	case "tool-call":
		m.calls = append(m.calls, call)
	case "tool-addition":
		m.added = append(m.added, tool)
	case "tool-result":
		m.wrapped = true
	case "text":
		m.text += body
	}
}
