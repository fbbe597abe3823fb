// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// member is one field of a struct as a member of an object.
type memberOf struct {
	reflect.StructField
	index    []int // from the outermost struct
	wire     string
	optional bool // omitempty or omitzero
	place    Place
	problem  string
	hidden   bool     // no member at all, whatever its type: nothing follows
	fix      []string // what a machine can do about the problem
}

// members lists a struct's members in declared order, embedded structs'
// members in their place. Variants of a union are not among them.
func members(t reflect.Type) []memberOf {
	var out []memberOf
	for i := range t.NumField() {
		f := t.Field(i)
		_, isVariant := f.Tag.Lookup("variant")
		if f.Type == unionType || isVariant {
			continue
		}
		m := memberOf{StructField: f, index: []int{i}, place: fieldPlace(t, f.Name)}
		tag, tagged := f.Tag.Lookup("json")
		if f.Anonymous && !tagged {
			out = append(out, embedded(m)...)
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		m.wire = name
		switch {
		case !f.IsExported():
			m.hidden = true
			m.problem = fmt.Sprintf("%s is not exported, so it cannot be a member", f.Name)
		case tag == "-":
			m.hidden = true
			m.problem = fmt.Sprintf("%s is no member: payload structs hold members alone", f.Name)
		case name == "":
			m.wire = lowerFirst(f.Name)
			m.problem = fmt.Sprintf("%s does not say its name on the wire: tag it json:\"…\"", f.Name)
		}
		if p, key := mistagged(f.Tag, memberTags); p != "" && m.problem == "" {
			m.problem = f.Name + ": " + p
			m.fix = retag(key, memberTags)
		}
		for _, o := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
			switch o {
			case "omitempty", "omitzero":
				m.optional = true
				if p := omits(f.Type, o); p != "" && m.problem == "" {
					m.problem = f.Name + ": " + p
					m.fix = []string{"tag", "json", strings.Replace(tag, "omitempty", "omitzero", 1)}
				}
			case "string":
				m.problem = fmt.Sprintf("%s: for a 64-bit integer in a string the type is spec.Wide", f.Name)
			default:
				m.problem = fmt.Sprintf("%s: json option %q has no meaning here", f.Name, o)
			}
		}
		out = append(out, m)
	}
	return out
}

func embedded(m memberOf) []memberOf {
	m.hidden = true
	switch {
	case m.Type.Kind() == reflect.Pointer:
		m.problem = "an embedded pointer would make all its members optional at once: embed the struct, or name a member"
		return []memberOf{m}
	case m.Type.Kind() != reflect.Struct || isUnion(m.Type):
		m.problem = fmt.Sprintf("%s is embedded, but is no plain struct: give it a json name", m.Name)
		return []memberOf{m}
	}
	inner := members(m.Type)
	for i := range inner {
		inner[i].index = append([]int{m.Index[0]}, inner[i].index...)
	}
	return inner
}

// omits says what is wrong with an option of omission for a type.
func omits(t reflect.Type, option string) string {
	if option == "omitzero" {
		return ""
	}
	switch {
	case t == rawType:
		return ""
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return "omitempty would lose an empty list: use omitzero"
	case t.Kind() == reflect.Struct:
		return "omitempty does nothing for a struct: use omitzero"
	}
	return ""
}

var nullablePrefix = "Nullable["

// nullable gives T of Nullable[T].
func nullable(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() == reflect.Struct && t.PkgPath() == specPath && strings.HasPrefix(t.Name(), nullablePrefix) {
		f, _ := t.FieldByName("V")
		return f.Type, true
	}
	return nil, false
}

// field describes one member.
func (d *describer) field(m memberOf) *model.Field {
	out := &model.Field{
		Name: m.Name, Wire: m.wire, Pos: m.place.pos(), Pattern: m.Tag.Get("pattern"), Since: m.Tag.Get("since"),
		Sensitive: m.Tag.Get("sensitive") == "true", Intern: m.Tag.Get("intern") == "true",
	}
	t := m.Type
	inner, isNullable := nullable(t)
	switch {
	case isNullable:
		out.Presence = model.Nullable
		if !m.optional {
			out.Presence = model.OrNull
		}
		t = inner
	case t.Kind() == reflect.Pointer:
		out.Presence = model.Optional
		if !m.optional {
			d.problem(m.place, "%s: a pointer is an optional member, so tag it omitempty; for one that may be null use spec.Nullable", m.Name)
			d.fix("tag", "json", m.Tag.Get("json")+",omitempty")
		}
		t = t.Elem()
		if k := t.Kind(); t != rawType && (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map) {
			d.problem(m.place, "%s: a list is optional by omitzero alone, without the pointer", m.Name)
		}
	case m.optional && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map):
		out.Presence = model.Optional
	case m.optional:
		out.Presence = model.OmitZero
	default:
		out.Presence = model.Required
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	out.Type = d.ref(t, m.place)
	d.bounds(m, t, out)
	d.defaults(m, out)
	return out
}

