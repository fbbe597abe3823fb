// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unsaid = Rule{
	ID: "unsaid", Severity: problem.Error,
	About: model.Text{
		EN: "Every answer on which a method's settlement or fence depends is given somewhere, and every way in which it settles is reported somewhere: what never happens is not a promise.",
		ZH: "方法的敲定或过期隔离所依据的每种应答都在某处给出，每种敲定方式都在某处由帧报告：从不发生的事不是承诺。",
	},
	check: func(p *pass) {
		for _, m := range p.calls() {
			for _, is := range p.hangsOn(m) {
				if !p.says(m, is) {
					p.add(finding{
						cause: m.Name + " " + isText(is), here: -1, variable: m.Var, pos: m.Pos,
						text: say("%[1]s is answered %[2]s in no state that is reached", "在任何可达状态下 %[1]s 都不会应答 %[2]s", m.Name, isText(is)),
					})
				}
			}
		}
		for _, m := range p.calls() {
			for _, f := range fences(m) {
				if f.Fails != "" && !p.fails(m, f.Fails) {
					p.add(finding{
						cause: m.Name + " " + f.Fails, here: -1, variable: m.Var, pos: m.Pos,
						text: say("%[1]s fails with %[2]s in no state that is reached, though its fence says so", "%[1]s 在任何可达状态下都不会以 %[2]s 失败，而它的 Fences 如此声明", m.Name, f.Fails),
					})
				}
			}
		}
		for _, pr := range p.promises {
			if !pr.proven || p.failed[pr.key()] {
				continue
			}
			for _, w := range pr.ways {
				if !p.happens(pr, w) {
					way := p.waysText([]model.Way{w})
					p.add(finding{
						cause: pr.key() + " " + way.EN, here: -1, variable: pr.method.Var, pos: pr.method.Pos,
						text: say("%[1]s is never settled by %[2]s: no move of the machine reports it", "%[1]s 从不由 %[2]s 敲定：状态机中没有动作报告这一帧", pr.method.Name, way.EN),
					})
				}
			}
		}
	},
}

// hangsOn lists the answers on which a method's cases and fences depend, one
// value each; of a member with known values, all of them.
func (p *pass) hangsOn(m *model.Method) []model.Is {
	var out []model.Is
	add := func(is model.Is) {
		if !slices.ContainsFunc(out, func(o model.Is) bool { return isText(o) == isText(is) }) {
			out = append(out, is)
		}
	}
	all := func(is model.Is) {
		if len(is.Values) == 0 {
			add(is)
			return
		}
		values := is.Values
		if known, _ := p.known(m.Result, is.Member); known != nil {
			values = known
		}
		for _, v := range values {
			add(model.Is{Member: is.Member, Values: []string{v}})
		}
	}
	for _, c := range m.Settles {
		for _, is := range c.If {
			all(is)
		}
	}
	for _, f := range fences(m) {
		if f.Mismatch != nil {
			all(*f.Mismatch)
		}
	}
	return out
}

func (p *pass) says(m *model.Method, is model.Is) bool {
	for s := range p.cells {
		if p.reach.reached(s) && slices.ContainsFunc(p.cells[s], func(c *model.Cell) bool {
			return p.move(c).Method == m.Name && !c.Waits && c.Fails == "" && holds([]model.Is{is}, c) == yes
		}) {
			return true
		}
	}
	return false
}

func (p *pass) fails(m *model.Method, kind string) bool {
	for s := range p.cells {
		if p.reach.reached(s) && slices.ContainsFunc(p.cells[s], func(c *model.Cell) bool {
			return p.move(c).Method == m.Name && c.Fails == kind
		}) {
			return true
		}
	}
	return false
}

func (p *pass) happens(pr *promise, w model.Way) bool {
	for s := range p.cells {
		if !pr.walk.reached(s) {
			continue
		}
		for _, c := range p.cells[s] {
			for _, to := range c.Next {
				if pr.hears(w, step{s, to, c}) {
					return true
				}
			}
		}
	}
	return false
}

// isText is a condition as cells write it.
func isText(is model.Is) string {
	switch {
	case is.Absent:
		return is.Member + "=" + absent
	case len(is.Values) == 0:
		return is.Member + "=" + something
	}
	return is.Member + "=" + strings.Join(is.Values, "|")
}
