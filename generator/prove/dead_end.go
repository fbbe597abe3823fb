// SPDX-License-Identifier: Apache-2.0

package prove

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var deadEnd = Rule{
	ID: "dead-end", Severity: problem.Error,
	About: model.Text{
		EN: "Accepted work goes on by itself, until it is settled or rests where the machine's Rests says that it may: no state holds it for ever unless somebody calls.",
		ZH: "被接受的工作会自行继续，直至了结，或停在状态机 Rests 允许之处：没有任何状态在无人调用时永远扣住它。",
	},
	check: func(p *pass) {
		for _, pr := range p.promises {
			if pr.method.Cancels != "" || p.failed[pr.key()] {
				continue
			}
			can := pr.can(pr.byItself, p.rests)
			for s := range can {
				if !pr.walk.reached(s) || can[s] {
					continue
				}
				ways := p.waysText(pr.ways)
				p.add(finding{
					cause: pr.key() + " " + pr.place(s), trace: pr.walk.way(s), here: s, variable: pr.method.Var,
					text: model.Text{
						EN: pr.method.Name + " was accepted, and by itself nothing leads to " + ways.EN + ": the work lies here until somebody calls",
						ZH: pr.method.Name + " 已被接受，但不会自行通向 " + ways.ZH + "：在有人调用之前，工作停滞于此",
					},
				})
			}
		}
	},
}
