package spec

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// maxCells bounds a machine's table.
const maxCells = 100_000

// dimension is one enum field of a machine's state or of a move's arguments.
type dimension struct {
	name   string
	values []reflect.Value
}

// machine tabulates each move over all states and arguments, and marks the
// cells that can be reached from the start.
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
	for _, dim := range dims {
		one := model.Dimension{Name: dim.name}
		for _, v := range dim.values {
			one.Values = append(one.Values, v.String())
		}
		out.Dims = append(out.Dims, one)
	}
	out.Start = stateOf(u.start)
	if problem := unlisted(out.Start, out.Dims); problem != "" {
		d.problem(at.field("Start"), "%s", problem)
	}
	states := product(u.state, dims)
	for i, move := range u.moves {
		d.move(out, move, states, values, at.field("Moves").index(i))
	}
	reach(out)
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

func (d *describer) move(out *model.Machine, mv moveOf, states []any, values map[reflect.Type][]reflect.Value, at Place) {
	method := d.methodName(mv.method, at)
	if method == "" && mv.event == "" {
		d.problem(at, "the move is neither a method's nor an event's")
		return
	}
	argType := reflect.TypeOf(mv.args)
	dims, ok := d.dimensions(argType, values, at)
	if !ok {
		return
	}
	args := product(argType, dims)
	if len(out.Cells)+len(states)*len(args) > maxCells {
		d.problem(at, "the machine has more than %d cells: fold the state", maxCells)
		return
	}
	for _, s := range states {
		for _, a := range args {
			cell, problem := step(mv, s, a)
			if again, _ := step(mv, s, a); problem == "" && !reflect.DeepEqual(cell, again) {
				problem = "answers differently when asked again: a step is a function of state and arguments alone"
			}
			if problem == "" {
				problem = check(cell, out.Dims)
			}
			if problem != "" {
				d.problem(at, "in state %v, with %v, the step %s", stateOf(s), argText(a), problem)
				return // one report a move is enough
			}
			row := &model.Cell{
				Method: method, Event: mv.event, State: stateOf(s), Args: argText(a), Waits: cell.waits, Never: cell.never,
				Says: cell.says, Fails: d.kindOf(cell.fails, at), Within: mv.within, Pos: linePlace(cell.pc).pos(),
			}
			for _, n := range cell.next {
				row.Next = append(row.Next, stateOf(n))
			}
			out.Cells = append(out.Cells, row)
		}
	}
}

func step(mv moveOf, state, args any) (cell cellOf, problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panics: %v", r)
		}
	}()
	return mv.step(state, args), ""
}

func check(c cellOf, dims []model.Dimension) string {
	if c.pc == 0 {
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

// reach marks the cells of states that can be reached from the start.
func reach(m *model.Machine) {
	byState := map[string][]*model.Cell{}
	for _, c := range m.Cells {
		k := fmt.Sprint(c.State)
		byState[k] = append(byState[k], c)
	}
	seen := map[string]bool{fmt.Sprint(m.Start): true}
	for queue := []string{fmt.Sprint(m.Start)}; len(queue) > 0; queue = queue[1:] {
		for _, c := range byState[queue[0]] {
			c.Reachable = true
			for _, n := range c.Next {
				if k := fmt.Sprint(n); !seen[k] {
					seen[k] = true
					queue = append(queue, k)
				}
			}
		}
	}
}

func linePlace(pc uintptr) Place {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return Place(fmt.Sprintf("line %d %s", frame.Line, frame.File))
}
