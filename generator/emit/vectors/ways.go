// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// What a step costs: ways are short, but rather longer than left to chance, and
// cut off only where nothing else leads.
const (
	costStep   = 1
	costChance = 100
	costCut    = 10_000
)

// ways lists the states in an order in which each has its way behind it.
func ways(m *model.Machine) []State {
	start := slices.IndexFunc(m.States, func(s []string) bool { return slices.Equal(s, m.Start) })
	if start < 0 {
		return nil
	}
	type way struct {
		cost int
		from int
		cell *model.Cell
		done bool
	}
	best := make([]way, len(m.States))
	for i := range best {
		best[i].cost = -1
	}
	best[start].cost = 0
	var order []int
	for {
		at := -1
		for i, w := range best {
			if w.cost >= 0 && !w.done && (at < 0 || w.cost < best[at].cost) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		best[at].done = true
		order = append(order, at)
		for _, c := range m.Cells {
			if c.State != at {
				continue
			}
			for _, to := range c.Next {
				cost := best[at].cost + costStep
				if len(c.Next) > 1 {
					cost += costChance
				}
				if c.Cuts {
					cost += costCut
				}
				if best[to].cost < 0 || !best[to].done && cost < best[to].cost {
					best[to].cost, best[to].from, best[to].cell = cost, at, c
				}
			}
		}
	}
	place := map[int]int{}
	var out []State
	for i, s := range order {
		place[s] = i
		one := State{Is: m.States[s], Certain: true}
		if c := best[s].cell; c != nil {
			one.From, one.Move = place[best[s].from], c.Move
			one.Certain = len(c.Next) == 1 && out[one.From].Certain
			for j := range m.Moves[c.Move].Args {
				one.Args = append(one.Args, m.Values(c, j)[0])
			}
		}
		out = append(out, one)
	}
	return out
}
