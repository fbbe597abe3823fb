// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// longest is how long a string is made to show that it is too long.
const longest = 4096

// refuses are texts of a shape that are not read.
func (w *world) refuses(s shape) []Refuse {
	r := &refusals{world: w, shape: s, least: w.object(s, false, nil, 0)}
	if u := s.t.Union; u != nil && u.Content != "" {
		r.add("no content", Strict, r.least.without(u.Content).String(), codec.Missing, u.Content)
		if s.first {
			r.add("an unknown variant without content", Strict, r.least.with(u.Tag, quote(unknownName)).without(u.Content).String(), codec.Missing, u.Content)
		}
	}
	if !s.first && !s.union {
		return r.out // what a union's variants share is tried once
	}
	if s.first {
		by := ""
		if s.union {
			by = Strict // else it is kept as it is
		}
		r.add("no object", by, "[]", codec.Type, "")
		if u := s.t.Union; u != nil {
			r.add("no tag", Strict, r.least.without(u.Tag).String(), codec.Missing, u.Tag)
			r.add("a tag that is no string", Strict, r.least.with(u.Tag, "7").String(), codec.Missing, u.Tag)
		}
	}
	twice := r.least
	if len(twice) == 0 {
		twice = w.object(s, true, nil, 0)
	}
	if len(twice) > 0 {
		m := twice[0]
		r.add(m.name+" twice", "", append(object{m}, twice...).String(), codec.Duplicate, pathOf("", m.name))
	}
	for _, f := range s.own {
		r.member(f)
	}
	return r.out
}

// refusals gathers those of one shape.
type refusals struct {
	*world
	shape shape
	least object
	out   []Refuse
}

func (r *refusals) add(name, by, text string, kind codec.Kind, path string) {
	r.out = append(r.out, Refuse{Name: r.shape.label + name, By: by, Text: text, Kind: kind.String(), Path: &path})
}

// set is the least value with another text for a member.
func (r *refusals) set(f *model.Field, text string) string {
	return r.object(r.shape, false, map[string]string{f.Wire: text}, 0).String()
}

// member are the refusals about one member.
func (r *refusals) member(f *model.Field) {
	path := pathOf("", f.Wire)
	always := ""
	if r.shape.union {
		always = Strict
	}
	if f.Always() {
		r.add("without "+f.Wire, Strict, r.least.without(f.Wire).String(), codec.Missing, path)
	}
	ref := r.under(f.Type)
	if !f.Null() && ref.Kind != model.RefRaw {
		by := Strict // a lenient reader takes it for absence, or for none
		if f.Presence == model.Required && !r.kept(ref) && emptyOf(ref) == "" {
			by = always
		}
		r.add(f.Wire+": null", by, r.set(f, "null"), codec.Type, path)
	}
	if text, ok := r.wrong(ref); ok {
		by := always
		if r.kept(ref) {
			by = Strict
		}
		r.add(f.Wire+": another type", by, r.set(f, text), codec.Type, path)
	}
	switch ref.Kind {
	case model.RefInt:
		r.integer(f, ref, always)
	case model.RefString:
		r.length(f, "characters", func(n int) string { return quote(strings.Repeat("é", n)) })
		if s, ok := notMatching(limitsOf(f)); ok && f.Pattern != "" {
			r.add(f.Wire+": another form", Strict, r.set(f, quote(s)), codec.Bounds, path)
		}
	case model.RefBytes:
		r.add(f.Wire+": no base64", always, r.set(f, `"%"`), codec.Type, path)
		r.length(f, "bytes", func(n int) string { return quote(base64.StdEncoding.EncodeToString(make([]byte, n))) })
	case model.RefList, model.RefMap:
		r.items(f, ref, always)
	case model.RefNamed:
		t := r.types[ref.Name]
		if t != nil && t.Kind == model.KindEnum {
			if t.Enum.Integer {
				r.integer(f, &model.Ref{Kind: model.RefInt}, always)
			}
			if t.Enum.Closed {
				r.add(f.Wire+": an unknown value", Strict, r.set(f, unknown(t.Enum, limitsOf(f))), codec.Bounds, path)
			}
			return
		}
		r.inner(f, ref, path, func(text string) string { return text })
	}
}

// kept reports whether a lenient reader keeps a value of any shape: a union
// that is known by its tag alone.
func (w *world) kept(ref *model.Ref) bool {
	t := w.types[ref.Name]
	return ref.Kind == model.RefNamed && t != nil && t.Union != nil && t.Union.Content == ""
}

