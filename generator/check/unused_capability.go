// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unusedCapability = Rule{
	ID: "unused-capability", Severity: problem.Warning, Whole: true,
	About: model.Text{
		EN: "A capability is announced so that something may be used: a method or a notification that needs it. One that nothing needs is looked at by hand, if at all.",
		ZH: "声明能力是为了允许使用某个需要它的方法或通知。没有任何事物需要的能力只能由人工检查，甚至无人检查。",
	},
	check: func(p *pass) {
		used := map[string]bool{}
		for _, m := range p.m.Methods {
			used[m.Needs] = true
		}
		for _, n := range p.m.Notifications {
			used[n.Needs] = true
		}
		for _, c := range p.m.Capabilities {
			if !used[c.Name] {
				p.report(c.Var, c.Pos, "nothing needs the capability %s: name it in Needs, or remove it", "没有任何事物需要能力 %s：请在 Needs 中指明，或将其删除", c.Name)
			}
		}
	},
}
