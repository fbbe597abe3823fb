// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// machines renders each machine: a diagram a dimension, never of the product,
// and a table of the answers of each call, states with equal answers folded.
func (w *writer) machines() string {
	var parts []string
	for _, m := range w.p.Machines {
		part := "**" + m.Name + "**"
		if s := w.text(m.Doc, m.Var); s != "" {
			part += ": " + unwrapAll(s)
		}
		part += "\n"
		if c := m.Counts; c.States > 0 {
			n := strconv.Itoa
			part += "\n" + w.say(words.TableSize, n(len(m.States)), n(c.States), n(c.Possible), n(c.Reached), n(c.Cells)) + "\n"
		}
		for i := range m.Dims {
			if d := w.diagram(m, i); d != "" {
				part += "\n" + w.say(words.Changes, code(m.Dims[i].Name)) + "\n\n" + d
			}
		}
		if t := w.answers(m); t != "" {
			part += "\n" + t
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n")
}

// diagram draws how one dimension changes, by which moves.
func (w *writer) diagram(m *model.Machine, dim int) string {
	type edge struct{ from, to string }
	var edges []edge
	labels := map[edge][]string{}
	for _, c := range m.Cells {
		if answersLate(m, c) {
			continue
		}
		for _, next := range c.Next {
			e := edge{m.States[c.State][dim], m.States[next][dim]}
			if e.from == e.to {
				continue
			}
			label := w.moveLabel(m.Moves[c.Move])
			if labels[e] == nil {
				edges = append(edges, e)
			}
			if !slices.Contains(labels[e], label) {
				labels[e] = append(labels[e], label)
			}
		}
	}
	if len(edges) == 0 {
		return ""
	}
	values := m.Dims[dim].Values
	slices.SortStableFunc(edges, func(a, b edge) int {
		return cmp.Or(
			cmp.Compare(slices.Index(values, a.from), slices.Index(values, b.from)),
			cmp.Compare(slices.Index(values, a.to), slices.Index(values, b.to)),
		)
	})
	id := func(value string) string { return fmt.Sprintf("s%d", slices.Index(values, value)) }
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	for _, v := range values {
		fmt.Fprintf(&b, "    %s : %s\n", id(v), v)
	}
	if dim < len(m.Start) {
		fmt.Fprintf(&b, "    [*] --> %s\n", id(m.Start[dim]))
	}
	for _, e := range edges {
		fmt.Fprintf(&b, "    %s --> %s : %s\n", id(e.from), id(e.to), strings.Join(labels[e], " / "))
	}
	b.WriteString("```\n")
	return b.String()
}

// answersLate reports whether a call is answered only when something is over
// that it merely begins to end. What it begins is drawn with the same call
// answered at once, and how that continues with the events that happen by
// themselves.
func answersLate(m *model.Machine, c *model.Cell) bool {
	if m.Moves[c.Move].Method == "" || !endsSome(m, c) {
		return false
	}
	return slices.ContainsFunc(m.Cells, func(o *model.Cell) bool {
		return o.Move == c.Move && o.State == c.State && !o.Waits && o.Fails == "" && !endsSome(m, o)
	})
}

// endsSome reports whether a cell ends an activity.
func endsSome(m *model.Machine, c *model.Cell) bool {
	for _, t := range m.Tracks {
		before := slices.Index(t.Values, m.States[c.State][t.Dim])
		for _, to := range c.Next {
			if before >= 0 && slices.Index(t.Values, m.States[to][t.Dim]) < before {
				return true
			}
		}
	}
	return false
}

// moveLabel names a move in a diagram: an event in Chinese as its text begins.
func (w *writer) moveLabel(mv *model.Move) string {
	label := mv.Name()
	if w.l == Chinese && mv.Event != "" && mv.Doc.ZH != "" {
		label = strings.TrimSuffix(summary(w.text(mv.Doc, "")), "。")
	}
	return diagramText(label)
}

// diagramText keeps a text from being read as part of a diagram.
func diagramText(s string) string {
	return strings.NewReplacer(";", ",", "#", "", "\n", " ").Replace(s)
}

// answers tables what each call says, in which states, with which arguments.
func (w *writer) answers(m *model.Machine) string {
	heads := []string{w.say(words.Call)}
	for _, d := range m.Dims {
		heads = append(heads, d.Name)
	}
	t := newTable(append(heads, w.say(words.Params), w.say(words.Answer))...)
	for _, f := range foldMachine(m) {
		row := []string{code(f.call)}
		for _, v := range f.state {
			if v == nil {
				row = append(row, w.say(words.AllStates))
			} else {
				row = append(row, strings.Join(v, ", "))
			}
		}
		var args []string
		for i, v := range f.args {
			if v != nil {
				args = append(args, code(f.argNames[i]+"="+strings.Join(v, "|")))
			}
		}
		t.row(append(row, w.join(args, words.Comma), w.cellAnswer(f.cell))...)
	}
	return t.String()
}

func (w *writer) cellAnswer(c *model.Cell) string {
	switch {
	case c.Waits:
		return w.say(words.Waits)
	case c.Fails != "":
		return w.say(words.Fails, code(c.Fails))
	}
	return codes(c.Says, w.l)
}

// folded is a set of cells with one answer: a set of values a coordinate, nil
// for all of them.
type folded struct {
	call     string
	state    [][]string
	argNames []string
	args     [][]string
	cell     *model.Cell
}

// foldMachine joins the calls' cells that have the same answer. Events have no
// answer. What cannot arise may lie within any row: it says nothing.
func foldMachine(m *model.Machine) []folded {
	var out []folded
	for i, move := range m.Moves {
		if move.Method != "" {
			out = append(out, newGrid(m, i).fold(move.Method)...)
		}
	}
	return out
}

// grid is all that one call can meet: a coordinate a dimension and a
// coordinate an argument. What has no place in it cannot arise.
type grid struct {
	dims     int
	domains  [][]string
	argNames []string
	at       map[int]int // coordinates → place in what follows
	cells    []*model.Cell
	answers  []string
	coords   [][]int
}

func newGrid(m *model.Machine, move int) *grid {
	g := &grid{dims: len(m.Dims), at: map[int]int{}}
	for _, d := range m.Dims {
		g.domains = append(g.domains, d.Values)
	}
	for _, a := range m.Moves[move].Args {
		g.argNames = append(g.argNames, a.Name)
		g.domains = append(g.domains, a.Values)
	}
	for _, c := range m.Cells {
		if c.Move != move {
			continue
		}
		for _, args := range m.Moves[move].Combinations() {
			if !m.Has(c, args) {
				continue
			}
			coords := make([]int, 0, len(g.domains))
			for at, v := range slices.Concat(m.States[c.State], args) {
				coords = append(coords, slices.Index(g.domains[at], v))
			}
			g.at[g.key(coords)] = len(g.cells)
			g.cells = append(g.cells, c)
			g.coords = append(g.coords, coords)
			g.answers = append(g.answers, fmt.Sprint(c.Waits, c.Fails, c.Says))
		}
	}
	return g
}

// key numbers the cells of the grid.
func (g *grid) key(coords []int) int {
	n := 0
	for at, v := range coords {
		n = n*(len(g.domains[at])+1) + v + 1 // 0 is a value that no domain has
	}
	return n
}

// fold covers the cells, in order, with boxes that are grown value by value as
// far as the answer stays the same. Arguments grow first: what depends on the
// state alone is then decided by the state alone.
func (g *grid) fold(call string) []folded {
	covered := make([]int, len(g.cells)) // by how many boxes
	var boxes [][][]int
	var first []int // cell of each box
	for i, answer := range g.answers {
		if covered[i] > 0 {
			continue
		}
		box := make([][]int, len(g.domains))
		for at, v := range g.coords[i] {
			box[at] = []int{v}
		}
		for at := len(box) - 1; at >= 0; at-- {
			for v := range g.domains[at] {
				if slices.Contains(box[at], v) {
					continue
				}
				grown := slices.Clone(box)
				grown[at] = []int{v}
				if g.uniform(grown, answer) {
					box[at] = append(box[at], v)
				}
			}
		}
		g.trim(box)
		g.each(box, func(cell int) bool { covered[cell]++; return true })
		boxes, first = append(boxes, box), append(first, i)
	}
	var out []folded
	for i, box := range boxes {
		// The others may say all that this one says.
		if g.each(box, func(cell int) bool { return covered[cell] > 1 }) {
			g.each(box, func(cell int) bool { covered[cell]--; return true })
			continue
		}
		out = append(out, g.folded(call, box, g.cells[first[i]]))
	}
	return out
}

// trim takes values out of a box with which nothing can arise in it: they
// helped it to grow, and would say what is not so.
func (g *grid) trim(box [][]int) {
	for again := true; again; {
		again = false
		for at := range box {
			all := box[at]
			var kept []int
			for _, v := range all {
				box[at] = []int{v}
				if !g.each(box, func(int) bool { return false }) {
					kept = append(kept, v)
				}
			}
			box[at] = kept
			again = again || len(kept) < len(all)
		}
	}
}

// uniform says whether all that can arise in a box has one answer.
func (g *grid) uniform(box [][]int, answer string) bool {
	return g.each(box, func(cell int) bool { return g.answers[cell] == answer })
}

// each calls f for the cells of a box until it says no.
func (g *grid) each(box [][]int, f func(cell int) bool) bool {
	coords := make([]int, len(box))
	var walk func(at int) bool
	walk = func(at int) bool {
		if at == len(box) {
			cell, ok := g.at[g.key(coords)]
			return !ok || f(cell)
		}
		for _, v := range box[at] {
			coords[at] = v
			if !walk(at + 1) {
				return false
			}
		}
		return true
	}
	return walk(0)
}

func (g *grid) folded(call string, box [][]int, cell *model.Cell) folded {
	f := folded{call: call, argNames: g.argNames, cell: cell}
	for at, set := range box {
		var values []string // nil: all of a domain with several, or the only one of an argument
		slices.Sort(set)
		if len(set) < len(g.domains[at]) {
			for _, v := range set {
				values = append(values, g.domains[at][v])
			}
		}
		if at < g.dims {
			f.state = append(f.state, values)
		} else {
			f.args = append(f.args, values)
		}
	}
	return f
}
