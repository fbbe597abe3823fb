// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitCall writes a method that returns its result, or the handle of what it
// begins or stops.
func (c *client) emitCall(s *source, sc *clientScope, m *model.Method) {
	receiver, _ := c.at(sc)
	params, body := c.arguments(m, jen.Id("s.id"))
	sig := receiver.Id(c.handleName(m)).Params(params...)
	opened, stopped := sc.opening(m), sc.cancelling(m)
	if (opened != nil || stopped != nil) && !c.plain(m) {
		c.problems.Add(m.Pos, "%s has a result that is no object, or null, and begins or stops work that is followed: its handle needs an object", m.Name)
		return
	}
	if m.Replays != nil && sc != nil && opened == nil && stopped == nil {
		c.emitReplaying(s, sc, m)
		return
	}
	switch {
	case opened != nil:
		c.emitOpener(s, opened, m, sig, body)
		return
	case stopped != nil:
		c.emitCanceller(s, stopped, m, sig, body)
		return
	case m.Result == "":
		body = append(body, c.exchange(sc, m, nil, nil)...)
		s.decl(c.methodDoc(m, ""), sig.Error().Block(append(body, jen.Return(do()))...))
		return
	}
	if !c.plain(m) {
		body = append(body, jen.Id("r").Op(":=").Qual(codecPath, "Into").Call(c.resultReader(m)))
		body = append(body, c.exchange(sc, m, jen.Id("r"), c.closing(sc, m))...)
		body = append(body, jen.Return(jen.Qual(clientPath, "Value").Call(jen.Op("&").Id("r.V"), do())))
		s.decl(c.methodDoc(m, ""), sig.Params(c.resultType(m), jen.Error()).Block(body...))
		return
	}
	result := jen.New(c.ref(m.Result))
	bind := c.closing(sc, m)
	if bind != nil {
		body = append(body, jen.Id("r").Op(":=").Add(result))
		result = jen.Id("r")
	}
	body = append(body, c.exchange(sc, m, nil, bind)...)
	body = append(body, jen.Return(jen.Qual(clientPath, "Ask").Call(jen.Id("ctx"), jen.Id("x"), result)))
	s.decl(c.methodDoc(m, ""), sig.Params(jen.Op("*").Add(c.ref(m.Result)), jen.Error()).Block(body...))
}

// emitReplaying writes a method whose answer comes after stored messages, which are
// handed to its caller.
func (c *client) emitReplaying(s *source, sc *clientScope, m *model.Method) {
	receiver, _ := c.at(sc)
	params, body := c.arguments(m, jen.Id("s.id"))
	params = append([]jen.Code{params[0], c.replayParam(m)}, params[1:]...)
	sig := receiver.Id(c.handleName(m)).Params(params...)
	var into jen.Code
	switch {
	case !c.plain(m):
		body = append(body, jen.Id("r").Op(":=").Qual(codecPath, "Into").Call(c.resultReader(m)))
		into = jen.Id("r")
	case m.Result != "":
		body = append(body, jen.Id("r").Op(":=").New(c.ref(m.Result)))
		into = jen.Id("r")
	}
	body = append(body, c.exchange(sc, m, into, c.closing(sc, m))...)
	body = append(body, replaying())
	done := jen.Id("again.End").Call(do())
	switch {
	case !c.plain(m):
		body = append(body, jen.Return(jen.Qual(clientPath, "Value").Call(jen.Op("&").Id("r.V"), done)))
		sig = sig.Params(c.resultType(m), jen.Error())
	case m.Result != "":
		body = append(body, jen.Return(jen.Qual(clientPath, "Result").Call(jen.Id("r"), done)))
		sig = sig.Params(jen.Op("*").Add(c.ref(m.Result)), jen.Error())
	default:
		body = append(body, jen.Return(done))
		sig = sig.Error()
	}
	s.decl(c.methodDoc(m, c.replayDoc(m)), sig.Block(body...))
}

// replayParam is the parameter that takes the stored messages.
func (c *client) replayParam(m *model.Method) jen.Code {
	note := c.notification(m.Replays.Notification)
	return jen.Id("replay").Func().Params(jen.Qual("context", "Context"), jen.Op("*").Add(c.ref(note.Params)))
}

func replaying() jen.Code {
	return jen.Id("again").Op(":=").Qual(clientPath, "Replaying").Call(jen.Id("x"), jen.Id("replay"))
}

func (c *client) replayDoc(m *model.Method) string {
	return "The stored messages are handed to replay, in order and one at a time, before " + c.handleName(m) + " returns; nil lets them pass. A replay that takes them too slowly makes the call fail as one that fell behind: call again from where it ended."
}

// arguments are a method's parameters on its handle, and the statements that
// fill p from them.
func (c *client) arguments(m *model.Method, id jen.Code) (params, fill []jen.Code) {
	params = []jen.Code{ctxParam()}
	if m.Params == "" {
		return params, nil
	}
	var values []jen.Code
	set := func(f *model.Field, value jen.Code) { values = append(values, jen.Id(f.Name).Op(":").Add(value)) }
	if m.In != nil && m.In.Key != "" {
		set(c.member(m.Params, m.In.Key), id)
	}
	for _, f := range c.required(m) {
		name := argument(f.Name)
		params = append(params, jen.Id(name).Add(c.fieldType(f)))
		set(f, jen.Id(name))
	}
	o := c.optional(m)
	if o != nil {
		params = append(params, c.optionsParam(o))
	}
	return params, append([]jen.Code{jen.Id("p").Op(":=").Add(c.ref(m.Params)).Values(values...)}, o.into()...)
}

