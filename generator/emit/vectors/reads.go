// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// reads are texts of a shape that a writer would not write, and that are read
// all the same.
func (w *world) reads(s shape) []Read {
	var out []Read
	add := func(name, by, text, writes string) {
		out = append(out, Read{Name: s.label + name, By: by, Text: text, Writes: writes})
	}
	full, least := w.object(s, true, nil, 0), w.object(s, false, nil, 0)
	if len(full) > 0 && (s.first || s.union && len(full) > 1) {
		add("another order, white space, escaped names", "", strange(full), full.String())
	}
	if s.first || s.union {
		unknown := object{{unknownName, `[1,null,{"é":""}]`}, {"", "false"}}
		if w.p.UnknownMembers == model.Kept {
			add("unknown members are kept", "", slices.Concat(unknown, least).String(), slices.Concat(least, unknown).String())
		} else {
			add("unknown members are ignored", "", slices.Concat(unknown, least).String(), least.String())
		}
	}
	if s.first || s.union {
		for _, f := range s.own {
			for _, r := range w.memberReads(s, f) {
				r.Name = s.label + r.Name
				out = append(out, r)
			}
		}
	}
	return append(out, w.unionReads(s)...)
}

// memberReads are what is special about one member.
func (w *world) memberReads(s shape, f *model.Field) []Read {
	var out []Read
	same := func(name, text string) {
		o := w.object(s, false, map[string]string{f.Wire: text}, 0).String()
		out = append(out, Read{Name: f.Wire + ": " + name, Text: o, Writes: o})
	}
	absent := func(name, by, text string) {
		o := w.object(s, false, map[string]string{f.Wire: text}, 0)
		out = append(out, Read{Name: f.Wire + ": " + name, By: by, Text: o.String(), Writes: o.without(f.Wire).String()})
	}
	r := w.under(f.Type)
	t := w.types[r.Name]
	if t != nil && t.Kind == model.KindEnum && !t.Enum.Closed {
		same("an unknown value", unknown(t.Enum, limitsOf(f)))
	}
	if r.Kind == model.RefList && w.ends(f, 1) {
		if e := w.types[w.under(r.Elem).Name]; e != nil && e.Kind == model.KindEnum && !e.Enum.Closed {
			same("an unknown value", "["+unknown(e.Enum, limits{})+"]")
		}
	}
	switch {
	case f.Null() || r.Kind == model.RefRaw:
		same("null is a value", "null")
	case !f.Always():
		absent("null is absence to a lenient reader", Lenient, "null")
	case emptyOf(r) != "" && w.ends(f, 0):
		o := w.object(s, false, map[string]string{f.Wire: "null"}, 0)
		out = append(out, Read{Name: f.Wire + ": null is none to a lenient reader", By: Lenient, Text: o.String(), Writes: o.with(f.Wire, emptyOf(r)).String()})
	}
	out = append(out, w.mended(s, f)...)
	if f.Presence == model.OmitZero && w.zeroFits(f) {
		absent("a zero is not written", "", w.zeroOf(r))
	}
	if f.Presence == model.Optional && (r.Kind == model.RefList || r.Kind == model.RefMap) && w.ends(f, 0) {
		same("an empty one is written", emptyOf(r))
	}
	if r.Kind == model.RefInt && !r.Wide && bounded(f, 1200) {
		o := w.object(s, false, map[string]string{f.Wire: "12.0e+2"}, 0)
		out = append(out, Read{Name: f.Wire + ": a whole number with an exponent", Text: o.String(), Writes: o.with(f.Wire, "1200").String()})
	}
	return out
}

// emptyOf is what stands for none of what encoding/json writes as null then.
func emptyOf(r *model.Ref) string {
	return map[string]string{model.RefList: "[]", model.RefMap: "{}", model.RefBytes: `""`}[r.Kind]
}

