// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unusedAllow = Rule{
	ID: "unused-allow", Severity: problem.Error, Whole: true,
	About: model.Text{
		EN: "An exception names a rule that exists and that it silences; one that is of no use hides the next mistake.",
		ZH: "例外必须指明存在的、并因此被压制的规则；无用的例外会掩盖下一个错误。",
	},
	check: func(p *pass) {
		for i, a := range p.m.Allows {
			switch {
			case !p.rules[a.Rule]:
				p.report(a.At, a.Pos, "there is no rule %s", "没有名为 %s 的规则", a.Rule)
			case !p.allowed[i]:
				p.report(a.At, a.Pos, "nothing breaks rule %s here: remove the exception", "此处没有违反规则 %s：请删除该例外", a.Rule)
				p.fix([]string{"remove"})
			}
		}
	},
}
