// SPDX-License-Identifier: Apache-2.0

// Package sample draws random JSON texts of a protocol's types, as a careless
// but correct writer would write them: for property tests of everything that
// reads what a model says.
//
// The package is for tests only; nothing that ships may import it.
package sample

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/accordkit/accord/spec/model"
)

// Writer draws texts of one protocol.
type Writer struct {
	// Unknown lets a text have members and variants that the model does not
	// know, where the protocol keeps them.
	Unknown bool

	// Wild shuffles members, puts in white space and escapes what need not be.
	Wild bool

	p     *model.Protocol
	types map[string]*model.Type
	next  int
}

// New makes a Writer.
func New(p *model.Protocol) *Writer {
	w := &Writer{p: p, types: map[string]*model.Type{}}
	for _, t := range p.Types {
		w.types[t.Name] = t
	}
	return w
}

// maxDepth is where lists end and optional members stay away, so that every
// text ends.
const maxDepth = 4

// Type draws a text of a type.
func (w *Writer) Type(t *rapid.T, name string) []byte {
	w.next = 0
	return []byte(w.value(t, &model.Ref{Kind: model.RefNamed, Name: name}, limits{}, 0))
}

// label gives each draw a name of its own.
func (w *Writer) label(what string) string {
	w.next++
	return what + strconv.Itoa(w.next)
}

func (w *Writer) chance(t *rapid.T, oneIn int) bool {
	return rapid.IntRange(1, oneIn).Draw(t, w.label("chance")) == 1
}

func (w *Writer) pick(t *rapid.T, n int) int {
	return rapid.IntRange(0, n-1).Draw(t, w.label("pick"))
}

// limits is what a member says about its values.
type limits struct {
	min, max    *int64
	short, long *int
	pattern     string
	nonzero     bool
}

func limitsOf(f *model.Field) limits {
	return limits{min: f.Min, max: f.Max, short: f.MinLength, long: f.MaxLength, pattern: f.Pattern, nonzero: f.Presence == model.OmitZero}
}

func (w *Writer) value(t *rapid.T, r *model.Ref, l limits, depth int) string {
	switch r.Kind {
	case model.RefString:
		return w.quote(t, w.str(t, l))
	case model.RefBool:
		if l.nonzero {
			return "true"
		}
		return strconv.FormatBool(rapid.Bool().Draw(t, w.label("bool")))
	case model.RefInt:
		return w.integer(t, l, r.Wide)
	case model.RefFloat:
		f := rapid.Float64().Draw(t, w.label("float"))
		if math.IsInf(f, 0) || math.IsNaN(f) || l.nonzero && f == 0 {
			f = 1.5
		}
		text, _ := json.Marshal(f)
		return string(text)
	case model.RefBytes:
		b := rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, w.label("bytes"))
		return `"` + base64.StdEncoding.EncodeToString(b) + `"`
	case model.RefRaw:
		return w.any(t, depth)
	case model.RefList:
		return w.list(t, r, l, depth)
	case model.RefMap:
		var members []member
		for i := range w.count(t, limits{}, depth) {
			members = append(members, member{fmt.Sprintf("key %d", i), w.value(t, r.Elem, limits{}, depth+1)})
		}
		return w.object(t, members)
	}
	named := w.types[r.Name]
	switch named.Kind {
	case model.KindNamed:
		return w.value(t, named.Of, l, depth)
	case model.KindEnum:
		return w.enum(t, named, l)
	case model.KindUnion:
		return w.union(t, named, depth)
	}
	return w.object(t, w.fields(t, named.Fields, depth))
}

func (w *Writer) integer(t *rapid.T, l limits, wide bool) string {
	least, greatest := int64(-1<<53+1), int64(1<<53-1)
	if wide {
		least, greatest = math.MinInt64, math.MaxInt64
	}
	if l.min != nil {
		least = *l.min
	}
	if l.max != nil {
		greatest = *l.max
	}
	n := rapid.Int64Range(least, greatest).Draw(t, w.label("int"))
	if l.nonzero && n == 0 {
		n = greatest
	}
	if wide {
		return `"` + strconv.FormatInt(n, 10) + `"`
	}
	return strconv.FormatInt(n, 10)
}

func (w *Writer) str(t *rapid.T, l limits) string {
	if l.pattern != "" {
		return rapid.StringMatching(l.pattern).Filter(func(s string) bool {
			return (l.long == nil || len([]rune(s)) <= *l.long) && (!l.nonzero || s != "")
		}).Draw(t, w.label("string"))
	}
	least, greatest := 0, 12
	if l.short != nil {
		least = *l.short
	}
	if l.nonzero {
		least = max(least, 1)
	}
	if l.long != nil {
		greatest = min(greatest, *l.long)
	}
	return rapid.StringN(least, max(greatest, least), -1).Draw(t, w.label("string"))
}

