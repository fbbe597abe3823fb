// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// mergedAtMost is how long, in bytes, a merged frame may grow: joining longer
// and longer texts would cost more than it saves.
const mergedAtMost = 16 << 10

// frameSize is about what a live frame has in addition to its joined members.
const frameSize = 256

// emitLive writes the form of a notification that a lane may merge.
func (g *gen) emitLive(s *source, n *model.Notification) {
	name := liveName(n)
	live := n.Live
	receiver := func() *jen.Statement { return jen.Func().Params(jen.Id("f").Op("*").Id(name)) }
	field := func(wire string) *model.Field {
		f := g.member(n.Params, wire)
		if f == nil {
			g.problems.Add(n.Pos, "notification %s merges by %s, which is no member of its params", n.Name, wire)
		}
		return f
	}
	s.decl(name+" is a "+n.Name+" as a lane sees it.", jen.Type().Id(name).Add(g.ref(n.Params)))
	s.decl("AppendFrame implements jsonrpc.LiveFrame.",
		receiver().Id("AppendFrame").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(
			jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(head(n))).Op("...")),
			jen.Id("b").Op("=").Parens(jen.Op("*").Add(g.ref(n.Params))).Call(jen.Id("f")).Dot("AppendJSON").Call(jen.Id("b")),
			jen.Return(jen.Append(jen.Id("b"), jen.LitRune('}'))),
		))
	s.decl("Keep implements jsonrpc.LiveFrame.",
		receiver().Id("Keep").Params().Qual(jsonrpcPath, "LiveFrame").Block(
			jen.Id("kept").Op(":=").Op("*").Id("f"),
			jen.Return(jen.Op("&").Id("kept")),
		))

	size := jen.Lit(frameSize)
	differ := jen.Op("!").Id("ok")
	if len(live.Join) > 0 {
		differ = differ.Op("||").Id("f").Dot("Size").Call().Op(">").Add(amount(mergedAtMost))
	}
	same := append([]string{}, live.Same...)
	if n.In != nil {
		same = append([]string{n.In.Key}, same...)
	}
	for _, wire := range same {
		f := field(wire)
		if f == nil {
			return
		}
		if k := g.kind(f.Type); k != scalarKind && k != enumKind || g.isPointer(f) || f.Null() {
			g.problems.Add(f.Pos, "%s must be the same for frames of %s to merge, so it must be a plain value", f.Wire, n.Name)
			return
		}
		differ = differ.Op("||").Line().Id("f").Dot(f.Name).Op("!=").Id("n").Dot(f.Name)
	}
	var join []jen.Code
	for _, wire := range live.Join {
		f := field(wire)
		if f == nil {
			return
		}
		if g.under(f.Type).Kind != model.RefString || g.isPointer(f) || f.Null() {
			g.problems.Add(f.Pos, "%s is joined when frames of %s merge, so it must be a plain string", f.Wire, n.Name)
			return
		}
		size = size.Op("+").Len(jen.Id("f").Dot(f.Name))
		join = append(join, jen.Id("f").Dot(f.Name).Op("+=").Id("n").Dot(f.Name))
	}
	for _, wire := range live.Last {
		f := field(wire)
		if f == nil {
			return
		}
		join = append(join, jen.Id("f").Dot(f.Name).Op("=").Id("n").Dot(f.Name))
	}
	body := []jen.Code{jen.List(jen.Id("n"), jen.Id("ok")).Op(":=").Id("next").Assert(jen.Op("*").Id(name))}
	if live.Counter != "" {
		counter, merged := field(live.Counter), field(live.Merged)
		if counter == nil || merged == nil {
			return
		}
		count := func(of string) jen.Code { return jen.Max(jen.Id(of).Dot(merged.Name), jen.Lit(1)) }
		differ = differ.Op("||").Line().Id("n").Dot(counter.Name).Op("!=").Id("f").Dot(counter.Name).Op("+").Add(count("f"))
		join = append([]jen.Code{jen.Id("f").Dot(merged.Name).Op("=").Add(count("f")).Op("+").Add(count("n"))}, join...)
	}
	body = append(body, jen.If(differ).Block(jen.Return(jen.False())))
	body = append(body, join...)
	body = append(body, jen.Return(jen.True()))
	s.decl("Merge implements jsonrpc.LiveFrame.",
		receiver().Id("Merge").Params(jen.Id("next").Qual(jsonrpcPath, "LiveFrame")).Bool().Block(body...))
	sized := receiver()
	if len(live.Join) == 0 {
		sized = jen.Func().Params(jen.Op("*").Id(name))
	}
	s.decl("Size implements jsonrpc.LiveFrame.",
		sized.Id("Size").Params().Int().Block(jen.Return(size)))
}
