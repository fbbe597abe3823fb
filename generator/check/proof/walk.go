// SPDX-License-Identifier: Apache-2.0

package proof

// walk finds shortest ways through a graph from where it begins.
type walk struct {
	g      *graph
	dist   []int    // steps from the machine's start; -1: not reached
	before [][]step // of where the walk begins: the way there
	via    []step   // of the others: the last step
	begun  []bool
	levels [][]int // states by distance, some outdated
}

func (g *graph) newWalk() *walk {
	n := len(g.m.States)
	w := &walk{g: g, dist: make([]int, n), before: make([][]step, n), via: make([]step, n), begun: make([]bool, n)}
	for i := range w.dist {
		w.dist[i] = -1
	}
	return w
}

// begin adds a state to begin in, to which a way leads.
func (w *walk) begin(state int, way []step) {
	if w.dist[state] >= 0 && w.dist[state] <= len(way) {
		return
	}
	w.dist[state], w.before[state], w.begun[state] = len(way), way, true
	w.level(len(way), state)
}

func (w *walk) level(d, state int) {
	for len(w.levels) <= d {
		w.levels = append(w.levels, nil)
	}
	w.levels[d] = append(w.levels[d], state)
}

// run follows all steps that may be taken.
func (w *walk) run(may func(step) bool) {
	for d := 0; d < len(w.levels); d++ {
		for i := 0; i < len(w.levels[d]); i++ {
			s := w.levels[d][i]
			if w.dist[s] != d {
				continue
			}
			for _, c := range w.g.cells[s] {
				for _, to := range c.Next {
					next := step{s, to, c}
					if to == s || w.dist[to] >= 0 && w.dist[to] <= d+1 || !may(next) {
						continue
					}
					w.dist[to], w.via[to], w.begun[to] = d+1, next, false
					w.level(d+1, to)
				}
			}
		}
	}
}

func (w *walk) reached(state int) bool { return w.dist[state] >= 0 }

// way is a shortest way to a state that was reached.
func (w *walk) way(state int) []step {
	var back []step
	for !w.begun[state] {
		back = append(back, w.via[state])
		state = w.via[state].from
	}
	out := append([]step(nil), w.before[state]...)
	for i := len(back) - 1; i >= 0; i-- {
		out = append(out, back[i])
	}
	return out
}
