// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitUnionCodec writes what reads and writes a union.
func (g *gen) emitUnionCodec(s *source, t *model.Type) {
	if byShape(t) {
		g.emitShapeCodec(s, t)
		return
	}
	u := g.names.unions[t.Name]
	var cases []jen.Code
	for _, v := range t.Union.Variants {
		cases = append(cases, jen.Case(jen.Id(u.constant(v))).Block(jen.Return(jen.New(jen.Id(v.Type)))))
	}
	unknown := jen.Return(jen.Op("&").Id(u.unknown).Values(jen.Id(u.tag).Op(":").String().Call(jen.Id("tag"))))
	create := jen.Func().Id(u.create).Params(jen.Id("tag").Index().Byte()).Id(u.iface).Block(
		jen.Switch(jen.String().Call(jen.Id("tag"))).Block(append(cases, jen.Default().Block(unknown))...),
	)
	misfit := func(tag jen.Code) jen.Code {
		return jen.If(jen.Id("d").Dot("Misfit").Call(jen.Id("start"))).Block(
			jen.Return(jen.Op("&").Id(u.unknown).Values(jen.Id(u.tag).Op(":").Add(tag), jen.Id("Raw").Op(":").Id("d").Dot("Raw").Call())))
	}
	start := jen.Id("start").Op(":=").Id("d").Dot("Mark").Call()
	read := jen.Id("v").Dot("DecodeJSON").Call(jen.Id("d"))

	if u.content != "" {
		g.emitUnionStruct(s, t, u)
		s.decl("", create)
		s.decl(u.read+" reads what v is made for, and keeps it raw if it has another shape.",
			jen.Func().Id(u.read).Params(decoder(), jen.Id("v").Id(u.iface)).Id(u.iface).Block(
				start, read, misfit(jen.Id("v").Dot(u.method).Call()), jen.Return(jen.Id("v")),
			))
	} else {
		s.decl(u.read+" reads a union by its tag. One that is not known, or has not the shape it should have, is kept raw.",
			jen.Func().Id(u.read).Params(decoder()).Id(u.iface).Block(
				start,
				jen.Id("v").Op(":=").Id(u.create).Call(jen.Id("d").Dot("Tag").Call(jen.Lit(t.Union.Tag))),
				read, misfit(jen.Id("v").Dot(u.method).Call()), jen.Return(jen.Id("v")),
			))
		s.decl("", create)
		g.emitAppendChoice(s, u)
	}

	var appendBody []jen.Code
	appendDoc := "AppendJSON writes what was read; nothing if nothing was."
	if u.content == "" {
		appendDoc = "AppendJSON writes what was read."
		appendBody = []jen.Code{
			jen.If(jen.Len(jen.Id("v").Dot("Raw")).Op("==").Lit(0)).Block(
				jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(`{"`+t.Union.Tag+`":`)).Op("...")),
				jen.Return(jen.Append(jen.Qual(codecPath, "AppendString").Call(jen.Id("b"), jen.Id("v").Dot(u.tag)), jen.LitRune('}'))),
			),
			jen.Return(jen.Qual(codecPath, "AppendRaw").Call(jen.Id("b"), jen.Id("v").Dot("Raw"))),
		}
	} else {
		appendBody = []jen.Code{
			jen.If(jen.Len(jen.Id("v").Dot("Raw")).Op("==").Lit(0)).Block(jen.Return(jen.Id("b"))),
			jen.Return(jen.Qual(codecPath, "AppendRaw").Call(jen.Id("b"), jen.Id("v").Dot("Raw"))),
		}
	}
	s.decl(appendDoc, on(u.unknown).Id("AppendJSON").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(appendBody...))
	decodeBody := []jen.Code{jen.Id("v").Dot("Raw").Op("=").Id("d").Dot("Raw").Call()}
	if u.content == "" {
		decodeBody = append([]jen.Code{jen.Id("v").Dot(u.tag).Op("=").String().Call(jen.Id("d").Dot("Tag").Call(jen.Lit(t.Union.Tag)))}, decodeBody...)
	}
	s.decl("DecodeJSON keeps what comes next.", on(u.unknown).Id("DecodeJSON").Params(decoder()).Block(decodeBody...))
	s.decl("MarshalJSON gives what was read to encoding/json.",
		jen.Func().Params(jen.Id("v").Id(u.unknown)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Qual(codecPath, "AppendRaw").Call(jen.Nil(), jen.Id("v").Dot("Raw")), jen.Nil())))
}

// emitUnionStruct writes the codec of a union that has content: common members
// around what the tag stands for.
func (g *gen) emitUnionStruct(s *source, t *model.Type, u *unionNames) {
	before, after := splitFields(t)
	wire := t.Union.Content
	fields := append(append(append([]*model.Field{}, before...), &model.Field{Wire: wire, Presence: model.Required}), after...)
	g.emitMembers(s, t.Name, t.Union.Tag, fields)
	g.emitAppendUnion(s, t, u)
	content := jen.Case(jen.Lit(wire)).Block(jen.Id("v").Dot(u.content).Op("=").Id(u.read).Call(jen.Id("d"), jen.Id(unexported(u.content))))
	s.decl("DecodeJSON reads v from d, which keeps the error. The tag is looked up first, wherever it stands.",
		on(t.Name).Id("DecodeJSON").Params(decoder()).Block(
			jen.Op("*").Id("v").Op("=").Id(t.Name).Values(),
			jen.Id(unexported(u.content)).Op(":=").Id(u.create).Call(jen.Id("d").Dot("Tag").Call(jen.Lit(t.Union.Tag))),
			g.decodeLoop(t.Name, before, content, after),
			jen.If(jen.Id("v").Dot(u.content).Op("==").Nil()).Block(
				jen.Id("v").Dot(u.content).Op("=").Op("&").Id(u.unknown).Values(jen.Id(u.tag).Op(":").Id(unexported(u.content)).Dot(u.method).Call()),
			),
		))
	g.emitJSON(s, t.Name)
}
