// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/internal/editdistance"
	"github.com/accordkit/accord/spec/model"
)

// Explain renders what the protocol says about one name, and where it is
// declared: a method, a notification, an error's kind or code, a type, an event's
// tag, a rule, a limit, an activity, an outcome, a scope, a generation, a
// capability or a value of an enum, by its name on the wire or in Go; where nothing
// has that name, the objects that have it as a member, or else what differs in the
// case of its letters alone. What has the same name comes one after another; ok is
// false if nothing has it. Place shows a place in the source.
func Explain(p *model.Protocol, l Lang, name string, place func(model.Pos) string) (text string, ok bool) {
	w := newWriter(p, l)
	e := &explainer{writer: w, name: name, place: place}
	e.all()
	if len(e.parts) == 0 {
		e.members()
	}
	if len(e.parts) == 0 {
		e.fold = true
		e.all()
	}
	text = anchors.ReplaceAllString(strings.Join(e.parts, "\n"), "")
	return links.ReplaceAllString(text, "$1"), len(e.parts) > 0
}

// What leads to other parts of a page is noise where there is no page.
var (
	anchors = regexp.MustCompile(`<a id="[^"]*"></a>\n\n`)
	links   = regexp.MustCompile("\\[(`[^`]*`)\\]\\(#[^)]*\\)")
)

// explainer collects what is said about one name.
type explainer struct {
	*writer
	name  string
	fold  bool // the case of letters does not matter
	place func(model.Pos) string
	parts []string
	names []string // all that were compared with name, each by the first of its own
}

func (e *explainer) all() {
	e.messages()
	e.types()
	e.small()
	e.values()
}

// is reports whether one of the names of a thing is what is asked about.
func (e *explainer) is(names ...string) bool {
	e.names = append(e.names, names[0])
	return slices.ContainsFunc(names, func(n string) bool {
		return n != "" && (n == e.name || e.fold && strings.EqualFold(n, e.name))
	})
}

// add adds a part under its own heading: what it is, of which protocol, and
// where it is declared.
func (e *explainer) add(what, name string, pos model.Pos, bodies ...string) {
	b := &body{}
	b.paragraph("### " + code(name))
	at := e.say(words.OfProtocol, what, e.p.Name)
	if pos.File != "" {
		at = e.say(words.DeclaredAt, at, e.place(pos))
	}
	b.paragraph("*" + at + "*")
	for _, text := range bodies {
		b.paragraph(text)
	}
	e.parts = append(e.parts, b.String())
}

// unheaded is a section of the reference without its heading.
func unheaded(section string) string {
	_, rest, _ := strings.Cut(anchors.ReplaceAllString(section, ""), "\n")
	return strings.TrimLeft(rest, "\n")
}

func (e *explainer) messages() {
	for _, m := range e.p.Methods {
		if e.is(m.Name, m.GoName, m.Var) {
			e.add(e.say(words.Method), m.Name, m.Pos, unheaded(e.method(m)))
		}
	}
	for _, n := range e.p.Notifications {
		if e.is(n.Name, n.GoName, n.Var) {
			e.add(e.say(words.Notification), n.Name, n.Pos, unheaded(e.notification(n)))
		}
	}
	for _, x := range e.p.Errors {
		if !e.is(x.Kind, strconv.Itoa(x.Code), x.Var) {
			continue
		}
		number := strconv.Itoa(x.Code)
		if x.At == model.Client {
			number = e.say(words.ClientOnly)
		}
		facts := []string{
			e.say(words.Code) + e.say(words.Colon) + number,
			e.say(words.Retry) + e.say(words.Colon) + term(x.Retry, e.l),
		}
		var from []string
		for _, m := range e.p.Methods {
			if slices.Contains(m.Fails, x.Kind) {
				from = append(from, m.Name)
			}
		}
		if len(from) > 0 {
			facts = append(facts, e.say(words.AnsweredBy, codes(from, e.l)))
		}
		e.add(e.say(words.Error), x.Kind, x.Pos, "- "+strings.Join(facts, "\n- "), e.errorBody(x))
	}
}

func (e *explainer) types() {
	for _, t := range e.p.Types {
		if e.is(t.Name) {
			e.add(e.say(words.Type), t.Name, t.Pos, unheaded(e.typeSection(t)), e.usedIn(t.Name))
		}
	}
	for _, t := range e.carried() {
		for _, v := range t.Union.Variants {
			if of := e.writer.types[v.Type]; e.is(v.Wire) && of != nil {
				e.add(e.say(words.Event), v.Wire, v.Pos, unheaded(e.typeSection(of)))
			}
		}
	}
}

