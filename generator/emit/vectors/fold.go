// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// table is all that one move can meet: a coordinate a dimension and a
// coordinate an argument.
type table struct {
	m       *model.Machine
	move    int
	domains [][]string
	lists   map[int]bool     // states that are listed, by the number of their coordinates
	cells   map[int]*outcome // by the number of all coordinates
	order   []*outcome
}

// outcome is what is true of one state and one combination of arguments.
type outcome struct {
	at      []int
	row     Row
	key     string
	covered bool
}

func newTable(m *model.Machine, move int) *table {
	t := &table{m: m, move: move, lists: map[int]bool{}, cells: map[int]*outcome{}}
	for _, d := range m.Dims {
		t.domains = append(t.domains, d.Values)
	}
	for _, a := range m.Moves[move].Args {
		t.domains = append(t.domains, a.Values)
	}
	for _, s := range m.States {
		t.lists[t.number(t.coordinates(s))] = true
	}
	for _, c := range m.Cells {
		if c.Move != move {
			continue
		}
		row := t.rowOf(c)
		key := fmt.Sprint(row.Waits, row.Says, row.Fails, row.Cuts, row.Told, row.Next)
		for _, args := range m.Moves[move].Combinations() {
			if m.Has(c, args) {
				o := &outcome{at: t.coordinates(slices.Concat(m.States[c.State], args)), row: row, key: key}
				t.cells[t.number(o.at)] = o
				t.order = append(t.order, o)
			}
		}
	}
	return t
}

func (t *table) coordinates(values []string) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = slices.Index(t.domains[i], v)
	}
	return out
}

// number is one of coordinates, or of the first of them.
func (t *table) number(coordinates []int) int {
	n := 0
	for i, at := range coordinates {
		n = n*(len(t.domains[i])+1) + at + 1 // 0 is a value that no domain has
	}
	return n
}

// rowOf says what a cell does, without where.
func (t *table) rowOf(c *model.Cell) Row {
	row := Row{Move: t.move, Waits: c.Waits, Says: c.Says, Fails: c.Fails, Cuts: c.Cuts}
	if f := c.Told; f != nil {
		row.Told = strings.TrimSpace(f.Notification + " " + f.Variant)
	}
	for _, to := range c.Next {
		change := map[string]string{}
		for dim, d := range t.m.Dims {
			if v := t.m.States[to][dim]; v != t.m.States[c.State][dim] {
				change[d.Name] = v
			}
		}
		row.Next = append(row.Next, change)
	}
	return row
}

// rows covers the cells, in order, with boxes that are grown value by value,
// arguments first, as long as all of a box's listed states are of one outcome.
func (t *table) rows() []Row {
	var out []Row
	for _, o := range t.order {
		if o.covered {
			continue
		}
		box := make([][]int, len(o.at))
		for i, v := range o.at {
			box[i] = []int{v}
		}
		for i := len(box) - 1; i >= 0; i-- {
			for v := range t.domains[i] {
				if slices.Contains(box[i], v) {
					continue
				}
				grown := slices.Clone(box)
				grown[i] = []int{v}
				if t.uniform(grown, o.key) {
					box[i] = append(box[i], v)
				}
			}
			slices.Sort(box[i])
		}
		t.each(box, func(at []int) bool {
			if c := t.cells[t.number(at)]; c != nil {
				c.covered = true
			}
			return true
		})
		row := o.row
		for i, set := range box {
			values := t.names(i, set)
			if i < len(t.m.Dims) {
				row.In = append(row.In, values)
			} else {
				row.Args = append(row.Args, values)
			}
		}
		out = append(out, row)
	}
	return out
}

// names are a set's values; nil for all.
func (t *table) names(i int, set []int) []string {
	if len(set) == len(t.domains[i]) {
		return nil
	}
	var out []string
	for _, v := range set {
		out = append(out, t.domains[i][v])
	}
	return out
}

// uniform reports whether a box holds one outcome alone, and is not of unlisted
// states alone.
func (t *table) uniform(box [][]int, key string) bool {
	some := false
	return t.each(box, func(at []int) bool {
		if !t.lists[t.number(at[:len(t.m.Dims)])] {
			return true
		}
		some = true
		c := t.cells[t.number(at)]
		return c != nil && c.key == key
	}) && some
}

// each calls f with the coordinates in a box until it says no.
func (t *table) each(box [][]int, f func(at []int) bool) bool {
	at := make([]int, len(box))
	var walk func(i int) bool
	walk = func(i int) bool {
		if i == len(box) {
			return f(at)
		}
		for _, v := range box[i] {
			if at[i] = v; !walk(i + 1) {
				return false
			}
		}
		return true
	}
	return walk(0)
}
