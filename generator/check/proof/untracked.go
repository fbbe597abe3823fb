// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var untracked = Rule{
	ID: "untracked", Severity: problem.Error,
	About: model.Text{
		EN: "A machine that has a method's calls shows in which states what it promises is under way: with Tracks for the end of an activity, with Marked for a message that leads to one. Else nothing is proven.",
		ZH: "含有某方法调用的状态机要说明其所承诺的事物在哪些状态下正在进行：活动的结束用 Tracks，通向活动的消息用 Marked。否则什么也没有证明。",
	},
	check: func(p *pass) {
		for _, pr := range p.promises {
			if pr.proven {
				continue
			}
			ways := p.waysText(pr.ways)
			p.add(finding{
				cause: pr.key(), here: -1, pos: p.m.Pos, variable: p.m.Var,
				text: model.Text{
					EN: "the machine does not show how " + pr.method.Name + " comes to " + ways.EN + ": say in Tracks which values mean that it is under way, or in Marked how a message is followed",
					ZH: "状态机没有展示 " + pr.method.Name + " 如何到达 " + ways.ZH + "：请在 Tracks 中说明哪些取值表示其正在进行，或在 Marked 中说明如何跟随消息",
				},
			})
		}
	},
}
