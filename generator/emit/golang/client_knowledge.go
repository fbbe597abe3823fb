// SPDX-License-Identifier: Apache-2.0

package golang

import "github.com/dave/jennifer/jen"

// emitKnowledge writes what the protocol says about the messages of a scope.
func (c *client) emitKnowledge() {
	if len(c.scopes) == 0 {
		return
	}
	s := c.source("knowledge.gen.go")
	for _, sc := range c.scopes {
		name := sc.knowledge()
		on := func() *jen.Statement { return jen.Func().Params(jen.Id("k").Op("*").Id(name)) }
		doc := name + " is what the protocol says about the messages of one " + sc.s.Name + "."
		create, param := jen.Op("&").Id(name).Values(), jen.Id("_")
		if w := sc.folded(); w != nil {
			s.decl(doc+" What a declaration cannot say is in "+w.foldName()+", by hand.", jen.Type().Id(name).Struct(jen.Op("*").Id(w.foldName())))
			param = jen.Id("id")
			create = jen.Op("&").Id(name).Values(jen.Id("new" + exported(w.link.Fold) + "Fold").Call(jen.Id("id")))
		} else {
			s.decl(doc, jen.Type().Id(name).Struct(jen.Qual(clientPath, "Past").Types(sc.params()[1])))
		}
		s.decl("", jen.Func().Id("new"+exported(name)).Params(param.Add(c.keyType(sc))).Op("*").Id(name).Block(jen.Return(create)))
		c.emitReadMarks(s, sc, on)
		c.emitMerge(s, sc, on)
		if sc.folded() != nil {
			continue
		}
		where := []jen.Code{jen.Return(jen.Id("key"), jen.False())}
		if len(sc.works) > 0 {
			where = sc.where(where)
		}
		s.decl("Where implements client.Knowledge.", on().Id("Where").Params(jen.Id("ticket").Add(sc.params()[0])).Params(jen.Id("key").Add(sc.params()[1]), jen.Id("taken").Bool()).Block(where...))
	}
}

// where are the statements that find the key of a ticket: without a link the
// ticket is the key itself. unknown is what is said of others.
func (sc *clientScope) where(unknown []jen.Code) []jen.Code {
	itself := jen.Return(jen.Id("ticket"), jen.True())
	var linked []jen.Code
	for _, w := range sc.works {
		if w.link != nil {
			linked = append(linked, sc.ref(w.ticket))
		}
	}
	switch len(linked) {
	case 0:
		return []jen.Code{itself}
	case len(sc.works):
		return unknown
	}
	return []jen.Code{
		jen.Switch(jen.Id("ticket").Assert(jen.Type())).Block(jen.Case(linked...).Block(unknown...)),
		itself,
	}
}
