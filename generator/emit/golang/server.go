package golang

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitServer writes the side that serves: what an author of a server
// implements, what stands before it, and the peer that it speaks to.
func (g *gen) emitServer() {
	if len(g.calls(model.Client)) == 0 && len(g.notes(model.Server)) == 0 {
		return
	}
	g.checkServer()
	g.checkNegotiation()
	g.emitMethodNames()
	s := g.source("server.gen.go")
	g.emitServerInterface(s)
	g.emitCalls(s)
	g.emitUnimplemented(s)
	g.emitDispatch()
	g.emitPeer()
	g.emitBefore()
}

// emitMethodNames writes the wire names of all messages.
func (g *gen) emitMethodNames() {
	s := g.source("methods.gen.go")
	var list []jen.Code
	for _, m := range g.p.Methods {
		list = append(list, jen.Id(methodConst(m)).Op("=").Lit(m.Name))
	}
	if len(list) > 0 {
		s.decl("The wire names of methods.", jen.Const().Defs(list...))
	}
	list = nil
	for _, n := range g.p.Notifications {
		list = append(list, jen.Id(noteConst(n)).Op("=").Lit(n.Name))
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
		params = append(params, jen.Id("c").Id(callName(m)))
	} else {
		params = append(params, ctxParam())
	}
	if m.Params != "" {
		params = append(params, jen.Id("p").Op("*").Id(m.Params))
	}
	sig := jen.Id(m.GoName).Params(params...)
	switch {
	case m.Deferred:
		return sig
	case m.Result == "":
		return sig.Error()
	}
	return sig.Params(jen.Op("*").Id(m.Result), jen.Error())
}

// noteSignature is the method of Server that takes a notification.
func noteSignature(n *model.Notification) *jen.Statement {
	sig := jen.Id(noteName(n))
	if n.Params == "" {
		return sig.Params()
	}
	return sig.Params(jen.Id("p").Op("*").Id(n.Params))
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
		add(sentences(docAs(n.Doc.EN, n.Var, noteName(n)))+"\n\n"+sentences("Wire name "+n.Name, "It is called on the reading goroutine and must not block"), noteSignature(n))
	}
	s.decl("Server is what a server implements, for one peer each. A method with a call answers later, through the call; "+
		"the others return their answer. Params were checked against the declaration before, and belong to the method. "+
		"Embed UnimplementedServer to be ready for methods to come.",
		jen.Type().Id("Server").Interface(code...))
}

// emitCalls writes the typed requests of methods that are answered later.
func (g *gen) emitCalls(s *source) {
	for _, m := range g.calls(model.Client) {
		if !m.Deferred {
			g.emitMethodError(s, m)
			continue
		}
		name := callName(m)
		fields := []jen.Code{
			jen.Op("*").Qual(jsonrpcPath, "Request"),
			jen.Id("peer").Op("*").Id("Peer"),
		}
		doc := name + " is one request for " + m.Name + ". It is answered exactly once, with Reply or Fail."
		if g.negotiates(m) {
			doc += " Reply opens the connection: what the client sends before that comes too early."
			fields = append(fields, jen.Id("params").Op("*").Id(m.Params))
			if g.versioned() {
				fields = append(fields, jen.Id("version").Int64())
			}
		}
		s.decl(doc, jen.Type().Id(name).Struct(fields...))
		receiver := func() *jen.Statement { return jen.Func().Params(jen.Id("c").Id(name)) }
		s.decl("Peer is who asks.", receiver().Id("Peer").Params().Op("*").Id("Peer").Add(oneLine(jen.Return(jen.Id("c").Dot("peer")))))
		request := jen.Id("c").Dot("Request")
		if m.Result == "" {
			s.decl("Reply answers.", receiver().Id("Reply").Params().Block(jen.Add(request).Dot("Reply").Call(jen.Nil())))
		} else {
			var body []jen.Code
			if g.negotiates(m) {
				body = append(body, jen.Id("c").Dot("peer").Dot("open").Call(g.opening(jen.Id("c").Dot("version"), jen.Id("c").Dot("params"), jen.Id("result"))...))
			}
			body = append(body, g.legacyResult(m, jen.Id("c").Dot("peer"), func(reply jen.Code) []jen.Code {
				return []jen.Code{jen.Add(request).Dot("Reply").Call(reply)}
			})...)
			s.decl("Reply answers with the result.", receiver().Id("Reply").Params(jen.Id("result").Op("*").Id(m.Result)).Block(body...))
		}
		if len(g.methodTexts(m)) > 0 {
			s.decl("Fail answers with an error, in the words that peers know who never negotiated.",
				receiver().Id("Fail").Params(jen.Err().Error()).Block(
					jen.Add(request).Dot("Fail").Call(jen.Id(methodErrorFunc(m)).Call(jen.Err()))))
			g.emitMethodError(s, m)
		}
	}
}

