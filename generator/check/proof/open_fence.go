// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var openFence = Rule{
	ID: "open-fence", Severity: problem.Error,
	About: model.Text{
		EN: "A call that is fenced, because what it names is over, changes nothing; and the machine shows that while other work is under way.",
		ZH: "目标已结束、因而被隔离的调用不改变任何状态；状态机也要展示其他工作正在进行时的这种情形。",
	},
	check: func(p *pass) {
		for _, m := range p.calls() {
			for _, f := range fences(m) {
				p.fence(m, f)
			}
		}
	},
}

// fences lists what a method's fences say of a stale name, each once.
func fences(m *model.Method) []*model.Fence {
	var out []*model.Fence
	seen := map[string]bool{}
	for _, f := range m.Fences {
		if text := staleText(f).EN; !seen[text] {
			seen[text] = true
			out = append(out, f)
		}
	}
	return out
}

// stale reports whether a cell is the answer to a call that a fence kept out.
func stale(f *model.Fence, c *model.Cell) bool {
	if f.Fails != "" {
		return c.Fails == f.Fails
	}
	return c.Fails == "" && holds([]model.Is{*f.Mismatch}, c) == yes
}

// staleText is that answer in words.
func staleText(f *model.Fence) model.Text {
	if f.Fails != "" {
		return say("fails with %s", "以 %s 失败", f.Fails)
	}
	return say("is answered %s", "应答 %s", isText(*f.Mismatch))
}

func (p *pass) fence(m *model.Method, f *model.Fence) {
	text := staleText(f)
	t := p.track(m.Cancels)
	said, guards := false, t == nil
	for s := range p.cells {
		if !p.reach.reached(s) {
			continue
		}
		for _, c := range p.cells[s] {
			if p.move(c).Method != m.Name || !stale(f, c) {
				continue
			}
			said = true
			guards = guards || p.in(s, t.Reading)
			for _, to := range c.Next {
				if to != s {
					p.add(finding{
						cause: m.Name + " " + text.EN, trace: append(p.reach.way(s), step{s, to, c}), here: to, variable: m.Var,
						text: model.Text{
							EN: m.Name + " " + text.EN + ", and changes something all the same",
							ZH: m.Name + " " + text.ZH + "，却仍然改变了状态",
						},
					})
				}
			}
		}
	}
	if said && !guards {
		p.add(finding{
			cause: m.Name + " open", here: -1, variable: m.Var, pos: m.Pos,
			text: model.Text{
				EN: "while the " + m.Cancels + " is under way, no call of " + m.Name + " " + text.EN + ": its fence has no effect",
				ZH: m.Cancels + " 进行期间，没有任何 " + m.Name + " 调用" + text.ZH + "：它的隔离没有任何作用",
			},
		})
	}
}
