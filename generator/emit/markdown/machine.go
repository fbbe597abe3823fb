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

// foldMachine joins the calls' cells that have the same answer and differ in
// one coordinate, until none are left. Events have no answer; cells that
// cannot arise are left out.
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
		out = append(out, foldCall(m, call, byCall[call])...)
	}
	return out
}

// box is a product of value sets, one bit set a coordinate, with its answer.
type box struct {
	sets   []uint64
	answer string
	cell   *model.Cell
}

func foldCall(m *model.Machine, call string, cells []*model.Cell) []folded {
	// Coordinates: the dimensions, then the arguments.
	domains := make([][]string, len(m.Dims))
	for i, d := range m.Dims {
		domains[i] = d.Values
	}
	var argNames []string
	for _, c := range cells {
		for i, a := range c.Args {
			name, value, _ := strings.Cut(a, "=")
			if i == len(argNames) {
				argNames = append(argNames, name)
				domains = append(domains, nil)
			}
			at := len(m.Dims) + i
			if !slices.Contains(domains[at], value) {
				domains[at] = append(domains[at], value)
			}
		}
	}
	var boxes []box
	for _, c := range cells {
		if c.Never {
			continue
		}
		b := box{sets: make([]uint64, len(domains)), cell: c}
		b.answer = fmt.Sprint(c.Waits, c.Fails, c.Says)
		for i, v := range c.State {
			b.sets[i] = 1 << uint(slices.Index(domains[i], v))
		}
		for i, a := range c.Args {
			_, v, _ := strings.Cut(a, "=")
			b.sets[len(m.Dims)+i] = 1 << uint(slices.Index(domains[len(m.Dims)+i], v))
		}
		boxes = append(boxes, b)
	}
	for at := len(domains) - 1; at >= 0; at-- {
		boxes = mergeAlong(boxes, at)
	}
	out := make([]folded, len(boxes))
	for i, b := range boxes {
		f := folded{call: call, argNames: argNames, cell: b.cell}
		for at, set := range b.sets {
			v := members(set, domains[at])
			if at < len(m.Dims) {
				f.state = append(f.state, v)
			} else {
				f.args = append(f.args, v)
			}
		}
		out[i] = f
	}
	return out
}

// mergeAlong joins boxes that agree in everything but one coordinate. The
// first one keeps its place.
func mergeAlong(boxes []box, at int) []box {
	index := map[string]int{}
	var out []box
	for _, b := range boxes {
		rest := slices.Clone(b.sets)
		rest[at] = 0
		key := fmt.Sprint(b.answer, rest)
		if i, ok := index[key]; ok {
			out[i].sets[at] |= b.sets[at]
			continue
		}
		index[key] = len(out)
		out = append(out, b)
	}
	return out
}

// members lists a set's values, nil if it has all of a domain with several.
func members(set uint64, domain []string) []string {
	var out []string
	for i, v := range domain {
		if set&(1<<uint(i)) != 0 {
			out = append(out, v)
		}
	}
	if len(out) == len(domain) {
		return nil
	}
	return out
}
