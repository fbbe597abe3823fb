// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// byShape reports whether a union has no tag: its variants are distinguished by
// their shape.
func byShape(t reflect.Type) bool {
	_, ok := unionMarker(t).Tag.Lookup("by")
	return ok
}

// shapeUnion describes a union by shape. Whether its variants can be
// distinguished is known when all types are; see tellApart.
func (d *describer) shapeUnion(t reflect.Type, out *model.Type) {
	marker := unionMarker(t)
	out.Union = &model.Union{}
	if p, _ := mistagged(marker.Tag, shapeTags); p != "" {
		d.problem(typePlace(t), "the union: %s", p)
	}
	if by := marker.Tag.Get("by"); by != "shape" {
		d.problem(typePlace(t), "by:%q: without a tag, variants are distinguished by:\"shape\"", by)
	}
	for _, m := range members(t) {
		d.problem(m.place, "%s is no variant: a union by shape has no members of its own. If it is one, tag it variant:\"…\", which names it in documents", m.Name)
	}
	byWire := map[string]string{}
	for _, v := range variants(t) {
		at := fieldPlace(t, v.Name)
		if p, _ := mistagged(v.Tag, shapedTags); p != "" {
			d.problem(at, "variant %s: %s", v.Name, p)
		}
		of := v.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case v.wire == "":
			d.problem(at, "variant %s has no name in documents: tag it variant:\"…\"", v.Name)
		case byWire[v.wire] != "":
			d.problem(at, "%s and %s are both called %q", byWire[v.wire], v.Name, v.wire)
		case of == rawType:
			d.problem(at, "%s may be anything, and so cannot be distinguished from other variants", v.Name)
			continue
		case v.Type.Kind() != reflect.Pointer && of.Kind() != reflect.Slice && of.Kind() != reflect.Map:
			d.problem(at, "variant %s may be unset: make it a *%s", v.Name, written(of))
			continue
		case v.Type.Kind() == reflect.Pointer && (of.Kind() == reflect.Slice || of.Kind() == reflect.Map || of.Kind() == reflect.Pointer):
			d.problem(at, "variant %s is a pointer to a %s: a list or map is one without it", v.Name, of.Kind())
			continue
		case of.Kind() == reflect.Struct && isUnion(of):
			d.problem(at, "variant %s is a union itself: put its variants here, or the union into a struct", v.Name)
			continue
		}
		byWire[v.wire] = v.Name
		out.Union.Variants = append(out.Union.Variants, &model.Variant{Name: v.Name, Wire: v.wire, Of: d.ref(of, at), Pos: at.pos()})
	}
	if len(out.Union.Variants) < 2 {
		d.problem(typePlace(t), "the union has fewer than two variants: write one field a variant, tagged variant:\"…\"")
	}
}

// tellApart reports variants of unions by shape that look alike.
func (d *describer) tellApart() {
	types := map[string]*model.Type{}
	for _, t := range d.out.Types {
		types[t.Name] = t
	}
	for _, t := range d.out.Types {
		if t.Union == nil || !t.Union.ByShape() || t.Kind != model.KindUnion {
			continue
		}
		first := map[model.Shape]*model.Variant{}
		for i, v := range t.Union.Variants {
			if v.Of == nil {
				continue // the union lacks its tag, which is reported
			}
			shape := model.ShapeOf(types, v.Of)
			like := first[shape]
			switch {
			case like == nil:
				first[shape] = v
			case shape == model.ListShape:
				d.problem(Place(v.Pos.File), "%s and %s are both lists, and an empty one could be either: make them one list, whose items are a union", like.Name, v.Name)
				continue
			case shape != model.ObjectShape:
				d.problem(Place(v.Pos.File), "%s and %s are both a %s, and nothing tells them apart", like.Name, v.Name, shapeNames[shape])
				continue
			}
			if shape != model.ObjectShape {
				continue
			}
			if _, other, ok := model.Distinguish(types, t.Union, i); !ok {
				d.problem(Place(v.Pos.File), "%s is an object, and so is %s, which may look the same: %s", v.Name, other.Name, howToTell(types, v, other))
			}
		}
	}
}

var shapeNames = map[model.Shape]string{
	model.BoolShape: "boolean", model.NumberShape: "number", model.StringShape: "string", model.ListShape: "list",
}

// howToTell says what would distinguish a variant from one after it.
func howToTell(types map[string]*model.Type, v, other *model.Variant) string {
	if v.Of.Kind != model.RefNamed || types[v.Of.Name].Kind != model.KindStruct {
		return "a map may have any member, so it can be the last object alone"
	}
	if other.Of.Kind != model.RefNamed || types[other.Of.Name].Kind != model.KindStruct {
		return other.Name + " is a map, which may have any member"
	}
	var shared []string
	for _, f := range types[v.Of.Name].Fields {
		if f.Always() {
			shared = append(shared, f.Wire)
		}
	}
	slices.Sort(shared)
	if len(shared) == 0 {
		return "put " + other.Name + " first if it has a required member that " + v.Name + " lacks"
	}
	return "what " + v.Name + " requires (" + strings.Join(shared, ", ") + "), " + other.Name + " may have too. Give " + v.Name +
		" a required member that " + other.Name + " lacks or has of another kind, or put " + other.Name + " first"
}
