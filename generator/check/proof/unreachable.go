// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unreachable = Rule{
	ID: "unreachable", Severity: problem.Error,
	About: model.Text{
		EN: "Every value of every dimension is reached from the start, every event can happen, and every value of an argument can be given somewhere.",
		ZH: "每个维度的每个取值都可从起点到达，每个事件都可能发生，参数的每个取值都能在某处给出。",
	},
	check: func(p *pass) {
		add := func(variable string, pos model.Pos, text model.Text) {
			p.add(finding{cause: text.EN, here: -1, variable: variable, pos: pos, text: text})
		}
		for dim, d := range p.m.Dims {
			for _, v := range d.Values {
				if !slices.ContainsFunc(p.m.States, func(s []string) bool { return s[dim] == v }) || !p.reaches(dim, v) {
					add("", p.m.Pos, say("no move leads to a state where %[1]s is %[2]s", "没有任何动作通向 %[1]s 为 %[2]s 的状态", d.Name, v))
				}
			}
		}
		for move, mv := range p.m.Moves {
			var cells []*model.Cell
			for s := range p.cells {
				for _, c := range p.cells[s] {
					if c.Move == move && p.reach.reached(s) {
						cells = append(cells, c)
					}
				}
			}
			if len(cells) == 0 {
				text := say("%[1]s cannot be called in any state that is reached", "在任何可达状态下都不能调用 %[1]s", mv.Method)
				if mv.Event != "" {
					text = say("the event %[1]q cannot happen in any state that is reached", "事件“%[2]s”在任何可达状态下都不会发生", mv.Event, eventText(mv).ZH)
				}
				add("", mv.Pos, text)
				continue
			}
			for i, a := range mv.Args {
				for _, v := range a.Values {
					if !slices.ContainsFunc(cells, func(c *model.Cell) bool { return slices.Contains(p.m.Values(c, i), v) }) {
						add("", mv.Pos, say("%[1]s can be called with %[2]s=%[3]s in no state that is reached", "在任何可达状态下 %[1]s 都不能以 %[2]s=%[3]s 调用", mv.Method, a.Name, v))
					}
				}
			}
		}
	},
}

func (p *pass) reaches(dim int, value string) bool {
	for s, names := range p.m.States {
		if names[dim] == value && p.reach.reached(s) {
			return true
		}
	}
	return false
}
