// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var deadEnd = Rule{
	ID: "dead-end", Severity: problem.Error,
	About: model.Text{
		EN: "Accepted work continues by itself until it is settled or rests where the machine's Rests permits it: no state holds it forever until another call comes.",
		ZH: "受理的工作会自行继续，直到敲定，或停在状态机 Rests 允许的状态：没有任何状态会让它一直停滞，等待某个调用。",
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
						ZH: pr.method.Name + " 已受理，但不会自行通向 " + ways.ZH + "：在有人调用之前，工作停滞于此",
					},
				})
			}
		}
	},
}
