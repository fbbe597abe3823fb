// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// maxKinds is how many kinds of work a scope of runtime/client has.
const maxKinds = 8

// interruption is a method that stops work and one that begins it, which a client
// has in one operation too.
type interruption struct {
	stop, begin *model.Method
}

// interruptions are those of a protocol.
func (g *gen) interruptions() (list []interruption) {
	for _, m := range g.calls(model.Client) {
		if m.Interrupts == nil {
			continue
		}
		for _, begin := range g.calls(model.Client) {
			if begin.Name == m.Interrupts.Begins {
				list = append(list, interruption{stop: m, begin: begin})
			}
		}
	}
	return list
}

// options are what a caller may choose of both. What a stop is about, and when it is
// answered, is not to be chosen here.
func (i interruption) options(g *gen) (all *options, begin, stop []*model.Field) {
	begin = g.optionalFields(i.begin)
	stop = slices.DeleteFunc(g.optionalFields(i.stop), func(f *model.Field) bool {
		return f.Wire == i.stop.AnswersAt || slices.ContainsFunc(i.stop.Fences, func(fence *model.Fence) bool { return fence.Member == f.Wire })
	})
	if len(begin)+len(stop) == 0 {
		return nil, nil, nil
	}
	doc := "are the params of " + i.begin.Name + " and " + i.stop.Name + " that may be left out when one takes the place of what the other stops."
	return &options{name: i.stop.Interrupts.GoName + "Options", doc: doc, fields: slices.Concat(begin, stop)}, begin, stop
}

// interruptedBy is how a method's calls may take the place of other work; nil if they
// cannot.
func (c *client) interruptedBy(begin *model.Method) *interruption {
	for _, i := range c.interruptions() {
		if i.begin == begin {
			return &i
		}
	}
	return nil
}

// interrupting reports whether a scope has such operations.
func (c *client) interrupting(sc *clientScope) bool {
	return slices.ContainsFunc(c.interruptions(), func(i interruption) bool { return i.stop.In != nil && i.stop.In.Scope == sc.s.Name })
}

// joined reports whether a method is part of such an operation.
func (c *client) joined(m *model.Method) bool {
	return m.Interrupts != nil || c.interruptedBy(m) != nil
}

// checkInterrupts reports what cannot be joined.
func (c *client) checkInterrupts() {
	begun := map[*model.Method]bool{}
	for _, i := range c.interruptions() {
		pos, stop, begin := i.stop.Interrupts.Pos, i.stop, i.begin
		var sc *clientScope
		if stop.In != nil {
			sc = c.scope(stop.In.Scope)
		}
		switch w := sc.cancelling(stop); {
		case w == nil || sc.opening(begin) != w:
			c.problems.Add(pos, "%s stops one kind of work and %s begins another, or one of them is not followed: what one begins must be what the other Cancels, in one scope", stop.Name, begin.Name)
			continue
		case len(c.required(stop)) > 0:
			c.problems.Add(pos, "%s must name what it stops by %s, but an interrupt stops all that is under way in the %s: make that member optional, or leave out Interrupts", stop.Name, c.required(stop)[0].Wire, sc.s.Name)
		case len(sc.works) > maxKinds:
			c.problems.Add(pos, "a client distinguishes %d kinds of work in one scope where one can be interrupted, and the %s has %d", maxKinds, sc.s.Name, len(sc.works))
		case begun[begin]:
			c.problems.Add(pos, "%s is joined with two methods that stop work: a client has one way to interrupt", begin.Name)
		}
		begun[begin] = true
		_, mine, others := i.options(c.gen)
		for _, f := range mine {
			if slices.ContainsFunc(others, func(other *model.Field) bool { return other.Name == f.Name }) {
				c.problems.Add(pos, "%s and %s both have a member %s that may be left out, and an interrupt has one of each: rename one", begin.Name, stop.Name, f.Name)
			}
		}
	}
}

