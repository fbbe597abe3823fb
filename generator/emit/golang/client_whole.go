// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// withWhole is a protocol in which work that is in no scope is in one: the
// connection. Its handle is the connection's, and it has no key. The protocol
// itself is not changed.
func withWhole(p *model.Protocol) *model.Protocol {
	free := map[string]bool{} // activities in no scope that a call ends with
	for _, m := range p.Methods {
		for _, w := range waysOf(m) {
			i := slices.IndexFunc(p.Activities, func(a *model.Activity) bool { return a.Name == w.Activity })
			if m.From == model.Client && m.In == nil && w.How == model.ByEnd && i >= 0 && p.Activities[i].In == "" {
				free[w.Activity] = true
			}
		}
	}
	if len(free) == 0 {
		return p
	}
	c := &client{gen: &gen{p: p}}
	whole := &model.Scope{Name: c.noun(), Handle: c.conn()}
	in := &model.Within{Scope: whole.Name}
	out := *p
	out.Scopes = append(slices.Clone(p.Scopes), whole)
	out.Methods = slices.Clone(p.Methods)
	for i, m := range out.Methods {
		if m.From == model.Client && m.In == nil && slices.ContainsFunc(waysOf(m), func(w model.Way) bool { return free[w.Activity] }) {
			within := *m
			within.In = in
			out.Methods[i] = &within
		}
	}
	out.Notifications = slices.Clone(p.Notifications)
	for i, n := range out.Notifications {
		if n.From == model.Server && n.In == nil && n.Params != "" && tellsOf(p, n, free) {
			within := *n
			within.In = in
			out.Notifications[i] = &within
		}
	}
	return &out
}

func waysOf(m *model.Method) []model.Way {
	var out []model.Way
	for _, k := range m.Settles {
		out = append(out, k.By...)
	}
	return out
}

// tellsOf reports whether a notification is about one of some activities.
func tellsOf(p *model.Protocol, n *model.Notification, activities map[string]bool) bool {
	about := func(f *model.Frame) bool { return f != nil && f.Notification == n.Name }
	for _, k := range n.Carry {
		if activities[k.Activity] {
			return true
		}
	}
	for _, a := range p.Activities {
		if activities[a.Name] && (about(a.Begins) || about(a.Ends)) {
			return true
		}
	}
	for _, m := range p.Methods {
		for _, w := range waysOf(m) {
			if m.In == nil && w.How == model.ByFrame && about(w.Frame) {
				return true
			}
		}
	}
	return false
}

// keyType is the type of a scope's id; the connection has none.
func (c *client) keyType(sc *clientScope) jen.Code {
	if sc.whole {
		return jen.Struct()
	}
	return c.goType(sc.key)
}
