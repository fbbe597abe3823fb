// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	js "github.com/invopop/jsonschema"
)

// Render writes a document that holds schemas, with two spaces of indent and a
// final newline: as encoding/json would, but for the escapes for HTML. The
// document model's own encoding writes each schema again at every level above it,
// which for a large protocol was a quarter of all work.
func Render(document any) ([]byte, error) {
	w := &renderer{}
	if err := w.value(reflect.ValueOf(document)); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return append(w.out, '\n'), nil
}

// renderer writes JSON with indents.
type renderer struct {
	out   []byte
	depth int
}

var (
	marshalerType = reflect.TypeFor[json.Marshaler]()
	schemaType    = reflect.TypeFor[js.Schema]()
	numberType    = reflect.TypeFor[json.Number]()

	booleanField = fieldOf(schemaType, "boolean") // of true and false
	extrasField  = fieldOf(schemaType, "Extras")
)

func fieldOf(t reflect.Type, name string) int {
	f, ok := t.FieldByName(name)
	if !ok {
		panic("jsonschema: the document model has no field " + name)
	}
	return f.Index[0]
}

func (w *renderer) value(v reflect.Value) error {
	if !v.IsValid() {
		return w.raw("null")
	}
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer && (t.Elem() == schemaType || !t.Implements(marshalerType)):
		if v.IsNil() {
			return w.raw("null")
		}
		return w.value(v.Elem())
	case t == schemaType:
		return w.schema(v)
	case t.Kind() == reflect.Pointer && v.MethodByName("Oldest").IsValid():
		return w.ordered(v)
	case t.Implements(marshalerType):
		return w.marshaled(v)
	case t == numberType:
		return w.raw(v.String())
	}
	switch t.Kind() {
	case reflect.String:
		w.string(v.String())
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case reflect.Slice:
		if v.IsNil() {
			return w.raw("null")
		}
		return w.list(v)
	case reflect.Map:
		if v.IsNil() {
			return w.raw("null")
		}
		o := w.object()
		if err := o.entries(v); err != nil {
			return err
		}
		o.end()
	case reflect.Struct:
		o := w.object()
		if err := o.members(v); err != nil {
			return err
		}
		o.end()
	default:
		return w.marshaled(v)
	}
	return nil
}

func (w *renderer) raw(text string) error {
	w.out = append(w.out, text...)
	return nil
}

// marshaled writes what has an encoding of its own.
func (w *renderer) marshaled(v reflect.Value) error {
	compact, err := json.Marshal(v.Interface())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, plain(compact), strings.Repeat("  ", w.depth), "  "); err != nil {
		return err
	}
	w.out = append(w.out, b.Bytes()...)
	return nil
}

// schema writes a schema: true for one that says nothing, and its extra members
// after the others.
func (w *renderer) schema(v reflect.Value) error {
	if b := v.Field(booleanField); !b.IsNil() {
		return w.raw(strconv.FormatBool(b.Elem().Bool()))
	}
	if v.IsZero() {
		return w.raw("true")
	}
	o := w.object()
	if err := o.members(v); err != nil {
		return err
	}
	if err := o.entries(v.Field(extrasField)); err != nil {
		return err
	}
	o.end()
	return nil
}

// ordered writes a map that keeps its order, whatever its type arguments.
func (w *renderer) ordered(v reflect.Value) error {
	if v.IsNil() {
		return w.raw("null")
	}
	o := w.object()
	for pair := v.MethodByName("Oldest").Call(nil)[0]; !pair.IsNil(); pair = pair.MethodByName("Next").Call(nil)[0] {
		o.key(pair.Elem().FieldByName("Key").String())
		if err := w.value(pair.Elem().FieldByName("Value")); err != nil {
			return err
		}
	}
	o.end()
	return nil
}

func (w *renderer) list(v reflect.Value) error {
	if v.Len() == 0 {
		return w.raw("[]")
	}
	w.out = append(w.out, '[')
	w.depth++
	for i := range v.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line()
		if err := w.value(v.Index(i)); err != nil {
			return err
		}
	}
	w.depth--
	w.line()
	w.out = append(w.out, ']')
	return nil
}

func (w *renderer) line() {
	w.out = append(w.out, '\n')
	for range w.depth {
		w.out = append(w.out, "  "...)
	}
}

// object is one being written.
type object struct {
	*renderer
	begun bool
}

func (w *renderer) object() *object {
	w.out = append(w.out, '{')
	w.depth++
	return &object{renderer: w}
}

func (o *object) key(name string) {
	if o.begun {
		o.out = append(o.out, ',')
	}
	o.begun = true
	o.line()
	o.string(name)
	o.out = append(o.out, ": "...)
}

func (o *object) end() {
	o.depth--
	if o.begun {
		o.line()
	}
	o.out = append(o.out, '}')
}

// entries writes a map's entries, sorted.
func (o *object) entries(v reflect.Value) error {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys {
		o.key(k.String())
		if err := o.value(v.MapIndex(k)); err != nil {
			return err
		}
	}
	return nil
}

// members writes a struct's members, those of embedded structs in their place.
func (o *object) members(v reflect.Value) error {
	for _, m := range membersOf(v.Type()) {
		f := v.Field(m.index)
		if m.embedded {
			if f.Kind() == reflect.Pointer {
				if f.IsNil() {
					continue
				}
				f = f.Elem()
			}
			if err := o.members(f); err != nil {
				return err
			}
			continue
		}
		if m.omitEmpty && empty(f) || m.omitZero && f.IsZero() {
			continue
		}
		o.key(m.name)
		if err := o.value(f); err != nil {
			return err
		}
	}
	return nil
}

// member is one field as encoding/json sees it.
type member struct {
	name                          string
	index                         int
	embedded, omitEmpty, omitZero bool
}

var memberCache sync.Map // reflect.Type → []member

func membersOf(t reflect.Type) []member {
	if known, ok := memberCache.Load(t); ok {
		return known.([]member)
	}
	var out []member
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && !tagged:
			out = append(out, member{index: i, embedded: true})
			continue
		case name == "":
			name = f.Name
		}
		words := strings.Split(options, ",")
		out = append(out, member{name: name, index: i, omitEmpty: slices.Contains(words, "omitempty"), omitZero: slices.Contains(words, "omitzero")})
	}
	memberCache.Store(t, out)
	return out
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// string writes a string with the escapes that JSON needs.
func (w *renderer) string(s string) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				w.out = append(append(w.out, s[from:i]...), `\ufffd`...)
				from = i + 1
			}
			i += size
			continue
		}
		w.out = append(w.out, s[from:i]...)
		switch c {
		case '"', '\\':
			w.out = append(w.out, '\\', c)
		case '\b':
			w.out = append(w.out, `\b`...)
		case '\f':
			w.out = append(w.out, `\f`...)
		case '\n':
			w.out = append(w.out, `\n`...)
		case '\r':
			w.out = append(w.out, `\r`...)
		case '\t':
			w.out = append(w.out, `\t`...)
		default:
			w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	w.out = append(append(w.out, s[from:]...), '"')
}

// plain undoes the escaping for HTML that encodings of their own do: these texts
// are read by people.
func plain(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		if b[i+1] == 'u' && i+6 <= len(b) {
			if c, ok := harmless[string(b[i+2:i+6])]; ok {
				out = append(out, c...)
				i += 5
				continue
			}
		}
		out = append(out, b[i], b[i+1]) // an escaped backslash must not start another escape
		i++
	}
	return out
}

var harmless = map[string]string{"003c": "<", "003e": ">", "0026": "&", "2028": "\u2028", "2029": "\u2029"}
