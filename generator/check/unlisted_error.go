// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unlistedError = Rule{
	ID: "unlisted-error", Severity: problem.Error,
	About: model.Text{
		EN: "An example is refused with an error that its method can fail with: Fails is the closed list of them.",
		ZH: "示例中的拒绝必须是方法可能的失败：Fails 是其完整列表。",
	},
	check: func(p *pass) {
		faults := map[string]bool{}
		for _, e := range p.m.Errors {
			faults[e.Kind] = everyCalls(e)
		}
		for _, m := range p.m.Methods {
			for _, e := range m.Examples {
				if e.Error != "" && !faults[e.Error] && !slices.Contains(m.Fails, e.Error) {
					p.report(m.Var, e.Pos, "an example of %s is refused with %s, with which it does not fail: list it in Fails", "%s 的示例以 %s 拒绝，但该方法不会以此失败：请列入 Fails", m.Name, e.Error)
				}
			}
		}
	},
}
