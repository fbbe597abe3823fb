// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitCanceller writes the method that stops an activity.
func (c *client) emitCanceller(s *source, w *work, m *model.Method, sig *jen.Statement, body []jen.Code) {
	handle := c.cancellation(w, m)
	body = append(body, c.begun(s, w.sc, m, handle, c.chosenValue(m), "Result", nil)...)
	s.decl(c.methodDoc(m, "It returns when the call is accepted; Settled of the "+handle+" waits until what it stops is proven over."),
		sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

func (c *client) emitCancellation(s *source, w *work, m *model.Method) {
	name := c.cancellation(w, m)
	var fields []jen.Code
	if m.Result != "" {
		fields = append(fields, jen.Comment("Result is the response."), jen.Id("Result").Op("*").Add(c.ref(m.Result)), jen.Line())
	}
	s.decl(name+" follows an accepted call of "+m.Name+" to the end of what it stops.", jen.Type().Id(name).Struct(append(fields,
		jen.Add(fieldLines(c.chosenField(m))...),
		jen.Id("run").Add(w.sc.run()),
	)...))
	s.decl("Settled waits until what was stopped is proven over. The error is that of the connection, or ctx's.",
		onActivity(name).Id("Settled").Params(ctxParam()).Error().Add(oneLine(jen.Return(jen.Id("t.run.Wait").Call(jen.Id("ctx"))))))
	c.emitFollow(s, w, name, m, "t.Result")
}

// cancellation is the handle of what a method stops: named after the activity where
// others are stopped too, after the method where several stop the same.
func (c *client) cancellation(w *work, m *model.Method) string {
	n := 0
	for _, sc := range c.scopes {
		for _, other := range sc.works {
			n += min(len(other.cancels), 1)
		}
	}
	switch {
	case len(w.cancels) > 1:
		return c.handleName(m) + "Cancellation"
	case n > 1:
		return w.activity.Handle + "Cancellation"
	}
	return "Cancellation"
}

// stops reports whether the handle of what one method begins can stop it by
// another: one that takes the ticket.
func (c *client) stops(w *work, opens, cancel *model.Method) bool {
	return c.target(w, cancel) != nil && c.ticketOf(w, opens) != nil
}

// emitStop writes the cancel of one call.
func (c *client) emitStop(s *source, w *work, opens, m *model.Method, name string) {
	sc := w.sc
	target, ticket := c.target(w, m), c.ticketOf(w, opens)
	value := jen.Code(c.ticketValue(w, opens))
	if c.isPointer(target) && !c.isPointer(ticket) {
		value = jen.Op("&").Add(value)
	}
	params, args := []jen.Code{ctxParam()}, []jen.Code{jen.Id("ctx")}
	for _, f := range c.required(m) {
		if f == target {
			args = append(args, value)
			continue
		}
		params = append(params, jen.Id(argument(f.Name)).Add(c.fieldType(f)))
		args = append(args, jen.Id(argument(f.Name)))
	}
	var body []jen.Code
	all, mine := c.optional(m), c.handleOptions(w, m)
	if mine != nil {
		params = append(params, c.optionsParam(mine))
	}
	switch {
	case all == nil:
	case mine != nil && mine.name == all.name:
		args = append(args, jen.Id("o"))
	default: // the target is one of the options
		body = append(body, jen.Id("p").Op(":=").Add(c.ref(all.name)).Values(jen.Id(target.Name).Op(":").Add(value)))
		body = append(body, mine.into()...)
		args = append(args, jen.Op("&").Id("p"))
	}
	cancel := c.handleName(m)
	body = append(body, jen.Return(jen.Id("t."+unexported(sc.s.Handle)+"."+cancel).Call(args...)))
	s.decl(cancel+" stops what this handle follows, and nothing else; see "+sc.s.Handle+"."+cancel+".",
		onActivity(name).Id(cancel).Params(params...).Params(jen.Op("*").Id(c.cancellation(w, m)), jen.Error()).Block(body...))
}

// target is the member by which a cancel names the ticket.
func (c *client) target(w *work, cancel *model.Method) *model.Field {
	return c.memberOf(cancel.Params, w.ticket)
}