// legacyResult are the statements that reply with the variable result, as the
// peer's version knows it.
func (g *gen) legacyResult(m *model.Method, peer jen.Code, reply func(jen.Code) []jen.Code) []jen.Code {
	var code []jen.Code
	version := jen.Id("version").Op(":=").Add(peer).Dot("Version").Call()
	bare := m.Legacy != nil && m.Legacy.Bare
	switch {
	case bare:
		code = append(code, jen.If(jen.Add(peer).Dot("Version").Call().Op("==").Lit(0)).Block(
			append(reply(jen.Nil()), jen.Return())...))
	case g.cutsResult(m):
		code = append(code, jen.If(version, jen.Id("version").Op("<").Lit(g.newest())).Block(
			jen.Id("result").Op("=").Id("result").Dot("before").Call(jen.Id("version"))))
	}
	return append(code, reply(jen.Id("result"))...)
}

// cutsResult says whether older peers get a result with less in it. Methods
// that a version added are the same for all.
func (g *gen) cutsResult(m *model.Method) bool {
	return m.Since == "" && len(g.later(m.Result)) > 0 && g.newest() > 0
}

// newest is the highest version that is spoken; 0 if none are.
func (g *gen) newest() int {
	if g.p.Negotiation == nil || len(g.p.Negotiation.Versions) == 0 {
		return 0
	}
	return g.p.Negotiation.Versions[len(g.p.Negotiation.Versions)-1]
}

// methodTexts are the texts that can be given to an error without knowing more
// than its kind and data. Where an error has several in one method, or is about
// params, the server knows which it means and gives it as Legacy.
func (g *gen) methodTexts(m *model.Method) []model.LegacyText {
	if m.Legacy == nil {
		return nil
	}
	count := map[string]int{}
	for _, t := range m.Legacy.Texts {
		count[t.Error]++
	}
	var out []model.LegacyText
	for _, t := range m.Legacy.Texts {
		e := g.errorOf(t.Error)
		if e == nil {
			g.problems.Add(m.Pos, "method %s has a text for error %q, which does not travel", m.Name, t.Error)
			continue
		}
		alone := count[t.Error] == 1 && e.Code != invalidParams
		for _, name := range placeholder.FindAllStringSubmatch(t.Text, -1) {
			inData := g.dataField(e, name[1]) != nil
			if !inData && !g.within(m.Params, name[1], map[string]bool{}) {
				g.problems.Add(m.Pos, "the text %q of method %s names {%s}, which is a member neither of error %s nor of the params", t.Text, m.Name, name[1], e.Kind)
			}
			alone = alone && inData
		}
		if alone {
			out = append(out, t)
		}
	}
	return out
}

const invalidParams = -32602

// within tells whether a payload has a member of that name, at any depth.
func (g *gen) within(typeName, wire string, seen map[string]bool) bool {
	t := g.types[typeName]
	if t == nil || seen[typeName] {
		return false
	}
	seen[typeName] = true
	for _, f := range t.Fields {
		r := g.under(f.Type)
		for r.Elem != nil {
			r = g.under(r.Elem)
		}
		if f.Wire == wire || r.Kind == model.RefNamed && g.within(r.Name, wire, seen) {
			return true
		}
	}
	if t.Union == nil {
		return false
	}
	for _, v := range t.Union.Variants {
		if g.within(v.Type, wire, seen) {
			return true
		}
	}
	return false
}

