// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// checkNegotiation reports a negotiation that cannot be rendered.
func (g *gen) checkNegotiation() {
	n := g.p.Negotiation
	if n == nil {
		return
	}
	m := g.negotiation()
	if m == nil || m.From != model.Client || m.Params == "" || m.Result == "" {
		g.problems.Add(g.p.Pos, "negotiation goes by method %q, which must be a client's, with params and a result", n.Method)
		return
	}
	optional := func(typeName, wire string, integer bool) {
		f := g.member(typeName, wire)
		if f == nil || f.Presence != model.Optional || integer && g.under(f.Type).Kind != model.RefInt {
			g.problems.Add(m.Pos, "member %s of %s takes part in negotiation, so it must be an optional one on the top level (a pointer; a version is an integer)", wire, typeName)
		}
	}
	if g.versioned() {
		optional(m.Params, n.Asked, true)
		optional(m.Result, n.Answered, true)
	}
	if n.Offers != "" && (g.offersType() == "" || g.offersField().Presence != model.Required) {
		optional(m.Params, n.Offers, false)
	}
}

// versioned reports whether versions are agreed on. If not, every peer is of
// the same kind, and held to the strict dialect.
func (g *gen) versioned() bool { return g.newest() > 0 }

func (g *gen) negotiation() *model.Method {
	for _, m := range g.p.Methods {
		if g.negotiates(m) {
			return m
		}
	}
	return nil
}

// offersType is the type of what a client announces; empty if it announces
// nothing.
func (g *gen) offersType() string {
	m := g.negotiation()
	if m == nil || g.p.Negotiation.Offers == "" {
		return ""
	}
	if f := g.offersField(); f != nil && f.Type.Kind == model.RefNamed {
		return f.Type.Name
	}
	return ""
}

// offersField is the member that has it.
func (g *gen) offersField() *model.Field {
	return g.member(g.negotiation().Params, g.p.Negotiation.Offers)
}

// emitNegotiate writes the functions that open a connection, and agree on a
// version if there are any.
func (g *gen) emitNegotiate(s *source) {
	m := g.negotiation()
	if m == nil || g.problems.Errors() > 0 {
		return
	}
	n := g.p.Negotiation
	fail := func(err jen.Code) []jen.Code { return []jen.Code{jen.Id("r").Dot("Fail").Call(err), jen.Return()} }
	var body []jen.Code
	if g.versioned() {
		asked := jen.Id("params").Dot(g.member(m.Params, n.Asked).Name)
		var versions []jen.Code
		for _, v := range n.Versions {
			versions = append(versions, jen.Lit(v))
		}
		body = append(body,
			jen.List(jen.Id("version"), jen.Id("ok")).Op(":=").Qual(serverPath, "Agree").Call(append([]jen.Code{asked}, versions...)...),
			jen.If(jen.Op("!").Id("ok")).Block(fail(jen.Qual(serverPath, "AsNegotiated").Call(g.noVersion(asked, versions)))...))
	}
	offers, offersMember := jen.Code(jen.Nil()), jen.Lit("")
	if g.offersType() != "" {
		offers, offersMember = jen.Id("offered").Call(jen.Id("params")), jen.Lit(n.Offers)
	}
	body = append(body,
		jen.If(jen.Err().Op(":=").Id("p").Dot("gate").Dot("Again").Call(g.versionOr0(), offers, jen.Lit(n.Asked), offersMember), jen.Err().Op("!=").Nil()).
			Block(fail(jen.Err())...))
	if m.Deferred {
		open := jen.Id("p").Dot("open").Call(g.opening(jen.Id("version"), jen.Id("params"), jen.Id("result"))...)
		body = append(body,
			jen.Comment("The answer opens the connection: what the client sends before that comes too early."),
			jen.Id("how").Op(":=").Op("&").Add(g.answersType(m)).Values(broken(g.answers(m, open))...),
			jen.Id("p").Dot("server").Dot(m.GoName).Call(g.newCall(m, jen.Id("how")), jen.Id("params")))
	} else {
		body = append(body,
			jen.List(jen.Id("result"), jen.Err()).Op(":=").Id("p").Dot("server").Dot(m.GoName).Call(jen.Id("r").Dot("Context").Call(), jen.Id("params")),
			jen.If(jen.Err().Op("!=").Nil()).Block(fail(jen.Err())...),
			jen.Id("p").Dot("open").Call(g.opening(jen.Id("version"), jen.Id("params"), jen.Id("result"))...))
		body = append(body, g.legacyResult(m, jen.Id("p"), func(reply jen.Code) []jen.Code {
			return []jen.Code{jen.Id("r").Dot("Reply").Call(reply)}
		}, jen.Return())...)
	}
	s.decl("negotiate deals with "+m.Name+", which opens the connection.",
		jen.Func().Params(jen.Id("p").Op("*").Id("Peer")).Id("negotiate").
			Params(jen.Id("r").Op("*").Qual(jsonrpcPath, "Request"), jen.Id("params").Op("*").Add(g.ref(m.Params))).Block(body...))
	g.emitOpen(s, m)
}

