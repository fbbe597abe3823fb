// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// serverDoc is the comment of a method in the Server interface: the author's
// text, then what the declaration says about acceptance, settlement,
// repetition and errors.
func (g *gen) serverDoc(m *model.Method) string {
	doc := strings.TrimSpace(m.Doc.EN)
	if rest, ok := strings.CutPrefix(doc, m.Var+" "); ok {
		doc = m.GoName + " " + rest
	}
	if doc == "" {
		doc = m.GoName + " is " + m.Name + "."
	}
	doc += "\n\n" + sentences(
		"Wire name "+m.Name,
		accepts(m),
		mayBeNil(m),
		g.settles(m),
		repeats(m.Repeats),
		runs(m, g.negotiates(m)),
		since(m.Since),
	)
	if deprecated := m.Deprecated; deprecated != nil {
		doc += "\n\nDeprecated: " + sentences(since(deprecated.Since), "Use "+deprecated.Instead)
	}
	if names := g.failures(m); names != "" {
		doc += "\n\n" + sentences("Errors: "+names)
	}
	return doc
}

// mayBeNil says so of a result that may be null.
func mayBeNil(m *model.Method) string {
	if m.OrNull {
		return "The result may be nil, which is null on the wire"
	}
	return ""
}

func accepts(m *model.Method) string {
	switch m.Accepts {
	case model.Done:
		return "The answer comes when the work is over"
	case model.Admitted:
		return "The answer proves that this process will do the work"
	case model.Durable:
		return "The answer proves that the work is stored, as durably as the server's store makes it"
	}
	return ""
}

// settles says what proves that the work is over: by the result, where that
// depends on it.
func (g *gen) settles(m *model.Method) string {
	type clause struct{ conds, ways string }
	var clauses []clause
	for _, c := range m.Settles {
		var ways []string
		for _, w := range c.By {
			ways = append(ways, settledBy(w))
		}
		one := clause{conditions(c.If), alternatives(ways)}
		if n := len(clauses); n > 0 && clauses[n-1].ways == one.ways && one.conds != "" {
			clauses[n-1].conds += " or " + one.conds
			continue
		}
		clauses = append(clauses, one)
	}
	n := len(clauses)
	if n == 0 || n == 1 && clauses[0].ways == own {
		return ""
	}
	if clauses[n-1].conds != "" {
		clauses = append(clauses, clause{"", own})
	}
	text := ""
	for i, c := range clauses {
		switch {
		case c.conds == "" && i == 0:
			text = "It settles with " + c.ways
		case c.conds == "":
			text += "; else with " + c.ways
		case i == 0:
			text = "If " + c.conds + ", it settles with " + c.ways
		default:
			text += "; if " + c.conds + ", with " + c.ways
		}
	}
	return text
}

// own is the settlement by the response.
const own = "its answer"

func settledBy(w model.Way) string {
	switch w.How {
	case model.ByEnd:
		return "the end of its " + w.Activity
	case model.ByCall:
		return "a call of " + w.Method + " that names the same " + w.Same
	case model.ByFrame:
		if w.Frame == nil {
			return "a frame"
		}
		name := w.Frame.Notification
		if w.Frame.Variant != "" {
			name += " " + w.Frame.Variant
		}
		return "a " + name
	}
	return own
}

func conditions(list []model.Is) string {
	var parts []string
	for _, c := range list {
		switch {
		case c.Absent:
			parts = append(parts, c.Member+" is absent")
		case len(c.Values) == 0:
			parts = append(parts, c.Member+" is there")
		default:
			parts = append(parts, c.Member+" is "+strings.Join(c.Values, " or "))
		}
	}
	return strings.Join(parts, " and ")
}

// window is how long a key is known: a stretch of time, or the life of something.
func window(text string) string {
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		return text
	}
	return "the " + text
}

func repeats(r *model.Repeats) string {
	if r == nil {
		return ""
	}
	switch r.How {
	case model.ReadOnly:
		return "It changes nothing"
	case model.Idempotent:
		return "Repeating it changes nothing more"
	case model.Unsafe:
		return "It must not be repeated"
	case model.Keyed:
		text := "A call with the same " + r.Key + " in one " + r.Scope + " is the same call, for " + window(r.Window)
		if r.Absent != "" {
			text += "; without one, " + r.Absent
		}
		return text
	}
	return ""
}

// runs says on which goroutine the method is called.
func runs(m *model.Method, negotiates bool) string {
	switch {
	case negotiates && m.Deferred:
		return "It is called on the reading goroutine: answer at once if you can, since what comes before the answer comes too early"
	case negotiates:
		return "It is called on the reading goroutine, before anything else that the peer sends, and must be quick"
	case m.Deferred:
		return "It is called on the reading goroutine, in the order of the wire, and must not block: answer later, through c"
	case m.Runs == model.Quick:
		return "It is called on the reading goroutine, and what it returns is the answer: nothing else is read meanwhile, so it must wait for nothing"
	case m.Runs == model.Serial && m.In != nil:
		return "It runs after what came before it in its " + m.In.Scope + ", except for what runs concurrently with anything"
	case m.Runs == model.Serial:
		return "It runs after what its peer called before, except for what runs concurrently with anything"
	}
	return "Calls run concurrently"
}

func (g *gen) failures(m *model.Method) string {
	var names []string
	for _, kind := range m.Fails {
		if e := g.errorOf(kind); e != nil {
			names = append(names, "*"+errorName(e))
		}
	}
	return strings.Join(names, ", ")
}

func (g *gen) negotiates(m *model.Method) bool {
	return g.p.Negotiation != nil && g.p.Negotiation.Method == m.Name
}
