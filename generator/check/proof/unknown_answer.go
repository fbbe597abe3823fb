// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unknownAnswer = Rule{
	ID: "unknown-answer", Severity: problem.Error,
	About: model.Text{
		EN: "A machine's answers name members of the method's result and values that these can have, and its failures are among those that the method lists.",
		ZH: "状态机的应答只使用方法结果中的成员及其可能的取值，其失败属于该方法列出的错误。",
	},
	check: func(p *pass) {
		for s := range p.cells {
			for _, c := range p.cells[s] {
				m := p.method(p.move(c).Method)
				if m == nil {
					continue
				}
				for _, st := range statements(c) {
					p.statement(m, c, st)
				}
				if c.Fails != "" && !slices.Contains(m.Fails, c.Fails) {
					p.add(finding{
						cause: m.Name + " " + c.Fails, here: -1, variable: m.Var, pos: p.m.At(c),
						text: say("%[1]s fails with %[2]s, which its Fails does not list", "%[1]s 以 %[2]s 失败，而它的 Fails 没有列出该错误", m.Name, c.Fails),
					})
				}
			}
		}
	},
}

func (p *pass) statement(m *model.Method, c *model.Cell, st statement) {
	f := finding{cause: m.Name + " " + st.member + " " + st.value, here: -1, variable: m.Var, pos: p.m.At(c)}
	known, found := p.known(m.Result, st.member)
	switch {
	case !found:
		f.text = say("the result of %[1]s has no member %[2]s", "%[1]s 的结果没有成员 %[2]s", m.Name, st.member)
	case known == nil || slices.Contains(known, st.value) || slices.Contains([]string{something, absent, emptyList}, st.value):
		return
	default:
		f.text = say("%[1]s of %[2]s cannot be %[3]s: it is one of %[4]s", "%[2]s 的 %[1]s 不可能是 %[3]s：可能的取值为 %[4]s", st.member, m.Name, st.value, strings.Join(known, ", "))
	}
	p.add(f)
}

// known lists the values that a member of a payload can have, none if there may
// be any, and reports whether there is such a member.
func (g *graph) known(payload, path string) (values []string, found bool) {
	t := g.payload(payload)
	if t == nil {
		return nil, false
	}
	for _, f := range t.Fields {
		rest, ok := strings.CutPrefix(path, f.Wire)
		switch {
		case !ok || rest != "" && rest[0] != '.':
			continue
		case rest != "" && f.Type.Kind == model.RefNamed:
			return g.known(f.Type.Name, rest[1:])
		case rest != "":
			return nil, false
		}
		return g.values(f.Type), true
	}
	return nil, t.Union != nil // a variant's members are not looked at
}

func (g *graph) values(r *model.Ref) []string {
	if r.Kind == model.RefBool {
		return []string{"true", "false"}
	}
	t := g.payload(r.Name)
	if r.Kind != model.RefNamed || t == nil || t.Kind != model.KindEnum {
		return nil
	}
	var out []string
	for _, v := range t.Enum.Values {
		out = append(out, v.Wire)
	}
	return out
}

func (g *graph) payload(name string) *model.Type {
	i := slices.IndexFunc(g.p.Types, func(t *model.Type) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return g.p.Types[i]
}
