// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"math/bits"
	"slices"
)

// Shape is a set of the kinds of JSON values.
type Shape uint8

// The kinds.
const (
	NullShape Shape = 1 << iota
	BoolShape
	NumberShape
	StringShape
	ListShape
	ObjectShape

	AnyShape Shape = 1<<iota - 1
)

// Shapes lists the kinds of a set.
func (s Shape) Shapes() []Shape {
	var out []Shape
	for _, one := range []Shape{NullShape, BoolShape, NumberShape, StringShape, ListShape, ObjectShape} {
		if s&one != 0 {
			out = append(out, one)
		}
	}
	return out
}

// One reports whether a set is one kind.
func (s Shape) One() bool { return bits.OnesCount8(uint8(s)) == 1 }

// ByShape reports whether a union has no tag: its variants are distinguished by
// their shape.
func (u *Union) ByShape() bool { return u.Tag == "" }

// ShapeOf is what the values of a type may be; types are a protocol's by name.
func ShapeOf(types map[string]*Type, r *Ref) Shape {
	return shapeOf(types, r, 0)
}

func shapeOf(types map[string]*Type, r *Ref, depth int) Shape {
	const deepest = 16 // a type that is defined by itself is another's problem
	if r == nil || depth > deepest {
		return AnyShape
	}
	switch r.Kind {
	case RefString, RefBytes:
		return StringShape
	case RefInt:
		if r.Wide {
			return StringShape
		}
		return NumberShape
	case RefFloat:
		return NumberShape
	case RefBool:
		return BoolShape
	case RefList:
		return ListShape
	case RefMap:
		return ObjectShape
	case RefNamed:
		t := types[r.Name]
		switch {
		case t == nil:
		case t.Kind == KindNamed:
			return shapeOf(types, t.Of, depth+1)
		case t.Kind == KindEnum && t.Enum.Integer:
			return NumberShape
		case t.Kind == KindEnum:
			return StringShape
		case t.Kind == KindUnion && t.Union.ByShape():
			var all Shape
			for _, v := range t.Union.Variants {
				all |= shapeOf(types, v.Of, depth+1)
			}
			return all
		default:
			return ObjectShape
		}
	}
	return AnyShape
}

// memberShape is what a member's values may be.
func memberShape(types map[string]*Type, f *Field) Shape {
	s := ShapeOf(types, f.Type)
	if f.Null() {
		s |= NullShape
	}
	return s
}

// Distinction is a member that distinguishes one variant of a union from those
// after it: it is present, and its value is of these kinds.
type Distinction struct {
	Member string
	Shape  Shape
}

// Distinguish lists the members that distinguish an object variant of a union by
// shape from the object variants after it: as few as are sufficient. The last
// object has none, because it needs none. It is not ok if nothing distinguishes
// it from the given variant.
func Distinguish(types map[string]*Type, u *Union, i int) (tells []Distinction, like *Variant, ok bool) {
	var open []*Variant // those that are not distinguished yet
	for _, v := range u.Variants[i+1:] {
		if ShapeOf(types, v.Of) == ObjectShape {
			open = append(open, v)
		}
	}
	fields, _ := structOf(types, u.Variants[i].Of)
	for len(open) > 0 {
		var best *Field
		var rest []*Variant
		for _, f := range fields {
			var left []*Variant
			for _, v := range open {
				if !apart(types, f, v) {
					left = append(left, v)
				}
			}
			if len(left) < len(open) && (best == nil || len(left) < len(rest)) {
				best, rest = f, left
			}
		}
		if best == nil {
			return nil, open[0], false
		}
		tells = append(tells, Distinction{Member: best.Wire, Shape: memberShape(types, best)})
		open = rest
	}
	return tells, nil, true
}

// apart reports whether a member distinguishes its object from a variant: it is
// always present, and the variant has no such member, or one of other kinds.
func apart(types map[string]*Type, f *Field, v *Variant) bool {
	fields, ok := structOf(types, v.Of)
	if !ok || !f.Always() {
		return false
	}
	for _, other := range fields {
		if other.Wire == f.Wire {
			there := memberShape(types, other)
			if !other.Always() {
				there |= NullShape // a lenient reader takes it for absence
			}
			return memberShape(types, f)&there == 0
		}
	}
	return true
}

// structOf is the members of a struct; it is not ok for a map, which may have any.
func structOf(types map[string]*Type, r *Ref) ([]*Field, bool) {
	if r == nil || r.Kind != RefNamed || types[r.Name] == nil || types[r.Name].Kind != KindStruct {
		return nil, false
	}
	return types[r.Name].Fields, true
}

// Flattest is the variant of a union whose values need least: samples of types that
// hold themselves end with it. types are a protocol's by name.
func Flattest(types map[string]*Type, u *Union) *Variant {
	needs := func(v *Variant) int {
		t := types[v.Type]
		if u.ByShape() {
			switch ShapeOf(types, v.Of) {
			case ListShape:
				return 1
			case ObjectShape:
			default:
				return 0
			}
			if t = types[v.Of.Name]; v.Of.Kind != RefNamed || t == nil || t.Kind != KindStruct {
				return 2
			}
		}
		n := 2
		for _, f := range t.Fields {
			if !f.Always() {
				continue
			}
			n++
			if of := types[f.Type.Name]; f.Type.Kind == RefNamed && (of == nil || of.Kind != KindNamed || ShapeOf(types, f.Type)&ObjectShape != 0) {
				n += 10
			}
		}
		return n
	}
	return slices.MinFunc(u.Variants, func(a, b *Variant) int { return cmp.Compare(needs(a), needs(b)) })
}
