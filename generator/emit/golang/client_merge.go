// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitMerge writes how live messages are merged.
func (c *client) emitMerge(s *source, sc *clientScope, on func() *jen.Statement) {
	var cases []jen.Code
	merges := map[string]string{} // by payload type
	for _, n := range c.scoped() {
		if n.Live == nil || n.In.Scope != sc.s.Name {
			continue
		}
		if merges[n.Params] != "" {
			c.problems.Add(n.Pos, "%s and %s are live and have one payload type, which distinguishes them when they merge: give each its own", merges[n.Params], n.Name)
			continue
		}
		merges[n.Params] = n.Name
		differ := jen.Op("!").Id("ok")
		field := func(wire string) *model.Field {
			f := c.member(n.Params, wire)
			if f == nil || c.isPointer(f) || f.Null() {
				c.problems.Add(n.Pos, "member %s takes part in merging %s, so it must be a plain one", wire, n.Name)
				return nil
			}
			return f
		}
		for _, wire := range n.Live.Same {
			if f := field(wire); f != nil {
				differ = differ.Op("||").Id("x." + f.Name).Op("!=").Id("y." + f.Name)
			}
		}
		var counted []jen.Code
		if n.Live.Counter != "" {
			counter, merged := field(n.Live.Counter), field(n.Live.Merged)
			if counter == nil || merged == nil {
				continue
			}
			count := func(of string) jen.Code { return jen.Max(jen.Id(of+"."+merged.Name), jen.Lit(1)) }
			differ = differ.Op("||").Id("y." + counter.Name).Op("!=").Id("x." + counter.Name).Op("+").Add(count("x"))
			counted = append(counted, jen.Id("z."+merged.Name).Op("=").Add(count("x")).Op("+").Add(count("y")))
		}
		body := []jen.Code{
			jen.List(jen.Id("y"), jen.Id("ok")).Op(":=").Id("b").Assert(jen.Op("*").Add(c.ref(n.Params))),
			jen.If(differ).Block(jen.Return(jen.Nil(), jen.Lit(0))),
			jen.Id("z").Op(":=").Op("*").Id("x"),
		}
		body = append(body, counted...)
		var size *jen.Statement
		grows := func(name string) *jen.Statement {
			if size == nil {
				return jen.Len(jen.Id("y." + name))
			}
			return size.Op("+").Len(jen.Id("y." + name))
		}
		for _, wire := range n.Live.Join {
			if f := field(wire); f != nil {
				body = append(body, jen.Id("z."+f.Name).Op("+=").Id("y."+f.Name))
				size = grows(f.Name)
			}
		}
		for _, wire := range n.Live.Last {
			f := c.member(n.Params, wire)
			if f == nil {
				c.problems.Add(n.Pos, "%s of %s is replaced when it is merged, and there is no such member", wire, n.Name)
				continue
			}
			body = append(body, jen.Id("z."+f.Name).Op("=").Id("y."+f.Name))
			if k := c.under(f.Type).Kind; (k == model.RefString || k == model.RefBytes) && !c.isPointer(f) && !f.Null() {
				size = grows(f.Name).Op("-").Len(jen.Id("x." + f.Name))
			}
		}
		if size == nil {
			size = jen.Lit(0)
		}
		body = append(body, jen.Return(jen.Op("&").Id("z"), size))
		cases = append(cases, jen.Case(jen.Op("*").Add(c.ref(n.Params))).Block(body...))
	}
	var body []jen.Code
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("x").Op(":=").Id("a").Assert(jen.Type())).Block(cases...))
	}
	s.decl("Merge implements client.Knowledge.", on().Id("Merge").Params(jen.List(jen.Id("a"), jen.Id("b")).Any()).
		Params(jen.Id("note").Any(), jen.Id("grown").Int()).Block(append(body, jen.Return(jen.Nil(), jen.Lit(0)))...))
}
