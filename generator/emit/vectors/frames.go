// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"encoding/json"
	"strconv"

	"github.com/accordkit/accord/spec/model"
)

// messages are the examples of methods and notifications.
func (w *world) messages() []Message {
	var out []Message
	id := 0
	for _, m := range w.p.Methods {
		for _, e := range m.Examples {
			id++
			one := Message{
				Message: m.Name, Name: e.Name, From: m.From, Params: m.Params, Result: m.Result, Fails: e.Error,
				Frame: frame(member{"id", strconv.Itoa(id)}, member{"method", quote(m.Name)}, params(m.Params, e.Params)),
			}
			if e.Error == "" {
				result := e.Result
				if result == "" {
					result = "{}"
				}
				if result == "null" || !w.composed(m.Result) {
					one.Result = "" // it has no vectors of its own
				}
				one.Response = frame(member{"id", strconv.Itoa(id)}, member{"result", result})
			}
			out = append(out, one)
		}
	}
	for _, n := range w.p.Notifications {
		for _, e := range n.Ex {
			out = append(out, Message{
				Message: n.Name, Name: e.Name, From: n.From, Params: n.Params,
				Frame: frame(member{"method", quote(n.Name)}, params(n.Params, e.Params)),
			})
		}
	}
	return out
}

// composed reports whether a type is one that vectors are made of.
func (w *world) composed(typeName string) bool {
	t := w.types[typeName]
	return t != nil && (t.Kind == model.KindStruct || t.Kind == model.KindUnion)
}

// params are the member of that name; none if the message has none.
func params(typeName, text string) member {
	if typeName == "" || text == "" {
		return member{}
	}
	return member{"params", text}
}

func frame(members ...member) string {
	out := object{{"jsonrpc", `"2.0"`}}
	for _, m := range members {
		if m.name != "" {
			out = append(out, m)
		}
	}
	return out.String()
}

// errors are the errors that are on the wire, with the least of their data and
// with all.
func (w *world) errors() []Error {
	var out []Error
	for _, e := range w.p.Errors {
		if e.At == model.Client {
			continue
		}
		last := ""
		for _, full := range []bool{false, true} {
			data := object{{"kind", quote(e.Kind)}}
			if e.Retry != "" {
				data = append(data, member{"retry", quote(e.Retry)})
			}
			for _, f := range e.Data {
				if full || f.Always() {
					data = append(data, member{f.Wire, w.member(f, full, 0)})
				}
			}
			text := object{{"code", strconv.Itoa(e.Code)}, {"message", `"…"`}, {"data", data.String()}}.String()
			if text == last {
				continue
			}
			last = text
			name := map[bool]string{false: "the least", true: "all members"}[full]
			out = append(out, Error{Kind: e.Kind, Name: name, Retry: e.Retry, Error: json.RawMessage(text)})
		}
	}
	return out
}
