// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

var (
	unionType = reflect.TypeFor[Union]()
	rawType   = reflect.TypeFor[Raw]()
	wideType  = reflect.TypeFor[Wide]()
	noneType  = reflect.TypeFor[None]()
	specPath  = noneType.PkgPath()
)

// params is the name of a message's params type, empty for None. Params are an
// object: a struct or a union.
func (d *describer) params(t reflect.Type, at Place) string {
	if t == noneType {
		return ""
	}
	if _, null := nullable(t); null || t.Kind() != reflect.Struct || t.Name() == "" {
		d.problem(at, "the params are %s: they are a defined struct type, or spec.None", t)
		return ""
	}
	return d.named(t, at)
}

// result is the name of a method's result type, empty for None, and reports
// whether the result may be null.
func (d *describer) result(t reflect.Type, at Place) (name string, null bool) {
	if t == noneType {
		return "", false
	}
	inner, null := nullable(t)
	if null {
		t = inner
	}
	switch {
	case t.Kind() == reflect.Pointer:
		d.problem(at, "the result is a pointer: one that may be null is spec.Nullable[%s]", written(t.Elem()))
	case t == noneType:
		d.problem(at, "the result is null or nothing: use spec.None, or a defined type")
	case t.Name() == "" || t.PkgPath() == "" || t.PkgPath() == specPath:
		d.problem(at, "the result is %s: give it a name, as in type Answer %s, since generated code and documents speak of it", t, written(t))
	default:
		return d.named(t, at), null
	}
	return "", null
}

// written is a type as its author writes it in the spec package.
func written(t reflect.Type) string {
	if t.Name() != "" {
		return typeName(t)
	}
	if t.Kind() == reflect.Slice {
		return "[]" + written(t.Elem())
	}
	return t.String()
}

// named describes a defined type, once, and gives its name.
func (d *describer) named(t reflect.Type, at Place) string {
	if known, ok := d.types[t]; ok {
		return known.Name
	}
	name := typeName(t)
	if other, ok := d.typeName[name]; ok {
		d.problem(at, "two payload types are called %s (%s and %s): rename one", name, other, t)
		return name
	}
	out := &model.Type{Name: name, Pos: typePlace(t).pos()}
	d.types[t] = out
	d.typeName[name] = t
	d.out.Types = append(d.out.Types, out)
	switch {
	case isUnion(t):
		d.union(t, out)
	case t.Kind() == reflect.Struct:
		out.Kind = model.KindStruct
		out.Fields = d.fields(t)
	default: // the loader makes an enum of it if there are constants
		out.Kind = model.KindNamed
		out.Of = d.underlying(t, typePlace(t))
	}
	return name
}

// fields describes the members of a struct in declared order, those of embedded
// structs in their place, as encoding/json has them.
func (d *describer) fields(t reflect.Type) []*model.Field {
	var out []*model.Field
	seen := map[string]string{}
	for _, f := range members(t) {
		if f.problem != "" {
			d.problem(f.place, "%s", f.problem)
			if f.fix != nil {
				d.fix(f.fix[0], f.fix[1:]...)
			}
			if f.hidden {
				continue
			}
		} else if other, ok := seen[f.wire]; ok {
			d.problem(f.place, "%s and %s are both written as %q", other, f.Name, f.wire)
			f.problem = "double"
		}
		if f.problem != "" {
			// Its type may have problems of its own; of the member enough is said.
			d.but(f.place, func() { out = append(out, d.field(f)) })
			continue
		}
		seen[f.wire] = f.Name
		out = append(out, d.field(f))
	}
	return out
}

func (d *describer) union(t reflect.Type, out *model.Type) {
	out.Kind = model.KindUnion
	if byShape(t) {
		d.shapeUnion(t, out)
		return
	}
	marker := unionMarker(t)
	u := &model.Union{Tag: marker.Tag.Get("tag"), Content: marker.Tag.Get("content"), Before: before(t)}
	out.Union = u
	out.Fields = d.fields(t)
	if p, _ := mistagged(marker.Tag, unionTags); p != "" {
		d.problem(typePlace(t), "the union: %s", p)
	}
	if u.Tag == "" {
		d.problem(typePlace(t), "the union does not name its tag: write _ spec.Union `tag:\"type\"`; for one without, whose variants are distinguished by their shape, `by:\"shape\"`")
	}
	byWire := map[string]string{}
	byType := map[reflect.Type]string{}
	for _, f := range out.Fields {
		if f.Wire == u.Tag || f.Wire == u.Content {
			d.problem(fieldPlace(t, f.Name), "%q is the union's own member", f.Wire)
		}
	}
	for _, v := range variants(t) {
		at := fieldPlace(t, v.Name)
		if p, key := mistagged(v.Tag, variantTags); p != "" {
			d.problem(at, "variant %s: %s", v.Name, p)
			if fix := retag(key, variantTags); fix != nil {
				d.fix(fix[0], fix[1:]...)
			}
		}
		switch s := v.Type; {
		case s.Kind() != reflect.Pointer || s.Elem().Kind() != reflect.Struct || s.Elem().Name() == "" || isUnion(s.Elem()):
			d.problem(at, "a variant is a pointer to a defined struct type, not %s", s)
			continue
		case byType[s.Elem()] != "":
			d.problem(at, "%s and %s have the same type %s: each variant has its own", byType[s.Elem()], v.Name, s.Elem().Name())
			continue
		case byWire[v.wire] != "":
			d.problem(at, "%s and %s have the same tag %q", byWire[v.wire], v.Name, v.wire)
			continue
		}
		byType[v.Type.Elem()] = v.Name
		byWire[v.wire] = v.Name
		variant := &model.Variant{
			Name: v.Name, Wire: v.wire, Type: d.named(v.Type.Elem(), at), Pos: at.pos(),
			Only: v.Tag.Get("only"), Since: v.Tag.Get("since"),
		}
		switch off := v.Tag.Get("off"); off {
		case "wire":
			variant.OffWire = true
		case "":
		default:
			d.problem(at, "off:%q: the only place to be off is the wire", off)
		}
		if u.Content == "" {
			for _, f := range members(v.Type.Elem()) {
				if f.problem == "" && (f.wire == u.Tag || hasWire(out.Fields, f.wire)) {
					d.problem(f.place, "%q lies beside the union's own member of that name", f.wire)
				}
			}
		}
		u.Variants = append(u.Variants, variant)
	}
	if len(u.Variants) == 0 {
		d.problem(typePlace(t), "the union has no variant: write one pointer field a variant, tagged variant:\"…\"")
	}
}