// versionOr0 is the version that was agreed on; 0 where there are none.
func (g *gen) versionOr0() jen.Code {
	if g.versioned() {
		return jen.Id("version")
	}
	return jen.Lit(0)
}

// opening are the arguments of open: without versions there is none to record,
// and nothing to say in the result.
func (g *gen) opening(version, params, result jen.Code) []jen.Code {
	if g.versioned() {
		return []jen.Code{version, params, result}
	}
	return []jen.Code{params}
}

// emitOpen writes what happens when the server has agreed.
func (g *gen) emitOpen(s *source, m *model.Method) {
	n := g.p.Negotiation
	offers := jen.Code(jen.Nil())
	var body, params []jen.Code
	offersAlways := g.offersType() != "" && !g.isPointer(g.offersField())
	if g.offersType() != "" {
		offers = jen.Id("offered").Call(jen.Id("params"))
		member := jen.Id("params").Dot(g.offersField().Name)
		if offersAlways {
			body = append(body, jen.Id("p").Dot("offers").Dot("Store").Call(jen.Op("&").Add(member)))
		} else {
			body = append(body, jen.If(jen.Add(member).Op("!=").Nil()).Block(jen.Id("p").Dot("offers").Dot("Store").Call(member)))
		}
	}
	body = append(body, jen.Id("p").Dot("gate").Dot("Open").Call(g.versionOr0(), offers))
	doc := "open records what the client announced."
	param := jen.Id("params")
	if g.offersType() == "" && !g.versioned() {
		param = jen.Id("_")
	}
	if g.versioned() {
		doc = "open records what was agreed on, and says it in the result."
		params = append(params, jen.Id("version").Int64())
		body = append(body, jen.If(jen.Id("version").Op(">").Lit(0)).Block(
			jen.Id("result").Dot(g.member(m.Result, n.Answered).Name).Op("=").Op("&").Id("version"),
			jen.Id("p").Dot("conn").Dot("SetStrict").Call(jen.True()),
		))
	}
	params = append(params, param.Op("*").Add(g.ref(m.Params)))
	if g.versioned() {
		params = append(params, jen.Id("result").Op("*").Add(g.ref(m.Result)))
	}
	s.decl(doc, jen.Func().Params(jen.Id("p").Op("*").Id("Peer")).Id("open").Params(params...).Block(body...))
	if g.offersType() == "" {
		return
	}
	member := jen.Id("params").Dot(g.offersField().Name)
	var offered []jen.Code
	if !offersAlways {
		offered = append(offered, jen.If(jen.Add(member).Op("==").Nil()).Block(jen.Return(jen.Nil())))
	}
	s.decl("offered is what a client announces, as text; nil if it announces nothing.",
		jen.Func().Id("offered").Params(jen.Id("params").Op("*").Add(g.ref(m.Params))).Index().Byte().Block(
			append(offered, jen.Return(jen.Add(member).Dot("AppendJSON").Call(jen.Nil())))...))
}

// noVersion is the error that no version is common to both. It may say which
// was asked for and which there are, in members named requested and supported.
func (g *gen) noVersion(asked jen.Code, versions []jen.Code) jen.Code {
	e := g.errorOf(g.p.Negotiation.Unsupported)
	if e == nil {
		return jen.Op("&").Qual(jsonrpcPath, "Fault").Values(
			jen.Id("Kind").Op(":").Qual(jsonrpcPath, "ParamsFault"), jen.Id("Path").Op(":").Lit(g.p.Negotiation.Asked))
	}
	var values []jen.Code
	if f := g.dataField(e, "requested"); f != nil && g.under(f.Type).Kind == model.RefInt && !g.isPointer(f) {
		values = append(values, jen.Id(f.Name).Op(":").Op("*").Add(asked))
	}
	if f := g.dataField(e, "supported"); f != nil && g.kind(f.Type) == listKind {
		values = append(values, jen.Id(f.Name).Op(":").Add(g.goType(f.Type)).Values(versions...))
	}
	return jen.Op("&").Add(g.ref(errorName(e))).Values(values...)
}
