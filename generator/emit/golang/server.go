// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"errors"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// Server renders the side that serves: what an author of a server implements, what
// stands before it, and the peer that it speaks to. payloads is the import path
// of the package that Payloads rendered.
func Server(p *model.Protocol, payloads string) ([]File, error) {
	if payloads == "" {
		return nil, errors.New("a server needs the import path of the package with the payloads")
	}
	g := newGen(p, payloads, "server")
	g.checkServer()
	g.checkNegotiation()
	s := g.source("server.gen.go")
	s.packageDoc(fmt.Sprintf("Package %s serves the %s protocol: an author of a server implements Server, and NewPeer has it serve one connection.", g.names.pkg, g.p.Name))
	s.guard()
	g.emitServerInterface(s)
	g.emitCalls(s)
	g.emitUnimplemented(s)
	g.emitDispatch()
	g.emitPeer()
	g.emitBefore()
	return g.finish()
}

// emitMethodNames writes the wire names of all messages.
func (g *gen) emitMethodNames() {
	s := g.source("methods.gen.go")
	var list []jen.Code
	seen := map[string]bool{} // both sides may have a message of one name
	for _, m := range g.p.Methods {
		if seen[methodConst(m)] {
			continue
		}
		seen[methodConst(m)] = true
		list = append(list, g.ref(methodConst(m)).Op("=").Lit(m.Name))
	}
	if len(list) > 0 {
		s.decl("The wire names of methods.", jen.Const().Defs(list...))
	}
	list = nil
	for _, n := range g.p.Notifications {
		if seen[noteConst(n)] {
			continue
		}
		seen[noteConst(n)] = true
		list = append(list, g.ref(noteConst(n)).Op("=").Lit(n.Name))
	}
	if len(list) > 0 {
		s.decl("The wire names of notifications.", jen.Const().Defs(list...))
	}
}

func ctxParam() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

// signature is a method of Server, from its name on.
func (g *gen) signature(m *model.Method) *jen.Statement {
	var params []jen.Code
	if m.Deferred {
		params = append(params, jen.Id("c").Add(g.callType(m)))
	} else {
		params = append(params, ctxParam())
	}
	if m.Params != "" {
		params = append(params, jen.Id("p").Op("*").Add(g.ref(m.Params)))
	}
	sig := jen.Id(m.GoName).Params(params...)
	switch {
	case m.Deferred:
		return sig
	case m.Result == "":
		return sig.Error()
	}
	return sig.Params(g.resultType(m), jen.Error())
}

// noteSignature is the method of Server that takes a notification.
func (g *gen) noteSignature(n *model.Notification) *jen.Statement {
	sig := jen.Id(noteName(n))
	if n.Params == "" {
		return sig.Params()
	}
	return sig.Params(jen.Id("p").Op("*").Add(g.ref(n.Params)))
}

func (g *gen) emitServerInterface(s *source) {
	var code []jen.Code
	add := func(doc string, sig jen.Code) {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(append(code, comments(doc)...), sig)
	}
	for _, m := range g.calls(model.Client) {
		add(g.serverDoc(m), g.signature(m))
	}
	for _, n := range g.notes(model.Client) {
		add(sentences(docAs(n.Doc.EN, n.Var, noteName(n)))+"\n\n"+sentences("Wire name "+n.Name, "It is called on the reading goroutine and must not block"), g.noteSignature(n))
	}
	s.decl("Server is what a server implements, for one peer each. A method with a call answers later, through the call; "+
		"the others return their answer. Params were checked against the declaration before, and belong to the method. "+
		"Embed UnimplementedServer to be ready for methods to come.",
		jen.Type().Id("Server").Interface(code...))
}

// emitUnimplemented writes a server that serves nothing.
func (g *gen) emitUnimplemented(s *source) {
	s.decl("UnimplementedServer refuses every method. Embed it in a Server that serves some.",
		jen.Type().Id("UnimplementedServer").Struct())
	s.decl("", jen.Var().Id("_").Id("Server").Op("=").Id("UnimplementedServer").Values())
	for _, m := range g.calls(model.Client) {
		refused := jen.Id("unsupported").Call(g.ref(methodConst(m)), jen.Lit(m.Needs))
		var params []jen.Code
		if m.Deferred {
			params = append(params, jen.Id("c").Add(g.callType(m)))
		} else {
			params = append(params, jen.Id("_").Qual("context", "Context"))
		}
		if m.Params != "" {
			params = append(params, jen.Id("_").Op("*").Add(g.ref(m.Params)))
		}
		sig := jen.Func().Params(jen.Id("UnimplementedServer")).Id(m.GoName).Params(params...)
		switch {
		case m.Deferred:
			sig = sig.Block(jen.Id("c").Dot("Fail").Call(refused))
		case m.Result == "":
			sig = sig.Error().Block(jen.Return(refused))
		default:
			sig = sig.Params(g.resultType(m), jen.Error()).Block(jen.Return(g.noResult(m), refused))
		}
		s.decl(m.GoName+" refuses.", sig)
	}
	for _, n := range g.notes(model.Client) {
		sig := jen.Func().Params(jen.Id("UnimplementedServer")).Id(noteName(n))
		if n.Params == "" {
			s.decl(noteName(n)+" does nothing.", sig.Params().Block())
		} else {
			s.decl(noteName(n)+" does nothing.", sig.Params(jen.Op("*").Add(g.ref(n.Params))).Block())
		}
	}
}

// nothing is the value of a member that is absent.
func (g *gen) nothing(f *model.Field) jen.Code {
	if f.Null() {
		return jen.Qual(codecPath, "Nullable").Types(g.goType(f.Type)).Values()
	}
	if g.isPointer(f) {
		return jen.Nil()
	}
	switch g.kind(f.Type) {
	case rawKind, bytesKind, listKind, mapKind, interfaceKind:
		return jen.Nil()
	case structKind:
		return jen.Add(g.goType(f.Type)).Values()
	}
	return g.zero(f.Type)
}
