// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// A union by shape is an interface as one with a tag is. Its variants are what they
// are elsewhere: a struct is a pointer to it, a defined list or scalar is itself;
// what has no name gets one.

// byShape reports whether a type is a union whose variants are distinguished by
// their shape.
func byShape(t *model.Type) bool { return t.Kind == model.KindUnion && t.Union.ByShape() }

// variantName is the Go type that a variant is: one that is made for the union,
// or a declared one.
func variantName(t *model.Type, v *model.Variant) (name string, own bool) {
	if v.Of.Kind == model.RefNamed {
		return v.Of.Name, false
	}
	return t.Name + v.Name, true
}

// variantType is that type as the interface holds it.
func (g *gen) variantType(t *model.Type, v *model.Variant) jen.Code {
	name, _ := variantName(t, v)
	if g.kind(v.Of) == structKind {
		return jen.Op("*").Id(name)
	}
	return jen.Id(name)
}

// emitShapeUnion writes the interface, the types that are made for it, and what
// makes a variant one.
func (g *gen) emitShapeUnion(s *source, t *model.Type) {
	u := g.names.unions[t.Name]
	var list []string
	for _, v := range t.Union.Variants {
		name, _ := variantName(t, v)
		if g.kind(v.Of) == structKind {
			name = "*" + name
		}
		list = append(list, name)
	}
	doc := typeDoc(t) + "\n\nIt is " + alternatives(append(list, "*"+u.unknown)) + ", distinguished by their shape."
	s.decl(strings.TrimSpace(doc), jen.Type().Id(u.iface).Interface(
		jen.Qual(codecPath, "Appender"),
		jen.Id(u.marker).Params(),
	))
	for _, v := range t.Union.Variants {
		if name, own := variantName(t, v); own {
			doc := sentences(docAs(v.Doc.EN, v.Name, name))
			if doc == "" {
				doc = name + " is " + article(t.Name) + "."
			}
			s.decl(doc, jen.Type().Id(name).Add(g.goType(v.Of)))
		}
	}
	s.decl(u.unknown+" is what is like no variant. Raw is it as it was written, and is written again unchanged.",
		jen.Type().Id(u.unknown).Struct(jen.Id("Raw").Qual(codecPath, "Raw")))
	var markers []jen.Code
	for _, v := range t.Union.Variants {
		markers = append(markers, jen.Func().Params(g.variantType(t, v)).Id(u.marker).Params().Add(oneLine()))
	}
	s.decl("", append(markers, jen.Func().Params(jen.Op("*").Id(u.unknown)).Id(u.marker).Params().Add(oneLine()))...)
}

// emitShapeCodec writes what reads and writes a union by shape.
func (g *gen) emitShapeCodec(s *source, t *model.Type) {
	u := g.names.unions[t.Name]
	v := jen.Id("v")
	var cases []jen.Code
	var wanted []string
	objects := false
	for _, one := range t.Union.Variants {
		shape := model.ShapeOf(g.types, one.Of)
		wanted = append(wanted, shapeNames[shape])
		if shape != model.ObjectShape {
			cases = append(cases, jen.Case(jen.Qual(codecPath, shapeConsts[shape])).Block(g.readVariant(t, one, v)...))
			continue
		}
		objects = true
	}
	if objects {
		cases = append(cases, jen.Case(jen.Qual(codecPath, shapeConsts[model.ObjectShape])).Block(g.readObject(t, v)...))
	}
	cases = append(cases, jen.Default().Block(jen.Id("d").Dot("Unlike").Call(text(alternatives(distinct(wanted))))))
	s.decl(u.read+" reads a union by its shape. What is like no variant, or has not the shape it should have, is kept raw.",
		jen.Func().Id(u.read).Params(decoder()).Params(jen.Id("v").Id(u.iface)).Block(
			jen.Id("start").Op(":=").Id("d").Dot("Mark").Call(),
			jen.Switch(jen.Id("d").Dot("Shape").Call()).Block(cases...),
			jen.If(jen.Id("d").Dot("Misfit").Call(jen.Id("start"))).Block(
				jen.Return(jen.Op("&").Id(u.unknown).Values(jen.Id("Raw").Op(":").Id("d").Dot("Raw").Call()))),
			jen.Return(v),
		))
	g.emitAppendChoice(s, u)
	for _, one := range t.Union.Variants {
		if name, own := variantName(t, one); own {
			s.decl("AppendJSON writes v to b as compact JSON.",
				jen.Func().Params(jen.Id("v").Id(name)).Id("AppendJSON").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(
					jen.Return(g.writeValue(one.Of, g.bare(one.Of)))))
		}
	}
	s.decl("AppendJSON writes what was read.", on(u.unknown).Id("AppendJSON").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(
		jen.Return(jen.Qual(codecPath, "AppendRaw").Call(jen.Id("b"), jen.Id("v").Dot("Raw")))))
	s.decl("MarshalJSON gives what was read to encoding/json.",
		jen.Func().Params(jen.Id("v").Id(u.unknown)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Qual(codecPath, "AppendRaw").Call(jen.Nil(), jen.Id("v").Dot("Raw")), jen.Nil())))
}