// mended are a member of another type, as one who mends it reads it: it is
// missing. In a union's variant one that must be there is not.
func (w *world) mended(s shape, f *model.Field) []Read {
	r := w.under(f.Type)
	text, ok := w.wrong(r)
	if !ok || w.kept(r) {
		return nil
	}
	o := w.object(s, false, map[string]string{f.Wire: text}, 0)
	left := o.without(f.Wire)
	switch {
	case f.Always() && f.Null():
		return nil
	case f.Presence == model.Required:
		if s.union || !w.zeroFits(f) && (emptyOf(r) == "" || !w.ends(f, 0)) {
			return nil
		}
		left = o.with(f.Wire, cmp.Or(emptyOf(r), w.zeroOf(r)))
	}
	return []Read{{Name: f.Wire + ": another type is missing to one who mends", By: Mending, Text: o.String(), Writes: left.String()}}
}

// ends reports whether a list may have n items.
func (w *world) ends(f *model.Field, n int) bool {
	return (f.MinLength == nil || n >= *f.MinLength) && (f.MaxLength == nil || n <= *f.MaxLength)
}

func bounded(f *model.Field, n int64) bool {
	return (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max)
}

func (w *world) zeroFits(f *model.Field) bool {
	switch r := w.under(f.Type); r.Kind {
	case model.RefString:
		return f.Pattern == "" && w.ends(f, 0)
	case model.RefInt:
		return bounded(f, 0)
	case model.RefBool, model.RefFloat:
		return true
	case model.RefNamed:
		t := w.types[r.Name]
		zero := ""
		if t != nil && t.Kind == model.KindEnum && t.Enum.Integer {
			if zero = "0"; !bounded(f, 0) {
				return false
			}
		}
		return t != nil && t.Kind == model.KindEnum && (!t.Enum.Closed || slices.ContainsFunc(t.Enum.Values, func(v *model.EnumValue) bool { return v.Wire == zero }))
	}
	return false
}

func (w *world) zeroOf(r *model.Ref) string {
	if t := w.types[r.Name]; t != nil && t.Kind == model.KindEnum && t.Enum.Integer {
		return "0"
	}
	switch r.Kind {
	case model.RefBool:
		return "false"
	case model.RefInt:
		if r.Wide {
			return `"0"`
		}
		return "0"
	case model.RefFloat:
		return "0"
	}
	return `""`
}

// unionReads are unknown variants, and known ones of another shape.
func (w *world) unionReads(s shape) []Read {
	u := s.t.Union
	if u == nil {
		return nil
	}
	var out []Read
	same := func(name, by string, o object) {
		out = append(out, Read{Name: name, By: by, Text: o.String(), Writes: o.String()})
	}
	if u.Content == "" {
		if s.first {
			same("an unknown variant is kept", "", object{{"before", "1"}, {u.Tag, quote(unknownName)}, {"after", `{"a":[null]}`}})
			same("one without a tag is kept by a lenient reader", Lenient, object{{"a", "1"}})
		}
		for _, f := range s.own {
			if f.Always() {
				same(s.label+"without "+f.Wire+" it is kept by a lenient reader", Lenient, w.object(s, false, nil, 0).without(f.Wire))
				break
			}
		}
		return out
	}
	least := w.object(s, false, nil, 0)
	if s.first {
		same("an unknown variant is kept", "", least.with(u.Tag, quote(unknownName)).with(u.Content, `[1,"a"]`))
	}
	same(s.label+"content of another shape is kept by a lenient reader", Lenient, least.with(u.Content, "17"))
	return out
}

// strange is an object as no writer writes it: its members from the last to the
// first, with white space about them and a name's first character escaped.
func strange(o object) string {
	var b strings.Builder
	b.WriteString(" {\t")
	for i, m := range slices.Backward(o) {
		b.WriteByte('"')
		rest := []rune(m.name)
		if len(rest) > 0 && rest[0] < 0x10000 {
			fmt.Fprintf(&b, `\u%04X`, rest[0])
			rest = rest[1:]
		}
		quoted := quote(string(rest))
		b.WriteString(quoted[1:] + " :\r\n" + m.text)
		if i > 0 {
			b.WriteString(" , ")
		}
	}
	return b.String() + "} "
}
