// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var held = Rule{
	ID: "held", Severity: problem.Error,
	About: model.Text{
		EN: "A call that is held is answered in the end, with no other call's help; one that cancels or closes, within bounds.",
		ZH: "被搁置的调用最终得到应答，且无需其他调用的帮助；取消或关闭的调用在期限内得到应答。",
	},
	check: func(p *pass) {
		for move, mv := range p.m.Moves {
			m := p.method(mv.Method)
			if m == nil {
				continue
			}
			seen := map[string]bool{}
			for _, args := range mv.Combinations() {
				waits := p.waiting(move, args)
				key := fmt.Sprint(waits)
				if seen[key] || !slices.Contains(waits, true) {
					continue
				}
				seen[key] = true
				p.holds(m, move, args, waits)
			}
		}
	},
}

// waiting gives the states in which a call is held.
func (p *pass) waiting(move int, args []string) []bool {
	out := make([]bool, len(p.cells))
	for s := range p.cells {
		c := p.cellOf(s, move, args)
		if c != nil {
			out[s] = c.Waits
			continue
		}
		// What the call names is no such thing any more: it is held as long as
		// every call of the method is.
		some, any := false, false
		for _, c := range p.cells[s] {
			if c.Move == move {
				some, any = true, any || !c.Waits
			}
		}
		out[s] = some && !any
	}
	return out
}

func (p *pass) cellOf(state, move int, args []string) *model.Cell {
	for _, c := range p.cells[state] {
		if c.Move == move && p.m.Has(c, args) {
			return c
		}
	}
	return nil
}

func (p *pass) holds(m *model.Method, move int, args []string, waits []bool) {
	d := p.newDuty(func(st step) fate {
		switch {
		case st.cell.Cuts && st.cell.Told == nil:
			return released
		case waits[st.to]:
			return open
		}
		return done
	})
	for s := range waits {
		if c := p.cellOf(s, move, args); waits[s] && c != nil && p.reach.reached(s) {
			d.walk.begin(s, append(p.reach.way(s), step{s, s, c}))
		}
	}
	d.spread()
	answered := d.can(p.byItself, func(int) bool { return false })
	if m.Cancels != "" {
		answered = d.sure()
	}
	cause := p.common(waits)
	if cause == "" {
		cause = fmt.Sprint(m.Name, " ", args)
	}
	for s := range waits {
		if !d.walk.reached(s) || answered[s] {
			continue
		}
		f := finding{cause: cause, trace: d.walk.way(s), here: s, variable: m.Var}
		if m.Cancels != "" {
			f.text = say("%[1]s is held, and nothing bounded leads to its answer", "%[1]s 被搁置，没有任何有期限的步骤通向它的应答", m.Name)
		} else {
			f.text = say("%[1]s is held, and by itself nothing leads to its answer", "%[1]s 被搁置，不会自行通向它的应答", m.Name)
		}
		p.add(f)
	}
}

// common is what all states have in common in which a call is held: calls that
// are held for one thing are held for one cause.
func (p *pass) common(waits []bool) string {
	var out []string
	for dim, d := range p.m.Dims {
		var values []string
		for s, yes := range waits {
			if yes && !slices.Contains(values, p.m.States[s][dim]) {
				values = append(values, p.m.States[s][dim])
			}
		}
		if len(values) == 1 {
			out = append(out, d.Name+" "+values[0])
		}
	}
	return strings.Join(out, ", ")
}
