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

	differ := jen.Op("!").Id("ok")
	size := jen.Lit(frameSize)
	if len(live.Join) > 0 {
		differ = differ.Op("||").Id("f").Dot("Size").Call().Op(">").Add(amount(mergedAtMost))
		for _, f := range g.mergedMembers(n, live.Join) {
			size = size.Op("+").Len(jen.Id("f").Dot(f.Name))
		}
	}
	same := live.Same
	if n.In != nil {
		same = append([]string{n.In.Key}, same...)
	}
	body := []jen.Code{
		jen.List(jen.Id("n"), jen.Id("ok")).Op(":=").Id("next").Assert(jen.Op("*").Id(name)),
		jen.If(differ.Add(g.unmerged(n, same, "f", "n"))).Block(jen.Return(jen.False())),
	}
	body = append(append(body, g.merged(n, "f", "n")...), jen.Return(jen.True()))
	s.decl("Merge implements jsonrpc.LiveFrame.",
		receiver().Id("Merge").Params(jen.Id("next").Qual(jsonrpcPath, "LiveFrame")).Bool().Block(body...))
	sized := receiver()
	if len(live.Join) == 0 {
		sized = jen.Func().Params(jen.Op("*").Id(name))
	}
	s.decl("Size implements jsonrpc.LiveFrame.",
		sized.Id("Size").Params().Int().Block(jen.Return(size)))
}

// unmerged is what keeps the live messages that two variables hold from being
// merged, each condition after a ||: members that are not the same, or numbers
// that do not follow each other.
func (g *gen) unmerged(n *model.Notification, same []string, a, b string) *jen.Statement {
	cond := jen.Null()
	for _, f := range g.mergedMembers(n, same) {
		if k := g.kind(f.Type); k != scalarKind && k != enumKind || g.isPointer(f) || f.Null() {
			g.problems.Add(f.Pos, "%s must be the same for frames of %s to merge, so it must be a plain value", f.Wire, n.Name)
		}
		cond.Op("||").Line().Id(a + "." + f.Name).Op("!=").Id(b + "." + f.Name)
	}
	if counter, merged := g.mergeCounter(n); counter != nil {
		cond.Op("||").Line().Id(b + "." + counter.Name).Op("!=").Id(a + "." + counter.Name).Op("+").Add(mergedCount(a, merged))
	}
	return cond
}

// merged are the statements that merge the live message of one variable into
// that of another.
func (g *gen) merged(n *model.Notification, into, from string) []jen.Code {
	var code []jen.Code
	if _, merged := g.mergeCounter(n); merged != nil {
		code = append(code, jen.Id(into+"."+merged.Name).Op("=").Add(mergedCount(into, merged)).Op("+").Add(mergedCount(from, merged)))
	}
	for _, f := range g.mergedMembers(n, n.Live.Join) {
		if g.under(f.Type).Kind != model.RefString || g.isPointer(f) || f.Null() {
			g.problems.Add(f.Pos, "%s is joined when frames of %s merge, so it must be a plain string", f.Wire, n.Name)
		}
		code = append(code, jen.Id(into+"."+f.Name).Op("+=").Id(from+"."+f.Name))
	}
	for _, f := range g.mergedMembers(n, n.Live.Last) {
		code = append(code, jen.Id(into+"."+f.Name).Op("=").Id(from+"."+f.Name))
	}
	return code
}

// mergedMembers are the members of a live notification that have these names.
func (g *gen) mergedMembers(n *model.Notification, names []string) []*model.Field {
	var out []*model.Field
	for _, wire := range names {
		f := g.member(n.Params, wire)
		if f == nil {
			g.problems.Add(n.Pos, "notification %s merges by %s, which is no member of its params", n.Name, wire)
			continue
		}
		out = append(out, f)
	}
	return out
}

// mergeCounter returns the members that number live messages and count the merged
// ones; nil if they have none.
func (g *gen) mergeCounter(n *model.Notification) (counter, merged *model.Field) {
	if n.Live.Counter == "" {
		return nil, nil
	}
	found := g.mergedMembers(n, []string{n.Live.Counter, n.Live.Merged})
	for _, f := range found {
		if g.isPointer(f) || f.Null() {
			g.problems.Add(f.Pos, "%s counts frames of %s, so it must be a plain number", f.Wire, n.Name)
		}
	}
	if len(found) < 2 {
		return nil, nil
	}
	return found[0], found[1]
}

// mergedCount is how many messages the one that a variable holds stands for.
func mergedCount(of string, merged *model.Field) jen.Code {
	return jen.Max(jen.Id(of+"."+merged.Name), jen.Lit(1))
}