// emitMethodError writes the function that gives errors the texts that one
// method has for peers that never negotiated.
func (g *gen) emitMethodError(s *source, m *model.Method) {
	texts := g.methodTexts(m)
	if len(texts) == 0 {
		return
	}
	var body []jen.Code
	for i, t := range texts {
		e := g.errorOf(t.Error)
		v := "v"
		if i > 0 {
			v += strconv.Itoa(i + 1)
		}
		message, needs := g.legacyTextOf(v, e, t.Text)
		cond := jen.Qual("errors", "As").Call(jen.Err(), jen.Op("&").Id(v)).Op("&&").Id(v).Dot("Legacy").Op("==").Lit("")
		for _, n := range needs {
			cond = cond.Op("&&").Add(n)
		}
		body = append(body,
			jen.Var().Id(v).Op("*").Id(errorName(e)),
			jen.If(cond).Block(
				jen.Id("named").Op(":=").Op("*").Id(v),
				jen.Id("named").Dot("Legacy").Op("=").Add(message),
				jen.Return(jen.Op("&").Id("named")),
			))
	}
	body = append(body, jen.Return(jen.Err()))
	s.decl(methodErrorFunc(m)+" gives an error the text that "+m.Name+" has for peers that never negotiated.",
		jen.Func().Id(methodErrorFunc(m)).Params(jen.Err().Error()).Error().Block(body...))
}

// emitUnimplemented writes a server that serves nothing.
func (g *gen) emitUnimplemented(s *source) {
	s.decl("UnimplementedServer refuses every method. Embed it in a Server that serves some.",
		jen.Type().Id("UnimplementedServer").Struct())
	s.decl("", jen.Var().Id("_").Id("Server").Op("=").Id("UnimplementedServer").Values())
	for _, m := range g.calls(model.Client) {
		refused := jen.Id("unsupported").Call(jen.Id(methodConst(m)), jen.Lit(m.Needs))
		var params []jen.Code
		if m.Deferred {
			params = append(params, jen.Id("c").Id(callName(m)))
		} else {
			params = append(params, jen.Id("_").Qual("context", "Context"))
		}
		if m.Params != "" {
			params = append(params, jen.Id("_").Op("*").Id(m.Params))
		}
		sig := jen.Func().Params(jen.Id("UnimplementedServer")).Id(m.GoName).Params(params...)
		switch {
		case m.Deferred:
			sig = sig.Block(jen.Id("c").Dot("Fail").Call(refused))
		case m.Result == "":
			sig = sig.Error().Block(jen.Return(refused))
		default:
			sig = sig.Params(jen.Op("*").Id(m.Result), jen.Error()).Block(jen.Return(jen.Nil(), refused))
		}
		s.decl(m.GoName+" refuses.", sig)
	}
	for _, n := range g.notes(model.Client) {
		sig := jen.Func().Params(jen.Id("UnimplementedServer")).Id(noteName(n))
		if n.Params == "" {
			s.decl(noteName(n)+" does nothing.", sig.Params().Block())
		} else {
			s.decl(noteName(n)+" does nothing.", sig.Params(jen.Op("*").Id(n.Params)).Block())
		}
	}
}

// emitBefore writes the methods that leave out what later versions added.
func (g *gen) emitBefore() {
	if g.newest() == 0 {
		return
	}
	s := g.source("server_versions.gen.go")
	done := map[string]bool{}
	emit := func(typeName string) {
		fields := g.later(typeName)
		if done[typeName] || len(fields) == 0 {
			return
		}
		done[typeName] = true
		body := []jen.Code{
			jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Nil())),
			jen.Id("older").Op(":=").Op("*").Id("v"),
		}
		bySince := map[int][]jen.Code{}
		var order []int
		for _, f := range fields {
			n := sinceOf(f.Since)
			if bySince[n] == nil {
				order = append(order, n)
			}
			bySince[n] = append(bySince[n], jen.Id("older").Dot(f.Name).Op("=").Add(g.nothing(f)))
		}
		for _, n := range order {
			body = append(body, jen.If(jen.Id("version").Op("<").Lit(n)).Block(bySince[n]...))
		}
		body = append(body, jen.Return(jen.Op("&").Id("older")))
		s.decl("before is v without what a version does not know. Peers that named none count as version 0.",
			on(typeName).Id("before").Params(jen.Id("version").Int64()).Op("*").Id(typeName).Block(body...))
	}
	for _, m := range g.calls(model.Client) {
		if g.cutsResult(m) && !(m.Legacy != nil && m.Legacy.Bare) {
			emit(m.Result)
		}
	}
	for _, n := range g.notes(model.Server) {
		if g.cutsNote(n) {
			emit(n.Params)
		}
	}
}

// nothing is the value of a member that is absent.
func (g *gen) nothing(f *model.Field) jen.Code {
	if f.Presence == model.Nullable {
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
	return zero(g.under(f.Type))
}
