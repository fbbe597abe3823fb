// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"
)

// unsettled is the outcome of a handle that does not know how its work ended.
func (w *work) unsettled() string { return w.outcomeType() + "Unsettled" }

// emitOutcomeError writes the error of work that ended otherwise than well.
func (c *client) emitOutcomeError(s *source, w *work) {
	name := w.own("OutcomeError")
	s.decl(name+" is the error of "+article(w.activity.Name)+" that ended otherwise than well.", jen.Type().Id(name).Struct(
		jen.Comment("Outcome is how it ended; never a success."),
		jen.Id("Outcome").Id(w.outcomeType()),
		jen.Line(),
		jen.Comment("Message is what the "+c.noun()+" says of it, for people; it may be empty."),
		jen.Id("Message").String(),
	))
	s.decl("Error returns the outcome and the message.",
		jen.Func().Params(jen.Id("e").Op("*").Id(name)).Id("Error").Params().String().Block(
			jen.Return(jen.Qual(clientPath, "OutcomeText").Call(jen.Lit(w.activity.Name), jen.String().Call(jen.Id("e.Outcome")), jen.Id("e.Message")))))
}

// emitSettlement writes how what a handle follows ended.
func (c *client) emitSettlement(s *source, w *work) {
	name, failure := w.settlementType(), w.own("OutcomeError")
	s.decl(name+" is how what a handle follows ended, as far as the handle knows.", jen.Type().Id(name).Struct(
		jen.Comment("Outcome is the one terminal state; "+w.unsettled()+" if it is not known."),
		jen.Id("Outcome").Id(w.outcomeType()),
		jen.Line(),
		jen.Comment("Last is the message that ended it; nil if none did."),
		jen.Id("Last").Add(c.lastGoType(w)),
		jen.Line(),
		jen.Err().Error(),
	))
	last := jen.Id("s.Last").Op("=").Id("how.Last")
	if t := c.lastType(w); t != "" {
		last = jen.List(jen.Id("s.Last"), jen.Id("_")).Op("=").Id("how.Last").Assert(jen.Op("*").Add(c.ref(t)))
	}
	s.decl("", jen.Func().Id(unexported(name)+"Of").Params(jen.Id("how").Op("*").Qual(clientPath, "Ending")).Op("*").Id(name).Block(
		jen.Id("s").Op(":=").Op("&").Id(name).Values(jen.Id("Outcome").Op(":").Id(w.outcomeType()).Call(jen.Id("how.As")), jen.Err().Op(":").Id("how.Err")),
		last,
		jen.Return(jen.Id("s")),
	))
	on := func() *jen.Statement { return jen.Func().Params(jen.Id("s").Op("*").Id(name)) }
	s.decl("OK reports whether the outcome is a success.", on().Id("OK").Params().Bool().Add(oneLine(jen.Return(jen.Id("s.Outcome.OK").Call()))))
	message := []jen.Code{jen.Id("Outcome").Op(":").Id("s.Outcome")}
	s.decl("Err returns nil if the outcome is a success, why it is not known if it is not, and else an error of type *"+failure+".",
		on().Id("Err").Params().Error().Block(
			jen.Switch().Block(
				jen.Case(jen.Id("s.err").Op("!=").Nil()).Block(jen.Return(jen.Id("s.err"))),
				jen.Case(jen.Id("s.OK").Call()).Block(jen.Return(jen.Nil())),
			),
			jen.Return(jen.Op("&").Id(failure).Values(message...)),
		))
}
