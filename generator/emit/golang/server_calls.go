// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

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
			fields = append(fields, jen.Id("params").Op("*").Add(g.ref(m.Params)))
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
			s.decl("Reply answers with the result.", receiver().Id("Reply").Params(jen.Id("result").Add(g.resultType(m))).Block(body...))
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
			jen.Id("result").Op("=").Id(beforeFunc(m.Result)).Call(jen.Id("result"), jen.Id("version"))))
	}
	return append(code, reply(g.reply(m, jen.Id("result")))...)
}
