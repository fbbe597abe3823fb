// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// life is the activity that is the life of one of a scope's kind, which another
// begins; nil if none is.
func (c *client) life(sc *clientScope) *model.Activity {
	var found *model.Activity
	for _, a := range c.p.Activities {
		switch {
		case a.Life != sc.s.Name:
		case found != nil:
			c.problems.Add(a.Pos, "%s and %s are both the life of a %s: a client follows one", found.Name, a.Name, sc.s.Name)
		default:
			found = a
		}
	}
	return found
}

// lives says what a message means for the life of another scope.
func (r *reading) lives() {
	a := r.life(r.sc)
	if a == nil {
		return
	}
	for _, of := range []struct {
		frame *model.Frame
		means string
	}{{a.Begins, "BeginsChild"}, {a.Ends, "EndsChild"}, {a.Detaches, "DetachesChild"}} {
		r.frame(of.frame, a.Pos, func(base, typeName string) []jen.Code {
			expr, f := r.frameMember(of.frame, base, typeName)
			if f == nil || r.isPointer(f) {
				r.problems.Add(a.Pos, "%s names the %s that it is about in a member that a client cannot reach, or that may be absent", of.frame.Notification, r.sc.s.Name)
				return nil
			}
			return []jen.Code{jen.List(jen.Id("m.Kin"), jen.Id("m.Child")).Op("=").List(jen.Qual(clientPath, of.means), expr)}
		})
	}
}

// branch is the type of what another scope began.
func (c *client) branch(sc *clientScope) string {
	n := 0
	for _, other := range c.scopes {
		if c.life(other) != nil {
			n++
		}
	}
	if n > 1 {
		return sc.s.Handle + "Branch"
	}
	return "Branch"
}

// emitBranch writes the type, and how a scope's handle gives those that it began.
func (c *client) emitBranch(s *source, sc *clientScope) {
	a := c.life(sc)
	if a == nil {
		return
	}
	name, scope, key := c.branch(sc), sc.s.Name, c.goType(sc.key)
	note := func(f *model.Frame) jen.Code { return jen.Op("*").Add(c.ref(c.notification(f.Notification).Params)) }
	s.decl(name+" is a "+scope+" that another one began.", jen.Type().Id(name).Struct(
		jen.Comment("ID and Parent are the "+scope+" and the one that began it."),
		jen.List(jen.Id("ID"), jen.Id("Parent")).Add(key),
		jen.Line(),
		jen.Comment("Began is the message that began it."),
		jen.Id("Began").Add(note(a.Begins)),
		jen.Line(),
		jen.Comment("Ended is the message that ended it; nil while none has come."),
		jen.Id("Ended").Add(note(a.Ends)),
		jen.Line(),
		jen.Comment("Err is why none will come: the connection was lost."),
		jen.Id("Err").Error(),
	))
	convert := unexported(name) + "List"
	s.decl("", jen.Func().Id(convert).Params(jen.Id("list").Index().Qual(clientPath, "Branch")).Index().Id(name).Block(
		jen.Id("out").Op(":=").Make(jen.Index().Id(name), jen.Len(jen.Id("list"))),
		jen.For(jen.List(jen.Id("i"), jen.Id("b")).Op(":=").Range().Id("list")).Block(
			jen.Id("out").Index(jen.Id("i")).Op("=").Id(name).Values(
				jen.Id("ID").Op(":").Id("b.ID").Assert(key), jen.Id("Parent").Op(":").Id("b.Parent").Assert(key), jen.Id("Err").Op(":").Id("b.Err")),
			jen.List(jen.Id("out").Index(jen.Id("i")).Dot("Began"), jen.Id("_")).Op("=").Id("b.Began").Assert(note(a.Begins)),
			jen.List(jen.Id("out").Index(jen.Id("i")).Dot("Ended"), jen.Id("_")).Op("=").Id("b.Ended").Assert(note(a.Ends)),
		),
		jen.Return(jen.Id("out")),
	))
	s.decl("Children are those that the "+scope+" began and that have not ended, in the order in which they began, as far as this connection has their messages.",
		onHandle(sc.s.Handle).Id("Children").Params().Index().Id(name).Block(
			jen.Return(jen.Id(convert).Call(jen.Id("s.rt."+sc.field()+".Children").Call(jen.Id("s.id"))))))
}

// emitTree writes how a handle gives what its activity began.
func (c *client) emitTree(s *source, w *work, handle string) {
	if c.life(w.sc) == nil {
		return
	}
	name, scope, key := c.branch(w.sc), w.sc.s.Name, c.goType(w.sc.key)
	s.decl("Tree is every "+scope+" that the "+w.activity.Name+" began so far, and every one that those began, each after the one that began it.",
		onActivity(handle).Id("Tree").Params().Index().Id(name).Add(oneLine(jen.Return(jen.Id(unexported(name)+"List").Call(jen.Id("t.run.Tree").Call())))))
	s.decl("Owns reports whether a "+scope+" is part of the tree of the "+w.activity.Name+".",
		onActivity(handle).Id("Owns").Params(jen.Id("id").Add(key)).Bool().Add(oneLine(jen.Return(jen.Id("t.run.Owns").Call(jen.Id("id"))))))
}
