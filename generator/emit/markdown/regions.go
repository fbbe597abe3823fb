// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// Region is one part of a page that belongs to the generator.
type Region struct {
	Name string // protocol and part: "queue/methods"
	Text string // what stands between the markers, with a blank line at both ends
}

// Regions renders every region of a protocol in one language; a page holds
// those that it has markers for. Parts that the protocol does not have give an
// empty one. There is one for each of methods, notifications, events, errors,
// activities, capabilities, limits, rules, generations, differences and
// machines, and one an enum: "enum/NAME".
func Regions(p *model.Protocol, l Lang) []Region {
	w := newWriter(p, l)
	var out []Region
	add := func(name, text string) {
		if text != "" {
			text = "\n" + text
		}
		out = append(out, Region{Name: p.Name + "/" + name, Text: text + "\n"})
	}
	add("methods", w.methodTables())
	add("notifications", w.notificationTable())
	add("events", w.eventTables())
	add("errors", w.errorTable(false))
	add("activities", w.activityTable())
	add("capabilities", w.capabilityTable())
	add("limits", w.limitTable())
	add("rules", w.ruleTable())
	add("generations", w.generationTable())
	add("differences", w.differenceTable())
	add("machines", w.machines())
	for _, t := range p.Types {
		if t.Kind == model.KindEnum {
			add("enum/"+t.Name, w.enumTable(t))
		}
	}
	return out
}

func (w *writer) methodTables() string {
	var parts []string
	for _, from := range []string{model.Client, model.Server} {
		t := newTable(w.say(words.Method), w.say(words.Params), w.say(words.Result),
			w.say(words.Accepts), w.say(words.Settled), w.say(words.Repeats))
		for _, m := range w.p.Methods {
			if m.From == from {
				t.row(code(m.Name), w.memberNames(m.Params), w.resultNames(m), w.accepts(m),
					strings.Join(w.settles(m), "<br>"), w.repeats(m))
			}
		}
		if len(t.rows) == 0 {
			continue
		}
		head := words.ClientMethods
		if from == model.Server {
			head = words.ServerMethods
		}
		parts = append(parts, "**"+w.say(head)+"**\n\n"+t.String())
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append(parts, w.legend()), "\n")
}

// legend explains the words of acceptance that the protocol uses.
func (w *writer) legend() string {
	var used []string
	for _, a := range []string{model.Done, model.Admitted, model.Durable} {
		if slices.ContainsFunc(w.p.Methods, func(m *model.Method) bool { return m.Accepts == a }) {
			used = append(used, w.say(words.Named, "*"+term(a, w.l)+"*", w.say(proofs[a])))
		}
	}
	return w.say(words.Legend, w.join(used, words.Comma)) + "\n"
}

func (w *writer) notificationTable() string {
	t := newTable(w.say(words.Name), w.say(words.From), w.say(words.Members), w.say(words.Meaning), w.say(words.Note))
	for _, n := range w.p.Notifications {
		t.row(code(n.Name), w.side(n.From), w.memberNames(n.Params), w.summary(n.Doc, n.Var), w.join(w.noteFacts(n), words.Semicolon))
	}
	return t.String()
}

// noteFacts are the facts of a notification that its shape does not show.
func (w *writer) noteFacts(n *model.Notification) []string {
	var out []string
	if n.Seq != nil {
		out = append(out, w.say(words.Numbered, code(n.Seq.Member)))
	}
	if v := n.Live; v != nil {
		if len(v.Join) > 0 {
			out = append(out, w.say(words.LiveJoin, codes(v.Join, w.l)))
		} else {
			out = append(out, w.say(words.LiveMerge))
		}
		if len(v.Last) > 0 {
			out = append(out, w.say(words.LiveLast, codes(v.Last, w.l)))
		}
		if v.Counter != "" && v.Merged != "" {
			out = append(out, w.say(words.LiveCount, code(v.Counter), code(v.Merged)))
		}
	}
	if n.Needs != "" {
		out = append(out, w.say(words.Needs)+" "+code(n.Needs))
	}
	if n.Since != "" {
		out = append(out, w.say(words.Since, n.Since))
	}
	return out
}

