// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"encoding/json"
	"slices"
	"strings"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/spec/model"
)

// Names of the definitions that every bundle has.
const (
	clientFrame = "frame.client"
	serverFrame = "frame.server"
	idName      = "id"
	errorName   = "error"
	replyName   = "response"
)

// messages defines the frames: requests with their responses, notifications,
// errors, and what each side may send.
func (b *bundle) messages() {
	b.define(idName, &js.Schema{AnyOf: []*js.Schema{{Type: "string"}, {Type: "number"}, {Type: "null"}}})
	b.errors()
	b.define(replyName, b.response(&js.Schema{}))
	twins, noteTwins := b.p.Twins()
	senders := map[string][]*js.Schema{}
	names := map[string][]any{}
	for _, m := range b.p.Methods {
		request := twin(defName("request", m.Name), m.From, twins[m.Name])
		b.define(request, b.request(m))
		result := &js.Schema{Type: "object"}
		if m.Result != "" {
			result = b.typeRef(m.Result, m.Name)
		}
		if m.OrNull {
			result = orNull(result)
		}
		result.Examples = examples(m.Examples, func(e model.Ex) string { return e.Result })
		response := b.response(result)
		extra(response, "x-errors", kinds(m.Fails))
		b.define(twin(defName("response", m.Name), m.From, twins[m.Name]), response)
		senders[m.From] = append(senders[m.From], b.dispatch(m.Name, request))
		names[m.From] = append(names[m.From], m.Name)
	}
	for _, n := range b.p.Notifications {
		name := twin(defName("notification", n.Name), n.From, noteTwins[n.Name])
		b.define(name, b.notification(n))
		senders[n.From] = append(senders[n.From], b.dispatch(n.Name, name))
		names[n.From] = append(names[n.From], n.Name)
	}
	b.define(clientFrame, b.frame(senders[model.Client], without(names[model.Server], names[model.Client])))
	b.define(serverFrame, b.frame(senders[model.Server], without(names[model.Client], names[model.Server])))
}

// twin is the definition's name of a message whose name the other side has too:
// the server's has its side behind it.
func twin(name, from string, both bool) string {
	if both && from == model.Server {
		return name + "." + model.Server
	}
	return name
}

// kinds is a value for extra: nil slices are left out.
func kinds(list []string) any {
	if len(list) == 0 {
		return ""
	}
	return list
}

// without are the names of a list that another has not.
func without(list, other []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(name any) bool { return slices.Contains(other, name) })
}

func envelope(required ...string) *js.Schema {
	s := &js.Schema{Type: "object", Properties: js.NewProperties(), Required: append([]string{"jsonrpc"}, required...)}
	s.Properties.Set("jsonrpc", &js.Schema{Const: "2.0"})
	return s
}

// frame is anything that one side may send: a known method in its shape, an
// unknown one, or a response; but no method of the other side's.
func (b *bundle) frame(dispatch []*js.Schema, others []any) *js.Schema {
	message := envelope("method")
	method := &js.Schema{Type: "string"}
	if len(others) > 0 {
		method.Not = &js.Schema{Enum: others}
	}
	message.Properties.Set("method", method)
	message.AllOf = dispatch
	return &js.Schema{AnyOf: []*js.Schema{message, b.ref(replyName)}}
}

// dispatch holds a method's messages to their definition.
func (b *bundle) dispatch(method, def string) *js.Schema {
	is := &js.Schema{Properties: js.NewProperties()}
	is.Properties.Set("method", &js.Schema{Const: method})
	return &js.Schema{If: is, Then: b.ref(def)}
}

func (b *bundle) request(m *model.Method) *js.Schema {
	s := envelope("method")
	if !m.AlsoNotify {
		s.Required = append(s.Required, "id")
	}
	s.Properties.Set("id", b.ref(idName))
	b.call(s, m.Name, m.Params, m.Examples)
	b.describe(s, m.Doc, m.Var)
	extra(s, "x-accepts", m.Accepts)
	if m.Repeats != nil {
		extra(s, "x-repeats", m.Repeats.How)
	}
	extra(s, "x-needs", m.Needs)
	extra(s, "x-since", m.Since)
	extra(s, "x-stability", m.Stability)
	s.Deprecated = m.Deprecated != nil
	return s
}

func (b *bundle) notification(n *model.Notification) *js.Schema {
	s := envelope("method")
	b.call(s, n.Name, n.Params, n.Ex)
	b.describe(s, n.Doc, n.Var)
	extra(s, "x-needs", n.Needs)
	extra(s, "x-since", n.Since)
	return s
}

