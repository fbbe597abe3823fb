// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/emit/internal/doctext"
	"github.com/accordkit/accord/spec/model"
)

// writer renders one protocol in one language.
type writer struct {
	p     *model.Protocol
	l     Lang
	types map[string]*model.Type
	names *doctext.Names

	methodTwins, noteTwins map[string]bool // that both sides send
}

func newWriter(p *model.Protocol, l Lang) *writer {
	w := &writer{p: p, l: l, types: make(map[string]*model.Type, len(p.Types)), names: doctext.NewNames(p)}
	for _, t := range p.Types {
		w.types[t.Name] = t
	}
	w.methodTwins, w.noteTwins = p.Twins()
	return w
}

// of is a writer of the same page for a part of the protocol.
func (w *writer) of(p *model.Protocol) *writer {
	part := *w
	part.p = p
	return &part
}

func (w *writer) say(p phrase, args ...any) string { return p.in(w.l, args...) }

// text is an author's text. name is the Go name of what it is about, with
// which a doc comment begins and a document does not.
func (w *writer) text(t model.Text, name string) string {
	s := pick(t, w.l)
	if s == t.EN {
		s = w.names.Text(s, name)
	}
	return safe(s)
}

func (w *writer) summary(t model.Text, name string) string {
	return summary(w.text(t, name))
}

func (w *writer) side(side string) string {
	if side == model.Server {
		return w.say(words.Server)
	}
	return w.say(words.Client)
}

func (w *writer) join(list []string, with phrase) string {
	return strings.Join(list, w.say(with))
}

// settles says what proves that a call is over, a line a case.
func (w *writer) settles(m *model.Method) []string {
	var lines []string
	for _, c := range m.Settles {
		ways := make([]string, len(c.By))
		for i, way := range c.By {
			ways[i] = w.way(way)
		}
		line := w.join(ways, words.OrWay)
		switch {
		case len(c.If) > 0:
			line = w.say(words.If, w.conditions(c.If)) + w.say(words.Colon) + line
		case len(m.Settles) > 1:
			line = w.say(words.Otherwise) + w.say(words.Colon) + line
		}
		lines = append(lines, line)
	}
	return lines
}

func (w *writer) way(way model.Way) string {
	switch way.How {
	case model.ByResponse:
		return w.say(words.AtResponse)
	case model.ByEnd:
		s := w.say(words.EndOf, w.activityName(way.Activity), w.endOf(way.Activity))
		if way.Link != "" {
			s += w.say(words.Clause) + w.say(words.Via, code(way.Link), code(way.Key))
		}
		return s
	case model.ByCall:
		return w.say(words.LaterCall, code(way.Method), code(way.Same))
	case model.ByFrame:
		if way.As != "" && way.Frame != nil {
			return w.say(words.Named, code(way.As), w.frame(way.Frame))
		}
		return w.frame(way.Frame)
	}
	return way.How
}

// scopeName returns a scope's name in the language of the page.
func (w *writer) scopeName(name string) string {
	for _, s := range w.p.Scopes {
		if s.Name == name && s.Chinese != "" && w.l == Chinese {
			return s.Chinese
		}
	}
	return name
}

// activityName returns an activity's name in the language of the page.
func (w *writer) activityName(name string) string {
	for _, a := range w.p.Activities {
		if a.Name == name && a.Chinese != "" && w.l == Chinese {
			return a.Chinese
		}
	}
	return name
}

func (w *writer) endOf(activity string) string {
	for _, a := range w.p.Activities {
		if a.Name == activity {
			return w.frame(a.Ends)
		}
	}
	return code(activity)
}

// frame names a frame by its variant, or by its notification if it has none.
func (w *writer) frame(f *model.Frame) string {
	if f == nil {
		return ""
	}
	s := code(f.Notification)
	if f.Variant != "" {
		s = code(f.Variant)
	}
	if len(f.Where) > 0 {
		s = w.say(words.Where, s, w.conditions(within(f, f.Where)))
	}
	return s
}

// within shortens conditions on members of a frame's variant to the path within
// the variant: the variant's name says the rest.
func within(f *model.Frame, list []model.Is) []model.Is {
	if f == nil || f.Path == "" {
		return list
	}
	out := make([]model.Is, len(list))
	for i, c := range list {
		c.Member = strings.TrimPrefix(c.Member, f.Path+".")
		out[i] = c
	}
	return out
}

func (w *writer) conditions(list []model.Is) string {
	out := make([]string, len(list))
	for i, c := range list {
		switch {
		case c.Absent:
			out[i] = w.say(words.Missing, code(c.Member))
		case len(c.Values) == 0:
			out[i] = w.say(words.Present, code(c.Member))
		default:
			values := make([]string, len(c.Values))
			for j, v := range c.Values {
				values[j] = value(v)
			}
			out[i] = w.say(words.IsValue, code(c.Member), w.join(values, words.Or))
		}
	}
	return w.join(out, words.Clause)
}

// accepts says what the response proves.
func (w *writer) accepts(m *model.Method) string {
	s := term(m.Accepts, w.l)
	if m.AnswersAt != "" {
		s += w.say(words.Semicolon) + w.say(words.Answers, code(m.AnswersAt))
	}
	return s
}