// optionsParam is the parameter by which a caller gives options.
func (c *client) optionsParam(o *options) jen.Code { return jen.Id("o").Op("*").Add(c.ref(o.name)) }

// argument names a parameter so that it hides nothing that the body uses.
func argument(name string) string {
	name = unexported(name)
	switch name {
	case "ctx", "o", "p", "q", "r", "s", "t", "x", "y", "rt", "at", "in", "err", "replay", "again", "stop", "stopped":
		return name + "Value"
	}
	return name
}

// emitScopeBegin writes how calls in a scope begin.
func (c *client) emitScopeBegin(s *source, sc *clientScope) {
	if !slices.ContainsFunc(c.calls(model.Client), func(m *model.Method) bool { return m.In != nil && m.In.Scope == sc.s.Name }) {
		return
	}
	receiver, rt := c.at(sc)
	s.decl("begin begins a call in the "+sc.s.Name+".",
		receiver.Id("begin").Params(jen.Id("m").Op("*").Qual(clientPath, "Method")).Op("*").Qual(clientPath, "Exchange").Block(
			jen.Return(jen.Id(rt+"."+sc.field()+".Begin").Call(jen.Id(rt+".client.Caller"), jen.Id("m"), sc.id()))))
}

// exchange are the statements that make the call ready: into is what its result
// is read into, bind what takes the answer over; nil: nothing.
func (c *client) exchange(sc *clientScope, m *model.Method, into, bind jen.Code) []jen.Code {
	begin := jen.Id("rt.client.Caller.Begin").Call(jen.Op("&").Id(methodVar(m)), jen.Nil())
	switch {
	case sc != nil && sc.whole:
		begin = jen.Id("rt.begin").Call(jen.Op("&").Id(methodVar(m)))
	case sc != nil:
		begin = jen.Id("s.begin").Call(jen.Op("&").Id(methodVar(m)))
	}
	out := []jen.Code{jen.Id("x").Op(":=").Add(begin)}
	if m.Params != "" {
		out = append(out, jen.Id("x.Params").Op("=").Id("p.AppendJSON").Call(jen.Id("x.Params")))
	}
	if r := m.Repeats; r != nil && r.How == model.Keyed {
		if f := c.member(m.Params, r.Key); f != nil {
			set := jen.Code(jen.Id("p." + f.Name).Op("!=").Nil())
			switch {
			case f.Presence == model.Required:
				set = jen.True()
			case !c.isPointer(f):
				set = jen.Id("p." + f.Name).Op("!=").Lit("")
			}
			out = append(out, jen.Id("x.Keyed").Op("=").Add(set))
		}
	}
	switch {
	case into != nil && bind != nil:
		out = append(out, jen.List(jen.Id("x.Into"), jen.Id("x.Bind")).Op("=").List(into, bind))
	case into != nil:
		out = append(out, jen.Id("x.Into").Op("=").Add(into))
	case bind != nil:
		out = append(out, jen.Id("x.Bind").Op("=").Add(bind))
	}
	return out
}

// do is the call itself.
func do() jen.Code { return jen.Id("x.Do").Call(jen.Id("ctx")) }

// accepting is a function that takes an answer over.
func accepting(in string, body ...jen.Code) jen.Code {
	return jen.Qual(clientPath, "Accepting").Call(jen.Func().Params(jen.Id(in).Qual(clientPath, "Place")).Error().Block(body...))
}

// at is the receiver of a method in a scope, and where it has the connection.
func (c *client) at(sc *clientScope) (receiver *jen.Statement, conn string) {
	if sc == nil || sc.whole {
		return c.onConn(), "rt"
	}
	return onHandle(sc.s.Handle), "s.rt"
}

// id is a scope's id in a method of its handle.
func (sc *clientScope) id() jen.Code {
	if sc.whole {
		return jen.Struct().Values()
	}
	return jen.Id("s.id")
}

// self is the receiver of a method in a scope.
func (sc *clientScope) self() string {
	if sc.whole {
		return "rt"
	}
	return "s"
}

// scope is the type of a scope.
func (sc *clientScope) scope() *jen.Statement {
	return jen.Op("*").Qual(clientPath, "Scope").Types(sc.params()...)
}

// inScope is a call's place as the scope that it is.
func (sc *clientScope) inScope() *jen.Statement { return jen.Id("in").Assert(sc.scope()) }

func placeParam() jen.Code { return jen.Id("in").Qual(clientPath, "Place") }

// closing is what the answer of a method that closes a scope does: if it proves
// that the scope is over, what is open in it is.
func (c *client) closing(sc *clientScope, m *model.Method) jen.Code {
	if sc == nil || m.Closes != sc.s.Name {
		return nil
	}
	as := ""
	for _, n := range c.scoped() {
		if as == "" {
			as = c.over(sc, n)
		}
	}
	var proven *jen.Statement
	for _, k := range m.Settles {
		if len(k.By) != 1 || k.By[0].How != model.ByResponse {
			continue
		}
		cond := c.holds(jen.Id("r"), m.Result, k.If)
		switch {
		case len(k.If) == 0:
			cond = jen.True()
		case cond == nil:
			continue
		}
		if proven == nil {
			proven = jen.Add(cond)
		} else {
			proven = proven.Op("||").Add(cond)
		}
	}
	if as == "" || proven == nil {
		return nil
	}
	return accepting("in",
		jen.If(proven).Block(jen.Id("in.Over").Call(sc.outcomeText(as))),
		jen.Return(jen.Nil()),
	)
}