func hasWire(fields []*model.Field, wire string) bool {
	for _, f := range fields {
		if f.Wire == wire {
			return true
		}
	}
	return false
}

// ref describes the use of a type.
func (d *describer) ref(t reflect.Type, at Place) *model.Ref {
	switch {
	case t == rawType:
		return &model.Ref{Kind: model.RefRaw}
	case t == wideType:
		return &model.Ref{Kind: model.RefInt, Wide: true}
	case t.PkgPath() == specPath:
		d.problem(at, "%s cannot be used here", t)
		return &model.Ref{Kind: model.RefRaw}
	case t.PkgPath() == "encoding/json":
		d.problem(at, "%s: any JSON value is spec.Raw", t)
		return &model.Ref{Kind: model.RefRaw}
	case t.PkgPath() == "time":
		d.problem(at, "%s has no form on the wire: say one, as a string or a number", t)
		return &model.Ref{Kind: model.RefRaw}
	case t.Name() != "" && t.PkgPath() != "": // defined, not predeclared
		return &model.Ref{Kind: model.RefNamed, Name: d.named(t, at)}
	}
	return d.underlying(t, at)
}

func (d *describer) underlying(t reflect.Type, at Place) *model.Ref {
	switch k := t.Kind(); {
	case k == reflect.String:
		return &model.Ref{Kind: model.RefString}
	case k == reflect.Bool:
		return &model.Ref{Kind: model.RefBool}
	case isInt(k):
		return &model.Ref{Kind: model.RefInt}
	case k == reflect.Float64 || k == reflect.Float32:
		return &model.Ref{Kind: model.RefFloat}
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "":
		return &model.Ref{Kind: model.RefBytes}
	case k == reflect.Slice:
		return &model.Ref{Kind: model.RefList, Elem: d.elem(t.Elem(), at)}
	case k == reflect.Map && t.Key().Kind() == reflect.String:
		return &model.Ref{Kind: model.RefMap, Elem: d.elem(t.Elem(), at)}
	case k == reflect.Map:
		d.problem(at, "a map's keys are strings on the wire, not %s", t.Key())
	case k == reflect.Struct:
		d.problem(at, "an anonymous struct has no name in generated code: define a type for it")
	case k == reflect.Interface:
		d.problem(at, "%s says nothing about the wire: use a union for a choice, spec.Raw for any JSON", t)
	case k == reflect.Array:
		d.problem(at, "an array cannot be distinguished from a list on the wire: use a slice with length:\"%d..%d\"", t.Len(), t.Len())
	default:
		d.problem(at, "a %s cannot travel", t)
	}
	return &model.Ref{Kind: model.RefRaw}
}

func (d *describer) elem(t reflect.Type, at Place) *model.Ref {
	if t.Kind() == reflect.Pointer {
		d.problem(at, "an element that may be null has no word: use %s itself", t.Elem())
		t = t.Elem()
	}
	return d.ref(t, at)
}

func isInt(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uint64 }

func isUnion(t reflect.Type) bool { return unionMarker(t) != nil }

// unionMarker is the field that makes a struct a union.
func unionMarker(t reflect.Type) *reflect.StructField {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Type == unionType {
			return &f
		}
	}
	return nil
}

// variant is one choice of a union, as declared.
type variant struct {
	reflect.StructField
	wire string
}

func variants(t reflect.Type) []variant {
	var out []variant
	for i := range t.NumField() {
		f := t.Field(i)
		if wire, ok := f.Tag.Lookup("variant"); ok {
			out = append(out, variant{f, wire})
		}
	}
	return out
}

// before counts a union's shared members that stand before its variants: they
// are written before the content.
func before(t reflect.Type) int {
	list := variants(t)
	if len(list) == 0 {
		return len(members(t))
	}
	n := 0
	for _, m := range members(t) {
		if m.index[0] < list[0].Index[0] {
			n++
		}
	}
	return n
}

// typeName is a type's name in the model: the author's, with type arguments
// appended: Page[Item] is PageItem.
func typeName(t reflect.Type) string {
	name, args, ok := strings.Cut(t.Name(), "[")
	if !ok {
		return name
	}
	out := name
	for _, arg := range strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(",[]*", r) }) {
		arg = arg[strings.LastIndexAny(arg, "./")+1:]
		if arg != "" {
			out += strings.ToUpper(arg[:1]) + arg[1:]
		}
	}
	return out
}

func typePlace(t reflect.Type) Place {
	name, _, _ := strings.Cut(t.Name(), "[")
	return Place("type " + t.PkgPath() + " " + name)
}

func fieldPlace(t reflect.Type, field string) Place {
	name, _, _ := strings.Cut(t.Name(), "[")
	return Place("field " + t.PkgPath() + " " + name + " " + field)
}
