// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

const invalidParams = -32602

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

// within reports whether a payload has a member of that name, at any depth.
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
			jen.Var().Id(v).Op("*").Add(g.ref(errorName(e))),
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