// usedIn lists the messages and types that have a type in them.
func (e *explainer) usedIn(name string) string {
	var out []string
	for _, m := range e.p.Methods {
		if m.Params == name || m.Result == name {
			out = append(out, m.Name)
		}
	}
	for _, n := range e.p.Notifications {
		if n.Params == name {
			out = append(out, n.Name)
		}
	}
	var has func(r *model.Ref) bool
	has = func(r *model.Ref) bool {
		return r != nil && (r.Kind == model.RefNamed && r.Name == name || has(r.Elem))
	}
	for _, x := range e.p.Errors {
		if slices.ContainsFunc(x.Data, func(f *model.Field) bool { return has(f.Type) }) {
			out = append(out, x.Kind)
		}
	}
	for _, t := range e.p.Types {
		uses := has(t.Of) || slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return has(f.Type) })
		if t.Union != nil {
			uses = uses || slices.ContainsFunc(t.Union.Variants, func(v *model.Variant) bool { return v.Type == name || has(v.Of) })
		}
		if uses {
			out = append(out, t.Name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return e.say(words.UsedIn, codes(out, e.l))
}

func (e *explainer) small() {
	for _, r := range e.p.Rules {
		if e.is(r.ID) {
			e.add(e.say(words.Rule), r.ID, r.Pos, e.text(r.Doc, r.ID))
		}
	}
	one := *e.p
	single := e.of(&one)
	for _, v := range e.p.Limits {
		if e.is(v.Name) {
			one.Limits = []*model.Limit{v}
			e.add(e.say(words.Limit), v.Name, v.Pos, e.text(v.Doc, v.Name), single.limitTable())
		}
	}
	for _, a := range e.p.Activities {
		if e.is(a.Name, a.Var) {
			one.Activities = []*model.Activity{a}
			e.add(e.say(words.Activity), a.Name, a.Pos, e.text(a.Doc, a.Var), single.activityTable())
			continue
		}
		for _, o := range a.Outcomes {
			if e.is(o.Name) {
				short := *a
				short.Outcomes = []*model.Outcome{o}
				one.Activities = []*model.Activity{&short}
				e.add(e.say(words.PartOf, e.say(words.Outcome), a.Name), o.Name, o.Pos, e.text(o.Doc, o.Name), single.activityTable())
			}
		}
	}
	for _, c := range e.p.Capabilities {
		if e.is(c.Name, c.Var) {
			one.Capabilities = []*model.Capability{c}
			e.add(e.say(words.Capability), c.Name, c.Pos, e.text(c.Doc, c.Var), single.capabilityTable())
		}
	}
	for _, s := range e.p.Scopes {
		if e.is(s.Name, s.Var) {
			one.Scopes = []*model.Scope{s}
			e.add(e.say(words.Scope), s.Name, s.Pos, e.text(s.Doc, s.Var), single.scopes())
		}
	}
	for _, g := range e.p.Generations {
		if e.is(g.Name, g.Var) {
			one.Generations = []*model.Generation{g}
			e.add(e.say(words.Generation), g.Name, g.Pos, e.text(g.Doc, g.Var), single.generationTable())
		}
	}
}

// values looks for the name among the values of enums.
func (e *explainer) values() {
	for _, t := range e.p.Types {
		if t.Enum == nil {
			continue
		}
		for _, v := range t.Enum.Values {
			if e.is(v.Wire, v.Name) {
				e.add(e.say(words.PartOf, e.say(words.Value), t.Name), v.Wire, v.Pos, e.text(v.Doc, v.Name))
			}
		}
	}
}

// members looks for the name among the members of objects.
func (e *explainer) members() {
	member := newTable(e.say(words.Inside), e.say(words.Type), e.say(words.Presence), e.say(words.Value), e.say(words.Meaning))
	found := false
	note := func(owner string, fields []*model.Field) {
		for _, f := range fields {
			if f.Wire == e.name {
				found = true
				member.row(code(owner), e.use(f.Type, true), term(f.Presence, e.l), e.join(e.bounds(f), words.Semicolon), unwrapAll(e.text(f.Doc, f.Name)))
			}
		}
	}
	for _, t := range e.p.Types {
		note(t.Name, t.Fields)
	}
	for _, x := range e.p.Errors {
		note(x.Kind, x.Data)
	}
	if found {
		e.add(e.say(words.Member), e.name, model.Pos{}, member.String())
	}
}

// Names lists every name that Explain knows on the wire, in the order of the
// declaration.
func Names(p *model.Protocol) []string {
	e := &explainer{writer: newWriter(p, English)}
	e.all()
	return e.names
}

// Near sorts out of names those that may have been meant by name, the nearest
// first: those that contain it or that it contains, and those that differ in a
// letter or two.
func Near(names []string, name string) []string {
	low := strings.ToLower(name)
	apart := map[string]int{}
	for _, n := range names {
		l := strings.ToLower(n)
		d := editdistance.Distance(l, low)
		if low != "" && (strings.Contains(l, low) || len(l) > 3 && strings.Contains(low, l) || d <= 1+len(low)/5) {
			apart[n] = d
		}
	}
	return slices.SortedFunc(maps.Keys(apart), func(a, b string) int {
		return cmp.Or(cmp.Compare(apart[a], apart[b]), cmp.Compare(a, b))
	})
}
