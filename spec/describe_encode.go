// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/accordkit/accord/spec/model"
)

// encoder writes payloads as generated codecs do: compact, members in declared
// order, a union's tag first, its content where its variants stand. It never goes
// through encoding/json, which knows neither unions nor absence.
type encoder struct {
	out     []byte
	problem func(format string, args ...any)
}

func (e *encoder) value(v reflect.Value, path string) {
	t := v.Type()
	if _, ok := nullable(t); ok { // a result: the zero Nullable is null
		if !v.FieldByName("Set").Bool() || v.FieldByName("Null").Bool() {
			e.out = append(e.out, "null"...)
			return
		}
		e.value(v.FieldByName("V"), path)
		return
	}
	switch {
	case t == rawType:
		if !json.Valid(v.Bytes()) {
			e.problem("%s is no JSON value", shown(path))
			e.out = append(e.out, "null"...)
			return
		}
		e.out = append(e.out, v.Bytes()...)
	case t == wideType:
		e.out = append(e.out, '"')
		e.out = strconv.AppendInt(e.out, v.Int(), 10)
		e.out = append(e.out, '"')
	case isUnion(t):
		e.union(v, path)
	case t.Kind() == reflect.Struct:
		e.out = append(e.out, '{')
		e.members(v, path, true)
		e.out = append(e.out, '}')
	case t.Kind() == reflect.Pointer && !v.IsNil():
		e.value(v.Elem(), path)
	case t.Kind() == reflect.String:
		e.string(v.String(), path)
	case t.Kind() == reflect.Bool:
		e.out = strconv.AppendBool(e.out, v.Bool())
	case v.CanInt():
		e.int(v.Int(), path)
	case v.CanUint():
		n := v.Uint()
		if n > math.MaxInt64 {
			n = math.MaxInt64
		}
		e.int(int64(n), path)
	case v.CanFloat():
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			e.problem("%s is %v, which JSON cannot say", shown(path), f)
			f = 0
		}
		b, _ := json.Marshal(f)
		e.out = append(e.out, b...)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		e.string(base64.StdEncoding.EncodeToString(v.Bytes()), path)
	case t.Kind() == reflect.Slice:
		e.out = append(e.out, '[')
		for i := range v.Len() {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.value(v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
		e.out = append(e.out, ']')
	case t.Kind() == reflect.Map:
		e.out = append(e.out, '{')
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			if a.String() < b.String() {
				return -1
			}
			return 1
		})
		for i, k := range keys {
			e.key(k.String(), i == 0)
			e.value(v.MapIndex(k), join(path, k.String()))
		}
		e.out = append(e.out, '}')
	default: // its description reports it
		e.out = append(e.out, "null"...)
	}
}

// members writes a struct's members; first reports whether a comma is due.
func (e *encoder) members(v reflect.Value, path string, first bool) bool {
	return e.list(members(v.Type()), v, path, first)
}

func (e *encoder) list(members []memberOf, v reflect.Value, path string, first bool) bool {
	for _, m := range members {
		if m.problem != "" {
			continue
		}
		f := v.FieldByIndex(m.index)
		path := join(path, m.wire)
		if _, ok := nullable(m.Type); ok {
			switch {
			case !f.FieldByName("Set").Bool() && m.optional:
			case !f.FieldByName("Set").Bool() || f.FieldByName("Null").Bool():
				first = e.key(m.wire, first)
				e.out = append(e.out, "null"...)
			default:
				first = e.key(m.wire, first)
				e.bounded(m, f.FieldByName("V"), path)
			}
			continue
		}
		if absent(f, m.optional) {
			continue
		}
		first = e.key(m.wire, first)
		for f.Kind() == reflect.Pointer {
			if f.IsNil() { // a required pointer: its description reports it
				f = reflect.Zero(f.Type().Elem())
				continue
			}
			f = f.Elem()
		}
		e.bounded(m, f, path)
	}
	return first
}

// absent reports whether an optional member is left out. A list is absent when
// nil: an empty one is written.
func absent(v reflect.Value, optional bool) bool {
	switch {
	case !optional:
		return false
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return v.IsNil()
	}
	return v.IsZero()
}

