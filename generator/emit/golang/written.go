// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// Live messages come in floods, and nearly all of them are written by the
// writer of the same table. Their types are read in a straight line first: what
// the writer writes around the values is compared, and a message that is
// written in any other way is read member by member, as all others are.

// straight reports whether a type is read in a straight line first: that of a
// live message, of scalars alone, whose first member is always there.
func (g *gen) straight(t *model.Type) bool {
	if !g.live(t) || len(t.Fields) == 0 || t.Fields[0].Presence != model.Required {
		return false
	}
	for _, f := range t.Fields {
		switch g.kind(f.Type) {
		case scalarKind, enumKind:
		default:
			return false
		}
		if f.Presence == model.Nullable || g.isPointer(f) {
			return false
		}
	}
	return true
}

func (g *gen) live(t *model.Type) bool {
	for _, n := range g.p.Notifications {
		if n.Live != nil && n.Params == t.Name {
			return true
		}
	}
	return false
}

// emitStraight writes the reading in a straight line.
func (g *gen) emitStraight(s *source, t *model.Type) {
	var body []jen.Code
	before := "{"
	next := func(f *model.Field) jen.Code {
		lit, method := before+key(f.Wire), "Lit"
		if before == "{" {
			method = "Opening"
		}
		before = ","
		return jen.Id("d").Dot(method).Call(text(lit))
	}
	required := func(f *model.Field) []jen.Code {
		return append([]jen.Code{jen.If(jen.Op("!").Add(next(f))).Block(jen.Return(jen.False()))}, g.readAgain(t.Name, f)...)
	}
	for i, part := 0, 0; i < len(t.Fields); i++ {
		f := t.Fields[i]
		if same := g.sameFrom(t, i); len(same) > 1 && part < codec.MemoryParts {
			var read []jen.Code
			for _, f := range same {
				read = append(read, required(f)...)
			}
			body = append(body, g.repeated(t, part, same, read))
			i += len(same) - 1
			part++
			continue
		}
		if f.Presence == model.Required {
			body = append(body, required(f)...)
			continue
		}
		body = append(body, jen.Id("v").Dot(f.Name).Op("=").Add(g.zero(f.Type)),
			jen.If(next(f)).Block(g.readAgain(t.Name, f)...))
	}
	if g.keeps() {
		body = append(body, jen.Id("v").Dot("Extra").Op("=").Nil())
	}
	body = append(body, jen.Return(jen.Id("d").Dot("Lit").Call(text("}"))))
	s.decl("decodeWritten reads v if it comes as AppendJSON writes it. If not, it is false, and the rest of d is to be read from before.",
		on(t.Name).Id("decodeWritten").Params(decoder()).Bool().Block(body...))
}

// sameFrom are the members from the i-th on that are always there, one behind the
// other, and that messages of one run have in common.
func (g *gen) sameFrom(t *model.Type, i int) []*model.Field {
	n := i
	for n < len(t.Fields) && t.Fields[n].Presence == model.Required && g.same(t, t.Fields[n].Wire) {
		n++
	}
	return t.Fields[i:n]
}

func (g *gen) same(t *model.Type, wire string) bool {
	for _, n := range g.p.Notifications {
		if n.Live != nil && n.Params == t.Name && (slices.Contains(n.Live.Same, wire) || n.In != nil && n.In.Key == wire) {
			return true
		}
	}
	return false
}

// repeated takes members over from the last message if they are written as they
// were in it, and else reads them.
func (g *gen) repeated(t *model.Type, part int, fields []*model.Field, read []jen.Code) jen.Code {
	var to, from []jen.Code
	values := jen.Dict{}
	for _, f := range fields {
		to, from = append(to, jen.Id("v").Dot(f.Name)), append(from, jen.Id("last").Dot(f.Name))
		values[jen.Id(f.Name)] = jen.Id("v").Dot(f.Name)
	}
	read = append([]jen.Code{jen.Id("from").Op(":=").Id("d").Dot("Place").Call()}, read...)
	read = append(read, jen.If(jen.Id("d").Dot("Recurs").Call(jen.Lit(part), jen.Id("from"))).Block(
		jen.Id("d").Dot("Remember").Call(jen.Lit(part), jen.Id("from"), jen.Op("&").Id(t.Name).Values(values))))
	return jen.If(
		jen.List(jen.Id("last"), jen.Id("ok")).Op(":=").Id("d").Dot("Repeat").Call(jen.Lit(part)).Assert(jen.Op("*").Id(t.Name)),
		jen.Id("ok"),
	).Block(jen.List(to...).Op("=").List(from...)).Else().Block(read...)
}

// mostCompared is how many values of an enum are compared one by one.
const mostCompared = 4

// readValues reads an enum: a known value is a comparison, too.
func (g *gen) readValues(f *model.Field, e *model.Enum) jen.Code {
	value := jen.Id("v").Dot(f.Name)
	var cases []jen.Code
	for i, known := range e.Values {
		if i == mostCompared {
			break
		}
		lit := string(codec.AppendString(nil, known.Wire))
		cases = append(cases, jen.Case(jen.Id("d").Dot("Lit").Call(text(lit))).Block(jen.Add(value).Op("=").Id(known.Name)))
	}
	cases = append(cases, jen.Default().Block(jen.Add(value).Op("=").Id(decodeEnum(f.Type.Name)).Call(jen.Id("d"))))
	return jen.Switch().Block(cases...)
}

// readAgain reads a member; one that repeats from message to message is kept if
// it is the same as in the last message that v had.
func (g *gen) readAgain(owner string, f *model.Field) []jen.Code {
	if t := g.types[f.Type.Name]; f.Type.Kind == model.RefNamed && t != nil && t.Kind == model.KindEnum && !t.Enum.Integer {
		return []jen.Code{g.readValues(f, t.Enum)}
	}
	if !f.Intern || g.under(f.Type).Kind != model.RefString {
		return g.decodeField(owner, f)
	}
	value := jen.Id("v").Dot(f.Name)
	last, read := jen.Add(value), jen.Id("d").Dot("Again")
	if f.Type.Kind == model.RefNamed {
		return append([]jen.Code{jen.Add(value).Op("=").Id(f.Type.Name).Call(read.Call(jen.String().Call(last)))}, g.checks(owner, f, value)...)
	}
	return append([]jen.Code{jen.Add(value).Op("=").Add(read.Call(last))}, g.checks(owner, f, value)...)
}
