// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// newest is the highest version that is spoken; 0 if none are.
func (g *gen) newest() int {
	if g.p.Negotiation == nil || len(g.p.Negotiation.Versions) == 0 {
		return 0
	}
	return g.p.Negotiation.Versions[len(g.p.Negotiation.Versions)-1]
}

// cutsResult says whether older peers get a result with less in it. Methods
// that a version added are the same for all.
func (g *gen) cutsResult(m *model.Method) bool {
	return m.Since == "" && len(g.later(m.Result)) > 0 && g.newest() > 0
}

// beforeFunc is the function that leaves out what later versions added to a payload.
func beforeFunc(typeName string) string { return "before" + typeName }

// emitBefore writes these functions.
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
		s.decl(beforeFunc(typeName)+" returns "+article(typeName)+" as a version knows it; peers that named none count as version 0.",
			jen.Func().Id(beforeFunc(typeName)).Params(jen.Id("v").Op("*").Add(g.ref(typeName)), jen.Id("version").Int64()).Op("*").Add(g.ref(typeName)).Block(body...))
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
