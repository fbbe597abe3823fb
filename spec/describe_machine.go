// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// maxCells bounds the part of a machine's table that can be reached.
const maxCells = 100_000

// dimension is one enum field of a machine's state or of a move's arguments.
type dimension struct {
	name   string
	values []reflect.Value
}

// machine tabulates the moves over all arguments and all states that can be
// reached from the start.
func (d *describer) machine(m AnyMachine, at Place) {
	u := m.untyped()
	out := &model.Machine{Name: u.name, Var: d.variableOf(m, at), Pos: at.pos()}
	d.out.Machines = append(d.out.Machines, out)
	values := map[reflect.Type][]reflect.Value{}
	for i, list := range u.values {
		for _, v := range list.list {
			values[reflect.TypeOf(v)] = append(values[reflect.TypeOf(v)], reflect.ValueOf(v))
		}
		if len(list.list) == 0 {
			d.problem(at.field("Values").index(i), "the list of values is empty")
		}
	}
	dims, ok := d.dimensions(u.state, values, at)
	if !ok {
		return
	}
	out.Dims = named(dims)
	out.Start = stateOf(u.start)
	if problem := unlisted(out.Start, out.Dims); problem != "" {
		d.problem(at.field("Start"), "%s", problem)
		return
	}
	d.meanings(u, out, at)
	t := &table{describer: d, machine: out, places: map[stack]int{}}
	out.Counts.States = 1
	for _, dim := range dims {
		out.Counts.States *= len(dim.values)
	}
	for i, move := range u.moves {
		t.move(move, values, at.field("Moves").index(i))
	}
	t.fill(u.start)
}

func (d *describer) dimensions(t reflect.Type, values map[reflect.Type][]reflect.Value, at Place) ([]dimension, bool) {
	if t.Kind() != reflect.Struct {
		d.problem(at, "%s is no struct of enums", t)
		return nil, false
	}
	ok := true
	var out []dimension
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case !f.IsExported() || f.Type.Kind() != reflect.String:
			d.problem(at, "%s.%s is no exported field of a defined string type", t.Name(), f.Name)
			ok = false
		case len(values[f.Type]) == 0:
			d.problem(at, "the machine's Values do not list those of %s, the type of %s.%s", f.Type.Name(), t.Name(), f.Name)
			ok = false
		}
		out = append(out, dimension{f.Name, values[f.Type]})
	}
	return out, ok
}

func named(dims []dimension) []model.Dimension {
	var out []model.Dimension
	for _, dim := range dims {
		one := model.Dimension{Name: dim.name}
		for _, v := range dim.values {
			one.Values = append(one.Values, v.String())
		}
		out = append(out, one)
	}
	return out
}

// table is a machine being tabulated.
type table struct {
	*describer
	machine *model.Machine
	moves   []tabled
	places  map[stack]int // a cell's author → place
}

// tabled is a move with all its combinations of arguments, the last fastest.
type tabled struct {
	moveOf
	method string
	args   []any
	at     Place
	broken bool // one report a move is enough
}

func (t *table) move(mv moveOf, values map[reflect.Type][]reflect.Value, at Place) {
	one := tabled{moveOf: mv, method: t.methodName(mv.method, at), at: at}
	if one.method == "" && mv.event == "" {
		t.problem(at, "the move is neither a method's nor an event's")
		return
	}
	argType := reflect.TypeOf(mv.args)
	dims, ok := t.dimensions(argType, values, at)
	if !ok {
		return
	}
	one.args = product(argType, dims)
	if len(one.args) > maxCells {
		t.problem(at, "the move has more than %d combinations of arguments", maxCells)
		return
	}
	t.moves = append(t.moves, one)
	out := &model.Move{Method: one.method, Event: mv.event, Args: named(dims), Within: mv.within, Pos: at.pos()}
	for i := range out.Args {
		out.Args[i].Name = lowerFirst(out.Args[i].Name)
	}
	t.machine.Moves = append(t.machine.Moves, out)
	t.machine.Counts.Cells += t.machine.Counts.States * len(one.args)
}

// product lists all values of a struct of enums, the last field fastest.
func product(t reflect.Type, dims []dimension) []any {
	all := []reflect.Value{reflect.New(t).Elem()}
	for i, dim := range dims {
		var next []reflect.Value
		for _, partial := range all {
			for _, v := range dim.values {
				s := reflect.New(t).Elem()
				s.Set(partial)
				s.Field(i).Set(v)
				next = append(next, s)
			}
		}
		all = next
		if len(all) > maxCells {
			break
		}
	}
	out := make([]any, len(all))
	for i, v := range all {
		out[i] = v.Interface()
	}
	return out
}

// row is what one move does in one state: an outcome for each combination of
// its arguments.
type row struct {
	state    int
	move     int
	outcomes []outcome
}

