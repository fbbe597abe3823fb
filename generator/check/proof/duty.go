// SPDX-License-Identifier: Apache-2.0

package proof

import "github.com/accordkit/accord/spec/model"

// fate is what a step means to a duty that is open before it.
type fate int

const (
	open     fate = iota // it stays open
	done                 // it is fulfilled, and who waits for it hears so
	unseen               // what it waits for is over, and no frame says so
	released             // the connection is gone: no caller waits any more
)

// duty is something that has begun in some states and must or can be fulfilled:
// a promise to be kept, a held call to be answered.
type duty struct {
	*graph
	fate func(step) fate
	walk *walk // the states in which it is open
}

func (g *graph) newDuty(fate func(step) fate) *duty {
	return &duty{graph: g, fate: fate, walk: g.newWalk()}
}

// spread finds all states in which the duty is open, once it has begun.
func (d *duty) spread() { d.walk.run(func(s step) bool { return d.fate(s) == open }) }

// sure gives the states from which the duty is fulfilled whatever agent and
// peer do, because something bounded leads there: all that a bounded event does
// leads on, and all else leads on too or leaves that event about to happen.
func (d *duty) sure() []bool {
	n := len(d.m.States)
	sure := make([]bool, n)
	leads := func(s step) bool { return d.fate(s) != open || sure[s.to] }
	for grown := true; grown; {
		grown = false
		for move, mv := range d.m.Moves {
			if mv.Event == "" || mv.Within <= 0 {
				continue
			}
			about := d.about(move, sure, leads)
			for s, yes := range about {
				if yes {
					sure[s], grown = true, true
				}
			}
		}
	}
	return sure
}

// about is the greatest set of states in which a bounded event is about to
// happen, leads on, and stays about to happen until something leads on.
func (d *duty) about(move int, sure []bool, leads func(step) bool) []bool {
	about := make([]bool, len(sure))
	for s := range about {
		if !d.walk.reached(s) || sure[s] {
			continue
		}
		for _, c := range d.cells[s] {
			about[s] = about[s] || c.Move == move && all(s, c, leads)
		}
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for s := range about {
			for _, c := range d.cells[s] {
				if about[s] && c.Move != move && !all(s, c, func(st step) bool { return about[st.to] || leads(st) }) {
					about[s], shrunk = false, true
				}
			}
		}
	}
	return about
}

// all reports whether something holds of all steps of a cell.
func all(from int, c *model.Cell, holds func(step) bool) bool {
	for _, to := range c.Next {
		if !holds(step{from, to, c}) {
			return false
		}
	}
	return true
}

// can gives the states from which some steps lead to where the duty is
// fulfilled, or to a goal.
func (d *duty) can(may func(step) bool, goal func(state int) bool) []bool {
	can := make([]bool, len(d.m.States))
	for s := range can {
		can[s] = goal(s)
	}
	for grown := true; grown; {
		grown = false
		for s := range can {
			if can[s] || !d.walk.reached(s) {
				continue
			}
			for _, c := range d.cells[s] {
				for _, to := range c.Next {
					st := step{s, to, c}
					if f := d.fate(st); may(st) && !can[s] && (f == done || f == unseen || f == open && can[to]) {
						can[s], grown = true, true
					}
				}
			}
		}
	}
	return can
}

// byItself selects steps that need no call. None relies on being cut off.
func (g *graph) byItself(s step) bool { return g.move(s.cell).Event != "" && !s.cell.Cuts }

// byAnything selects steps that may be relied on. A call that is answered only
// once an activity has ended does not end it.
func (g *graph) byAnything(s step) bool {
	return g.byItself(s) || g.move(s.cell).Method != "" && !g.endsSome(s.from, s.to)
}

// bounded reports whether something bounded is about to happen in a state.
func (g *graph) bounded(state int) bool {
	for _, c := range g.cells[state] {
		if mv := g.move(c); mv.Event != "" && mv.Within > 0 {
			return true
		}
	}
	return false
}
