// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unboundedInteger = Rule{
	ID: "unbounded-integer", Severity: problem.Warning,
	About: model.Text{
		EN: "A 64-bit integer says its range, at one end at least: JavaScript is exact only within 2^53-1, and a count that may be negative is no count. For all 64 bits use spec.Wide.",
		ZH: "64 位整数至少要说明一端的范围：JavaScript 只在 2^53-1 内精确，而可以为负的计数不是计数。需要全部 64 位时请用 spec.Wide。",
	},
	check: func(p *pass) {
		for _, t := range p.m.Types {
			for _, f := range t.Fields {
				p.checkBound("", t.Name+"."+f.Wire, f)
			}
		}
		for _, e := range p.m.Errors {
			for _, f := range e.Data {
				p.checkBound(e.Var, e.Kind+"."+f.Wire, f)
			}
		}
	},
}

func (p *pass) checkBound(variable, name string, f *model.Field) {
	ref := f.Type
	if ref.Kind == model.RefNamed && p.types[ref.Name] != nil && p.types[ref.Name].Of != nil {
		ref = p.types[ref.Name].Of
	}
	if ref.Kind == model.RefInt && !ref.Wide && f.Min == nil && f.Max == nil {
		p.report(variable, f.Pos, "%s is an integer of any size: bound it by min or max", "%s 是没有范围的整数：请用 min 或 max 限定", name)
	}
}
