package markdown

import (
	"fmt"
	"slices"
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
		if dim >= len(c.State) {
			continue
		}
		for _, next := range c.Next {
			e := edge{c.State[dim], next[dim]}
			if e.from == e.to {
				continue
			}
			label := c.Method
			if label == "" {
				label = c.Event
			}
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
	id := func(value string) string { return fmt.Sprintf("s%d", slices.Index(m.Dims[dim].Values, value)) }
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	for _, v := range m.Dims[dim].Values {
		fmt.Fprintf(&b, "    %s : %s\n", id(v), v)
	}
	if dim < len(m.Start) {
		fmt.Fprintf(&b, "    [*] --> %s\n", id(m.Start[dim]))
	}
	for _, e := range edges {
		fmt.Fprintf(&b, "    %s --> %s : %s\n", id(e.from), id(e.to), strings.Join(labels[e], ", "))
	}
	b.WriteString("```\n")
	return b.String()
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
		t.row(append(row, cell(w.join(args, words.Comma)), w.cellAnswer(f.cell))...)
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
// answer. Cells that cannot arise may lie in any row: they say nothing.
func foldMachine(m *model.Machine) []folded {
	var calls []string
	byCall := map[string][]*model.Cell{}
	for _, c := range m.Cells {
		if c.Method == "" {
			continue
		}
		if byCall[c.Method] == nil {
			calls = append(calls, c.Method)
		}
		byCall[c.Method] = append(byCall[c.Method], c)
	}
	var out []folded
	for _, call := range calls {
		out = append(out, newGrid(m, byCall[call]).fold(call)...)
	}
	return out
}

// grid is all cells of one call: a coordinate a dimension and a coordinate an
// argument.
type grid struct {
	dims     int
	domains  [][]string
	argNames []string
	cells    []*model.Cell
	answers  []string       // of each cell; empty: cannot arise
	at       map[string]int // coordinates → cell
	coords   [][]int        // of each cell
}

func newGrid(m *model.Machine, cells []*model.Cell) *grid {
	g := &grid{dims: len(m.Dims), cells: cells, at: make(map[string]int, len(cells))}
	for _, d := range m.Dims {
		g.domains = append(g.domains, d.Values)
	}
	for i, c := range cells {
		coords := make([]int, 0, len(g.domains))
		for at, v := range c.State {
			coords = append(coords, slices.Index(g.domains[at], v))
		}
		for arg, a := range c.Args {
			name, value, _ := strings.Cut(a, "=")
			at := g.dims + arg
			if at == len(g.domains) {
				g.argNames = append(g.argNames, name)
				g.domains = append(g.domains, nil)
			}
			if !slices.Contains(g.domains[at], value) {
				g.domains[at] = append(g.domains[at], value)
			}
			coords = append(coords, slices.Index(g.domains[at], value))
		}
		answer := ""
		if !c.Never {
			answer = fmt.Sprint(c.Waits, c.Fails, c.Says)
		}
		g.coords = append(g.coords, coords)
		g.answers = append(g.answers, answer)
		g.at[key(coords)] = i
	}
	return g
}

func key(coords []int) string { return fmt.Sprint(coords) }

// fold covers the cells, in order, with boxes that are grown value by value as
// far as the answer stays the same. Arguments grow first: what hangs on the
// state alone is then told by the state alone.
func (g *grid) fold(call string) []folded {
	covered := make([]int, len(g.cells)) // by how many boxes
	var boxes [][][]int
	var first []int // cell of each box
	for i, answer := range g.answers {
		if covered[i] > 0 || answer == "" {
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
		if g.each(box, func(cell int) bool { return covered[cell] > 1 || g.answers[cell] == "" }) {
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
				if !g.each(box, func(cell int) bool { return g.answers[cell] == "" }) {
					kept = append(kept, v)
				}
			}
			box[at] = kept
			again = again || len(kept) < len(all)
		}
	}
}

// uniform says whether all cells of a box have an answer or cannot arise.
func (g *grid) uniform(box [][]int, answer string) bool {
	return g.each(box, func(cell int) bool { return g.answers[cell] == answer || g.answers[cell] == "" })
}

// each calls f for the cells of a box until it says no.
func (g *grid) each(box [][]int, f func(cell int) bool) bool {
	coords := make([]int, len(box))
	var walk func(at int) bool
	walk = func(at int) bool {
		if at == len(box) {
			cell, ok := g.at[key(coords)]
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
