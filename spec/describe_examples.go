// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"

	"github.com/accordkit/accord/spec/model"
)

// examples writes the examples of a message. Result is nil for a notification.
func (d *describer) examples(list []Example, params, result reflect.Type, at Place) []model.Ex {
	var out []model.Ex
	seen := map[string]bool{}
	for i, one := range list {
		at, e := at.index(i), one.of
		if e == nil {
			d.problem(at, "the example is empty: use spec.Ex, spec.Shown or spec.Refused")
			continue
		}
		ex := model.Ex{Name: e.name, Pos: at.pos()}
		switch {
		case e.name == "":
			d.problem(at, "the example has no name")
		case seen[e.name]:
			d.problem(at, "two examples are called %q", e.name)
		}
		seen[e.name] = true
		if t := reflect.TypeOf(e.params); t != params {
			d.problem(at, "the example %q has params of type %v, but the message has %v", e.name, t, params)
			continue
		}
		if params != noneType {
			ex.Params = d.encoded(reflect.ValueOf(e.params), at.index(1))
		}
		switch t := reflect.TypeOf(e.result); {
		case result == nil && (e.result != nil || !isNil(e.fails)):
			d.problem(at, "the example %q has a result, but a notification has none: use spec.Shown", e.name)
		case result == nil:
		case !isNil(e.fails):
			ex.Error = d.kindOf(e.fails, at.index(2))
		case t != result:
			d.problem(at, "the example %q has a result of type %v, but the method has %v", e.name, t, result)
		case result == noneType:
			ex.Result = "{}"
		default:
			ex.Result = d.encoded(reflect.ValueOf(e.result), at.index(2))
		}
		out = append(out, ex)
	}
	return out
}

// encoded writes a payload, and reports what its own rules forbid.
func (d *describer) encoded(v reflect.Value, at Place) string {
	e := encoder{problem: func(format string, args ...any) { d.problem(at, format, args...) }}
	if v.Type() == noneType {
		return "{}"
	}
	e.value(v, "")
	return string(e.out)
}
