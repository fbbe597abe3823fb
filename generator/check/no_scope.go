// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var noScope = Rule{
	ID: "no-scope", Severity: problem.Warning,
	About: model.Text{
		EN: "A message that names a scope is in it: it keeps the order of the scope's frames, and a client has it on the scope's handle. Without In it is a message of the whole connection.",
		ZH: "指明某个作用域的消息属于该作用域：它遵循该作用域各帧的顺序，客户端在该作用域的句柄上提供它。没有 In 时，它是整个连接的消息。",
	},
	check: func(p *pass) {
		look := func(name, variable, params string, in *model.Within, pos model.Pos) {
			t := p.types[params]
			if in != nil || t == nil {
				return
			}
			for _, f := range t.Fields {
				for _, s := range p.m.Scopes {
					if f.Presence == model.Required && f.Type.Kind == model.RefNamed && f.Type.Name == s.Key {
						p.report(variable, pos, "%s names a %s by %s but is not in it: set In, or state an exception if it is about another one", "%s 以 %[3]s 指明%[2]s，但不属于它：请设定 In；若所指的是另一个，请声明例外", name, s.Name, f.Wire)
						return
					}
				}
			}
		}
		for _, m := range p.m.Methods {
			look(m.Name, m.Var, m.Params, m.In, m.Pos)
		}
		for _, n := range p.m.Notifications {
			look(n.Name, n.Var, n.Params, n.In, n.Pos)
		}
	},
}
