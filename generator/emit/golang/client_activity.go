package golang

import "github.com/dave/jennifer/jen"

// emitHandles writes the handles of activities and of their cancellations.
func (c *client) emitHandles() {
	if len(c.scopes) == 0 {
		return
	}
	s := c.source("activities.gen.go")
	for _, sc := range c.scopes {
		if sc.activity == nil {
			continue
		}
		c.emitOutcomes(s, sc)
		if sc.opens != nil {
			c.emitActivity(s, sc)
		}
		if sc.cancels != nil {
			c.emitCancellation(s, sc)
		}
	}
}

func onActivity(name string) *jen.Statement { return jen.Func().Params(jen.Id("t").Op("*").Id(name)) }

func (sc *clientScope) run() jen.Code {
	return jen.Op("*").Qual(trackPath, "Run").Types(sc.params()...)
}

func (c *client) emitActivity(s *source, sc *clientScope) {
	name, scopeField := sc.activity.Handle, unexported(sc.s.Handle)
	doc := docAs(sc.activity.Doc.EN, sc.activity.Var, name)
	if doc == "" {
		doc = name + " is one " + sc.activity.Name + "."
	}
	doc += "\n\nThis handle follows what one accepted call of " + sc.opens.Name + " leads to."
	var receipt []jen.Code
	if sc.opens.Result != "" {
		receipt = []jen.Code{
			jen.Comment("Receipt is the response that accepted the call."),
			jen.Id("Receipt").Op("*").Id(sc.opens.Result),
			jen.Line(),
		}
	}
	s.decl(doc, jen.Type().Id(name).Struct(append(receipt,
		jen.Id(scopeField).Op("*").Id(sc.s.Handle),
		jen.Add(fieldLines(c.chosenField(sc.opens))...),
		jen.Id("run").Add(sc.run()),
	)...))
	s.decl(sc.s.Handle+" is the "+sc.s.Name+" that it belongs to.",
		onActivity(name).Id(sc.s.Handle).Params().Op("*").Id(sc.s.Handle).Add(oneLine(jen.Return(jen.Id("t."+scopeField)))))
	if sc.link == nil && c.ticketOf(sc) != nil {
		s.decl("ID is its id.", onActivity(name).Id("ID").Params().Add(c.fieldType(c.ticketOf(sc)), oneLine(jen.Return(c.ticketValue(sc)))))
	} else {
		c.emitKeys(s, sc, name)
	}
	c.emitStreams(s, sc, name)
	s.decl("Settled waits until it is over, and the messages before its end have been handled. With an error, the connection's or that this side fell behind, the Settlement has what is known so far; it is nil only if ctx ended first.",
		onActivity(name).Id("Settled").Params(ctxParam()).Params(jen.Op("*").Id("Settlement"), jen.Error()).Block(
			jen.List(jen.Id("end"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.List(jen.Id("s"), jen.Id("_")).Op(":=").Id("end").Assert(jen.Op("*").Id("Settlement")),
			jen.Return(jen.Id("s"), jen.Err()),
		))
	s.decl("Err tells why its messages are incomplete: the connection was lost, or they were not taken in time. It is nil while they are not.",
		onActivity(name).Id("Err").Params().Error().Add(oneLine(jen.Return(jen.Id("t.run.Err").Call()))))
	if c.stops(sc) {
		c.emitStop(s, sc, name)
	}
	if c.undoes(sc) {
		c.emitUndo(s, sc, name)
	}
	c.emitFollow(s, sc, name, sc.opens, "t.Receipt")
	c.emitCallOf(s, sc, name, sc.opens.Result, c.undoes(sc))
}

// fieldLines puts fields of a struct on lines of their own.
func fieldLines(fields []jen.Code) []jen.Code {
	var out []jen.Code
	for _, f := range fields {
		out = append(out, f, jen.Line())
	}
	return out
}

// emitKeys writes how a handle tells which activity took its call.
func (c *client) emitKeys(s *source, sc *clientScope, name string) {
	s.decl("Key waits until a "+sc.activity.Name+" has taken the call, and tells which; ok is false if none ever will.",
		onActivity(name).Id("Key").Params(ctxParam()).Params(jen.Id("key").Id(sc.of), jen.Id("ok").Bool(), jen.Err().Error()).Add(oneLine(
			jen.Return(jen.Id("t.run.Key").Call(jen.Id("ctx"))))))
	s.decl("Taken tells which "+sc.activity.Name+" has taken the call so far.",
		onActivity(name).Id("Taken").Params().Params(jen.Id("key").Id(sc.of), jen.Id("ok").Bool()).Add(oneLine(
			jen.Return(jen.Id("t.run.Taken").Call()))))
}
