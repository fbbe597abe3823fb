// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// byShape are the vectors of a union whose variants are distinguished by their
// shape.
func (w *world) byShape(t *model.Type, out *Type) {
	for _, v := range t.Union.Variants {
		least, full := w.value(v.Of, limits{at: t.Name}, false, 0), w.value(v.Of, limits{at: t.Name}, true, 0)
		out.Values = append(out.Values, Value{Name: v.Wire + ": the least", Text: least})
		if full != least {
			out.Values = append(out.Values, Value{Name: v.Wire + ": all members", Text: full})
		}
	}
	if text := w.unlike(t); text != "" {
		path := ""
		out.Reads = append(out.Reads, Read{Name: "what is like no variant is kept by a lenient reader", By: Lenient, Text: text, Writes: text})
		out.Refuses = append(out.Refuses, Refuse{Name: "like no variant", By: Strict, Text: text, Kind: codec.Type.String(), Path: &path})
	}
	for i, v := range t.Union.Variants {
		w.structShape(t, v, i, out)
	}
}

// structShape adds the vectors of a variant that is a struct: with the members that
// distinguish it, it must have those that it requires.
func (w *world) structShape(t *model.Type, v *model.Variant, i int, out *Type) {
	s := w.types[v.Of.Name]
	if v.Of.Kind != model.RefNamed || s == nil || s.Kind != model.KindStruct {
		return
	}
	tells, _, _ := model.Distinguish(w.types, t.Union, i)
	awkward := map[string]bool{}
	for _, tell := range tells {
		awkward[tell.Member] = true
	}
	least := w.object(shape{t: s, own: s.Fields}, false, nil, 0)
	for _, f := range s.Fields {
		if !f.Always() || awkward[f.Wire] {
			continue
		}
		path := pathOf("", f.Wire)
		text := least.without(f.Wire).String()
		out.Reads = append(out.Reads, Read{Name: v.Wire + ": without " + f.Wire + " it is kept by a lenient reader", By: Lenient, Text: text, Writes: text})
		out.Refuses = append(out.Refuses, Refuse{Name: v.Wire + ": without " + f.Wire, By: Strict, Text: text, Kind: codec.Missing.String(), Path: &path})
		return
	}
}

// unlike is a value that is like no variant of a union by shape; empty: every
// value but null is like one.
func (w *world) unlike(t *model.Type) string {
	all := model.ShapeOf(w.types, &model.Ref{Kind: model.RefNamed, Name: t.Name})
	for _, one := range []struct {
		shape model.Shape
		text  string
	}{
		{model.BoolShape, "true"},
		{model.NumberShape, "7"},
		{model.StringShape, `"x"`},
		{model.ListShape, `[1]`},
		{model.ObjectShape, `{"a":1}`},
	} {
		if all&one.shape == 0 {
			return one.text
		}
	}
	return ""
}