// outcome is one cell before it is folded; next are states as they were found.
type outcome struct {
	cell cellOf
	next []int
}

// fill runs every move in every state, the start first and then what it leads
// to, and folds what it finds.
func (t *table) fill(start any) {
	number := map[any]int{start: 0}
	states := []any{start}
	var rows []row
	cells := 0
	for i := 0; i < len(states); i++ {
		for j := range t.moves {
			mv := &t.moves[j]
			if mv.broken {
				continue
			}
			one := row{state: i, move: j}
			for _, a := range mv.args {
				c, ok := t.step(mv, states[i], a)
				if !ok {
					break
				}
				o := outcome{cell: c}
				for _, n := range c.next {
					if _, ok := number[n]; !ok {
						number[n] = len(states)
						states = append(states, n)
					}
					o.next = append(o.next, number[n])
				}
				one.outcomes = append(one.outcomes, o)
			}
			if mv.broken {
				continue
			}
			rows = append(rows, one)
			if cells += len(one.outcomes); cells > maxCells {
				t.problem(mv.at, "the machine has more than %d cells that can be reached: fold the state", maxCells)
				return
			}
		}
	}
	t.write(states, rows)
}

// step asks a move for one cell, twice, and checks the answer.
func (t *table) step(mv *tabled, state, args any) (cellOf, bool) {
	cell, problem := step(mv.moveOf, state, args)
	if again, _ := step(mv.moveOf, state, args); problem == "" && !cell.same(again) {
		problem = "answers differently when asked again: a step is a function of state and arguments alone"
	}
	if problem == "" {
		problem = check(cell, t.machine.Dims)
	}
	if problem != "" {
		t.problem(mv.at, "in state %v, with %v, the step %s", stateOf(state), argText(args), problem)
		mv.broken = true
	}
	return cell, problem == ""
}

func step(mv moveOf, state, args any) (cell cellOf, problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panics: %v", r)
		}
	}()
	return mv.step(state, args), ""
}

// same reports whether two cells say the same. Frames cannot be compared, and
// the caller does not matter.
func (c cellOf) same(other cellOf) bool {
	if isNil(c.told) != isNil(other.told) {
		return false
	}
	c.told, other.told = nil, nil
	c.written, other.written = stack{}, stack{}
	return reflect.DeepEqual(c, other)
}

func check(c cellOf, dims []model.Dimension) string {
	if c.written == (stack{}) {
		return "returns the zero Cell: every combination needs an answer, be it spec.Impossible"
	}
	if !c.waits && !c.never && len(c.next) == 0 {
		return "does not say which state follows"
	}
	for _, n := range c.next {
		if p := unlisted(stateOf(n), dims); p != "" {
			return "leads to a state where " + p
		}
	}
	return ""
}

func unlisted(state []string, dims []model.Dimension) string {
	for i, v := range state {
		if !slices.Contains(dims[i].Values, v) {
			return fmt.Sprintf("%s is %q, which the machine's Values do not list", dims[i].Name, v)
		}
	}
	return ""
}

func stateOf(s any) []string {
	v := reflect.ValueOf(s)
	out := make([]string, v.NumField())
	for i := range out {
		out[i] = v.Field(i).String()
	}
	return out
}

func argText(a any) []string {
	v := reflect.ValueOf(a)
	var out []string
	for i := range v.NumField() {
		out = append(out, lowerFirst(v.Type().Field(i).Name)+"="+v.Field(i).String())
	}
	return out
}

// write puts states into the order of the dimensions' values, and the rows into
// that of moves and states.
func (t *table) write(states []any, rows []row) {
	order := make([]int, len(states)) // place in the order → number
	names := make([][]string, len(states))
	for i, s := range states {
		order[i], names[i] = i, stateOf(s)
	}
	slices.SortFunc(order, func(a, b int) int { return t.compare(names[a], names[b]) })
	place := make([]int, len(states))
	for i, n := range order {
		place[n] = i
		t.machine.States = append(t.machine.States, names[n])
	}
	for i := range rows {
		rows[i].state = place[rows[i].state]
		for j := range rows[i].outcomes {
			for k, n := range rows[i].outcomes[j].next {
				rows[i].outcomes[j].next[k] = place[n]
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.move, b.move), cmp.Compare(a.state, b.state))
	})
	for _, r := range rows {
		t.machine.Counts.Reached += len(r.outcomes)
		t.fold(r)
	}
}

func (t *table) compare(a, b []string) int {
	for i, dim := range t.machine.Dims {
		if c := cmp.Compare(slices.Index(dim.Values, a[i]), slices.Index(dim.Values, b[i])); c != 0 {
			return c
		}
	}
	return 0
}
