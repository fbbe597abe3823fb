package prove

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var openFence = Rule{
	ID: "open-fence", Severity: problem.Error,
	About: model.Text{
		EN: "A call that is fenced, because what it names is over, changes nothing; and the machine shows that while other work is under way.",
		ZH: "因所指已结束而被围栏拦下的调用不改变任何状态；并且状态机展示了其他工作正在进行时的这种情形。",
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
func fences(m *model.Method) []model.Is {
	var out []model.Is
	seen := map[string]bool{}
	for _, f := range m.Fences {
		if text := isText(f.Mismatch); !seen[text] {
			seen[text] = true
			out = append(out, f.Mismatch)
		}
	}
	return out
}

func (p *pass) fence(m *model.Method, stale model.Is) {
	t := p.track(m.Cancels)
	said, guards := false, t == nil
	for s := range p.cells {
		if !p.reach.reached(s) {
			continue
		}
		for _, c := range p.cells[s] {
			if p.move(c).Method != m.Name || holds([]model.Is{stale}, c) != yes {
				continue
			}
			said = true
			guards = guards || p.in(s, t.Reading)
			for _, to := range c.Next {
				if to != s {
					p.add(finding{
						cause: m.Name + " " + isText(stale), trace: append(p.reach.way(s), step{s, to, c}), here: to, variable: m.Var,
						text: say("%[1]s says %[2]s and changes something all the same", "%[1]s 应答 %[2]s，却仍然改变了状态", m.Name, isText(stale)),
					})
				}
			}
		}
	}
	if said && !guards {
		p.add(finding{
			cause: m.Name + " open", here: -1, variable: m.Var, pos: m.Pos,
			text: say("while the %[3]s is under way, no call of %[1]s is answered %[2]s: its fence keeps nothing out",
				"%[3]s 进行期间，没有任何 %[1]s 调用得到应答 %[2]s：其围栏什么也没有拦住", m.Name, isText(stale), m.Cancels),
		})
	}
}
