// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var forgotten = Rule{
	ID: "forgotten", Severity: problem.Error,
	About: model.Text{
		EN: "The marked message is sent by its method alone, is never unsent again, and is settled once.",
		ZH: "被标记的消息只由其方法发送，绝不会变回未发送，并且只敲定一次。",
	},
	check: func(p *pass) {
		if p.m.Mark == nil {
			return
		}
		for s := range p.cells {
			if !p.reach.reached(s) {
				continue
			}
			for _, c := range p.cells[s] {
				for _, to := range c.Next {
					p.remembers(step{s, to, c})
				}
			}
		}
	},
}

func (p *pass) remembers(st step) {
	dim := p.m.Mark.Dim
	before, after := p.m.States[st.from][dim], p.m.States[st.to][dim]
	name := p.m.Dims[dim].Name
	f := finding{trace: append(p.reach.way(st.from), st), here: st.to}
	switch {
	case before == after:
		return
	case p.unsent(st.from):
		mark := p.method(p.m.Mark.Method)
		if p.move(st.cell).Method == p.m.Mark.Method || mark == nil {
			return
		}
		f.text = say("the marked message was not sent by %[1]s and goes from %[2]s to %[3]s: only %[1]s sends it",
			"被标记的消息并非由 %[1]s 发送，却从 %[2]s 变为 %[3]s：只有 %[1]s 能发送它", p.m.Mark.Method, before, after)
	case p.over(st.from) != nil && !slices.Contains(p.over(st.from).Values, after):
		f.text = say("the marked message was settled, and goes on to %[2]s %[3]s", "被标记的消息已经敲定，却又变为 %[2]s %[3]s", before, name, after)
	case p.over(st.from) == nil && p.unsent(st.to):
		f.text = say("the marked message was accepted and is forgotten", "被标记的消息已受理，却被遗忘")
	default:
		return
	}
	// One move is one cause, from wherever the message comes.
	f.cause = after + " " + p.move(st.cell).Name()
	p.add(f)
}
