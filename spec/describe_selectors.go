// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"reflect"
	"runtime"
)

// A selector names a member by its address in a value. To find which, the
// describer fills a value, every pointer included, runs the selector on it and
// looks the address up, with its type, since a struct and its first member
// share one address.

// How far pointers are filled: a type may stand this often on one path, and a
// path may be this long.
const (
	maxNesting = 2
	maxDepth   = 12
)

// target is what an address stands for.
type target struct {
	path    string // wire names joined by dots; after a union a variant's tag
	variant string // the tag, if it is a variant of a union
	typ     reflect.Type
	broken  bool // the member has a problem of its own, which is reported at its place
}

type address struct {
	pointer uintptr
	typ     reflect.Type
}

type filler struct {
	targets map[address]target
	nesting map[reflect.Type]int
}

func newFiller(t reflect.Type) (*filler, reflect.Value) {
	f := &filler{targets: map[address]target{}, nesting: map[reflect.Type]int{}}
	root := reflect.New(t)
	f.fill(root.Elem(), "", 0)
	return f, root
}

func (f *filler) note(v reflect.Value, to target) {
	if v.Type().Size() > 0 {
		f.targets[address{v.Addr().Pointer(), v.Type()}] = to
	}
}

// fill sets the pointers below v, an addressable value, and notes what each
// member's address means.
func (f *filler) fill(v reflect.Value, path string, depth int) {
	t := v.Type()
	if t.Kind() != reflect.Struct || depth > maxDepth || f.nesting[t] >= maxNesting {
		return
	}
	f.nesting[t]++
	defer func() { f.nesting[t]-- }()
	for _, m := range members(t) {
		f.member(v.FieldByIndex(m.index), target{path: join(path, m.wire), broken: m.problem != ""}, depth)
	}
	for _, c := range variants(t) {
		if c.IsExported() && !byShape(t) {
			f.member(v.FieldByIndex(c.Index), target{path: join(path, c.wire), variant: c.wire}, depth)
		}
	}
}

func (f *filler) member(v reflect.Value, to target, depth int) {
	to.typ = v.Type()
	f.note(v, to)
	if to.broken {
		return
	}
	if inner, ok := nullable(v.Type()); ok {
		value := v.FieldByName("V")
		to.typ = inner
		f.note(value, to)
		f.fill(value, to.path, depth+1)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
		to.typ = v.Type()
		f.note(v, to)
	}
	f.fill(v, to.path, depth+1)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// selected resolves a selector, any func(*T) any. A nil one selects nothing.
func (d *describer) selected(selector any, at Place) (target, bool) {
	if isNil(selector) {
		return target{}, false
	}
	fn := reflect.ValueOf(selector)
	if fn.Type().In(0).Kind() != reflect.Pointer {
		d.problem(at, "the selector takes a copy: it takes a pointer, as in func(p *%s) any { return &p.Member }", fn.Type().In(0).Name())
		return target{}, false
	}
	payload := fn.Type().In(0).Elem()
	if _, ok := nullable(payload); ok {
		d.problem(at, "a result that may be null has no member to select")
		return target{}, false
	}
	if payload.Kind() != reflect.Struct {
		d.problem(at, "there is no member to select in %s", payload)
		return target{}, false
	}
	f, root := newFiller(payload)
	got, problem := run(fn, root)
	if problem != "" {
		d.problem(at, "the selector %s", problem)
		return target{}, false
	}
	to, problem := f.find(got, payload)
	runtime.KeepAlive(root) // until here its addresses are not reused
	if problem != "" {
		d.problem(at, "the selector %s", problem)
		return target{}, false
	}
	return to, !to.broken
}

// path is selected's path alone, empty if there is none.
func (d *describer) path(selector any, at Place) string {
	to, _ := d.selected(selector, at)
	return to.path
}

func (d *describer) paths(selectors []any, at Place) []string {
	var out []string
	for i, s := range selectors {
		out = append(out, d.path(s, at.index(i)))
	}
	return out
}

func run(fn, root reflect.Value) (got reflect.Value, problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panics: %v. It may pass through structs, pointers and variants, not into a list or a map", r)
		}
	}()
	got = fn.Call([]reflect.Value{root})[0]
	if got.Kind() == reflect.Interface {
		got = got.Elem()
	}
	return got, ""
}

func (f *filler) find(got reflect.Value, payload reflect.Type) (target, string) {
	switch {
	case !got.IsValid() || got.Kind() == reflect.Pointer && got.IsNil():
		return target{}, fmt.Sprintf("returns nil: it returns a member's address, as in func(p *%s) any { return &p.Member }", payload.Name())
	case got.Kind() != reflect.Pointer:
		return target{}, fmt.Sprintf("returns a %s: it returns a member's address, so put & before the member", got.Type())
	case got.Type().Elem().Size() == 0:
		return target{}, fmt.Sprintf("returns the address of a %s, which is empty: such addresses cannot be distinguished", got.Type().Elem())
	}
	if to, ok := f.targets[address{got.Pointer(), got.Type().Elem()}]; ok {
		return to, ""
	}
	return target{}, fmt.Sprintf("returns a *%s that is no member of the %s it is given: a copy, an element of a list, a variant of a union by shape, an embedded struct or a variable elsewhere", got.Type().Elem(), payload.Name())
}