// bare is the value v of a type that is made for a variant, as what it is made of.
func (g *gen) bare(r *model.Ref) jen.Code {
	switch r.Kind {
	case model.RefString, model.RefBool, model.RefInt, model.RefFloat:
		return jen.Add(g.goType(r)).Call(jen.Id("v"))
	}
	return jen.Id("v") // lists and maps are assignable
}

// emitAppendChoice writes the function that writes a union that is an interface.
func (g *gen) emitAppendChoice(s *source, u *unionNames) {
	s.decl(u.write+" writes a union; nil is null.",
		jen.Func().Id(u.write).Params(jen.Id("b").Index().Byte(), jen.Id("v").Id(u.iface)).Index().Byte().Block(
			jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Append(jen.Id("b"), jen.Lit("null").Op("...")))),
			jen.Return(jen.Id("v").Dot("AppendJSON").Call(jen.Id("b"))),
		))
}

// readVariant are the statements that read a variant into v.
func (g *gen) readVariant(t *model.Type, one *model.Variant, v jen.Code) []jen.Code {
	name, _ := variantName(t, one)
	if g.kind(one.Of) == structKind {
		return []jen.Code{
			jen.Id("o").Op(":=").New(jen.Id(name)),
			jen.Id("o").Dot("DecodeJSON").Call(jen.Id("d")),
			jen.Add(v).Op("=").Id("o"),
		}
	}
	read := g.readValue(g.under(one.Of), false)
	if g.kind(one.Of) != enumKind { // its reader gives the type itself
		read = jen.Id(name).Call(read)
	}
	return []jen.Code{jen.Add(v).Op("=").Add(read)}
}

// readObject are the statements that read what is an object: one variant by
// what distinguishes it, the last without.
func (g *gen) readObject(t *model.Type, v jen.Code) []jen.Code {
	var cases []jen.Code
	var last []jen.Code
	for i, one := range t.Union.Variants {
		if model.ShapeOf(g.types, one.Of) != model.ObjectShape {
			continue
		}
		tells, like, ok := model.Distinguish(g.types, t.Union, i)
		if !ok {
			g.problems.Add(one.Pos, "nothing distinguishes %s of %s from %s", one.Name, t.Name, like.Name)
			return nil
		}
		body := g.readVariant(t, one, v)
		if len(tells) == 0 {
			last = body
			continue
		}
		var cond *jen.Statement
		for _, tell := range tells {
			has := jen.Id("d").Dot("Has").Call(text(tell.Member), shapeExpr(tell.Shape))
			if cond == nil {
				cond = has
			} else {
				cond = cond.Op("&&").Add(has)
			}
		}
		cases = append(cases, jen.Case(cond).Block(body...))
	}
	if len(cases) == 0 {
		return last
	}
	return []jen.Code{jen.Switch().Block(append(cases, jen.Default().Block(last...))...)}
}

var (
	shapeConsts = map[model.Shape]string{
		model.NullShape: "ShapeNull", model.BoolShape: "ShapeBool", model.NumberShape: "ShapeNumber",
		model.StringShape: "ShapeString", model.ListShape: "ShapeList", model.ObjectShape: "ShapeObject",
	}
	shapeNames = map[model.Shape]string{
		model.BoolShape: "true or false", model.NumberShape: "a number", model.StringShape: "a string",
		model.ListShape: "a list", model.ObjectShape: "an object",
	}
)

// shapeExpr is a set of kinds.
func shapeExpr(s model.Shape) jen.Code {
	var out *jen.Statement
	for _, one := range s.Shapes() {
		c := jen.Qual(codecPath, shapeConsts[one])
		if out == nil {
			out = c
		} else {
			out = out.Op("|").Add(c)
		}
	}
	return out
}

func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// emitVariantMethod has a defined scalar, list or map write itself, since a union
// holds it.
func (g *gen) emitVariantMethod(s *source, t *model.Type) {
	if !g.shaped[t.Name] {
		return
	}
	ref := &model.Ref{Kind: model.RefNamed, Name: t.Name}
	s.decl("AppendJSON writes v to b as compact JSON.",
		jen.Func().Params(jen.Id("v").Id(t.Name)).Id("AppendJSON").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(
			jen.Return(g.writeValue(ref, jen.Id("v")))))
}
