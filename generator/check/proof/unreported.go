// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unreported = Rule{
	ID: "unreported", Severity: problem.Error,
	About: model.Text{
		EN: "When what an accepted call waits for has ended, or its scope's life, a frame that the method's Settles names reports it. After that no frame can.",
		ZH: "受理的调用所等待的事物结束时，或其作用域的生命周期结束时，由该方法的 Settles 指明的帧报告。此后不会再有帧能够报告。",
	},
	check: func(p *pass) {
		for _, pr := range p.promises {
			for _, st := range pr.missed {
				p.missed(pr, st, append(p.reach.way(st.from), st))
			}
			for s := range p.cells {
				if !pr.walk.reached(s) {
					continue
				}
				for _, c := range p.cells[s] {
					for _, to := range c.Next {
						if st := (step{s, to, c}); pr.fateOf(st) == unseen {
							p.missed(pr, st, append(pr.walk.way(s), st))
						}
					}
				}
			}
		}
	},
}

func (p *pass) missed(pr *promise, st step, trace []step) {
	by := pr.reported(st)
	p.failed[pr.key()] = true
	p.add(finding{
		cause: pr.key() + " " + by, trace: trace, here: st.to, variable: pr.method.Var,
		text: say("%[1]s was accepted, and its end is reported by %[2]s alone, which its Settles does not name: its caller waits forever",
			"%[1]s 已受理，其结束只由 %[2]s 报告，而它的 Settles 没有指明该帧：调用方将永远等待", pr.method.Name, by),
	})
}
