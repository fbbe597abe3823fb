// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var mustSettle = Rule{
	ID: "must-settle", Severity: problem.Error,
	About: model.Text{
		EN: "What cancels or closes, and promises the end of it, reaches that end over bounded steps, whatever agent and client do: no caller waits for an agent that does not return.",
		ZH: "取消或关闭并承诺其结束的调用，无论智能体与客户端做什么，都经由有期限的步骤到达该结束：没有人等待不返回的智能体。",
	},
	check: func(p *pass) {
		for _, pr := range p.promises {
			if pr.method.Cancels == "" {
				continue
			}
			p.nothingToEnd(pr)
			sure := pr.sure()
			core := false
			for _, stuck := range []bool{true, false} {
				for s := range sure {
					// Where something bounded may still happen is no end of the story.
					if !pr.walk.reached(s) || sure[s] || stuck && p.bounded(s) || !stuck && core {
						continue
					}
					core = core || stuck
					ways := p.waysText(pr.ways)
					p.failed[pr.key()] = true
					p.add(finding{
						cause: pr.key() + " " + pr.place(s), trace: pr.walk.way(s), here: s, variable: pr.method.Var,
						text: model.Text{
							EN: pr.method.Name + " was accepted and promises " + ways.EN + ", and nothing bounded leads there",
							ZH: pr.method.Name + " 已受理并承诺 " + ways.ZH + "，却没有任何有期限的步骤通向那里",
						},
					})
				}
			}
		}
	},
}

// nothingToEnd reports promises of the end of what is not under way.
func (p *pass) nothingToEnd(pr *promise) {
	for _, st := range pr.nothing {
		ways := p.waysText(pr.ways)
		p.failed[pr.key()] = true
		p.add(finding{
			cause: pr.key() + " nothing", trace: append(p.reach.way(st.from), st), here: st.to, variable: pr.method.Var,
			text: model.Text{
				EN: pr.method.Name + " promises " + ways.EN + ", but nothing is under way that could end",
				ZH: pr.method.Name + " 承诺 " + ways.ZH + "，但没有正在进行、可以结束的事物",
			},
		})
	}
}
