// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var canSettle = Rule{
	ID: "can-settle", Severity: problem.Error,
	About: model.Text{
		EN: "Every accepted call can be settled, in one of the ways that its method names, from wherever it is.",
		ZH: "每个受理的调用，无论处于哪种状态，都能以其方法指明的某种方式敲定。",
	},
	check: func(p *pass) {
		for _, pr := range p.promises {
			if pr.method.Cancels != "" {
				continue // it must
			}
			p.nothingToEnd(pr)
			can := pr.can(p.byAnything, func(int) bool { return false })
			for s := range can {
				if !pr.walk.reached(s) || can[s] {
					continue
				}
				ways := p.waysText(pr.ways)
				p.failed[pr.key()] = true
				p.add(finding{
					cause: pr.key() + " " + pr.place(s), trace: pr.walk.way(s), here: s, variable: pr.method.Var,
					text: model.Text{
						EN: pr.method.Name + " was accepted, and nothing that can happen any more leads to " + ways.EN,
						ZH: pr.method.Name + " 已受理，此后可能发生的任何事情都不会通向 " + ways.ZH,
					},
				})
			}
		}
	},
}
