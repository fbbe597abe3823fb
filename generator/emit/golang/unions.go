// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitUnion writes a union: the interface, the tags of its variants, the
// variant that is not known, and, if it has content, the struct around it.
func (g *gen) emitUnion(s *source, t *model.Type) {
	if byShape(t) {
		g.emitShapeUnion(s, t)
		return
	}
	u := g.names.unions[t.Name]
	if u.content != "" {
		s.decl(typeDoc(t), jen.Type().Id(t.Name).Struct(g.unionFields(t, u)...))
		s.decl(exportedTag(t)+" names the variant that v is; empty if it has none.",
			jen.Func().Params(jen.Id("v").Op("*").Id(t.Name)).Id(exportedTag(t)).Params().String().Block(
				jen.If(jen.Id("v").Dot(u.content).Op("==").Nil()).Block(jen.Return(jen.Lit(""))),
				jen.Return(jen.Id("v").Dot(u.content).Dot(u.method).Call()),
			))
		s.decl(u.iface+" is what "+article(t.Name)+" holds: "+g.oneOf(t, u), g.unionInterface(u, t.Union.Tag))
	} else {
		s.decl(strings.TrimSpace(typeDoc(t)+"\n\nIt is "+g.oneOf(t, u)), g.unionInterface(u, t.Union.Tag))
	}

	var tags []jen.Code
	for _, v := range t.Union.Variants {
		if len(tags) > 0 {
			tags = append(tags, jen.Line())
		}
		tags = append(tags, comments(variantDoc(v))...)
		tags = append(tags, jen.Id(u.constant(v)).Op("=").Add(text(v.Wire)))
	}
	if len(tags) > 0 {
		s.decl("The variants of "+t.Name+", by "+t.Union.Tag+".", jen.Const().Defs(tags...))
	}

	what := "its " + t.Union.Content
	if u.content == "" {
		what = "the whole"
	}
	s.decl(u.unknown+" is a variant that this version does not know, or one that has not the shape it should have. "+
		"Raw is "+what+" as it was written, and is written again unchanged.",
		jen.Type().Id(u.unknown).Struct(jen.Id(u.tag).String(), jen.Id("Raw").Qual(codecPath, "Raw")))

	method := func(receiver *jen.Statement, tag jen.Code) jen.Code {
		return jen.Func().Params(receiver).Id(u.method).Params().String().Add(oneLine(jen.Return(tag)))
	}
	var methods, markers []jen.Code
	for _, v := range t.Union.Variants {
		methods = append(methods, method(jen.Op("*").Id(v.Type), jen.Id(u.constant(v))))
		markers = append(markers, jen.Func().Params(jen.Op("*").Id(v.Type)).Id(u.marker).Params().Add(oneLine()))
	}
	methods = append(methods, method(jen.Id("v").Op("*").Id(u.unknown), jen.Id("v").Dot(u.tag)))
	markers = append(markers, jen.Func().Params(jen.Op("*").Id(u.unknown)).Id(u.marker).Params().Add(oneLine()))
	s.decl("", methods...)
	s.decl("", markers...)
}

// exportedTag is the method of a union's struct that gives the tag.
func exportedTag(t *model.Type) string { return exported(t.Union.Tag) }

// unionFields are the common members, with the content where the author put the
// variants.
func (g *gen) unionFields(t *model.Type, u *unionNames) []jen.Code {
	before, after := splitFields(t)
	var code []jen.Code
	add := func(doc string, field jen.Code) {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(append(code, comments(doc)...), field)
	}
	for _, f := range before {
		add(g.memberDoc(f), g.structField(f))
	}
	add("What sets the variants apart. It also says what "+t.Union.Tag+" is written.",
		jen.Id(u.content).Id(u.iface).Tag(map[string]string{"json": t.Union.Content}))
	for _, f := range after {
		add(g.memberDoc(f), g.structField(f))
	}
	return append(code, g.extraField(true)...)
}

// splitFields parts a union's common members at the place of its variants,
// which is where the content is written.
func splitFields(t *model.Type) (before, after []*model.Field) {
	return t.Fields[:t.Union.Before], t.Fields[t.Union.Before:]
}

func (g *gen) unionInterface(u *unionNames, tag string) jen.Code {
	return jen.Type().Id(u.iface).Interface(
		jen.Qual(codecPath, "Value"),
		jen.Comment("// "+u.method+" is the "+tag+" that is written."),
		jen.Id(u.method).Params().String(),
		jen.Id(u.marker).Params(),
	)
}

// oneOf lists the variants of a union.
func (g *gen) oneOf(t *model.Type, u *unionNames) string {
	var list []string
	for _, v := range t.Union.Variants {
		list = append(list, "*"+v.Type)
	}
	if len(list) == 0 {
		return "always *" + u.unknown + "."
	}
	return alternatives(append(list, "*"+u.unknown)) + "."
}

func variantDoc(v *model.Variant) string {
	only, off := "", ""
	if v.Only != "" {
		only = "Only " + v.Only + " writes it"
	}
	if v.OffWire {
		off = "It is stored and never sent"
	}
	return sentences(v.Doc.EN, only, off, since(v.Since))
}

func article(name string) string {
	if strings.ContainsAny(name[:1], "AEIOUaeiou") {
		return "an " + name
	}
	return "a " + name
}

// oneLine is a function's body of at most one statement, on the line of its
// head.
func oneLine(body ...jen.Code) jen.Code {
	if len(body) == 0 {
		return jen.Values()
	}
	return jen.Custom(jen.Options{Open: "{ ", Close: " }", Separator: "; "}, body...)
}
