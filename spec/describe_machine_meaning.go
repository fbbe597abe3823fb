// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// meanings describes what a machine's values mean to callers.
func (d *describer) meanings(u machineOf, out *model.Machine, at Place) {
	for i, t := range u.tracks {
		at := at.field("Tracks").index(i)
		one := model.Track{Activity: d.activityName(t.activity, at)}
		if one.Activity == "" {
			d.problem(at, "the track names no activity")
			continue
		}
		if slices.ContainsFunc(out.Tracks, func(o model.Track) bool { return o.Activity == one.Activity }) {
			d.problem(at, "the activity %s is tracked twice", one.Activity)
		}
		var ok bool
		if one.Reading, ok = d.reading(u, out, t.values, at); ok {
			out.Tracks = append(out.Tracks, one)
		}
	}
	for i, v := range u.rests {
		if r, ok := d.reading(u, out, v, at.field("Rests").index(i)); ok {
			out.Rests = append(out.Rests, r)
		}
	}
	if u.marked != nil {
		d.mark(u, out, at.field("Marked"))
	}
}

func (d *describer) mark(u machineOf, out *model.Machine, at Place) {
	m := u.marked
	unsent, ok := d.reading(u, out, m.Unsent, at.field("Unsent"))
	if !ok {
		return
	}
	mark := &model.Mark{Method: d.methodName(m.By, at.field("By")), Dim: unsent.Dim, Unsent: unsent.Values}
	if mark.Method == "" {
		d.problem(at, "Marked does not name the method that sends the message: set By")
	}
	for i, o := range m.Over {
		at := at.field("Over").index(i)
		r, ok := d.reading(u, out, o.values, at)
		switch {
		case !ok:
			continue
		case r.Dim != mark.Dim:
			d.problem(at, "%q is a value of %s, and not of %s like Unsent", r.Values[0], out.Dims[r.Dim].Name, out.Dims[mark.Dim].Name)
			continue
		}
		over := model.Over{Values: r.Values, Frame: d.frame(o.frame, at), Method: d.methodName(o.call, at)}
		if over.Frame == nil && over.Method == "" {
			d.problem(at, "no frame tells that the message was settled, and no call does it")
		}
		mark.Over = append(mark.Over, over)
	}
	out.Mark = mark
}

// reading finds the one dimension that has values of this type.
func (d *describer) reading(u machineOf, out *model.Machine, v Values, at Place) (model.Reading, bool) {
	if len(v.list) == 0 {
		d.problem(at, "the list of values is empty")
		return model.Reading{}, false
	}
	t := reflect.TypeOf(v.list[0])
	r := model.Reading{Dim: -1}
	for i := range u.state.NumField() {
		if u.state.Field(i).Type != t {
			continue
		}
		if r.Dim >= 0 {
			d.problem(at, "%s and %s of the state are both of type %s: give each a type of its own", out.Dims[r.Dim].Name, out.Dims[i].Name, t.Name())
			return r, false
		}
		r.Dim = i
	}
	if r.Dim < 0 {
		d.problem(at, "%s is no type of a member of the state", t.Name())
		return r, false
	}
	for _, value := range v.list {
		s := reflect.ValueOf(value).String()
		if !slices.Contains(out.Dims[r.Dim].Values, s) {
			d.problem(at, "%s is never %q, which the machine's Values do not list", out.Dims[r.Dim].Name, s)
			return r, false
		}
		r.Values = append(r.Values, s)
	}
	return r, true
}
