// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// Problem is something wrong with a declaration, and where it stands.
type Problem struct {
	Place Place      `json:"place"`
	Text  string     `json:"text"`
	Fix   [][]string `json:"fix,omitempty"` // what a machine can do about it
}

// Place names a part of a declaration until the loader has looked up its line.
// In a model that Model returns, every Pos.File is the text of a Place.
//
//	var Prompt.Settles[1]       a package variable, and what in its literal
//	type example.org/p Name     a payload type by package path
//	field example.org/p Name F  a field of it
//	line 12 /home/me/p/m.go     a line
type Place string

// Model turns a protocol into data. The variables are the spec package's, by
// name: from them each declaration knows how its author calls it, and one that
// no list has is found. A model that comes with problems is incomplete.
func Model(p *Protocol, variables map[string]any) (*model.Protocol, []Problem) {
	d := &describer{
		out:      &model.Protocol{Format: model.Format},
		names:    map[any]string{},
		listed:   map[any]bool{},
		types:    map[reflect.Type]*model.Type{},
		typeName: map[string]reflect.Type{},
	}
	d.name(variables)
	if p == nil {
		d.problem("", "there is no protocol: declare a package variable of type *spec.Protocol")
		return d.out, d.problems
	}
	d.protocol(p)
	d.forgotten(variables)
	slices.SortStableFunc(d.problems, func(a, b Problem) int { return cmp.Compare(a.Place, b.Place) })
	return d.out, slices.CompactFunc(d.problems, func(a, b Problem) bool { return a.Place == b.Place && a.Text == b.Text })
}

// describer fills a model. Every declaration is known by its pointer.
type describer struct {
	out      *model.Protocol
	names    map[any]string // declaration → package variable
	listed   map[any]bool   // declarations that a list of the protocol has
	types    map[reflect.Type]*model.Type
	typeName map[string]reflect.Type
	problems []Problem
}

func (d *describer) problem(at Place, format string, args ...any) {
	d.problems = append(d.problems, Problem{Place: at, Text: fmt.Sprintf(format, args...)})
}

// fix says what a machine can do about the last problem.
func (d *describer) fix(word string, args ...string) {
	last := &d.problems[len(d.problems)-1]
	last.Fix = append(last.Fix, append([]string{word}, args...))
}

// but does something of which nothing more is reported at a place.
func (d *describer) but(at Place, do func()) {
	before := len(d.problems)
	do()
	d.problems = append(d.problems[:before:before], slices.DeleteFunc(slices.Clone(d.problems[before:]), func(p Problem) bool { return p.Place == at })...)
}

// name records the variables' names; of two with the same pointer the later in
// the alphabet is a second name, which is refused.
func (d *describer) name(variables map[string]any) {
	for _, name := range sortedKeys(variables) {
		v := variables[name]
		if isNil(v) {
			continue
		}
		if first, ok := d.names[v]; ok {
			d.problem(variable(name), "%s is a second name of %s: a declaration has one variable", name, first)
			continue
		}
		d.names[v] = name
	}
}

// forgotten reports declarations that nothing lists.
func (d *describer) forgotten(variables map[string]any) {
	for _, name := range sortedKeys(variables) {
		v := variables[name]
		switch {
		case isNil(v):
			if declares(v) {
				d.problem(variable(name), "%s is nil: declare it as a pointer to a literal", name)
			}
		case d.names[v] == name && declares(v) && !d.listed[v]:
			d.problem(variable(name), "%s is declared, but no list has it: add it to %s", name, listFor(v))
			if field, ok := strings.CutPrefix(listFor(v), "the protocol's "); ok {
				d.fix("list", d.out.Var, field, name)
			}
		}
	}
}

// declares reports whether a value is a declaration that something must list.
func declares(v any) bool {
	switch v.(type) {
	case Any, AnyNegotiation, *Outcome, *Step, *Differs, *Limit, *Rule, *Allow, *Queue:
		return true
	}
	return false
}

// listFor says where a forgotten declaration belongs.
func listFor(v any) string {
	switch v.(type) {
	case AnyError:
		return "the protocol's Errors"
	case AnyScope:
		return "the protocol's Scopes"
	case AnyNotification:
		return "the protocol's Notifications"
	case AnyLink:
		return "the protocol's Links"
	case AnyActivity:
		return "the protocol's Activities"
	case AnyMethod:
		return "the protocol's Methods"
	case AnyMachine:
		return "the protocol's Machines"
	case *Capability:
		return "the protocol's Capabilities"
	case *Generation:
		return "the protocol's Generations"
	case *Limit:
		return "the protocol's Limits"
	case *Rule:
		return "the protocol's Rules"
	case *Allow:
		return "the protocol's Allows"
	case AnyNegotiation:
		return "the protocol as Negotiation"
	case *Protocol:
		return "nothing, and remove it: a package declares one protocol"
	case *Outcome:
		return "an activity's Outcomes"
	case *Step:
		return "a method's Steps"
	case *Differs:
		return "a generation's Differs"
	case *Queue:
		return "a scope as Queue"
	}
	return "the protocol"
}

func variable(name string) Place { return Place("var " + name) }

// at is where a declaration stands: its variable, or else the place in the
// list that holds it.
func (d *describer) at(declaration any, list Place) Place {
	if name, ok := d.names[declaration]; ok {
		return variable(name)
	}
	return list
}

func (p Place) field(name string) Place { return p + Place("."+name) }
func (p Place) index(i int) Place       { return p + Place(fmt.Sprintf("[%d]", i)) }

// pos is a Place as the model carries it to the loader.
func (p Place) pos() model.Pos { return model.Pos{File: string(p)} }

func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Slice, reflect.Map, reflect.Interface:
		return r.IsNil()
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
