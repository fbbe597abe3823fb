// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unknownValue = Rule{
	ID: "unknown-value", Severity: problem.Error,
	About: model.Text{
		EN: "A condition compares a member with values that it can have: constants of its enum, tags of its union, true or false. Go takes any untyped string for one.",
		ZH: "条件只能与成员可能的取值比较：其枚举的常量、联合的标签、true 或 false。而在 Go 中任何无类型字符串都能编译。",
	},
	check: func(p *pass) {
		params := map[string]string{}
		for _, n := range p.m.Notifications {
			params[n.Name] = n.Params
		}
		for _, a := range p.m.Activities {
			for _, o := range a.Outcomes {
				if a.Ends != nil {
					p.checkValues(a.Var, o.Pos, params[a.Ends.Notification], o.Is)
				}
			}
			p.checkFrame(a.Var, a.Pos, params, a.Begins)
			p.checkFrame(a.Var, a.Pos, params, a.Ends)
		}
		for _, l := range p.m.Links {
			p.checkFrame(l.Var, l.Pos, params, l.By)
		}
		for _, m := range p.m.Methods {
			for _, c := range m.Settles {
				p.checkValues(m.Var, cmp.Or(c.Pos, m.Pos), m.Result, c.If)
				for _, w := range c.By {
					p.checkFrame(m.Var, cmp.Or(c.Pos, m.Pos), params, w.Frame)
				}
			}
			for _, f := range m.Fences {
				if f.Mismatch != nil {
					p.checkValues(m.Var, cmp.Or(f.Pos, m.Pos), m.Result, []model.Is{*f.Mismatch})
				}
			}
		}
	},
}

func (p *pass) checkFrame(variable string, pos model.Pos, params map[string]string, f *model.Frame) {
	if f != nil {
		p.checkValues(variable, pos, params[f.Notification], f.Where)
	}
}

func (p *pass) checkValues(variable string, pos model.Pos, typeName string, conditions []model.Is) {
	for _, is := range conditions {
		at := p.member(typeName, is.Member)
		if at == nil {
			continue
		}
		known, _ := p.valuesOf(at)
		if known == nil {
			continue
		}
		for _, v := range is.Values {
			if !slices.Contains(known, v) {
				p.report(variable, pos, "%s cannot be %q: it is one of %s", "%s 不可能是 %q：可能的取值为 %s", is.Member, v, strings.Join(known, ", "))
				p.fix(append([]string{"value", v}, known...))
			}
		}
	}
}