func (w *Writer) enum(t *rapid.T, e *model.Type, l limits) string {
	values := e.Enum.Values
	if e.Enum.Integer {
		if !e.Enum.Closed && w.Unknown && w.chance(t, 8) || len(values) == 0 {
			return w.integer(t, l, false)
		}
		fits := slices.DeleteFunc(slices.Clone(values), func(v *model.EnumValue) bool {
			n, _ := strconv.ParseInt(v.Wire, 10, 64)
			return l.nonzero && n == 0 || l.min != nil && n < *l.min || l.max != nil && n > *l.max
		})
		if len(fits) == 0 {
			return w.integer(t, l, false)
		}
		return fits[w.pick(t, len(fits))].Wire
	}
	if !e.Enum.Closed && w.Unknown && w.chance(t, 8) || len(values) == 0 {
		return `"not known"`
	}
	return w.quote(t, values[w.pick(t, len(values))].Wire)
}

func (w *Writer) count(t *rapid.T, l limits, depth int) int {
	least, greatest := 0, 3
	if depth >= maxDepth {
		greatest = 0
	}
	if l.short != nil {
		least = *l.short
	}
	if l.long != nil {
		greatest = min(greatest, *l.long)
	}
	return rapid.IntRange(least, max(least, greatest)).Draw(t, w.label("count"))
}

func (w *Writer) list(t *rapid.T, r *model.Ref, l limits, depth int) string {
	var items []string
	for range w.count(t, l, depth) {
		items = append(items, w.value(t, r.Elem, limits{}, depth+1))
	}
	return "[" + w.blank(t) + strings.Join(items, w.blank(t)+","+w.blank(t)) + w.blank(t) + "]"
}

func (w *Writer) union(t *rapid.T, u *model.Type, depth int) string {
	variants := u.Union.Variants
	if u.Union.ByShape() {
		v := variants[w.pick(t, len(variants))]
		if depth >= maxDepth {
			v = model.Flattest(w.types, u.Union)
		}
		return w.value(t, v.Of, limits{}, depth+1)
	}
	common := w.fields(t, u.Fields, depth)
	if len(variants) == 0 || w.Unknown && w.chance(t, 8) {
		members := append([]member{{u.Union.Tag, `"not known"`}}, common...)
		if u.Union.Content != "" {
			members = append(members, member{u.Union.Content, w.any(t, depth)})
		}
		return w.object(t, members)
	}
	v := variants[w.pick(t, len(variants))]
	if depth >= maxDepth {
		v = model.Flattest(w.types, u.Union)
	}
	fields := w.fields(t, w.types[v.Type].Fields, depth+1)
	if u.Union.Content == "" {
		common = common[:0] // only unknown ones, and the variant has such too
	}
	members := append([]member{{u.Union.Tag, w.quote(t, v.Wire)}}, common...)
	if u.Union.Content == "" {
		return w.object(t, append(members, fields...))
	}
	return w.object(t, append(members, member{u.Union.Content, w.object(t, fields)}))
}

type member struct{ name, value string }

func (w *Writer) fields(t *rapid.T, fields []*model.Field, depth int) []member {
	var list []member
	for _, f := range fields {
		if !f.Always() && (depth >= maxDepth || rapid.Bool().Draw(t, w.label("absent"))) {
			continue
		}
		if f.Null() && w.chance(t, 3) {
			list = append(list, member{f.Wire, "null"})
			continue
		}
		list = append(list, member{f.Wire, w.value(t, f.Type, limitsOf(f), depth+1)})
	}
	if w.Unknown && w.chance(t, 4) {
		list = append(list, member{"x-not known", w.any(t, depth)}, member{"X", w.any(t, depth)})
	}
	return list
}

func (w *Writer) object(t *rapid.T, members []member) string {
	if w.Wild && len(members) > 1 {
		members = rapid.Permutation(members).Draw(t, w.label("order"))
	}
	var b strings.Builder
	b.WriteString("{" + w.blank(t))
	for i, m := range members {
		if i > 0 {
			b.WriteString("," + w.blank(t))
		}
		b.WriteString(w.quote(t, m.name) + w.blank(t) + ":" + w.blank(t) + m.value + w.blank(t))
	}
	return b.String() + "}"
}

// any draws a value of any kind.
func (w *Writer) any(t *rapid.T, depth int) string {
	kinds := 7
	if depth >= maxDepth {
		kinds = 5
	}
	switch w.pick(t, kinds) {
	case 0:
		return "null"
	case 1:
		return "true"
	case 2:
		return w.quote(t, w.str(t, limits{}))
	case 3:
		return []string{"0", "-0", "1.0", "1e3", "-2.50E+7", "9007199254740993", "123456789012345678901234567890"}[w.pick(t, 7)]
	case 4:
		return "{}"
	case 5:
		return "[" + w.any(t, depth+1) + "," + w.blank(t) + w.any(t, depth+1) + "]"
	}
	return w.object(t, []member{{"a", w.any(t, depth+1)}, {"", w.any(t, depth+1)}})
}

func (w *Writer) blank(t *rapid.T) string {
	if !w.Wild {
		return ""
	}
	return []string{"", "", "", "", "", " ", "\t ", "\r\n"}[w.pick(t, 8)]
}

// quote writes a string, when Wild with escapes that need not be.
func (w *Writer) quote(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || w.Wild && r < 0x10000 && w.chance(t, 20):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