func (e *encoder) key(name string, first bool) bool {
	if !first {
		e.out = append(e.out, ',')
	}
	e.string(name, name)
	e.out = append(e.out, ':')
	return false
}

func (e *encoder) union(v reflect.Value, path string) {
	t := v.Type()
	marker := unionMarker(t)
	var chosen *variant
	for _, c := range variants(t) {
		switch f := v.FieldByIndex(c.Index); f.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			if f.IsNil() {
				continue
			}
		default:
			continue
		}
		if chosen != nil {
			e.problem("%s sets two variants, %s and %s", shown(path), chosen.Name, c.Name)
			break
		}
		chosen = &c
	}
	if chosen == nil {
		e.problem("%s sets no variant of %s", shown(path), t.Name())
		e.out = append(e.out, "{}"...)
		return
	}
	if byShape(t) {
		e.value(v.FieldByIndex(chosen.Index), path)
		return
	}
	e.out = append(e.out, '{')
	first := e.key(marker.Tag.Get("tag"), true)
	e.string(chosen.wire, path)
	shared := members(t)
	n := before(t)
	first = e.list(shared[:n], v, path, first)
	inner, within := v.FieldByIndex(chosen.Index).Elem(), join(path, chosen.wire)
	if content := marker.Tag.Get("content"); content != "" {
		first = e.key(content, first)
		e.value(inner, within)
	} else {
		first = e.members(inner, within, first)
	}
	e.list(shared[n:], v, path, first)
	e.out = append(e.out, '}')
}

// bounded writes a member's value and checks it against the member's tags.
func (e *encoder) bounded(m memberOf, v reflect.Value, path string) {
	e.value(v, path)
	var f model.Field
	quiet := &describer{}
	quiet.bounds(m, v.Type(), &f)
	if len(quiet.problems) > 0 {
		return // the bounds are wrong, not the value
	}
	switch {
	case v.CanInt():
		if f.Min != nil && v.Int() < *f.Min || f.Max != nil && v.Int() > *f.Max {
			e.problem("%s is %d: its tags want %s", shown(path), v.Int(), within(f.Min, f.Max))
		}
	case v.Kind() == reflect.String:
		e.length(utf8.RuneCountInString(v.String()), f, path)
		if f.Pattern == "" {
			break
		}
		if re, err := regexp.Compile(f.Pattern); err == nil && !re.MatchString(v.String()) {
			e.problem("%s is %q, which does not match %s", shown(path), v.String(), f.Pattern)
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		e.length(v.Len(), f, path)
	}
}

// within says what bounds ask for, of which one may be missing.
func within[N int | int64](least, most *N) string {
	switch {
	case most == nil:
		return fmt.Sprintf("at least %d", *least)
	case least == nil:
		return fmt.Sprintf("at most %d", *most)
	}
	return fmt.Sprintf("%d to %d", *least, *most)
}

func (e *encoder) length(n int, f model.Field, path string) {
	if f.MinLength != nil && n < *f.MinLength || f.MaxLength != nil && n > *f.MaxLength {
		e.problem("%s has length %d: its tags want %s", shown(path), n, within(f.MinLength, f.MaxLength))
	}
}

const maxExact = 1<<53 - 1

func (e *encoder) int(n int64, path string) {
	if n > maxExact || n < -maxExact {
		e.problem("%s is %d: past 2^53-1 an integer is a spec.Wide", shown(path), n)
	}
	e.out = strconv.AppendInt(e.out, n, 10)
}

// string writes a string as JSON has it: no escapes but the necessary ones.
func (e *encoder) string(s, path string) {
	if !utf8.ValidString(s) {
		e.problem("%s is no valid UTF-8", shown(path))
	}
	const hex = "0123456789abcdef"
	e.out = append(e.out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			e.out = append(e.out, '\\', byte(r))
		case r == '\n':
			e.out = append(e.out, `\n`...)
		case r == '\r':
			e.out = append(e.out, `\r`...)
		case r == '\t':
			e.out = append(e.out, `\t`...)
		case r < 0x20:
			e.out = append(e.out, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			e.out = utf8.AppendRune(e.out, r)
		}
	}
	e.out = append(e.out, '"')
}

func shown(path string) string {
	if path == "" {
		return "the value"
	}
	return path
}
