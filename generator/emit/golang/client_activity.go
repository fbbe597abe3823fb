// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitHandles writes the handles of activities and of their cancellations.
func (c *client) emitHandles() {
	if len(c.scopes) == 0 {
		return
	}
	s := c.source("activities.gen.go")
	for _, sc := range c.scopes {
		for _, w := range sc.works {
			c.emitOutcomes(s, w)
			for _, m := range w.opens {
				c.emitActivity(s, w, m)
			}
			for _, m := range w.cancels {
				c.emitCancellation(s, w, m)
			}
		}
	}
}

func onActivity(name string) *jen.Statement { return jen.Func().Params(jen.Id("t").Op("*").Id(name)) }

func (sc *clientScope) run() jen.Code {
	return jen.Op("*").Qual(trackPath, "Run").Types(sc.params()...)
}

// emitActivity writes the handle of what a method begins.
func (c *client) emitActivity(s *source, w *work, m *model.Method) {
	sc, a := w.sc, w.activity
	name, scopeField := c.handleOf(w, m), unexported(sc.s.Handle)
	doc := docAs(a.Doc.EN, a.Var, name)
	if doc == "" {
		doc = name + " is one " + a.Name + "."
	}
	doc += "\n\nThis handle follows what one accepted call of " + m.Name + " leads to."
	var receipt []jen.Code
	if m.Result != "" {
		receipt = []jen.Code{
			jen.Comment("Receipt is the response that accepted the call."),
			jen.Id("Receipt").Op("*").Id(m.Result),
			jen.Line(),
		}
	}
	s.decl(doc, jen.Type().Id(name).Struct(append(receipt,
		jen.Id(scopeField).Op("*").Id(sc.s.Handle),
		jen.Add(fieldLines(c.chosenField(m))...),
		jen.Id("run").Add(sc.run()),
	)...))
	s.decl(sc.s.Handle+" is the "+sc.s.Name+" that it belongs to.",
		onActivity(name).Id(sc.s.Handle).Params().Op("*").Id(sc.s.Handle).Add(oneLine(jen.Return(jen.Id("t."+scopeField)))))
	if ticket := c.ticketOf(w, m); w.link == nil && ticket != nil {
		s.decl("ID is its id.", onActivity(name).Id("ID").Params().Add(c.fieldType(ticket), oneLine(jen.Return(c.ticketValue(w, m)))))
	} else {
		c.emitKeys(s, w, name)
	}
	c.emitStreams(s, w, name)
	s.decl("Settled waits until it is over, and the messages before its end have been handled. With an error, the connection's or that this side fell behind, the "+w.settlementType()+" has what is known so far; it is nil only if ctx ended first.",
		onActivity(name).Id("Settled").Params(ctxParam()).Params(jen.Op("*").Id(w.settlementType()), jen.Error()).Block(c.settled(w)...))
	s.decl("Err tells why its messages are incomplete: the connection was lost, or they were not taken in time. It is nil while they are not.",
		onActivity(name).Id("Err").Params().Error().Add(oneLine(jen.Return(jen.Id("t.run.Err").Call()))))
	for _, cancel := range w.cancels {
		if c.stops(w, m, cancel) {
			c.emitStop(s, w, m, cancel, name)
		}
	}
	undo := c.undoes(w, m)
	if undo != nil {
		c.emitUndo(s, w, m, undo, name)
	}
	c.emitFollow(s, w, name, m, "t.Receipt")
	c.emitCallOf(s, w, name, m.Result, undo != nil)
}

// settled are the statements that wait for the end of a run. Where a scope has
// runs of several kinds, each makes its settlement of how it ended.
func (c *client) settled(w *work) []jen.Code {
	out := []jen.Code{jen.List(jen.Id("end"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx"))}
	if !w.sc.mixed() {
		return append(out,
			jen.List(jen.Id("s"), jen.Id("_")).Op(":=").Id("end").Assert(jen.Op("*").Id(w.settlementType())),
			jen.Return(jen.Id("s"), jen.Err()),
		)
	}
	last := jen.Id("s.Last").Op("=").Id("e.Last")
	if t := c.lastType(w); t != "" {
		last = jen.List(jen.Id("s.Last"), jen.Id("_")).Op("=").Id("e.Last").Assert(jen.Op("*").Id(t))
	}
	return append(out,
		jen.List(jen.Id("e"), jen.Id("ok")).Op(":=").Id("end").Assert(jen.Op("*").Qual(trackPath, "Conclusion")),
		jen.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Id("s").Op(":=").Op("&").Id(w.settlementType()).Values(jen.Id("Outcome").Op(":").Id(w.outcomeType()).Call(jen.Id("e.As"))),
		last,
		jen.Return(jen.Id("s"), jen.Err()),
	)
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
func (c *client) emitKeys(s *source, w *work, name string) {
	results := func(more ...jen.Code) []jen.Code {
		return append([]jen.Code{jen.Id("key").Id(w.of), jen.Id("ok").Bool()}, more...)
	}
	wait := []jen.Code{jen.Return(jen.Id("t.run.Key").Call(jen.Id("ctx")))}
	so := []jen.Code{jen.Return(jen.Id("t.run.Taken").Call())}
	if w.sc.mixed() {
		typed := jen.List(jen.Id("key"), jen.Id("_")).Op("=").Id("k").Assert(jen.Id(w.of))
		wait = []jen.Code{
			jen.List(jen.Id("k"), jen.Id("ok"), jen.Err()).Op(":=").Id("t.run.Key").Call(jen.Id("ctx")),
			typed,
			jen.Return(jen.Id("key"), jen.Id("ok"), jen.Err()),
		}
		so = []jen.Code{
			jen.List(jen.Id("k"), jen.Id("ok")).Op(":=").Id("t.run.Taken").Call(),
			typed,
			jen.Return(jen.Id("key"), jen.Id("ok")),
		}
	}
	body := func(code []jen.Code) jen.Code {
		if len(code) == 1 {
			return oneLine(code...)
		}
		return jen.Block(code...)
	}
	s.decl("Key waits until "+article(w.activity.Name)+" has taken the call, and tells which; ok is false if none ever will.",
		onActivity(name).Id("Key").Params(ctxParam()).Params(results(jen.Err().Error())...).Add(body(wait)))
	s.decl("Taken tells which "+w.activity.Name+" has taken the call so far.",
		onActivity(name).Id("Taken").Params().Params(results()...).Add(body(so)))
}
