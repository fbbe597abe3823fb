// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitDispatch writes what stands between a connection and a Server: numbers
// and rules of methods, and the handler that reads params and calls.
func (g *gen) emitDispatch() {
	s := g.source("dispatch.gen.go")
	g.emitOps(s)
	g.emitRules(s)
	g.emitHandler(s)
	g.emitNegotiate(s)
	g.emitFaults(s)
}

// received are the wire names that a client may send, with the names of their
// numbers and params.
type received struct {
	constant, op, params string
}

func (g *gen) received() []received {
	var out []received
	for _, m := range g.calls(model.Client) {
		out = append(out, received{methodConst(m), opConst(m), m.Params})
	}
	for _, n := range g.notes(model.Client) {
		out = append(out, received{noteConst(n), noteOpConst(n), n.Params})
	}
	return out
}

func (g *gen) emitOps(s *source) {
	list := []jen.Code{jen.Id("_").Qual(jsonrpcPath, "Op").Op("=").Iota()}
	for _, r := range g.received() {
		list = append(list, jen.Id(r.op))
	}
	s.decl("The numbers of what a client sends.", jen.Const().Defs(list...))
}

// emitHandler writes the receiving half of a connection.
func (g *gen) emitHandler(s *source) {
	s.decl("handler is a Peer as its connection sees it.", jen.Type().Id("handler").Id("Peer"))
	receiver := func() *jen.Statement { return jen.Func().Params(jen.Id("h").Op("*").Id("handler")) }

	var cases, params, calls []jen.Code
	for _, m := range g.calls(model.Client) {
		calls = append(calls, jen.Case(jen.Id(opConst(m))).Block(g.callBody(m)...))
	}
	for _, r := range g.received() {
		cases = append(cases, jen.Case(g.ref(r.constant)).Block(jen.Return(jen.Id(r.op))))
		if r.params != "" {
			params = append(params, jen.Case(jen.Id(r.op)).Block(
				jen.Return(jen.Qual(codecPath, "Decode").Call(jen.Id("d"), jen.New(g.ref(r.params))))))
		}
	}
	s.decl("Lookup implements jsonrpc.Handler.",
		jen.Func().Params(jen.Op("*").Id("handler")).Id("Lookup").Params(jen.Id("method").Index().Byte()).Qual(jsonrpcPath, "Op").Block(
			jen.Switch(jen.String().Call(jen.Id("method"))).Block(cases...),
			jen.Return(jen.Lit(0)),
		))
	s.decl("Params implements jsonrpc.Handler.",
		jen.Func().Params(jen.Op("*").Id("handler")).Id("Params").Params(jen.Id("op").Qual(jsonrpcPath, "Op"), decoder()).Any().Block(
			jen.Id("d").Dot("Strict").Op("=").True(),
			jen.Switch(jen.Id("op")).Block(params...),
			jen.Id("d").Dot("Skip").Call(),
			jen.Return(jen.Nil()),
		))
	request := []jen.Code{
		jen.If(jen.Err().Op(":=").Id("h").Dot("gate").Dot("Admit").Call(jen.Id("r")), jen.Err().Op("!=").Nil()).Block(
			jen.Id("r").Dot("Fail").Call(jen.Err()),
			jen.Return(),
		),
	}
	if len(calls) > 0 {
		request = append(request,
			jen.Id("p").Op(":=").Parens(jen.Op("*").Id("Peer")).Call(jen.Id("h")),
			jen.Switch(jen.Id("r").Dot("Op")).Block(calls...))
	}
	s.decl("Request implements jsonrpc.Handler: it has the server deal with a request, if that is admitted.",
		receiver().Id("Request").Params(jen.Id("r").Op("*").Qual(jsonrpcPath, "Request")).Block(request...))

	notes := g.noteCases()
	var ops []jen.Code
	for _, m := range g.calls(model.Client) {
		if m.AlsoNotify {
			ops = append(ops, jen.Id(opConst(m)))
		}
	}
	if len(ops) > 0 {
		notes = append(notes, jen.Case(ops...).Block(
			jen.Id("h").Dot("Request").Call(jen.Id("n").Dot("Request").Call())))
	}
	doc := "Notification implements jsonrpc.Handler. Most of what a client asks wants an answer, and is ignored without an id."
	if len(notes) == 0 {
		s.decl(doc, jen.Func().Params(jen.Op("*").Id("handler")).Id("Notification").Params(jen.Op("*").Qual(jsonrpcPath, "Notification")).Block())
		return
	}
	s.decl(doc, receiver().Id("Notification").Params(jen.Id("n").Op("*").Qual(jsonrpcPath, "Notification")).Block(
		jen.Switch(jen.Id("n").Dot("Op")).Block(notes...)))
}

func (g *gen) noteCases() []jen.Code {
	var out []jen.Code
	for _, n := range g.notes(model.Client) {
		call := jen.Id("h").Dot("server").Dot(noteName(n))
		if n.Params == "" {
			call = call.Call()
		} else {
			call = call.Call(jen.Id("n").Dot("Params").Assert(jen.Op("*").Add(g.ref(n.Params))))
		}
		cond := jen.Id("n").Dot("Err").Op("==").Nil()
		if g.p.Negotiation != nil {
			cond = cond.Op("&&").Id("h").Dot("gate").Dot("Opened").Call()
		}
		out = append(out, jen.Case(jen.Id(noteOpConst(n))).Block(jen.If(cond).Block(call)))
	}
	return out
}

