// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/token"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var goName = Rule{
	ID: "go-name", Severity: problem.Error, Blocks: true,
	About: model.Text{
		EN: "Names in generated Go are the author's or made from names on the wire. Two that are the same, or one that is no exported identifier, would not compile.",
		ZH: "生成的 Go 代码中的名称由作者指定，或由协议中的名称得出。两个相同的名称，或不是可导出标识符的名称，都无法编译。",
	},
	check: func(p *pass) {
		owners := map[string]map[string]string{}
		take := func(space, name, owner, variable string, pos model.Pos) {
			if !token.IsIdentifier(name) || !token.IsExported(name) {
				p.report(variable, pos, "%s would be called %q in Go, which is no exported identifier: set its Go name", "%s 在 Go 中将称为 %q，它不是可导出的标识符：请指定 Go 名称", owner, name)
				return
			}
			if owners[space] == nil {
				owners[space] = map[string]string{}
			}
			if other, ok := owners[space][name]; ok {
				p.report(variable, pos, "%s and %s would both be called %s in Go: name one of them otherwise", "%s 和 %s 在 Go 中都将称为 %s：请给其中之一另取名称", other, owner, name)
				return
			}
			owners[space][name] = owner
		}
		for _, t := range p.m.Types {
			take("package", t.Name, "type "+t.Name, "", t.Pos)
			if t.Enum != nil {
				for _, v := range t.Enum.Values {
					take("package", v.Name, "value "+v.Name, "", v.Pos)
				}
			}
			if p.m.UnknownMembers == model.Kept {
				owners[t.Name] = map[string]string{"Extra": "the member that keeps unknown members"}
			}
			for _, f := range t.Fields {
				take(t.Name, f.Name, "member "+t.Name+"."+f.Wire, "", f.Pos)
			}
		}
		for _, m := range p.m.Methods {
			take("methods of the "+m.From, m.GoName, "method "+m.Name, m.Var, m.Pos)
		}
		for _, s := range p.m.Scopes {
			take("handles", s.Handle, "scope "+s.Name, s.Var, s.Pos)
		}
		for _, a := range p.m.Activities {
			take("handles", a.Handle, "activity "+a.Name, a.Var, a.Pos)
		}
	},
}
