// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitCanceller writes the method that stops an activity.
func (c *client) emitCanceller(s *source, w *work, m *model.Method, sig *jen.Statement, body []jen.Code) {
	handle := c.cancellation(w, m)
	var of []jen.Code
	if chosen := c.chosenValue(m); chosen != nil {
		of = append(of, jen.Id(handle).Op(":").Id(handle).Values(chosen...))
	}
	body = append(body,
		jen.Id("t").Op(":=").Op("&").Id(pendingName(handle)).Values(of...))
	into := jen.Code(nil)
	if m.Result != "" {
		body = append(body, jen.Id("t.Result").Op("=").Op("&").Id("t.result"))
		into = jen.Id("t.Result")
	}
	body = append(body, c.exchange(w.sc, m, into, jen.Id("t"))...)
	body = append(body, answered(jen.Op("&").Id("t."+handle)))
	s.decl(c.methodDoc(m, "It returns when the call is accepted; Settled of the "+handle+" waits until what it stops is proven over."),
		sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

func (c *client) emitCancellation(s *source, w *work, m *model.Method) {
	name := c.cancellation(w, m)
	var fields []jen.Code
	if m.Result != "" {
		fields = append(fields, jen.Comment("Result is the response."), jen.Id("Result").Op("*").Id(m.Result), jen.Line())
	}
	s.decl(name+" follows an accepted call of "+m.Name+" to the end of what it stops.", jen.Type().Id(name).Struct(append(fields,
		jen.Add(fieldLines(c.chosenField(m))...),
		jen.Id("run").Add(w.sc.run()),
	)...))
	s.decl("Settled waits until what was stopped is proven over. The error is that of the connection, or ctx's.",
		onActivity(name).Id("Settled").Params(ctxParam()).Error().Block(
			jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.Return(jen.Err()),
		))
	c.emitFollow(s, w, name, m, "t.Result")
	c.emitCallOf(s, w, name, m.Result, false)
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

// stops tells whether the handle of what one method begins can stop it by another:
// one that is told the ticket.
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
	required, others := c.required(m)
	for _, f := range required {
		if f == target {
			args = append(args, value)
			continue
		}
		params = append(params, jen.Id(argument(f.Name)).Add(c.fieldType(f)))
		args = append(args, jen.Id(argument(f.Name)))
	}
	var body []jen.Code
	switch {
	case target.Presence != model.Required:
		params = append(params, jen.Id("more").Op("...").Id(m.Params))
		args = append(args, jen.Id("p"))
		body = append(body,
			jen.Id("p").Op(":=").Qual(trackPath, "Optional").Call(jen.Id("more")),
			jen.Id("p."+target.Name).Op("=").Add(value))
	case others:
		params = append(params, jen.Id("more").Op("...").Id(m.Params))
		args = append(args, jen.Id("more").Op("..."))
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