// carried are the unions that notifications have as a direct member, or are
// themselves: their variants are the protocol's events.
func (w *writer) carried() []*model.Type {
	var out []*model.Type
	add := func(name string) {
		t := w.types[name]
		if t != nil && t.Kind == model.KindUnion && !t.Union.ByShape() && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, n := range w.p.Notifications {
		add(n.Params)
		for _, f := range w.fields(n.Params) {
			if f.Type != nil && f.Type.Kind == model.RefNamed {
				add(f.Type.Name)
			}
		}
	}
	return out
}

func (w *writer) eventTables() string {
	var parts []string
	for _, t := range w.carried() {
		parts = append(parts, w.variantTable(t, false))
	}
	return strings.Join(parts, "\n")
}

func (w *writer) variantTable(t *model.Type, linked bool) string {
	tab := newTable(code(t.Union.Tag), w.say(words.Members), w.say(words.Meaning), w.say(words.Note))
	for _, v := range t.Union.Variants {
		var notes []string
		if v.OffWire {
			notes = append(notes, w.say(words.OffWire))
		}
		if v.Only != "" {
			notes = append(notes, w.say(words.Only, code(v.Only)))
		}
		if v.Since != "" {
			notes = append(notes, w.say(words.Since, v.Since))
		}
		members := w.join(fieldNames(w.fields(v.Type)), words.Comma)
		if linked {
			members = w.typeLink(v.Type)
		}
		doc, name := v.Doc, v.Name
		if vt := w.types[v.Type]; doc == (model.Text{}) && vt != nil {
			doc, name = vt.Doc, vt.Name
		}
		tab.row(code(v.Wire), members, w.summary(doc, name), w.join(notes, words.Semicolon))
	}
	return tab.String()
}

func (w *writer) errorTable(linked bool) string {
	t := newTable(w.say(words.Kind), w.say(words.Code), w.say(words.Retry), w.say(words.Data), w.say(words.Meaning))
	for _, e := range w.p.Errors {
		number := strconv.Itoa(e.Code)
		if e.At == model.Client {
			number = w.say(words.ClientOnly)
		}
		kind := code(e.Kind)
		if linked {
			kind = w.errorLink(e.Kind)
		}
		t.row(kind, number, term(e.Retry, w.l), w.join(fieldNames(e.Data), words.Comma), w.summary(e.Doc, e.Var))
	}
	return t.String()
}

func (w *writer) activityTable() string {
	t := newTable(w.say(words.Outcome), w.say(words.Tells), w.say(words.Meaning), w.say(words.Note))
	for _, a := range w.p.Activities {
		for _, o := range a.Outcomes {
			tells := w.say(words.NotTold)
			switch {
			case o.Other:
				tells = w.say(words.OtherEnd)
			case o.Lost:
				tells = w.say(words.LostEnd)
			case len(o.Is) > 0:
				tells = w.conditions(within(a.Ends, o.Is))
				if a.Ends != nil {
					tells = w.say(words.Where, w.frame(a.Ends), tells)
				}
			}
			note := ""
			if o.OK {
				note = w.say(words.OKOutcome)
			}
			name := code(o.Name)
			if len(w.p.Activities) > 1 {
				name = w.activityName(a.Name) + " " + name
			}
			t.row(name, tells, w.summary(o.Doc, o.Name), note)
		}
	}
	return t.String()
}

func (w *writer) capabilityTable() string {
	t := newTable(w.say(words.Capability), w.say(words.From), w.say(words.NeededBy), w.say(words.Meaning))
	for _, c := range w.p.Capabilities {
		var needed []string
		for _, m := range w.p.Methods {
			if m.Needs == c.Name {
				needed = append(needed, m.Name)
			}
		}
		for _, n := range w.p.Notifications {
			if n.Needs == c.Name {
				needed = append(needed, n.Name)
			}
		}
		t.row(code(c.Name), w.side(c.Of), codes(needed, w.l), w.summary(c.Doc, c.Var))
	}
	return t.String()
}

func (w *writer) limitTable() string {
	t := newTable(w.say(words.Name), w.say(words.Value), w.say(words.Error), w.say(words.Meaning))
	for _, v := range w.p.Limits {
		t.row(code(v.Name), quantity(v.Value, v.Unit, w.l), code(v.Error), w.summary(v.Doc, v.Name))
	}
	return t.String()
}

func (w *writer) ruleTable() string {
	t := newTable(w.say(words.Rule), w.say(words.Meaning))
	for _, r := range w.p.Rules {
		t.row(r.ID, unwrapAll(w.text(r.Doc, r.ID)))
	}
	return t.String()
}

// unwrapAll puts a text of several paragraphs on one line.
func unwrapAll(s string) string {
	parts := strings.Split(strings.TrimSpace(s), "\n\n")
	for i, p := range parts {
		parts[i] = unwrap(p)
	}
	return strings.Join(parts, "<br>")
}

func (w *writer) generationTable() string {
	t := newTable(w.say(words.Name), w.say(words.Lacks), w.say(words.UnknownText), w.say(words.OneCode), w.say(words.Meaning))
	for _, g := range w.p.Generations {
		number := ""
		if g.Code != 0 {
			number = strconv.Itoa(g.Code)
		}
		t.row(code(g.Name), codes(g.Lacks, w.l), code(g.Unknown), number, unwrapAll(w.text(g.Doc, g.Var)))
	}
	return t.String()
}

func (w *writer) differenceTable() string {
	t := newTable(w.say(words.Rule), w.say(words.Differs), w.say(words.Name))
	for _, g := range w.p.Generations {
		for _, d := range g.Differs {
			t.row(d.ID, unwrapAll(w.text(d.Doc, d.ID)), code(g.Name))
		}
	}
	return t.String()
}

func (w *writer) enumTable(e *model.Type) string {
	if !e.Enum.Integer {
		t := newTable(code(e.Name), w.say(words.Meaning))
		for _, v := range e.Enum.Values {
			t.row(value(v.Wire), unwrapAll(w.text(v.Doc, v.Name)))
		}
		return t.String()
	}
	t := newTable(code(e.Name), w.say(words.Name), w.say(words.Meaning)) // a number alone says nothing
	for _, v := range e.Enum.Values {
		t.row(value(v.Wire), v.Name, unwrapAll(w.text(v.Doc, v.Name)))
	}
	return t.String()
}
