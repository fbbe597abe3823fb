// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// fold writes a row's cells: combinations of arguments of which the same is
// true become one, as long as they are all combinations of some values of each
// argument. What cannot arise is left out.
func (t *table) fold(r row) {
	args := t.machine.Moves[r.move].Args
	sizes := make([]int, len(args))
	for i, a := range args {
		sizes[i] = len(a.Values)
	}
	keys := make([]string, len(r.outcomes))
	for i, o := range r.outcomes {
		if c := o.cell; !c.never {
			// One place in the source is part of what is true: reports name it.
			keys[i] = fmt.Sprint(c.waits, c.says, t.kindOf(c.fails, t.moves[r.move].at), o.next, c.cuts, t.place(c.written))
			t.machine.Counts.Possible++
		}
	}
	taken := make([]bool, len(keys))
	for i, key := range keys {
		if taken[i] || key == "" {
			continue
		}
		b := grow(i, sizes, func(at int) bool { return !taken[at] && keys[at] == key })
		b.each(sizes, func(at int) bool { taken[at] = true; return true })
		t.cell(r, r.outcomes[i], b)
	}
}

func (t *table) cell(r row, o outcome, b box) {
	c := o.cell
	at := t.moves[r.move].at
	out := &model.Cell{
		Move: r.move, State: r.state, Waits: c.waits, Says: c.says, Fails: t.kindOf(c.fails, at),
		Cuts: c.cuts, Told: t.frame(c.told, at), Next: o.next, Place: t.place(c.written),
	}
	all := true
	for i, a := range t.machine.Moves[r.move].Args {
		var set []string
		if len(b[i]) < len(a.Values) {
			all = false
			for _, v := range b[i] {
				set = append(set, a.Values[v])
			}
		}
		out.Args = append(out.Args, set)
	}
	if all {
		out.Args = nil
	}
	t.machine.Cells = append(t.machine.Cells, out)
}

// box is a set of values of each argument, by number.
type box [][]int

// grow begins with one combination and takes value after value, the last
// argument first, as long as all of the box is as wanted.
func grow(from int, sizes []int, want func(at int) bool) box {
	b := make(box, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		b[i] = []int{from % sizes[i]}
		from /= sizes[i]
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		for v := range sizes[i] {
			if slices.Contains(b[i], v) {
				continue
			}
			grown := slices.Clone(b)
			grown[i] = []int{v}
			if grown.each(sizes, want) {
				b[i] = append(b[i], v)
			}
		}
		slices.Sort(b[i])
	}
	return b
}

// each calls f with the number of each combination until it says no.
func (b box) each(sizes []int, f func(at int) bool) bool {
	var walk func(i, at int) bool
	walk = func(i, at int) bool {
		if i == len(b) {
			return f(at)
		}
		for _, v := range b[i] {
			if !walk(i+1, at*sizes[i]+v) {
				return false
			}
		}
		return true
	}
	return walk(0, 0)
}