// repeats says what a repeated call does.
func (w *writer) repeats(m *model.Method) string {
	r := m.Repeats
	if r == nil {
		return ""
	}
	if r.How != model.Keyed {
		return term(r.How, w.l)
	}
	parts := []string{w.say(words.KeyedBy, code(r.Key), w.scopeName(r.Scope))}
	if r.Window != "" {
		how := words.KeyedFor
		if r.Window[0] >= '0' && r.Window[0] <= '9' {
			how = words.KeyedForTime
		}
		parts[0] += w.say(words.Clause) + w.say(how, stretch(r.Window, w.l))
	}
	if r.Conflict != "" {
		parts = append(parts, w.say(words.KeyedConflict, codes(r.Fingerprint, w.l), code(r.Conflict)))
	}
	if r.Absent != "" {
		parts = append(parts, w.say(words.KeyedAbsent, term(r.Absent, w.l)))
	}
	if r.Marker != "" {
		parts = append(parts, w.say(words.KeyedMarker, code(r.Marker)))
	}
	return w.join(parts, words.Semicolon)
}

// resultNames is memberNames of a method's result, which may be null.
func (w *writer) resultNames(m *model.Method) string {
	names := w.memberNames(m.Result)
	if m.OrNull {
		return w.say(words.OrNull, names)
	}
	return names
}

// memberNames lists a payload's members, a question mark behind those that may
// be missing.
func (w *writer) memberNames(typeName string) string {
	t := w.types[typeName]
	if t == nil {
		return ""
	}
	switch t.Kind {
	case model.KindNamed:
		return w.use(t.Of, false)
	case model.KindEnum:
		return code(t.Name)
	case model.KindUnion:
		if t.Union.ByShape() {
			return w.choices(t, false)
		}
	}
	var names []string
	if t.Union != nil {
		names = append(names, code(t.Union.Tag))
	}
	names = append(names, fieldNames(t.Fields)...)
	if t.Union != nil && t.Union.Content != "" {
		names = append(names, code(t.Union.Content))
	}
	if t.Union != nil && t.Union.Content == "" {
		seen := map[string]bool{}
		for _, v := range t.Union.Variants {
			for _, f := range w.fields(v.Type) {
				if !seen[f.Wire] {
					seen[f.Wire] = true
					names = append(names, code(f.Wire+"?"))
				}
			}
		}
	}
	return w.join(names, words.Comma)
}

// choices lists the variants of a union by shape.
func (w *writer) choices(t *model.Type, linked bool) string {
	var out []string
	for _, v := range t.Union.Variants {
		out = append(out, w.use(v.Of, linked))
	}
	return w.join(out, words.OrWay)
}

func (w *writer) fields(typeName string) []*model.Field {
	if t := w.types[typeName]; t != nil {
		return t.Fields
	}
	return nil
}

func fieldNames(fields []*model.Field) []string {
	var names []string
	for _, f := range fields {
		name := f.Wire
		if !f.Always() {
			name += "?"
		}
		names = append(names, code(name))
	}
	return names
}

// use shows the use of a type; linked names lead to the type's section.
func (w *writer) use(r *model.Ref, linked bool) string {
	if r == nil {
		return ""
	}
	switch r.Kind {
	case model.RefInt:
		if r.Wide {
			return w.say(words.WideInt)
		}
		return "integer"
	case model.RefFloat:
		return "number"
	case model.RefBool:
		return "boolean"
	case model.RefRaw:
		return w.say(words.Any)
	case model.RefBytes:
		return w.say(words.Bytes)
	case model.RefList:
		return w.say(words.ListOf, w.use(r.Elem, linked))
	case model.RefMap:
		return w.say(words.MapOf, w.use(r.Elem, linked))
	case model.RefNamed:
		if linked && w.types[r.Name] != nil {
			return w.typeLink(r.Name)
		}
		return code(r.Name)
	}
	return r.Kind
}

func (w *writer) typeLink(name string) string {
	return "[" + code(name) + "](#" + anchor("type", name) + ")"
}

func (w *writer) errorLink(kind string) string {
	return "[" + code(kind) + "](#" + anchor("error", kind) + ")"
}

// bounds says what a member's values are held to, and what absence means.
func (w *writer) bounds(f *model.Field) []string {
	var out []string
	if low, high := f.Bounds(); low != nil || high != nil {
		out = append(out, w.between(i64(low), i64(high)))
	}
	if f.MinLength != nil || f.MaxLength != nil {
		what := words.Chars
		switch {
		case f.Type != nil && f.Type.Kind == model.RefList:
			what = words.Items
		case f.Type != nil && f.Type.Kind == model.RefBytes:
			what = words.Octets
		}
		out = append(out, w.say(what, w.between(number(f.MinLength), number(f.MaxLength))))
	}
	if f.Pattern != "" {
		out = append(out, w.say(words.Pattern, code(f.Pattern)))
	}
	if d := f.Default; d != nil {
		if d.Value != "" {
			out = append(out, w.say(words.Default, value(d.Value)))
		}
		for _, c := range d.When {
			cond := model.Is{Member: c.Member, Absent: !c.Present}
			out = append(out, w.say(words.DefaultIf, w.conditions([]model.Is{cond}), value(c.Value)))
		}
	}
	if f.Sensitive {
		out = append(out, w.say(words.Sensitive))
	}
	if f.Since != "" {
		out = append(out, w.say(words.Since, f.Since))
	}
	return out
}

func (w *writer) between(low, high string) string {
	switch {
	case high == "":
		return w.say(words.AtLeast, low)
	case low == "":
		return w.say(words.AtMost, high)
	}
	return w.say(words.Between, low, high)
}

func i64(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
