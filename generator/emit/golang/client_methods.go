// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func methodVar(m *model.Method) string { return "method" + m.GoName }

// emitMethods writes what a caller must know about each method, and the calls:
// on the handle of their scope, or on Runtime.
func (c *client) emitMethods() {
	s := c.source("methods.gen.go")
	var vars []jen.Code
	for _, m := range c.calls(model.Client) {
		values := []jen.Code{jen.Id("Name").Op(":").Lit(m.Name)}
		if m.Needs != "" {
			values = append(values, jen.Id("Needs").Op(":").Lit(m.Needs))
		}
		if len(m.Lacks) == 0 && len(c.p.Generations) > 0 {
			values = append(values, jen.Id("Common").Op(":").True())
		}
		if r := repeatsConst(m.Repeats); r != "" {
			values = append(values, jen.Id("Repeats").Op(":").Qual(clientPath, r))
		}
		if m.Attaches != "" {
			values = append(values, jen.Id("Attaches").Op(":").True())
		}
		vars = append(vars, jen.Id(methodVar(m)).Op("=").Qual(clientPath, "Method").Values(values...))
	}
	for _, n := range c.notes(model.Client) {
		values := []jen.Code{jen.Id("Name").Op(":").Lit(n.Name)}
		if n.Needs != "" {
			values = append(values, jen.Id("Needs").Op(":").Lit(n.Needs))
		}
		vars = append(vars, jen.Id(noteVar(n)).Op("=").Qual(clientPath, "Method").Values(values...))
	}
	if len(vars) > 0 {
		s.decl("", jen.Var().Defs(vars...))
	}
	for _, sc := range c.scopes {
		if !sc.whole {
			c.emitHandle(s, sc)
		}
		c.emitScopeBegin(s, sc)
		for _, m := range c.calls(model.Client) {
			switch {
			case m.In == nil || m.In.Scope != sc.s.Name || c.returnsHandle(m):
			case m.Pages != nil:
				c.emitPages(s, sc, m)
			default:
				c.emitCall(s, sc, m)
				c.emitAlsoNotify(s, sc, m)
			}
		}
		for _, i := range c.interruptions() {
			if i.stop.In != nil && i.stop.In.Scope == sc.s.Name {
				c.emitInterrupt(s, sc, i)
			}
		}
		for _, n := range c.notes(model.Client) {
			if n.In != nil && n.In.Scope == sc.s.Name {
				c.emitNotify(s, sc, n)
			}
		}
	}
	for _, n := range c.notes(model.Client) {
		if n.In == nil {
			c.emitNotify(s, nil, n)
		}
	}
	for _, m := range c.calls(model.Client) {
		switch {
		case c.negotiates(m):
		case m.In == nil && m.Pages != nil:
			c.emitPages(s, nil, m)
		case m.In == nil:
			c.emitCall(s, nil, m)
			c.emitAlsoNotify(s, nil, m)
		case c.returnsHandle(m):
			c.emitOpen(s, c.scope(m.Attaches), m)
		}
	}
}

func repeatsConst(r *model.Repeats) string {
	if r == nil {
		return ""
	}
	return map[string]string{model.ReadOnly: "ReadOnly", model.Idempotent: "Idempotent", model.Keyed: "Keyed", model.Unsafe: ""}[r.How]
}

// methodDoc is the comment of a method on its handle.
func (c *client) methodDoc(m *model.Method, more string) string {
	name := c.handleName(m)
	doc := docAs(m.Doc.EN, m.Var, name)
	if doc == "" {
		doc = name + " is " + m.Name + "."
	}
	if more != "" {
		doc += "\n\n" + more
	}
	needs := ""
	if m.Needs != "" {
		needs = "It needs the capability " + m.Needs
	}
	doc += "\n\n" + sentences("Wire name "+m.Name, accepts(m), mayBeNil(m), c.settles(m), repeats(m.Repeats), needs, since(m.Since))
	if d := m.Deprecated; d != nil {
		doc += "\n\nDeprecated: " + sentences(since(d.Since), "Use "+d.Instead)
	}
	if names := c.failures(m); names != "" {
		doc += "\n\n" + sentences("Errors: "+names)
	}
	return doc
}
