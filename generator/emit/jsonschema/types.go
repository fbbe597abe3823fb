// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"encoding/json"
	"strconv"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/spec/model"
)

// Integers are exact in every language only up to this bound.
const (
	maxExact = "9007199254740991"
	minExact = "-9007199254740991"
)

// payload is the definition of one declared type.
func (b *bundle) payload(t *model.Type) *js.Schema {
	var s *js.Schema
	switch t.Kind {
	case model.KindStruct:
		s = b.object(t.Fields, t.Name)
	case model.KindUnion:
		s = b.union(t)
	case model.KindEnum:
		s = b.enum(t.Enum)
	case model.KindNamed:
		s = b.withSiblings(b.use(t.Of, t.Name))
	default:
		b.fail("type %s is of the unknown kind %q", t.Name, t.Kind)
		s = &js.Schema{}
	}
	b.describe(s, t.Doc, t.Name)
	return s
}

// object is an open object with the given members.
func (b *bundle) object(fields []*model.Field, at string) *js.Schema {
	s := &js.Schema{Type: "object"}
	b.members(s, fields, at)
	return s
}

func (b *bundle) members(s *js.Schema, fields []*model.Field, at string) {
	for _, f := range fields {
		if s.Properties == nil {
			s.Properties = js.NewProperties()
		}
		s.Properties.Set(f.Wire, b.member(f, at+"."+f.Wire))
		if f.Always() {
			s.Required = append(s.Required, f.Wire)
		}
	}
}

// encoded is how many characters of base64 stand for n bytes.
func encoded(n *int) *int {
	if n == nil {
		return nil
	}
	return new((*n + 2) / 3 * 4)
}

// member is the schema of one member: the use of its type, bounds and text.
func (b *bundle) member(f *model.Field, at string) *js.Schema {
	s := b.withSiblings(b.use(f.Type, at))
	// Bounds and pattern may be siblings of a $ref; 2020-12 applies both.
	if f.Min != nil {
		s.Minimum = json.Number(strconv.FormatInt(*f.Min, 10))
	}
	if f.Max != nil {
		s.Maximum = json.Number(strconv.FormatInt(*f.Max, 10))
	}
	switch b.underlying(f.Type).Kind {
	case model.RefList:
		s.MinItems, s.MaxItems = size(f.MinLength), size(f.MaxLength)
	case model.RefMap:
		s.MinProperties, s.MaxProperties = size(f.MinLength), size(f.MaxLength)
	case model.RefBytes: // four characters for three bytes
		s.MinLength, s.MaxLength = size(encoded(f.MinLength)), size(encoded(f.MaxLength))
	default:
		s.MinLength, s.MaxLength = size(f.MinLength), size(f.MaxLength)
	}
	if f.Pattern != "" {
		if s.Pattern != "" { // a wide integer has one of its own
			s = &js.Schema{AllOf: []*js.Schema{s}}
		}
		s.Pattern = f.Pattern
	}
	if f.Null() {
		s = orNull(s)
	}
	b.describe(s, f.Doc, f.Name)
	if d := f.Default; d != nil {
		if d.Value != "" {
			s.Default = b.literal(f.Type, d.Value)
		}
		if len(d.When) > 0 {
			extra(s, "x-default-when", d.When)
		}
	}
	extra(s, "x-since", f.Since)
	extra(s, "x-sensitive", f.Sensitive)
	return s
}

func orNull(s *js.Schema) *js.Schema {
	return &js.Schema{AnyOf: []*js.Schema{s, {Type: "null"}}}
}

func size(n *int) *uint64 {
	if n == nil {
		return nil
	}
	u := uint64(*n)
	return &u
}

// literal is a default's value with the JSON type of its member.
func (b *bundle) literal(r *model.Ref, value string) any {
	switch u := b.underlying(r); {
	case u.Kind == model.RefInt && !u.Wide, u.Kind == model.RefFloat:
		return json.Number(value)
	case u.Kind == model.RefBool:
		return value == "true"
	}
	return value
}

// underlying follows names to the reference that they stand for.
func (b *bundle) underlying(r *model.Ref) *model.Ref {
	for depth := 0; r.Kind == model.RefNamed && depth < 16; depth++ {
		t := b.types[r.Name]
		switch {
		case t == nil:
			return r
		case t.Kind == model.KindEnum && t.Enum.Integer:
			return &model.Ref{Kind: model.RefInt}
		case t.Kind == model.KindEnum:
			return &model.Ref{Kind: model.RefString}
		case t.Kind != model.KindNamed || t.Of == nil:
			return r
		}
		r = t.Of
	}
	return r
}

// use is the schema of one use of a type.
func (b *bundle) use(r *model.Ref, at string) *js.Schema {
	switch r.Kind {
	case model.RefString:
		return &js.Schema{Type: "string"}
	case model.RefBool:
		return &js.Schema{Type: "boolean"}
	case model.RefInt:
		if r.Wide {
			return &js.Schema{Type: "string", Pattern: `^-?(0|[1-9][0-9]{0,18})$`, Extras: map[string]any{"x-int64": true}}
		}
		return &js.Schema{Type: "integer", Minimum: minExact, Maximum: maxExact}
	case model.RefFloat:
		return &js.Schema{Type: "number"}
	case model.RefRaw:
		return &js.Schema{}
	case model.RefBytes:
		return &js.Schema{Type: "string", ContentEncoding: "base64"}
	case model.RefList:
		return &js.Schema{Type: "array", Items: b.use(r.Elem, at+"[]")}
	case model.RefMap:
		return &js.Schema{Type: "object", AdditionalProperties: b.use(r.Elem, at+"{}")}
	case model.RefNamed:
		return b.typeRef(r.Name, at)
	}
	b.fail("%s is of the unknown kind %q", at, r.Kind)
	return &js.Schema{}
}

