// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// maxLevels is where values that nest get their least members alone.
const maxLevels = 3

// values are a shape's least and fullest value.
func (w *world) values(s shape) []Value {
	least, full := w.object(s, false, nil, 0).String(), w.object(s, true, nil, 0).String()
	out := []Value{{Name: s.label + "the least", Text: least}}
	if full != least && (s.first || s.union) { // a content's type has vectors of its own

		out = append(out, Value{Name: s.label + "all members", Text: full})
	}
	for _, f := range s.own {
		if w.under(f.Type).Kind == model.RefFloat {
			for _, text := range []string{"1e-7", "0.000001", "1e+21", "100000000000000000000", "-2.5"} {
				one := w.object(s, false, map[string]string{f.Wire: text}, 0).String()
				out = append(out, Value{Name: s.label + f.Wire + ": " + text, Text: one})
			}
			break
		}
	}
	return out
}

// member is a value that a member may have: within its bounds, and one that is
// written.
func (w *world) member(f *model.Field, full bool, level int) string {
	return w.value(f.Type, limitsOf(f), full, level)
}

// limits are what a member says about its values.
type limits struct {
	min, max    *int64
	short, long *int
	pattern     string
	nonzero     bool // a zero would not be written
	at          string
}

func limitsOf(f *model.Field) limits {
	return limits{f.Min, f.Max, f.MinLength, f.MaxLength, f.Pattern, f.Presence == model.OmitZero, f.Wire}
}

// under looks through named scalars and lists.
func (w *world) under(r *model.Ref) *model.Ref {
	for range 16 {
		t := w.types[r.Name]
		if r.Kind != model.RefNamed || t == nil || t.Kind != model.KindNamed || t.Of == nil {
			break
		}
		r = t.Of
	}
	return r
}

func (w *world) value(r *model.Ref, l limits, full bool, level int) string {
	r = w.under(r)
	switch r.Kind {
	case model.RefString:
		return quote(w.str(l, full))
	case model.RefBool:
		return strconv.FormatBool(full || l.nonzero)
	case model.RefInt:
		n := strconv.FormatInt(integer(l, r.Wide, full), 10)
		if r.Wide {
			return `"` + n + `"`
		}
		return n
	case model.RefFloat:
		if full || l.nonzero {
			return "0.1"
		}
		return "0"
	case model.RefBytes:
		return octets(l, full)
	case model.RefRaw:
		if full {
			return `{"any":[1,null,"é"]}`
		}
		return "0"
	case model.RefList:
		return "[" + strings.Join(w.items(r, l, full, level), ",") + "]"
	case model.RefMap:
		var out object
		for i, text := range w.items(r, l, full, level) {
			out = append(out, member{"key " + strconv.Itoa(i), text})
		}
		return out.String()
	}
	t := w.types[r.Name]
	switch {
	case t == nil:
		w.fail("%s is of the type %q, which the model does not have", l.at, r.Name)
		return "null"
	case t.Kind == model.KindEnum:
		return known(t.Enum, enumValue(t.Enum, l, full))
	}
	return w.structure(t, full, level+1)
}

// items are a list's or a map's: as few as there may be, or one.
func (w *world) items(r *model.Ref, l limits, full bool, level int) []string {
	n := 0
	if full && level < maxLevels {
		n = 1
	}
	if l.short != nil {
		n = max(n, *l.short)
	}
	if l.long != nil {
		n = min(n, *l.long)
	}
	var out []string
	for range n {
		out = append(out, w.value(r.Elem, limits{at: l.at}, full && level < maxLevels, level+1))
	}
	return out
}

