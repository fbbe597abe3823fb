package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitCanceller writes the method that stops an activity.
func (c *client) emitCanceller(s *source, sc *clientScope, m *model.Method, sig *jen.Statement, body []jen.Code) {
	handle := c.cancellation(sc)
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
	body = append(body, c.exchange(sc, m, into, jen.Id("t"))...)
	body = append(body, answered(jen.Op("&").Id("t."+handle)))
	s.decl(c.methodDoc(m, "It returns when the call is accepted; Settled of the "+handle+" waits until what it stops is proven over."),
		sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

func (c *client) emitCancellation(s *source, sc *clientScope) {
	name := c.cancellation(sc)
	var fields []jen.Code
	if sc.cancels.Result != "" {
		fields = append(fields, jen.Comment("Result is the response."), jen.Id("Result").Op("*").Id(sc.cancels.Result), jen.Line())
	}
	s.decl(name+" follows an accepted call of "+sc.cancels.Name+" to the end of what it stops.", jen.Type().Id(name).Struct(append(fields,
		jen.Add(fieldLines(c.chosenField(sc.cancels))...),
		jen.Id("run").Add(sc.run()),
	)...))
	s.decl("Settled waits until what was stopped is proven over. The error is that of the connection, or ctx's.",
		onActivity(name).Id("Settled").Params(ctxParam()).Error().Block(
			jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.Return(jen.Err()),
		))
	c.emitFollow(s, sc, name, sc.cancels, "t.Result")
	c.emitCallOf(s, sc, name, sc.cancels.Result, false)
}

func (c *client) cancellation(sc *clientScope) string {
	n := 0
	for _, other := range c.scopes {
		if other.cancels != nil {
			n++
		}
	}
	if n > 1 {
		return sc.activity.Handle + "Cancellation"
	}
	return "Cancellation"
}

// stops tells whether a handle can stop what it follows: by the method that
// cancels, told the ticket.
func (c *client) stops(sc *clientScope) bool {
	return sc.cancels != nil && sc.opens != nil && c.target(sc) != nil && c.ticketOf(sc) != nil
}

// emitStop writes the cancel of one call.
func (c *client) emitStop(s *source, sc *clientScope, name string) {
	m := sc.cancels
	target, ticket := c.target(sc), c.ticketOf(sc)
	value := jen.Code(c.ticketValue(sc))
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
		onActivity(name).Id(cancel).Params(params...).Params(jen.Op("*").Id(c.cancellation(sc)), jen.Error()).Block(body...))
}

// target is the member by which a cancel names the ticket.
func (c *client) target(sc *clientScope) *model.Field {
	return c.memberOf(sc.cancels.Params, sc.ticket)
}
