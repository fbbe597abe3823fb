// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var noExample = Rule{
	ID: "no-example", Severity: problem.Error,
	About: model.Text{
		EN: "Every method and notification shows an example: it becomes documentation, and a vector that every codec is tested with.",
		ZH: "每个方法和通知都有示例：它会成为文档，也是检验每个编解码器的向量。",
	},
	check: func(p *pass) {
		for _, n := range p.m.Notifications {
			if len(n.Ex) == 0 && n.Params != "" { // of nothing there is nothing to show
				p.report(n.Var, n.Pos, "notification %s has no example: add spec.Shown(…) to Examples", "通知 %s 没有示例：请在 Examples 中加入 spec.Shown(…)", n.Name)
			}
		}
		for _, m := range p.m.Methods {
			if len(m.Examples) == 0 {
				p.report(m.Var, m.Pos, "method %s has no example: add spec.Ex(…) to Examples", "方法 %s 没有示例：请在 Examples 中加入 spec.Ex(…)", m.Name)
			}
		}
	},
}
