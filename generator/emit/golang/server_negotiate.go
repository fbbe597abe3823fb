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
	optional(m.Params, n.Asked, true)
	optional(m.Result, n.Answered, true)
	if n.Offers != "" {
		optional(m.Params, n.Offers, false)
	}
}

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
	if f := g.member(m.Params, g.p.Negotiation.Offers); f != nil && f.Type.Kind == model.RefNamed {
		return f.Type.Name
	}
	return ""
}

// emitNegotiate writes the functions that agree on a version.
func (g *gen) emitNegotiate(s *source) {
	m := g.negotiation()
	if m == nil || g.problems.Errors() > 0 {
		return
	}
	n := g.p.Negotiation
	asked := jen.Id("params").Dot(g.member(m.Params, n.Asked).Name)
	var versions []jen.Code
	for _, v := range n.Versions {
		versions = append(versions, jen.Lit(v))
	}
	fail := func(err jen.Code) []jen.Code { return []jen.Code{jen.Id("r").Dot("Fail").Call(err), jen.Return()} }
	offers, offersMember := jen.Code(jen.Nil()), jen.Lit("")
	if g.offersType() != "" {
		offers, offersMember = jen.Id("offered").Call(jen.Id("params")), jen.Lit(n.Offers)
	}
	body := []jen.Code{
		jen.List(jen.Id("version"), jen.Id("ok")).Op(":=").Qual(servePath, "Agree").Call(append([]jen.Code{asked}, versions...)...),
		jen.If(jen.Op("!").Id("ok")).Block(fail(jen.Qual(servePath, "AsNegotiated").Call(g.noVersion(asked, versions)))...),
		jen.If(jen.Err().Op(":=").Id("p").Dot("gate").Dot("Again").Call(jen.Id("version"), offers, jen.Lit(n.Asked), offersMember), jen.Err().Op("!=").Nil()).
			Block(fail(jen.Err())...),
	}
	if m.Deferred {
		body = append(body, jen.Id("p").Dot("server").Dot(m.GoName).Call(
			jen.Id(callName(m)).Values(
				jen.Id("Request").Op(":").Id("r"), jen.Id("peer").Op(":").Id("p"), jen.Id("params").Op(":").Id("params"), jen.Id("version").Op(":").Id("version")),
			jen.Id("params")))
	} else {
		body = append(body,
			jen.List(jen.Id("result"), jen.Err()).Op(":=").Id("p").Dot("server").Dot(m.GoName).Call(jen.Id("r").Dot("Context").Call(), jen.Id("params")),
			jen.If(jen.Err().Op("!=").Nil()).Block(fail(jen.Err())...),
			jen.Id("p").Dot("open").Call(jen.Id("version"), jen.Id("params"), jen.Id("result")))
		body = append(body, g.legacyResult(m, jen.Id("p"), func(reply jen.Code) []jen.Code {
			return []jen.Code{jen.Id("r").Dot("Reply").Call(reply)}
		})...)
	}
	s.decl("negotiate deals with "+m.Name+", which opens the connection.",
		jen.Func().Params(jen.Id("p").Op("*").Id("Peer")).Id("negotiate").
			Params(jen.Id("r").Op("*").Qual(jsonrpcPath, "Request"), jen.Id("params").Op("*").Id(m.Params)).Block(body...))
	g.emitOpen(s, m)
}

// emitOpen writes what happens when the server has agreed.
func (g *gen) emitOpen(s *source, m *model.Method) {
	n := g.p.Negotiation
	offers := jen.Code(jen.Nil())
	var body []jen.Code
	if g.offersType() != "" {
		offers = jen.Id("offered").Call(jen.Id("params"))
		member := jen.Id("params").Dot(g.member(m.Params, n.Offers).Name)
		body = append(body, jen.If(jen.Add(member).Op("!=").Nil()).Block(jen.Id("p").Dot("offers").Dot("Store").Call(member)))
	}
	body = append(body,
		jen.Id("p").Dot("gate").Dot("Open").Call(jen.Id("version"), offers),
		jen.If(jen.Id("version").Op(">").Lit(0)).Block(
			jen.Id("result").Dot(g.member(m.Result, n.Answered).Name).Op("=").Op("&").Id("version"),
			jen.Id("p").Dot("conn").Dot("SetStrict").Call(jen.True()),
		),
	)
	s.decl("open records what was agreed on, and says it in the result.",
		jen.Func().Params(jen.Id("p").Op("*").Id("Peer")).Id("open").
			Params(jen.Id("version").Int64(), jen.Id("params").Op("*").Id(m.Params), jen.Id("result").Op("*").Id(m.Result)).Block(body...))
	if g.offersType() == "" {
		return
	}
	member := jen.Id("params").Dot(g.member(m.Params, n.Offers).Name)
	s.decl("offered is what a client announces, as text; nil if it announces nothing.",
		jen.Func().Id("offered").Params(jen.Id("params").Op("*").Id(m.Params)).Index().Byte().Block(
			jen.If(jen.Add(member).Op("==").Nil()).Block(jen.Return(jen.Nil())),
			jen.Return(jen.Add(member).Dot("AppendJSON").Call(jen.Nil())),
		))
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
	return jen.Op("&").Id(errorName(e)).Values(values...)
}
