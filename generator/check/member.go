// SPDX-License-Identifier: Apache-2.0

package check

import (
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// member is what a member path leads to: a field, or a variant of a union.
type member struct {
	field   *model.Field
	variant *model.Variant
}

// member follows a path from a payload type; nil if it leads nowhere.
func (r *run) member(typeName, path string) *member {
	t := r.types[typeName]
	var at *member
	for path != "" {
		if t == nil {
			return nil
		}
		var rest string
		at, rest = next(t, path)
		if at == nil {
			return nil
		}
		path = rest
		switch {
		case at.variant != nil:
			t = r.types[at.variant.Type]
		case at.field.Type.Kind == model.RefNamed:
			t = r.types[at.field.Type.Name]
		default:
			t = nil
		}
	}
	return at
}

// next takes the first name off a path. Variants' tags may hold dots, so that
// names are tried, not cut.
func next(t *model.Type, path string) (*member, string) {
	for _, f := range t.Fields {
		if rest, ok := cut(path, f.Wire); ok {
			return &member{field: f}, rest
		}
	}
	if t.Union != nil && !t.Union.ByShape() {
		for _, v := range t.Union.Variants {
			if rest, ok := cut(path, v.Wire); ok {
				return &member{variant: v}, rest
			}
		}
	}
	return nil, ""
}

func cut(path, name string) (rest string, ok bool) {
	if path == name {
		return "", true
	}
	return strings.CutPrefix(path, name+".")
}

// valuesOf lists the values that a member can have, and reports whether there
// are no others: of an enum its values, of a union its tags, of a boolean both.
// None are known of other types.
func (r *run) valuesOf(m *member) (values []string, closed bool) {
	if m.field == nil {
		return nil, false
	}
	switch m.field.Type.Kind {
	case model.RefBool:
		return []string{"true", "false"}, true
	case model.RefNamed:
		t := r.types[m.field.Type.Name]
		switch {
		case t == nil:
		case t.Kind == model.KindEnum:
			for _, v := range t.Enum.Values {
				values = append(values, v.Wire)
			}
			return values, t.Enum.Closed
		case t.Kind == model.KindUnion && !t.Union.ByShape():
			for _, v := range t.Union.Variants {
				values = append(values, v.Wire)
			}
			return values, false
		case t.Kind == model.KindNamed && t.Of != nil && t.Of.Kind == model.RefBool:
			return []string{"true", "false"}, true
		}
	}
	return nil, false
}