// wrong is a text that no value of a type is read from.
func (w *world) wrong(ref *model.Ref) (string, bool) {
	switch ref.Kind {
	case model.RefRaw:
		return "", false
	case model.RefString, model.RefBytes:
		return "7", true
	case model.RefInt:
		if ref.Wide {
			return "true", true
		}
		return `"7"`, true
	case model.RefFloat, model.RefBool, model.RefMap:
		return `"true"`, true
	case model.RefNamed:
		switch t := w.types[ref.Name]; {
		case t == nil:
		case t.Kind == model.KindEnum && t.Enum.Integer:
			return `"7"`, true
		case t.Kind == model.KindEnum:
			return "7", true
		case t.Union != nil && t.Union.ByShape():
			text := w.unlike(t)
			return text, text != ""
		}
		return "[]", true
	}
	return "{}", true
}

func (r *refusals) integer(f *model.Field, ref *model.Ref, always string) {
	path := pathOf("", f.Wire)
	if ref.Wide {
		r.add(f.Wire+": a plain number", Strict, r.set(f, "7"), codec.Type, path)
		r.add(f.Wire+": more than 64 bits", always, r.set(f, `"9223372036854775808"`), codec.Bounds, path)
		return
	}
	r.add(f.Wire+": a fraction", always, r.set(f, "0.5"), codec.Type, path)
	r.add(f.Wire+": beyond 2^53-1", always, r.set(f, "9007199254740992"), codec.Bounds, path)
	if f.Min != nil && *f.Min > -codec.MaxInt {
		r.add(f.Wire+": too small", Strict, r.set(f, strconv.FormatInt(*f.Min-1, 10)), codec.Bounds, path)
	}
	if f.Max != nil && *f.Max < codec.MaxInt {
		r.add(f.Wire+": too great", Strict, r.set(f, strconv.FormatInt(*f.Max+1, 10)), codec.Bounds, path)
	}
}

// length are values with too few and too many of something.
func (r *refusals) length(f *model.Field, what string, of func(n int) string) {
	path := pathOf("", f.Wire)
	try := func(name string, n int) {
		if text := of(n); f.Pattern == "" && utf8.RuneCountInString(text) <= longest {
			r.add(f.Wire+": "+name, Strict, r.set(f, text), codec.Bounds, path)
		}
	}
	if f.MinLength != nil && *f.MinLength > 0 {
		try("too few "+what, *f.MinLength-1)
	}
	if f.MaxLength != nil && *f.MaxLength < longest {
		try("too many "+what, *f.MaxLength+1)
	}
}

// items are refusals about a list's or a map's first item.
func (r *refusals) items(f *model.Field, ref *model.Ref, always string) {
	elem := r.under(ref.Elem)
	around := func(text string) string { return "[" + text + "]" }
	path := pathOf("", f.Wire) + "[0]"
	if ref.Kind == model.RefMap {
		around = func(text string) string { return `{"k":` + text + "}" }
		path = pathOf("", f.Wire) + ".k"
	}
	r.length(f, "items", func(n int) string {
		var o object
		var list []string
		for i := range n {
			text := r.value(ref.Elem, limits{at: f.Wire}, false, 1)
			o = append(o, member{"key " + strconv.Itoa(i), text})
			list = append(list, text)
		}
		if ref.Kind == model.RefMap {
			return o.String()
		}
		return "[" + strings.Join(list, ",") + "]"
	})
	if text, ok := r.wrong(elem); ok {
		by := always
		if r.kept(elem) {
			by = Strict
		}
		r.add(f.Wire+": an item of another type", by, r.set(f, around(text)), codec.Type, path)
	}
	if elem.Kind == model.RefNamed {
		r.inner(f, elem, path, around)
	}
}

// inner is a member within a member that is missing.
func (r *refusals) inner(f *model.Field, ref *model.Ref, path string, around func(string) string) {
	t := r.types[ref.Name]
	if t == nil || t.Kind != model.KindStruct && t.Kind != model.KindUnion || t.Union != nil && t.Union.ByShape() {
		return
	}
	for _, s := range r.shapes(t) {
		for _, g := range s.own {
			if g.Always() {
				text := r.object(s, false, nil, 1).without(g.Wire).String()
				r.add(f.Wire+": without "+s.label+g.Wire, Strict, r.set(f, around(text)), codec.Missing, pathOf(path, g.Wire))
				return
			}
		}
	}
}

// pathOf adds a member's name to a path, quoted if it would not read as one.
func pathOf(path, name string) string {
	plain := name != ""
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || c == '.' || c == '[' || c == ']' || c == '"' {
			plain = false
		}
	}
	switch {
	case !plain:
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}
