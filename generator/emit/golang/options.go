// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// options are the members of a method's params that a caller may leave out: one
// struct, of which a call takes a pointer that may be nil.
type options struct {
	name   string // of the struct
	doc    string
	fields []*model.Field
}

// optional returns the options of a method, or of a notification as a method; nil
// if it has none. The member that says where the call stands, those that a call
// must have and the cursor of a listing are parameters, or known.
func (g *gen) optional(m *model.Method) *options {
	fields := g.optionalFields(m)
	if len(fields) == 0 {
		return nil
	}
	base := strings.TrimSuffix(m.Params, "Params")
	for _, other := range g.sent() {
		if other.Params == m.Params && !slices.Equal(g.optionalFields(other), fields) {
			base = m.GoName // of the same params others may be chosen
		}
	}
	return &options{name: base + "Options", doc: "are the params of " + m.Name + " that may be left out.", fields: fields}
}

func (g *gen) optionalFields(m *model.Method) []*model.Field {
	if m.Params == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.types[m.Params].Fields), func(f *model.Field) bool {
		return f.Always() || m.In != nil && f.Wire == m.In.Key || m.Pages != nil && f.Wire == m.Pages.Cursor
	})
}

// without returns the options that are left when the handle of some work fills in
// a member.
func (o *options) without(f *model.Field, handle string) *options {
	if o == nil || !slices.Contains(o.fields, f) {
		return o
	}
	left := slices.DeleteFunc(slices.Clone(o.fields), func(have *model.Field) bool { return have == f })
	if len(left) == 0 {
		return nil
	}
	return &options{name: handle + o.name, doc: o.doc + " The call is about what the " + handle + " follows.", fields: left}
}

// sent are what a client sends by the methods of its handles, notifications as
// methods.
func (g *gen) sent() []*model.Method {
	var out []*model.Method
	for _, m := range g.calls(model.Client) {
		if !g.negotiates(m) {
			out = append(out, m)
		}
	}
	for _, n := range g.notes(model.Client) {
		out = append(out, noteMethod(n))
	}
	return out
}

// noteMethod is a notification of the client as a method without an answer.
func noteMethod(n *model.Notification) *model.Method {
	return &model.Method{Name: n.Name, GoName: noteName(n), Params: n.Params, In: n.In, Pos: n.Pos}
}

// emitOptions writes the options of all methods and of handles that stop their
// work.
func (g *gen) emitOptions() {
	s := g.source("options.gen.go")
	written := map[string]string{}
	emit := func(m *model.Method, o *options) {
		if o == nil || written[o.name] == m.Params {
			return
		}
		if g.types[o.name] != nil || written[o.name] != "" {
			g.problems.Add(m.Pos, "%s needs the Go name %s for its options, which is taken: rename that type, or the type of its params", m.Name, o.name)
			return
		}
		written[o.name] = m.Params
		var code []jen.Code
		for i, f := range o.fields {
			if i > 0 {
				code = append(code, jen.Line())
			}
			code = append(append(code, comments(g.memberDoc(f))...), jen.Id(f.Name).Add(g.fieldType(f)))
		}
		s.decl(o.name+" "+o.doc, jen.Type().Id(o.name).Struct(code...))
	}
	for _, m := range g.sent() {
		emit(m, g.optional(m))
	}
	for _, i := range g.interruptions() {
		all, _, _ := i.options(g)
		emit(i.stop, all)
	}
	// What is wrong with works is found where the client is rendered.
	for _, sc := range newGen(withWhole(g.p), g.payloads, "client").newClient().scopes {
		for _, w := range sc.works {
			for _, m := range w.cancels {
				emit(m, g.handleOptions(w, m))
			}
		}
	}
}

// handleOptions are those with which a handle of some work stops it.
func (g *gen) handleOptions(w *work, cancel *model.Method) *options {
	target := g.memberOf(cancel.Params, w.ticket)
	return g.optional(cancel).without(target, w.activity.Handle)
}

// into are the statements that copy the options o, unless nil, into p.
func (o *options) into() []jen.Code {
	if o == nil {
		return nil
	}
	return []jen.Code{jen.If(jen.Id("o").Op("!=").Nil()).Block(assign("p", o.fields)...)}
}