func (g *gen) callBody(m *model.Method) []jen.Code {
	params := jen.Id("r").Dot("Params").Assert(jen.Op("*").Add(g.ref(m.Params)))
	server := jen.Id("p").Dot("server").Dot(m.GoName)
	if g.negotiates(m) {
		return []jen.Code{jen.Id("p").Dot("negotiate").Call(jen.Id("r"), params)}
	}
	if m.Deferred {
		var how jen.Code
		if len(g.answers(m)) > 0 {
			how = jen.Op("&").Id(answersVar(m))
		}
		args := []jen.Code{g.newCall(m, how)}
		if m.Params != "" {
			args = append(args, params)
		}
		return []jen.Code{server.Call(args...)}
	}
	var code []jen.Code
	args := []jen.Code{jen.Id("ctx")}
	if m.Params != "" {
		code = append(code, jen.Id("params").Op(":=").Add(params))
		args = append(args, jen.Id("params"))
	}
	fail := func() jen.Code {
		err := jen.Err()
		if len(g.methodTexts(m)) > 0 {
			err = jen.Id(methodErrorFunc(m)).Call(err)
		}
		return jen.If(jen.Err().Op("!=").Nil()).Block(jen.Id("r").Dot("Fail").Call(err), jen.Return())
	}
	if handler := g.answering(m, jen.Add(server).Call(args...)); handler != nil {
		return append(code, g.runCall(m, handler))
	}
	var run []jen.Code
	if m.Result == "" {
		run = append(run, jen.Err().Op(":=").Add(server).Call(args...), fail())
	} else {
		run = append(run, jen.List(jen.Id("result"), jen.Err()).Op(":=").Add(server).Call(args...), fail())
	}
	if m.Order != nil && len(m.Order.After) > 0 {
		run = append(run, jen.Comment("What comes before the answer is in lanes, and the answer is not."))
		run = append(run, jen.Id("_").Op("=").Id("p").Dot("conn").Dot("Flush").Call(jen.Id("ctx")))
	}
	if m.Result == "" {
		run = append(run, jen.Id("r").Dot("Reply").Call(jen.Nil()))
	} else {
		run = append(run, g.legacyResult(m, jen.Id("p"), func(reply jen.Code) []jen.Code {
			return []jen.Code{jen.Id("r").Dot("Reply").Call(reply)}
		}, jen.Return())...)
	}
	return append(code, g.runCall(m, jen.Func().Params(ctxParam()).Block(run...)))
}

// answering is a handler that answers with what the server returns, if there is
// no more to it; nil if there is.
func (g *gen) answering(m *model.Method, call jen.Code) jen.Code {
	bare := m.Legacy != nil && m.Legacy.Bare
	if !g.plain(m) || bare || g.cutsResult(m) || len(g.methodTexts(m)) > 0 || m.Order != nil && len(m.Order.After) > 0 {
		return nil
	}
	f := jen.Func().Params(ctxParam())
	if m.Result == "" {
		return jen.Qual(jsonrpcPath, "Acknowledging").Call(jen.Id("r"), f.Error().Add(oneLine(jen.Return(call))))
	}
	return jen.Qual(jsonrpcPath, "Answering").Call(jen.Id("r"), jen.Nil(),
		f.Params(jen.Op("*").Add(g.ref(m.Result)), jen.Error()).Add(oneLine(jen.Return(call))))
}

// runCall runs a handler where its request was read, in its order, or
// concurrently with others.
func (g *gen) runCall(m *model.Method, handler jen.Code) jen.Code {
	if m.Runs == model.Quick {
		return jen.Add(handler).Call(jen.Id("p").Dot("conn").Dot("Context").Call())
	}
	if m.Runs == model.Serial {
		key := jen.Code(jen.Lit(""))
		if m.In != nil {
			if expr, f := g.memberAt(jen.Id("params"), m.Params, m.In.Key); f != nil && g.under(f.Type).Kind == model.RefString && !g.isPointer(f) {
				key = expr
				if f.Type.Kind == model.RefNamed {
					key = jen.String().Call(expr)
				}
			} else {
				g.problems.Add(m.Pos, "%s runs one after another by %s, which is no string that is always there", m.Name, m.In.Key)
			}
		}
		return jen.Id("p").Dot(serialName(m)).Dot("Run").Call(key, jen.Id("r"), handler)
	}
	return jen.Id("r").Dot("Go").Call(handler)
}

// serials are the orders in which the dispatch runs calls one after another.
func (g *gen) serials() []string {
	var names []string
	for _, m := range g.calls(model.Client) {
		if m.Runs == model.Serial && !m.Deferred && !g.negotiates(m) && !slices.Contains(names, serialName(m)) {
			names = append(names, serialName(m))
		}
	}
	return names
}