// bounds reads the tags that narrow a member.
func (d *describer) bounds(m memberOf, t reflect.Type, out *model.Field) {
	for _, b := range []struct {
		tag string
		to  **int64
	}{{"min", &out.Min}, {"max", &out.Max}} {
		text, ok := m.Tag.Lookup(b.tag)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil:
			d.problem(m.place, "%s: %s:%q is no integer", m.Name, b.tag, text)
		case !isInt(t.Kind()):
			d.problem(m.place, "%s: %s bounds an integer; for a string or list the tag is length", m.Name, b.tag)
		default:
			*b.to = &n
		}
	}
	if out.Min == nil || out.Max == nil {
		low, high, ok := width(t.Kind())
		if out.Min == nil && ok && low != nil {
			out.Min = low
		}
		if out.Max == nil && ok && high != nil {
			out.Max = high
		}
	}
	if out.Min != nil && out.Max != nil && *out.Min > *out.Max {
		d.problem(m.place, "%s: min is greater than max", m.Name)
	}
	if text, ok := m.Tag.Lookup("length"); ok {
		low, high, valid := parseLength(text)
		switch {
		case !valid:
			d.problem(m.place, "%s: length:%q is not of the form \"1..255\", \"1..\" or \"..255\"", m.Name, text)
		case t.Kind() != reflect.String && t.Kind() != reflect.Slice && t.Kind() != reflect.Map:
			d.problem(m.place, "%s: length bounds a string or a list; for an integer the tags are min and max", m.Name)
		}
		out.MinLength, out.MaxLength = low, high
	}
	if out.Pattern != "" {
		if _, err := regexp.Compile(out.Pattern); err != nil {
			d.problem(m.place, "%s: the pattern is no regular expression (RE2): %v", m.Name, err)
		}
		if t.Kind() != reflect.String {
			d.problem(m.place, "%s: a pattern is for strings", m.Name)
		}
	}
	for _, tag := range []string{"sensitive", "intern"} {
		if text, ok := m.Tag.Lookup(tag); ok && text != "true" {
			d.problem(m.place, "%s: %s:%q: write %s:\"true\" or nothing", m.Name, tag, text, tag)
			d.fix("tag", tag, "true")
		}
	}
}

// width is the range of an integer type that is narrower than the wire's.
func width(k reflect.Kind) (low, high *int64, ok bool) {
	switch k {
	case reflect.Int8:
		return new(int64(math.MinInt8)), new(int64(math.MaxInt8)), true
	case reflect.Int16:
		return new(int64(math.MinInt16)), new(int64(math.MaxInt16)), true
	case reflect.Int32:
		return new(int64(math.MinInt32)), new(int64(math.MaxInt32)), true
	case reflect.Uint8:
		return new(int64(0)), new(int64(math.MaxUint8)), true
	case reflect.Uint16:
		return new(int64(0)), new(int64(math.MaxUint16)), true
	case reflect.Uint32:
		return new(int64(0)), new(int64(math.MaxUint32)), true
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return new(int64(0)), nil, true
	}
	return nil, nil, false
}

func parseLength(text string) (low, high *int, ok bool) {
	a, b, ok := strings.Cut(text, "..")
	if !ok || a == "" && b == "" {
		return nil, nil, false
	}
	for _, side := range []struct {
		text string
		to   **int
	}{{a, &low}, {b, &high}} {
		if side.text == "" {
			continue
		}
		n, err := strconv.Atoi(side.text)
		if err != nil || n < 0 {
			return nil, nil, false
		}
		*side.to = &n
	}
	return low, high, low == nil || high == nil || *low <= *high
}

// defaults reads `default:"drop"`. Where it hangs on other members, their cases
// follow: `default:"drop; messageId: continue; turn: continue"` means drop,
// but continue if messageId or turn is present; "!turn" is its absence.
func (d *describer) defaults(m memberOf, out *model.Field) {
	text, ok := m.Tag.Lookup("default")
	if !ok {
		return
	}
	if !m.optional {
		d.problem(m.place, "%s is required, so it has no default", m.Name)
	}
	parts := strings.Split(text, ";")
	out.Default = &model.Default{Value: strings.TrimSpace(parts[0])}
	for _, part := range parts[1:] {
		name, value, ok := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if !ok {
			d.problem(m.place, "%s: in default, %q is not of the form \"member: value\"", m.Name, part)
			continue
		}
		out.Default.When = append(out.Default.When, model.Cond{
			Member: strings.TrimPrefix(name, "!"), Present: !strings.HasPrefix(name, "!"), Value: strings.TrimSpace(value),
		})
	}
}
