// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// notification finds one by name; of two, which both sides send, the one that a
// client gets.
func (c *client) notification(name string) *model.Notification {
	var found *model.Notification
	for _, n := range c.p.Notifications {
		if n.Name == name && (found == nil || n.From == model.Server) {
			found = n
		}
	}
	return found
}

// unionAt is the union that a frame's path leads to, and its member.
func (c *client) unionAt(f *model.Frame) (*model.Type, *model.Field) {
	n := c.notification(f.Notification)
	if n == nil || f.Variant == "" {
		return nil, nil
	}
	name, _, _ := strings.Cut(f.Path, ".")
	member := c.member(n.Params, name)
	if member == nil {
		return nil, nil
	}
	t := c.types[c.under(member.Type).Name]
	if t == nil || t.Union == nil {
		return nil, nil
	}
	return t, member
}

// variantOf is the variant that a frame is narrowed to; nil if it is none.
func (c *client) variantOf(f *model.Frame) *model.Variant {
	t, _ := c.unionAt(f)
	if t == nil {
		return nil
	}
	for _, v := range t.Union.Variants {
		if v.Wire == f.Variant {
			return v
		}
	}
	return nil
}

// where narrows statements to the frames that they are about.
func (c *client) where(f *model.Frame, base, typeName string, pos model.Pos, code []jen.Code) []jen.Code {
	if len(f.Where) == 0 || len(code) == 0 {
		return code
	}
	conds := make([]model.Is, len(f.Where))
	for i, is := range f.Where {
		conds[i] = is
		if f.Path != "" {
			conds[i].Member, _ = cutPath(is.Member, f.Path)
		}
	}
	cond := c.holds(jen.Id(base), typeName, conds)
	if cond == nil {
		c.problems.Add(pos, "a frame %s is recognised by %s, which a client cannot check", f.Notification, f.Where[0].Member)
		return nil
	}
	return []jen.Code{jen.If(cond).Block(code...)}
}

// frameKey reads the key of a frame.
func (c *client) frameKey(w *work, f *model.Frame, base, typeName string) []jen.Code {
	if f.Key == "" {
		return nil
	}
	expr, member := c.frameMember(f, base, typeName)
	if member == nil {
		c.problems.Add(w.activity.Pos, "the key of %s is in a member that a client cannot reach", w.activity.Name)
		return nil
	}
	return c.keyed(member, expr)
}

// frameMember is the member with a frame's key, in the variant it is narrowed to or
// next to the union, in the params.
func (c *client) frameMember(f *model.Frame, base, typeName string) (expr jen.Code, member *model.Field) {
	path := f.Key
	if f.Variant != "" {
		rest, ok := cutPath(path, f.Path)
		if !ok {
			return c.memberAt(jen.Id("p"), c.notification(f.Notification).Params, path)
		}
		path = rest
	}
	return c.memberAt(jen.Id(base), typeName, path)
}

// keyed says that a member holds the key of the activity, if it is there.
func (c *client) keyed(f *model.Field, expr jen.Code) []jen.Code {
	if c.isPointer(f) {
		return []jen.Code{jen.If(jen.Add(expr).Op("!=").Nil()).Block(
			jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(jen.Op("*").Add(expr), jen.True()))}
	}
	if f.Presence == model.Required {
		return []jen.Code{jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(expr, jen.True())}
	}
	return []jen.Code{jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(expr, jen.Add(expr).Op("!=").Add(c.nothing(f)))}
}

func cutPath(path, prefix string) (string, bool) {
	if len(path) > len(prefix)+1 && path[:len(prefix)] == prefix && path[len(prefix)] == '.' {
		return path[len(prefix)+1:], true
	}
	return path, false
}
