// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// sequence draws an activity's whole course on the wire: the calls that lead to
// it, what precedes their answers and what these prove, the calls that cancel
// it, and the frame that then settles them all.
func (w *writer) sequence(a *model.Activity) string {
	var begin, cancel []*model.Method
	for _, m := range w.p.Methods {
		switch {
		case m.Cancels == a.Name:
			cancel = append(cancel, m)
		case endedBy(m, a.Name) != nil:
			begin = append(begin, m)
		}
	}
	if a.Ends == nil || len(begin)+len(cancel) == 0 {
		return ""
	}
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString("    " + fmt.Sprintf(format, args...) + "\n") }
	b.WriteString("```mermaid\nsequenceDiagram\n")
	line("participant C as %s", w.say(words.Client))
	line("participant S as %s", w.say(words.Server))
	for _, m := range begin {
		w.exchange(line, m, endedBy(m, a.Name), a)
	}
	line("Note over C,S: %s", diagramText(w.say(words.UnderWay, w.activityName(a.Name))))
	for _, m := range cancel {
		w.exchange(line, m, endedBy(m, a.Name), a)
	}
	line("S-->>C: %s", diagramText(frameName(a.Ends)))
	var settled []string
	for _, m := range slices.Concat(begin, cancel) {
		if endedBy(m, a.Name) != nil || byFrame(m, a.Ends) != nil {
			settled = append(settled, m.Name)
		}
	}
	line("Note over C,S: %s", diagramText(w.say(words.Settles, w.join(settled, words.Comma))))
	b.WriteString("```\n")
	return b.String()
}

// exchange draws one request and its answer.
func (w *writer) exchange(line func(string, ...any), m *model.Method, k *model.Case, a *model.Activity) {
	from, to := "C", "S"
	if m.From == model.Server {
		from, to = to, from
	}
	if k == nil {
		k = byFrame(m, a.Ends)
	}
	line("%s->>%s: %s", from, to, m.Name)
	if m.Order != nil {
		for _, f := range m.Order.After {
			name := f[strings.LastIndex(f, " ")+1:]
			if name != frameName(a.Ends) { // not of an answer that comes before the end
				line("%s-->>%s: %s", to, from, diagramText(name))
			}
		}
	}
	answer := w.say(words.AnswerProves, term(m.Accepts, w.l))
	if k != nil && len(k.If) > 0 {
		answer += w.say(words.Clause) + strings.ReplaceAll(w.conditions(k.If), "`", "")
	}
	line("%s-->>%s: %s", to, from, diagramText(answer))
}

// endedBy is the case in which the end of an activity settles a method.
func endedBy(m *model.Method, activity string) *model.Case {
	for _, k := range m.Settles {
		for _, way := range k.By {
			if way.How == model.ByEnd && way.Activity == activity {
				return k
			}
		}
	}
	return nil
}

// byFrame is the case in which a frame of a kind settles a method.
func byFrame(m *model.Method, f *model.Frame) *model.Case {
	for _, k := range m.Settles {
		for _, way := range k.By {
			if way.How == model.ByFrame && way.Frame != nil && frameName(way.Frame) == frameName(f) {
				return k
			}
		}
	}
	return nil
}

func frameName(f *model.Frame) string {
	if f.Variant != "" {
		return f.Variant
	}
	return f.Notification
}