// call adds method and params to a request or notification. Params must be
// there if one of their members must.
func (b *bundle) call(s *js.Schema, method, params string, ex []model.Ex) {
	s.Properties.Set("method", &js.Schema{Const: method})
	p := &js.Schema{Type: "object"}
	if params != "" {
		p = b.typeRef(params, method)
		if t := b.types[params]; t != nil && needed(t) {
			s.Required = append(s.Required, "params")
		}
	}
	p.Examples = examples(ex, func(e model.Ex) string { return e.Params })
	s.Properties.Set("params", p)
}

func needed(t *model.Type) bool {
	if t.Kind == model.KindUnion {
		return true
	}
	for _, f := range t.Fields {
		if f.Always() {
			return true
		}
	}
	return false
}

func examples(list []model.Ex, pick func(model.Ex) string) []any {
	var out []any
	for _, e := range list {
		if text := pick(e); text != "" && e.Error == "" {
			out = append(out, json.RawMessage(text))
		}
	}
	return out
}

// response is a result or an error, never both.
func (b *bundle) response(result *js.Schema) *js.Schema {
	s := envelope("id")
	s.Properties.Set("id", b.ref(idName))
	s.Properties.Set("result", result)
	s.Properties.Set("error", b.ref(errorName))
	s.OneOf = []*js.Schema{{Required: []string{"result"}}, {Required: []string{"error"}}}
	return s
}

// errors defines each error of the protocol, and the error member that holds
// one of them or one that is not known.
func (b *bundle) errors() {
	var known []any
	one := []*js.Schema{}
	for _, e := range b.p.Errors {
		if e.At == model.Client {
			continue // never on the wire
		}
		name := defName("error", e.Kind)
		b.define(name, b.domainError(e))
		one = append(one, b.ref(name))
		known = append(known, e.Kind)
	}
	s := errorObject()
	s.Properties.Set("data", &js.Schema{})
	if len(known) > 0 {
		kind := &js.Schema{Required: []string{"kind"}, Type: "object", Properties: js.NewProperties()}
		kind.Properties.Set("kind", &js.Schema{Enum: known})
		is := &js.Schema{Required: []string{"data"}, Properties: js.NewProperties()}
		is.Properties.Set("data", kind)
		s.OneOf = append(one, &js.Schema{Title: "unknown", Not: is})
	}
	b.define(errorName, s)
}

func errorObject() *js.Schema {
	s := &js.Schema{Type: "object", Required: []string{"code", "message"}, Properties: js.NewProperties()}
	s.Properties.Set("code", &js.Schema{Type: "integer"})
	s.Properties.Set("message", &js.Schema{Type: "string"})
	return s
}

func (b *bundle) domainError(e *model.Error) *js.Schema {
	s := errorObject()
	s.Required = append(s.Required, "data")
	// Peers that never negotiated know one code alone; the kind is the same.
	codes := []any{e.Code}
	for _, g := range b.p.Generations {
		if g.Code != 0 && !slices.Contains(codes, any(g.Code)) {
			codes = append(codes, g.Code)
		}
	}
	s.Properties.Set("code", &js.Schema{Enum: codes})
	s.Properties.Set("data", b.errorData(e))
	b.describe(s, e.Doc, e.Var)
	return s
}

// errorData is the data of one error: its kind, its retry class, the id of the
// scope that it is about, and members of its own.
func (b *bundle) errorData(e *model.Error) *js.Schema {
	data := &js.Schema{Type: "object", Required: []string{"kind"}, Properties: js.NewProperties()}
	data.Properties.Set("kind", &js.Schema{Const: e.Kind})
	if e.Retry != "" {
		data.Properties.Set("retry", &js.Schema{Const: e.Retry})
	}
	for _, sc := range b.p.Scopes {
		if key := b.scopeMember(sc); key != "" {
			data.Properties.Set(key, b.typeRef(sc.Key, "scope "+sc.Name))
		}
	}
	b.members(data, e.Data, "error "+e.Kind)
	return data
}

// scopeMember is the member by which messages name a scope, and so do errors.
func (b *bundle) scopeMember(s *model.Scope) string {
	for _, m := range b.p.Methods {
		if m.In != nil && m.In.Scope == s.Name && !strings.Contains(m.In.Key, ".") {
			return m.In.Key
		}
	}
	for _, n := range b.p.Notifications {
		if n.In != nil && n.In.Scope == s.Name && !strings.Contains(n.In.Key, ".") {
			return n.In.Key
		}
	}
	return ""
}
