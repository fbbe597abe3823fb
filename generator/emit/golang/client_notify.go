// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func noteVar(n *model.Notification) string { return "note" + noteName(n) }

// emitNotify writes what sends a notification.
func (c *client) emitNotify(s *source, sc *clientScope, n *model.Notification) {
	name := c.override(n.Name, c.unscoped(sc, noteName(n)))
	doc := docAs(n.Doc.EN, n.Var, name)
	if doc == "" {
		doc = name + " sends " + n.Name + "."
	}
	needs := ""
	if n.Needs != "" {
		needs = "It needs the capability " + n.Needs
	}
	doc += "\n\n" + sentences("Wire name "+n.Name, "Nothing answers it: an error is that of the connection", needs, since(n.Since))
	c.emitOneWay(s, sc, name, doc, noteVar(n), noteMethod(n))
}

// emitAlsoNotify writes the form of a call that wants no answer.
func (c *client) emitAlsoNotify(s *source, sc *clientScope, m *model.Method) {
	if !m.AlsoNotify {
		return
	}
	name := "Notify" + c.handleName(m)
	c.emitOneWay(s, sc, name, name+" is "+c.handleName(m)+" without an answer: nothing says whether it took effect. An error is that of the connection.", methodVar(m), m)
}

func (c *client) emitOneWay(s *source, sc *clientScope, name, doc, variable string, m *model.Method) {
	receiver, rt := c.at(sc)
	params, body := c.arguments(m, jen.Id("s.id"))
	p := jen.Nil()
	if m.Params != "" {
		p = jen.Op("&").Id("p")
	}
	body = append(body, jen.Return(jen.Id(rt+".client.Caller.Notify").Call(jen.Op("&").Id(variable), p)))
	s.decl(doc, receiver.Id(name).Params(params[1:]...).Error().Block(body...)) // without ctx: nothing waits
}
