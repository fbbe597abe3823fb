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
		c.emitBranch(s, sc)
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
	return jen.Op("*").Qual(clientPath, "Run").Types(sc.params()...)
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
			jen.Id("Receipt").Op("*").Add(c.ref(m.Result)),
			jen.Line(),
		}
	}
	if i := c.interruptedBy(m); i != nil {
		receipt = append(receipt,
			jen.Comment("Interrupted follows what "+i.stop.Interrupts.GoName+" stopped; nil for what "+c.handleName(m)+" began."),
			jen.Id("Interrupted").Op("*").Id(c.cancellation(w, i.stop)), jen.Line())
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
	c.emitTree(s, w, name)
	s.decl("Settled waits until it is over, and the messages before its end have been handled. The "+w.settlementType()+" is never nil: with an error, the connection's, ctx's or that this side fell behind, it has what is known so far, and its outcome is "+w.unsettled()+" unless the declaration has one for a lost connection.",
		onActivity(name).Id("Settled").Params(ctxParam()).Params(jen.Op("*").Id(w.settlementType()), jen.Error()).Block(
			jen.List(jen.Id("end"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.Return(c.settlement(w), jen.Err()),
		))
	incomplete := "the connection was lost, or they were not taken in time"
	if c.interrupting(sc) {
		incomplete = "the connection was lost, they were not taken in time, or it was interrupted, which is a *client.Withheld from then on"
	}
	s.decl("Err returns why its messages are incomplete: "+incomplete+". It is nil while they are complete.",
		onActivity(name).Id("Err").Params().Error().Add(oneLine(jen.Return(jen.Id("t.run.Err").Call()))))
	for _, cancel := range w.cancels {
		if c.stops(w, m, cancel) {
			c.emitStop(s, w, m, cancel, name)
		}
	}
	c.emitFollow(s, w, name, m, "t.Receipt")
}

// settlement is what a run ended with as the settlement of its kind of work.
func (c *client) settlement(w *work) jen.Code {
	if w.byHand() {
		return jen.Id("end").Assert(jen.Op("*").Id(w.settlementType()))
	}
	return jen.Id(unexported(w.settlementType()) + "Of").Call(jen.Id("end").Assert(jen.Op("*").Qual(clientPath, "Ending")))
}

// fieldLines puts fields of a struct on lines of their own.
func fieldLines(fields []jen.Code) []jen.Code {
	var out []jen.Code
	for _, f := range fields {
		out = append(out, f, jen.Line())
	}
	return out
}

// emitKeys writes how a handle reports which activity took its call.
func (c *client) emitKeys(s *source, w *work, name string) {
	results := func(more ...jen.Code) []jen.Code {
		return append([]jen.Code{jen.Id("key").Add(c.ref(w.of)), jen.Id("ok").Bool()}, more...)
	}
	wait := []jen.Code{jen.Return(jen.Id("t.run.Key").Call(jen.Id("ctx")))}
	so := []jen.Code{jen.Return(jen.Id("t.run.Taken").Call())}
	if w.sc.mixed() {
		typed := jen.List(jen.Id("key"), jen.Id("_")).Op("=").Id("k").Assert(c.ref(w.of))
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
	s.decl("Key waits until "+article(w.activity.Name)+" has taken the call, and returns which; ok is false if none ever will.",
		onActivity(name).Id("Key").Params(ctxParam()).Params(results(jen.Err().Error())...).Add(body(wait)))
	s.decl("Taken returns which "+w.activity.Name+" has taken the call so far.",
		onActivity(name).Id("Taken").Params().Params(results()...).Add(body(so)))
}
