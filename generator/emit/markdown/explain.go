package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// Explain renders what the protocol says about one name: a method, a
// notification, an error's kind, a type, an event's tag, a rule, a limit, an
// activity or a capability. What has the same name comes one after another;
// ok is false if nothing has it.
func Explain(p *model.Protocol, l Lang, name string) (text string, ok bool) {
	w := newWriter(p, l)
	var parts []string
	for _, m := range p.Methods {
		if m.Name == name || m.GoName == name {
			parts = append(parts, w.method(m))
		}
	}
	for _, n := range p.Notifications {
		if n.Name == name {
			parts = append(parts, w.notification(n))
		}
	}
	for _, e := range p.Errors {
		if e.Kind == name {
			one := *p
			one.Errors = []*model.Error{e}
			b := &body{}
			b.heading("error", e.Kind, code(e.Kind))
			b.paragraph(w.of(&one).errorTable(false))
			b.paragraph(w.errorBody(e))
			parts = append(parts, b.String())
		}
	}
	for _, t := range p.Types {
		if t.Name == name {
			parts = append(parts, w.typeSection(t))
		}
	}
	for _, t := range w.carried() {
		for _, v := range t.Union.Variants {
			if v.Wire == name && w.types[v.Type] != nil {
				parts = append(parts, w.typeSection(w.types[v.Type]))
			}
		}
	}
	parts = append(parts, w.explainSmall(name)...)
	text = anchors.ReplaceAllString(strings.Join(parts, "\n"), "")
	return links.ReplaceAllString(text, "$1"), len(parts) > 0
}

// What leads to other parts of a page is noise where there is no page.
var (
	anchors = regexp.MustCompile(`<a id="[^"]*"></a>\n\n`)
	links   = regexp.MustCompile("\\[(`[^`]*`)\\]\\(#[^)]*\\)")
)

func (w *writer) explainSmall(name string) []string {
	var parts []string
	one := *w.p
	small := w.of(&one)
	for _, r := range w.p.Rules {
		if r.ID == name {
			one.Rules = []*model.Rule{r}
			parts = append(parts, small.ruleTable())
		}
	}
	for _, v := range w.p.Limits {
		if v.Name == name {
			one.Limits = []*model.Limit{v}
			parts = append(parts, small.limitTable())
		}
	}
	for _, a := range w.p.Activities {
		if a.Name == name {
			one.Activities = []*model.Activity{a}
			parts = append(parts, w.text(a.Doc, a.Var)+"\n\n"+small.activityTable())
		}
	}
	for _, c := range w.p.Capabilities {
		if c.Name == name {
			one.Capabilities = []*model.Capability{c}
			parts = append(parts, small.capabilityTable())
		}
	}
	return parts
}

// Near lists names that somebody who wrote name may have meant: those that
// have it in them, or it them, and those that differ in a letter or two.
func Near(p *model.Protocol, name string) []string {
	var out []string
	low := strings.ToLower(name)
	for _, n := range Names(p) {
		l := strings.ToLower(n)
		if slices.Contains(out, n) || low == "" {
			continue
		}
		if strings.Contains(l, low) || len(l) > 3 && strings.Contains(low, l) || distance(l, low) <= 1+len(low)/5 {
			out = append(out, n)
		}
	}
	return out
}

// distance is how many letters must be added, dropped or changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0]++
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, last+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// Names lists every name that Explain knows, in the order of the declaration.
func Names(p *model.Protocol) []string {
	w := newWriter(p, English)
	var out []string
	for _, m := range p.Methods {
		out = append(out, m.Name)
	}
	for _, n := range p.Notifications {
		out = append(out, n.Name)
	}
	for _, t := range w.carried() {
		for _, v := range t.Union.Variants {
			out = append(out, v.Wire)
		}
	}
	for _, e := range p.Errors {
		out = append(out, e.Kind)
	}
	for _, a := range p.Activities {
		out = append(out, a.Name)
	}
	for _, c := range p.Capabilities {
		out = append(out, c.Name)
	}
	for _, v := range p.Limits {
		out = append(out, v.Name)
	}
	for _, r := range p.Rules {
		out = append(out, r.ID)
	}
	for _, t := range p.Types {
		out = append(out, t.Name)
	}
	return out
}