// structure is a value of a struct or union within another.
func (w *world) structure(t *model.Type, full bool, level int) string {
	full = full && level < maxLevels
	if t.Union != nil && t.Union.ByShape() {
		return w.value(model.Flattest(w.types, t.Union).Of, limits{at: t.Name}, full, level)
	}
	if t.Union == nil {
		return w.object(shape{t: t, own: t.Fields}, full, nil, level).String()
	}
	if len(t.Union.Variants) == 0 {
		return object{{t.Union.Tag, quote(unknownName)}}.String()
	}
	least := slices.Index(t.Union.Variants, model.Flattest(w.types, t.Union))
	return w.object(w.shapes(t)[least], full, nil, level).String()
}

// octets are bytes in base64.
func octets(l limits, full bool) string {
	var b []byte
	if full || l.nonzero {
		b = []byte{0, 0xff, '/', '>'}
	}
	if l.short != nil && len(b) < *l.short {
		b = append(b, make([]byte, *l.short-len(b))...)
	}
	if l.long != nil && len(b) > *l.long {
		b = b[:*l.long]
	}
	return quote(base64.StdEncoding.EncodeToString(b))
}

// integer is the least or greatest that a member may be.
func integer(l limits, wide, full bool) int64 {
	least, greatest := int64(-codec.MaxInt), int64(codec.MaxInt)
	if wide {
		least, greatest = math.MinInt64, math.MaxInt64
	}
	if l.min != nil {
		least = *l.min
	}
	if l.max != nil {
		greatest = *l.max
	}
	switch {
	case full:
		return greatest
	case l.min != nil && (least != 0 || !l.nonzero):
		return least
	case l.nonzero:
		return max(1, least)
	}
	return min(max(0, least), greatest)
}

// awkward is a string with everything that a writer may get wrong: what must be
// escaped, what must not, and characters of two, three and four bytes.
const awkward = "\"\\/\b\f\n\r\t\x01é汉😀\u2028<>&"

func (w *world) str(l limits, full bool) string {
	if l.pattern != "" {
		s, err := matching(l)
		if err != nil {
			w.fail("no value of %s can be made: %v", l.at, err)
		}
		return s
	}
	s := ""
	if full {
		s = awkward
	}
	least := 0
	if l.nonzero {
		least = 1
	}
	if l.short != nil {
		least = max(least, *l.short)
	}
	if n := utf8.RuneCountInString(s); n < least {
		s += strings.Repeat("x", least-n)
	}
	if l.long != nil && utf8.RuneCountInString(s) > *l.long {
		s = string([]rune(s)[:*l.long])
	}
	return s
}

// unknownName is a value, tag or member that no protocol declares.
const unknownName = "nobody-knows-this"

// known is a value of an enum as JSON.
func known(e *model.Enum, value string) string {
	if e.Integer {
		return value
	}
	return quote(value)
}

// unknown is a value that an enum does not declare, as JSON.
func unknown(e *model.Enum, l limits) string {
	if !e.Integer {
		return quote(unknownName)
	}
	return strconv.FormatInt(integerBut(e, l), 10)
}

// integerBut is an integer within bounds that is none of an enum's values.
func integerBut(e *model.Enum, l limits) int64 {
	n := int64(0)
	if l.min != nil {
		n = *l.min
	}
	for l.nonzero && n == 0 || slices.ContainsFunc(e.Values, func(v *model.EnumValue) bool { return v.Wire == strconv.FormatInt(n, 10) }) {
		n++
	}
	return n
}

func enumValue(e *model.Enum, l limits, full bool) string {
	pick := ""
	for _, v := range e.Values {
		zero := ""
		if e.Integer {
			zero = "0"
			if n, _ := strconv.ParseInt(v.Wire, 10, 64); l.min != nil && n < *l.min || l.max != nil && n > *l.max {
				continue
			}
		}
		if v.Wire == zero && l.nonzero {
			continue
		}
		if pick == "" || full {
			pick = v.Wire
		}
	}
	switch {
	case pick == "" && e.Integer:
		return strconv.FormatInt(integerBut(e, l), 10)
	case pick == "" && l.nonzero:
		return unknownName
	}
	return pick
}
