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
		var grown []jen.Code
		for _, f := range c.mergedMembers(n, n.Live.Join) {
			grown = append(grown, jen.Len(jen.Id("y."+f.Name)))
		}
		for _, f := range c.mergedMembers(n, n.Live.Last) {
			if k := c.under(f.Type).Kind; (k == model.RefString || k == model.RefBytes) && !c.isPointer(f) && !f.Null() {
				grown = append(grown, jen.Len(jen.Id("y."+f.Name)).Op("-").Len(jen.Id("x."+f.Name)))
			}
		}
		if len(grown) == 0 {
			grown = []jen.Code{jen.Lit(0)}
		}
		size := jen.Add(grown[0])
		for _, more := range grown[1:] {
			size.Op("+").Add(more)
		}
		body := []jen.Code{
			jen.List(jen.Id("y"), jen.Id("ok")).Op(":=").Id("b").Assert(jen.Op("*").Add(c.ref(n.Params))),
			jen.If(jen.Op("!").Id("ok").Add(c.unmerged(n, n.Live.Same, "x", "y"))).Block(jen.Return(jen.Nil(), jen.Lit(0))),
			jen.Id("z").Op(":=").Op("*").Id("x"),
		}
		body = append(append(body, c.merged(n, "z", "y")...), jen.Return(jen.Op("&").Id("z"), size))
		cases = append(cases, jen.Case(jen.Op("*").Add(c.ref(n.Params))).Block(body...))
	}
	var body []jen.Code
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("x").Op(":=").Id("a").Assert(jen.Type())).Block(cases...))
	}
	s.decl("Merge implements client.Knowledge.", on().Id("Merge").Params(jen.List(jen.Id("a"), jen.Id("b")).Any()).
		Params(jen.Id("note").Any(), jen.Id("grown").Int()).Block(append(body, jen.Return(jen.Nil(), jen.Lit(0)))...))
}
