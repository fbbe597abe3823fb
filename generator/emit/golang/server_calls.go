// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// callName is the type of a request that is answered later.
const callName = "Call"

// emitCalls writes the request that is answered later, and how answers of methods
// differ from what a server gives.
func (g *gen) emitCalls(s *source) {
	later := slices.ContainsFunc(g.calls(model.Client), func(m *model.Method) bool { return m.Deferred })
	if later {
		s.decl(callName+" is one request for a result R. It is answered exactly once, with Reply or Fail.",
			jen.Type().Id(callName).Types(jen.Id("R").Any()).Struct(jen.Qual(serverPath, "Call").Types(jen.Op("*").Id("Peer"), jen.Id("R"))))
	}
	for _, m := range g.calls(model.Client) {
		g.emitMethodError(s, m)
		if answers := g.answers(m); m.Deferred && !g.negotiates(m) && len(answers) > 0 {
			s.decl("", jen.Var().Id(answersVar(m)).Op("=").Add(g.answersType(m)).Values(broken(answers)...))
		}
	}
}

func answersVar(m *model.Method) string { return "answers" + m.GoName }

// callResult is the result of a call as the type argument of what answers it; a
// method without a result is answered with nil.
func (g *gen) callResult(m *model.Method) jen.Code {
	if m.Result == "" {
		return jen.Qual(codecPath, "Appender")
	}
	return g.resultType(m)
}

func (g *gen) callType(m *model.Method) *jen.Statement {
	return jen.Id(callName).Types(g.callResult(m))
}

func (g *gen) answersType(m *model.Method) *jen.Statement {
	return jen.Qual(serverPath, "Answers").Types(jen.Op("*").Id("Peer"), g.callResult(m))
}

// newCall is the call that a server gets of a method; how is how its answers
// differ, nil if they do not.
func (g *gen) newCall(m *model.Method, how jen.Code) jen.Code {
	if how == nil {
		return g.callType(m).Values(jen.Qual(serverPath, "NewCall").Types(jen.Op("*").Id("Peer"), g.callResult(m)).Call(jen.Id("r"), jen.Id("p"), jen.Nil()))
	}
	return g.callType(m).Values(jen.Qual(serverPath, "NewCall").Call(jen.Id("r"), jen.Id("p"), how))
}

// answers are the members of Answers that a method has; before is what is done
// with its result first.
func (g *gen) answers(m *model.Method, before ...jen.Code) []jen.Code {
	var out []jen.Code
	bare := m.Legacy != nil && m.Legacy.Bare
	if len(before) > 0 || bare && m.Result != "" || m.Result != "" && (!g.plain(m) || g.cutsResult(m)) {
		peer := jen.Id("_")
		if len(before) > 0 || bare || g.cutsResult(m) {
			peer = jen.Id("p")
		}
		body := append(before, g.legacyResult(m, jen.Id("p"), func(reply jen.Code) []jen.Code { return []jen.Code{jen.Return(reply)} })...)
		out = append(out, jen.Id("Result").Op(":").Func().Params(peer.Op("*").Id("Peer"), jen.Id("result").Add(g.callResult(m))).Qual(codecPath, "Appender").Block(body...))
	}
	if len(g.methodTexts(m)) > 0 {
		out = append(out, jen.Id("Error").Op(":").Id(methodErrorFunc(m)))
	}
	return out
}

// legacyResult are the statements that reply with the variable result, as the
// peer's version knows it; stop are those that end the function after a reply.
func (g *gen) legacyResult(m *model.Method, peer jen.Code, reply func(jen.Code) []jen.Code, stop ...jen.Code) []jen.Code {
	var code []jen.Code
	version := jen.Id("version").Op(":=").Add(peer).Dot("Version").Call()
	bare := m.Legacy != nil && m.Legacy.Bare
	switch {
	case bare:
		code = append(code, jen.If(jen.Add(peer).Dot("Version").Call().Op("==").Lit(0)).Block(append(reply(jen.Nil()), stop...)...))
	case g.cutsResult(m):
		code = append(code, jen.If(version, jen.Id("version").Op("<").Lit(g.newest())).Block(
			jen.Id("result").Op("=").Id(beforeFunc(m.Result)).Call(jen.Id("result"), jen.Id("version"))))
	}
	return append(code, reply(g.reply(m, jen.Id("result")))...)
}