// enum lists the known values, each with its text, integers with their names too;
// an open one takes any other string or integer.
func (b *bundle) enum(e *model.Enum) *js.Schema {
	s := &js.Schema{Type: "string"}
	if e.Integer {
		s = b.use(&model.Ref{Kind: model.RefInt}, "")
	}
	for _, v := range e.Values {
		one := constant(v.Wire)
		if e.Integer {
			one = &js.Schema{Title: v.Name, Enum: []any{json.Number(v.Wire)}}
		}
		b.describe(one, v.Doc, v.Name)
		s.AnyOf = append(s.AnyOf, one)
	}
	if !e.Closed && len(s.AnyOf) > 0 {
		s.AnyOf = append(s.AnyOf, &js.Schema{Title: "unknown", Type: s.Type})
	}
	return s
}

// constant is exactly one string. The document model would drop an empty Const.
func constant(value string) *js.Schema {
	if value == "" {
		return &js.Schema{Enum: []any{value}}
	}
	return &js.Schema{Const: value}
}

// union is an object whose tag selects one shape. A tag that is not known
// selects none: such a value is kept as it is.
func (b *bundle) union(t *model.Type) *js.Schema {
	u := t.Union
	if u.ByShape() {
		return b.shapes(t)
	}
	s := &js.Schema{Type: "object", Properties: js.NewProperties(), Required: []string{u.Tag}}
	s.Properties.Set(u.Tag, &js.Schema{Type: "string"})
	if u.Content != "" {
		s.Required = append(s.Required, u.Content) // an empty one is written too
	}
	b.members(s, t.Fields, t.Name)
	var tags []any
	for _, v := range u.Variants {
		one := &js.Schema{}
		at := t.Name + "." + v.Name
		if u.Content == "" {
			one = b.withSiblings(b.typeRef(v.Type, at))
		}
		one.Title = v.Wire
		one.Properties = js.NewProperties()
		one.Properties.Set(u.Tag, constant(v.Wire))
		if u.Content != "" {
			one.Properties.Set(u.Content, b.typeRef(v.Type, at))
		}
		b.describe(one, v.Doc, v.Name)
		extra(one, "x-off-wire", v.OffWire)
		extra(one, "x-only", v.Only)
		extra(one, "x-since", v.Since)
		tags = append(tags, v.Wire)
		s.OneOf = append(s.OneOf, one)
	}
	unknown := &js.Schema{Title: "unknown", Properties: js.NewProperties()}
	unknown.Properties.Set(u.Tag, &js.Schema{Not: &js.Schema{Enum: tags}})
	s.OneOf = append(s.OneOf, unknown)
	return s
}

// shapes is a value of one of several kinds. An object with the members that
// distinguish one variant is validated against that one.
func (b *bundle) shapes(t *model.Type) *js.Schema {
	s := &js.Schema{}
	var branches []*js.Schema
	for i, v := range t.Union.Variants {
		at := t.Name + "." + v.Name
		one := b.use(v.Of, at)
		if v.Doc != (model.Text{}) {
			one = b.withSiblings(one)
			b.describe(one, v.Doc, v.Name)
		}
		s.AnyOf = append(s.AnyOf, one)
		if model.ShapeOf(b.types, v.Of) != model.ObjectShape {
			continue
		}
		tells, _, ok := model.Distinguish(b.types, t.Union, i)
		if !ok || len(tells) == 0 {
			continue
		}
		has := &js.Schema{Type: "object", Properties: js.NewProperties()}
		for _, tell := range tells {
			has.Required = append(has.Required, tell.Member)
			has.Properties.Set(tell.Member, ofShape(tell.Shape))
		}
		branches = append(branches, &js.Schema{If: has, Then: b.use(v.Of, at)})
	}
	switch len(branches) {
	case 0:
	case 1:
		s.If, s.Then = branches[0].If, branches[0].Then
	default: // the first that holds counts: the others are tried if it does not
		for i := len(branches) - 2; i >= 0; i-- {
			branches[i].Else = branches[i+1]
		}
		s.If, s.Then, s.Else = branches[0].If, branches[0].Then, branches[0].Else
	}
	return s
}

// ofShape is any value of some kinds.
func ofShape(shape model.Shape) *js.Schema {
	names := map[model.Shape]string{
		model.NullShape: "null", model.BoolShape: "boolean", model.NumberShape: "number",
		model.StringShape: "string", model.ListShape: "array", model.ObjectShape: "object",
	}
	s := &js.Schema{}
	for _, one := range shape.Shapes() {
		s.AnyOf = append(s.AnyOf, &js.Schema{Type: names[one]})
	}
	if len(s.AnyOf) == 1 {
		return s.AnyOf[0]
	}
	return s
}
