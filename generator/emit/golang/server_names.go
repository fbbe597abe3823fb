// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

const serverPath = "github.com/accordkit/accord/runtime/server"

// The names around a method and a notification.
func methodConst(m *model.Method) string       { return "Method" + m.GoName }
func noteConst(n *model.Notification) string   { return "Notification" + noteName(n) }
func opConst(m *model.Method) string           { return "op" + m.GoName }
func methodErrorFunc(m *model.Method) string   { return unexported(m.GoName) + "Error" }
func absentFunc(m *model.Method) string        { return "absent" + m.GoName }
func liveName(n *model.Notification) string    { return unexported(noteName(n)) + "Frame" }
func noteOpConst(n *model.Notification) string { return "op" + noteName(n) }

// noteName is the Go name of a notification.
func noteName(n *model.Notification) string {
	if n.GoName != "" {
		return n.GoName
	}
	return exported(n.Name)
}

// serialName is the order in which a method's calls run: that of its scope, or
// of the connection.
func serialName(m *model.Method) string {
	if m.In == nil {
		return "serial"
	}
	return "serial" + exported(m.In.Scope)
}

// calls are the methods that a side calls.
func (g *gen) calls(from string) []*model.Method {
	var out []*model.Method
	for _, m := range g.p.Methods {
		if m.From == from {
			out = append(out, m)
		}
	}
	return out
}

// notes are the notifications that a side sends.
func (g *gen) notes(from string) []*model.Notification {
	var out []*model.Notification
	for _, n := range g.p.Notifications {
		if n.From == from {
			out = append(out, n)
		}
	}
	return out
}

// checkServer reports methods that the server side needs twice.
func (g *gen) checkServer() {
	server := map[string]string{}
	onServer := func(pos model.Pos, name, what string) {
		if other, ok := server[name]; ok {
			g.problems.Add(pos, "%s needs the method %s of Server, which is taken by %s: set its GoName", what, name, other)
			return
		}
		server[name] = what
	}
	for _, m := range g.calls(model.Client) {
		onServer(m.Pos, m.GoName, "method "+m.Name)
	}
	for _, n := range g.notes(model.Client) {
		onServer(n.Pos, noteName(n), "notification "+n.Name)
	}
	peer := map[string]string{}
	for _, name := range []string{"Conn", "Serve", "Version", "Negotiated", "Opened", "Capabilities"} {
		peer[name] = "what every Peer has"
	}
	onPeer := func(pos model.Pos, name, what string) {
		if other, ok := peer[name]; ok {
			g.problems.Add(pos, "%s needs the method %s of Peer, which is taken by %s: set its GoName", what, name, other)
			return
		}
		peer[name] = what
	}
	for _, n := range g.notes(model.Server) {
		onPeer(n.Pos, noteName(n), "notification "+n.Name)
	}
	for _, m := range g.calls(model.Server) {
		onPeer(m.Pos, m.GoName, "method "+m.Name)
	}
}

// member finds a top-level member of a payload by its wire name.
func (g *gen) member(typeName, wire string) *model.Field {
	t := g.types[typeName]
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Wire == wire {
			return f
		}
	}
	return nil
}

// memberAt is the Go expression of a member below base, by its path of wire
// names; nil if there is no such member, or one on the way is optional.
func (g *gen) memberAt(base jen.Code, typeName, path string) (*jen.Statement, *model.Field) {
	expr := jen.Add(base)
	var field *model.Field
	for _, name := range strings.Split(path, ".") {
		if field != nil {
			ref := g.under(field.Type)
			if ref.Kind != model.RefNamed || g.isPointer(field) || field.Null() {
				return nil, nil
			}
			typeName = ref.Name
		}
		if field = g.member(typeName, name); field == nil {
			return nil, nil
		}
		expr = expr.Dot(field.Name)
	}
	return expr, field
}

// lacks is the condition that a capability, a member somewhere below base that is
// true or false or an object, is not announced; nil if there is none at the path.
func (g *gen) lacks(base jen.Code, typeName, path string) jen.Code {
	expr := jen.Add(base)
	var conds []jen.Code
	object := false // announced by being there
	names := strings.Split(path, ".")
	for i, name := range names {
		f := g.member(typeName, name)
		if f == nil {
			return nil
		}
		expr = jen.Add(expr).Dot(f.Name)
		last := i == len(names)-1
		if g.isPointer(f) {
			conds = append(conds, jen.Add(expr).Op("!=").Nil())
			object = true
			if last && g.under(f.Type).Kind == model.RefBool {
				conds = append(conds, jen.Op("*").Add(expr))
			}
		} else if last {
			if g.under(f.Type).Kind != model.RefBool {
				return nil
			}
			conds = append(conds, expr)
		}
		typeName = g.under(f.Type).Name
	}
	if len(conds) > 1 {
		all := jen.Add(conds[0])
		for _, c := range conds[1:] {
			all = all.Op("&&").Add(c)
		}
		return jen.Op("!").Parens(all)
	}
	if object {
		return jen.Add(expr).Op("==").Nil()
	}
	return jen.Op("!").Add(conds[0])
}

// sinceOf is the version that added something; 0 if it was always there.
func sinceOf(version string) int {
	n, err := strconv.Atoi(version)
	if err != nil {
		return 0
	}
	return n
}

// later are the members of a payload that a later version added, and that can
// be left out.
func (g *gen) later(typeName string) []*model.Field {
	t := g.types[typeName]
	if t == nil || t.Kind != model.KindStruct {
		return nil
	}
	var out []*model.Field
	for _, f := range t.Fields {
		if sinceOf(f.Since) > 0 && !f.Always() {
			out = append(out, f)
		}
	}
	return out
}

// errorBy finds an error of the protocol that may travel.
func (g *gen) errorBy(is func(e *model.Error) bool) *model.Error {
	for _, e := range g.p.Errors {
		if e.At != model.Client && is(e) {
			return e
		}
	}
	return nil
}

func (g *gen) errorOf(kind string) *model.Error {
	return g.errorBy(func(e *model.Error) bool { return e.Kind == kind })
}

// errorFor is the error that stands for a fault; nil if none does.
func (g *gen) errorFor(fault string) *model.Error {
	for _, e := range g.p.Errors {
		if e.Fault == fault {
			return e
		}
	}
	return nil
}

// dataField finds a member of an error's data by its wire name.
func (g *gen) dataField(e *model.Error, wire string) *model.Field {
	for _, f := range g.errorFields(e) {
		if f.Wire == wire {
			return f
		}
	}
	return nil
}

// generation is the one that a peer belongs to that names no version.
func (g *gen) generation() *model.Generation {
	if g.p.Negotiation == nil {
		return nil
	}
	for _, gen := range g.p.Generations {
		if gen.Name == g.p.Negotiation.Generation {
			return gen
		}
	}
	return nil
}