// emitInterrupt writes the operation that stops and begins.
func (c *client) emitInterrupt(s *source, sc *clientScope, i interruption) {
	w := sc.opening(i.begin)
	receiver, _ := c.at(sc)
	name, handle, stopped := i.stop.Interrupts.GoName, c.handleOf(w, i.begin), c.cancellation(w, i.stop)
	params, body := c.arguments(i.begin, jen.Id("s.id"))
	all, mine, others := i.options(c.gen)
	body = body[:min(len(body), 1)] // the options are others
	if len(c.optionalFields(i.begin)) > 0 {
		params = params[:len(params)-1]
	}
	if i.stop.Params != "" {
		var values []jen.Code
		if i.stop.In.Key != "" {
			values = append(values, jen.Id(c.member(i.stop.Params, i.stop.In.Key).Name).Op(":").Id("s.id"))
		}
		body = append(body, jen.Id("q").Op(":=").Add(c.ref(i.stop.Params)).Values(values...))
	}
	if all != nil {
		params = append(params, c.optionsParam(all))
		body = append(body, jen.If(jen.Id("o").Op("!=").Nil()).Block(append(assign("p", mine), assign("q", others)...)...))
	}
	queued := jen.True()
	if keeps := i.stop.Interrupts.Keeps; keeps != nil {
		cond := c.holds(jen.Id("q"), i.stop.Params, []model.Is{*keeps})
		if cond == nil {
			c.problems.Add(i.stop.Interrupts.Pos, "what waits is kept by a condition on %s that a client cannot check", keeps.Member)
			return
		}
		queued = jen.Op("!").Parens(cond)
	}
	start := func(m *model.Method, p string) jen.Code {
		if m.Params == "" {
			return jen.Id(sc.self() + "." + c.starter(m)).Call()
		}
		return jen.Id(sc.self() + "." + c.starter(m)).Call(jen.Op("&").Id(p))
	}
	body = append(body,
		jen.List(jen.Id("stop"), jen.Id("y")).Op(":=").Add(start(i.stop, "q")),
		jen.List(jen.Id("t"), jen.Id("x")).Op(":=").Add(start(i.begin, "p")),
		jen.Id("t.Handle.Interrupted").Op("=").Op("&").Id("stop.Handle"),
		jen.List(jen.Id("stopped"), jen.Err()).Op(":=").Id("x.Interrupting").Call(jen.Id("ctx"), jen.Id("y"), jen.Lit(slices.Index(sc.works, w)), queued),
		jen.If(jen.Id("stopped").Op("!=").Nil()).Block(
			jen.Id("stop.Handle").Op("=").Id(stopped).Values(jen.Id("run").Op(":").Qual(clientPath, "Refused").Types(sc.params()...).Call(jen.Id("stopped")))),
		jen.Return(jen.Qual(clientPath, "Result").Call(jen.Op("&").Id("t.Handle"), jen.Err())),
	)
	work := w.activity.Name
	doc := name + " is " + c.handleName(i.stop) + " and " + c.handleName(i.begin) + " in one operation: what it begins takes the place of what is under way. From the call on, nothing of a " + work +
		" that is under way, nor of what it waits for, is handed out: the loops of its handle end, and the Handler gets none of it. What is withheld is counted: see Err of the handle and Withheld of the Handler. The handles settle as the work truly ends."
	if keeps := i.stop.Interrupts.Keeps; keeps != nil {
		doc += " Calls that wait behind are stopped too, unless " + c.member(i.stop.Params, keeps.Member).Name + " says otherwise."
	} else {
		doc += " Calls that wait behind are stopped too."
	}
	doc += "\n\nBoth requests leave in one write, " + i.stop.Name + " first. It returns when " + i.begin.Name + " is accepted; Interrupted of the " + handle + " follows the other call, and its error says so if that was refused. A " + c.noun() +
		" that does not serve " + i.stop.Name + " finishes the old work first, and what it says is withheld all the same. If " + name + " fails, the old work may have been stopped, and stays silent.\n\n" +
		"Errors: those of " + c.handleName(i.begin) + "."
	s.decl(doc, receiver.Id(name).Params(params...).Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

// assign copies members of the options into params.
func assign(to string, fields []*model.Field) []jen.Code {
	var left, right []jen.Code
	for _, f := range fields {
		left, right = append(left, jen.Id(to+"."+f.Name)), append(right, jen.Id("o."+f.Name))
	}
	if len(left) == 0 {
		return nil
	}
	return []jen.Code{jen.List(left...).Op("=").List(right...)}
}

// starter names what makes a call of a joined method ready.
func (c *client) starter(m *model.Method) string { return "start" + c.handleName(m) }

// emitStarter writes how a call of a joined method is made ready, for the method
// itself and for the operation that it is part of.
func (c *client) emitStarter(s *source, sc *clientScope, m *model.Method, ready []jen.Code, pending jen.Code) {
	receiver, _ := c.at(sc)
	var params []jen.Code
	if m.Params != "" {
		params = append(params, jen.Id("p").Op("*").Add(c.ref(m.Params)))
	}
	s.decl(c.starter(m)+" makes a call of "+m.Name+" ready, with the handle of what it leads to.",
		receiver.Id(c.starter(m)).Params(params...).Params(jen.Op("*").Add(pending), jen.Op("*").Qual(clientPath, "Exchange")).Block(
			append(ready, jen.Return(jen.Id("t"), jen.Id("x")))...))
}
