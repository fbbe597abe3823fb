// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var wayOut = Rule{
	ID: "way-out", Severity: problem.Error,
	About: model.Text{
		EN: "What cancels or closes is answered in every state, and in each in which there is something to end, some call of it ends that within bounds.",
		ZH: "取消或关闭在每种状态下都有应答；凡有可结束之事物的状态，总有一种调用能在期限内将其结束。",
	},
	check: func(p *pass) {
		for _, m := range p.calls() {
			if m.Cancels == "" {
				continue
			}
			broken := slices.ContainsFunc(p.promises, func(pr *promise) bool { return pr.method == m && p.failed[pr.key()] })
			t := p.track(m.Cancels)
			var ending *duty
			var sure []bool
			if t != nil {
				ending = p.ending(t)
				sure = ending.sure()
			}
			for s := range p.cells {
				if !p.reach.reached(s) {
					continue
				}
				under := t != nil && p.in(s, t.Reading)
				if under && broken {
					continue // it is the same failure
				}
				if slices.ContainsFunc(p.cells[s], func(c *model.Cell) bool {
					return p.move(c).Method == m.Name && c.Fails == "" && (!under || c.Waits ||
						all(s, c, func(st step) bool { return ending.fate(st) != open || sure[st.to] }))
				}) {
					continue
				}
				f := finding{trace: p.reach.way(s), here: s, variable: m.Var, pos: m.Pos}
				if under {
					f.cause = m.Name + " " + p.m.States[s][t.Dim]
					f.text = say("no call of %[1]s ends the %[2]s within bounds from here", "此处没有任何 %[1]s 调用能在期限内结束 %[2]s", m.Name, m.Cancels)
				} else {
					f.cause = m.Name
					f.text = say("no call of %[1]s is answered here", "此处没有任何 %[1]s 调用得到应答", m.Name)
				}
				p.add(f)
			}
		}
	},
}

// ending is the duty of an activity, wherever it is under way, to end.
func (g *graph) ending(t *model.Track) *duty {
	d := g.newDuty(func(st step) fate {
		if g.ends(t, st.from, st.to) {
			return done
		}
		return open
	})
	for s := range g.cells {
		if g.reach.reached(s) && g.in(s, t.Reading) {
			d.walk.begin(s, g.reach.way(s))
		}
	}
	d.spread()
	return d
}
