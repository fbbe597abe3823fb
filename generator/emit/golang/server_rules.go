// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitRules writes the table of what must hold before a handler runs.
func (g *gen) emitRules(s *source) {
	var rows []jen.Code
	for _, m := range g.calls(model.Client) {
		row := []jen.Code{jen.Id("Method").Op(":").Add(g.ref(methodConst(m)))}
		if m.Before || g.negotiates(m) {
			row = append(row, jen.Id("Before").Op(":").True())
		}
		if g.negotiates(m) && g.versioned() {
			row = append(row, jen.Id("Asked").Op(":").Lit(g.p.Negotiation.Asked))
		}
		if list := g.prechecks(m); len(list) > 0 {
			row = append(row, jen.Id("Prechecks").Op(":").Index().Qual(serverPath, "Precheck").Values(broken(list)...))
		}
		if list := g.refusals(m); len(list) > 0 {
			row = append(row, jen.Id("Refusals").Op(":").Index().Qual(serverPath, "Refusal").Values(broken(list)...))
		}
		if list := g.together(m); len(list) > 0 {
			row = append(row, jen.Id("Together").Op(":").Index().Qual(serverPath, "Together").Values(broken(list)...))
		}
		if len(row) > 3 || len(row) > 1 && (len(m.Refusals) > 0 || len(m.Prechecks) > 0 || len(m.Together) > 0) {
			row = broken(row)
		}
		rows = append(rows, jen.Id(opConst(m)).Op(":").Values(row...))
	}
	for _, n := range g.notes(model.Client) {
		rows = append(rows, jen.Id(noteOpConst(n)).Op(":").Values(jen.Id("Method").Op(":").Add(g.ref(noteConst(n)))))
	}
	s.decl("rules is what must hold before a handler runs.",
		jen.Var().Id("rules").Op("=").Index().Qual(serverPath, "Rules").Values(broken(rows)...))
}

func (g *gen) prechecks(m *model.Method) []jen.Code {
	var out []jen.Code
	for _, c := range m.Prechecks {
		e := g.errorOf(c.Error)
		if e == nil {
			g.problems.Add(m.Pos, "a precheck of %s refuses with %q, which is no error that travels", m.Name, c.Error)
			continue
		}
		var present, absent []string
		for _, is := range c.If {
			switch {
			case strings.Contains(is.Member, ".") || len(is.Values) > 0:
				g.problems.Add(m.Pos, "a precheck of %s looks at %s: it may only look at which members are there, on the top level", m.Name, is.Member)
			case is.Absent:
				absent = append(absent, is.Member)
			default:
				present = append(present, is.Member)
			}
		}
		row := []jen.Code{}
		if len(present) > 0 {
			row = append(row, jen.Id("Present").Op(":").Add(stringList(present)))
		}
		if len(absent) > 0 {
			row = append(row, jen.Id("Absent").Op(":").Add(stringList(absent)))
		}
		row = append(row, jen.Id("Error").Op(":").Func().Params().Error().Add(oneLine(jen.Return(jen.Op("&").Add(g.ref(errorName(e))).Values()))))
		out = append(out, jen.Values(broken(row)...))
	}
	return out
}

func (g *gen) refusals(m *model.Method) []jen.Code {
	var out []jen.Code
	for _, r := range m.Refusals {
		f := g.member(m.Params, r.Member)
		if f == nil {
			g.problems.Add(m.Pos, "a refusal of %s names %s, which is no member of its params", m.Name, r.Member)
			continue
		}
		row := []jen.Code{jen.Id("Member").Op(":").Lit(r.Member)}
		if want := g.want(f); want != "" {
			row = append(row, jen.Id("Want").Op(":").Qual(serverPath, want))
			if low, high := f.Bounds(); want == "Int" && (low != nil || high != nil) {
				least, most := jen.Op("-").Qual(codecPath, "MaxInt"), jen.Qual(codecPath, "MaxInt")
				if low != nil {
					least = jen.Lit(int(*low))
				}
				if high != nil {
					most = jen.Lit(int(*high))
				}
				row = append(row, jen.Id("Min").Op(":").Add(least), jen.Id("Max").Op(":").Add(most))
			}
		}
		flag := func(name string, on bool) {
			if on {
				row = append(row, jen.Id(name).Op(":").True())
			}
		}
		flag("Optional", !f.Always())
		flag("Empty", r.Empty)
		flag("First", r.First)
		say := func(name, words string) {
			if words != "" {
				row = append(row, jen.Id(name).Op(":").Add(text(words)))
			}
		}
		say("Text", r.Text)
		say("Wrong", r.Wrong)
		say("Blank", r.Blank)
		out = append(out, jen.Values(broken(row)...))
	}
	return out
}

// want is the shape that a member must have on the wire.
func (g *gen) want(f *model.Field) string {
	under := g.under(f.Type)
	switch under.Kind {
	case model.RefString, model.RefBytes:
		return "String"
	case model.RefInt:
		if under.Wide {
			return "String"
		}
		return "Int"
	case model.RefFloat:
		return "Number"
	case model.RefBool:
		return "Bool"
	case model.RefList:
		return "List"
	case model.RefMap:
		return "Object"
	case model.RefNamed:
		if g.integral(f.Type) {
			return "Int"
		}
		if g.kind(f.Type) == enumKind {
			return "String"
		}
		return "Object"
	}
	return ""
}

// together are the rules of members that need or exclude each other. Members
// that must agree mean something that only the server can compare.
func (g *gen) together(m *model.Method) []jen.Code {
	var out []jen.Code
	for _, t := range m.Together {
		if t.How == "agree" {
			continue
		}
		for _, name := range t.Members {
			if g.member(m.Params, name) == nil {
				g.problems.Add(m.Pos, "a rule of %s names %s, which is no member of its params", m.Name, name)
			}
		}
		row := []jen.Code{jen.Id("Members").Op(":").Add(stringList(t.Members))}
		if t.How == "exclude" {
			row = append([]jen.Code{jen.Id("Exclude").Op(":").True()}, row...)
		}
		out = append(out, jen.Values(row...))
	}
	return out
}
