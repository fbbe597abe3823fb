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
		create := jen.Op("&").Id(name).Values()
		param := jen.Id("_")
		switch {
		case sc.folded() != nil:
			fold := sc.folded().foldName()
			s.decl(doc+" What a declaration cannot say is in "+fold+", by hand.", jen.Type().Id(name).Struct(jen.Op("*").Id(fold)))
			param = jen.Id("id")
			create = jen.Op("&").Id(name).Values(jen.Id("new" + exported(sc.folded().link.Fold) + "Fold").Call(jen.Id("id")))
		case len(sc.works) > 0:
			s.decl(doc, jen.Type().Id(name).Struct(jen.Id("past").Qual(trackPath, "Past").Types(jen.Id(sc.of))))
		default:
			s.decl(doc, jen.Type().Id(name).Struct())
		}
		s.decl("", jen.Func().Id("new"+exported(name)).Params(param.Add(c.keyType(sc))).Op("*").Id(name).Block(jen.Return(create)))
		c.emitReadMarks(s, sc, on)
		c.emitMerge(s, sc, on)
		if sc.folded() != nil {
			continue
		}
		key, ticket := jen.Code(jen.Struct()), jen.Code(jen.Struct())
		if len(sc.works) > 0 {
			key, ticket = jen.Id(sc.of), jen.Id(sc.ticket)
		}
		where, ended := []jen.Code{jen.Return(jen.Id("key"), jen.False())}, []jen.Code{jen.Return(jen.False())}
		if len(sc.works) > 0 {
			ended = []jen.Code{jen.Return(jen.Id("k.past.Has").Call(jen.Id("key")))}
			where = sc.where(where)
		}
		item := jen.Op("*").Qual(trackPath, "Item")
		end := []jen.Code{jen.Return(jen.Nil())}
		switch {
		case sc.mixed():
			end = []jen.Code{jen.Return(jen.Qual(trackPath, "Conclude").Call(jen.Id("outcome"), jen.Id("last")))}
		case len(sc.works) > 0:
			w := sc.works[0]
			end = []jen.Code{
				jen.Id("s").Op(":=").Op("&").Id(w.settlementType()).Values(jen.Id("Outcome").Op(":").Id(w.outcomeType()).Call(jen.Id("outcome"))),
				jen.If(jen.Id("last").Op("!=").Nil()).Block(c.setLast(w)),
				jen.Return(jen.Id("s")),
			}
		}
		s.decl("Where implements track.Knowledge.", on().Id("Where").Params(jen.Id("ticket").Add(ticket)).Params(jen.Id("key").Add(key), jen.Id("taken").Bool()).Block(where...))
		s.decl("Ended implements track.Knowledge.", on().Id("Ended").Params(jen.Id("key").Add(key)).Bool().Block(ended...))
		s.decl("Begin implements track.Knowledge.", on().Id("Begin").Params(key).Qual(trackPath, "Account").Block(jen.Return(jen.Qual(trackPath, "NoAccount").Values())))
		s.decl("End implements track.Knowledge.", on().Id("End").Params(jen.Id("_").Qual(trackPath, "Account"), jen.Id("outcome").String(), jen.Id("last").Add(item)).Any().Block(end...))
	}
}

// setLast is the statement by which a settlement gets the message that ended it.
func (c *client) setLast(w *work) jen.Code {
	if t := c.lastType(w); t != "" {
		return jen.List(jen.Id("s.Last"), jen.Id("_")).Op("=").Id("last.Note").Assert(jen.Op("*").Id(t))
	}
	return jen.Id("s.Last").Op("=").Id("last.Note")
}

// where are the statements that find the key of a ticket: without a link the
// ticket is the key itself. unknown is what is said of others.
func (sc *clientScope) where(unknown []jen.Code) []jen.Code {
	itself := jen.Return(jen.Id("ticket"), jen.True())
	var linked []jen.Code
	for _, w := range sc.works {
		if w.link != nil {
			linked = append(linked, jen.Id(w.ticket))
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
