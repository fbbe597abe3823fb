// SPDX-License-Identifier: Apache-2.0

package translation

import (
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// Text is one text of a model.
type Text struct {
	Key  string // wire path: "method game/move", "member MoveResult.position"
	Var  string // declaration's variable, for exceptions; empty for payload types
	Name string // the Go name that opens the comment, by convention
	Doc  model.Text
	Pos  model.Pos
	// Optional texts may be missing: something else says the same, a variant's
	// type for example.
	Optional bool
}

// Texts lists every text of a model, in the model's order.
func Texts(m *model.Protocol) []Text {
	out := make([]Text, 0, count(m))
	add := func(key, variable, name string, doc model.Text, pos model.Pos) {
		out = append(out, Text{Key: key, Var: variable, Name: name, Doc: doc, Pos: pos})
	}
	methods, notifications := m.Twins()
	add("protocol "+m.Name, m.Var, m.Var, m.Doc, m.Pos)
	for _, t := range m.Types {
		add("type "+t.Name, "", t.Name, t.Doc, t.Pos)
		fields(add, "member "+t.Name, t.Fields)
		if t.Union != nil {
			for _, v := range t.Union.Variants {
				add("variant "+t.Name+"="+v.Wire, "", v.Name, v.Doc, v.Pos)
				out[len(out)-1].Optional = true
			}
		}
		if t.Enum != nil {
			for _, v := range t.Enum.Values {
				add("enum "+t.Name+"="+v.Wire, "", v.Name, v.Doc, v.Pos)
			}
		}
	}
	for _, x := range m.Errors {
		add("error "+x.Kind, x.Var, x.Var, x.Doc, x.Pos)
		fields(add, "error-member "+x.Kind, x.Data)
	}
	for _, x := range m.Scopes {
		add("scope "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
	}
	for _, x := range m.Capabilities {
		add("capability "+x.Of+" "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
	}
	for _, x := range m.Notifications {
		key := "notification " + x.Name
		if notifications[x.Name] && x.From == model.Server {
			key += " from the server"
		}
		add(key, x.Var, x.Var, x.Doc, x.Pos)
	}
	for _, x := range m.Links {
		add("link "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
	}
	for _, x := range m.Activities {
		add("activity "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
		for _, o := range x.Outcomes {
			add("outcome "+x.Name+"="+o.Name, x.Var, "", o.Doc, o.Pos)
		}
	}
	for _, x := range m.Methods {
		key := "method " + x.Name
		if methods[x.Name] && x.From == model.Server {
			key += " from the server"
		}
		add(key, x.Var, x.Var, x.Doc, x.Pos)
		for _, s := range x.Steps {
			add("step "+x.Name+"="+s.Name, x.Var, "", s.Doc, s.Pos)
		}
	}
	for _, x := range m.Machines {
		add("machine "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
		for _, mv := range x.Moves {
			if mv.Event != "" {
				add("happening "+x.Name+"="+mv.Event, x.Var, "", mv.Doc, mv.Pos)
				out[len(out)-1].Optional = true // it has a name
			}
		}
	}
	for _, x := range m.Generations {
		add("generation "+x.Name, x.Var, x.Var, x.Doc, x.Pos)
		for _, y := range x.Differs {
			add("difference "+x.Name+"="+y.ID, x.Var, "", y.Doc, y.Pos)
		}
	}
	for _, x := range m.Limits {
		add("limit "+x.Name, m.Var, "", x.Doc, x.Pos)
	}
	for _, x := range m.Rules {
		add("rule "+x.ID, m.Var, "", x.Doc, x.Pos)
	}
	return unique(out)
}

// count is about how many texts a model has.
func count(m *model.Protocol) int {
	n := len(m.Methods) + len(m.Notifications) + len(m.Errors)
	for _, t := range m.Types {
		n += 1 + len(t.Fields)
		if t.Enum != nil {
			n += len(t.Enum.Values)
		}
	}
	return n + n/8
}

func fields(add func(key, variable, name string, doc model.Text, pos model.Pos), prefix string, list []*model.Field) {
	for _, f := range list {
		add(prefix+"."+f.Wire, "", f.Name, f.Doc, f.Pos)
	}
}

// unique keeps the first of texts at one place: the members of an embedded
// struct or of a generic one stand in each type that has them.
func unique(list []Text) []Text {
	seen := make(map[model.Pos]bool, len(list))
	out := list[:0]
	for _, t := range list {
		if t.Pos.Line > 0 && seen[t.Pos] {
			continue
		}
		seen[t.Pos] = true
		out = append(out, t)
	}
	return out
}

// Plain is a text without what may change while it says the same: white space,
// the marks around code, and the Go name that opens it, which tools rewrite
// when something is renamed.
func Plain(text, name string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "`", "")), " ")
	first, rest, _ := strings.Cut(text, " ")
	if name != "" && first == name {
		return rest
	}
	return text
}
