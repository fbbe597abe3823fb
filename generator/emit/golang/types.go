// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitDoc writes the package's comment and the guard on the runtime's version.
func (g *gen) emitDoc() {
	s := g.source("doc.gen.go")
	doc := g.p.Doc.EN
	if !strings.HasPrefix(doc, "Package "+g.names.pkg+" ") {
		doc = strings.TrimSpace(fmt.Sprintf("Package %s is the %s protocol: its payloads, their codecs, and its errors, for both sides.\n\n%s", g.names.pkg, g.p.Name, doc))
	}
	s.packageDoc(doc)
	s.guard()
	g.emitRedact(s)
}

// emitTypes writes the payload types of one theme.
func (g *gen) emitTypes(th *theme) {
	s := g.source(th.name + ".gen.go")
	for _, t := range th.types {
		switch t.Kind {
		case model.KindNamed:
			s.decl(typeDoc(t), jen.Type().Id(t.Name).Add(g.goType(t.Of)))
		case model.KindEnum:
			g.emitEnum(s, t)
		case model.KindUnion:
			g.emitUnion(s, t)
		default:
			s.decl(typeDoc(t), jen.Type().Id(t.Name).Struct(g.structFields(t.Fields)...))
		}
	}
}

// typeDoc is a type's comment.
func typeDoc(t *model.Type) string {
	doc := t.Doc.EN
	if doc == "" {
		doc = t.Name + " is a payload of the protocol."
	}
	return doc
}

// structFields renders members, each with its comment, and the place of unknown
// ones.
func (g *gen) structFields(fields []*model.Field) []jen.Code {
	var code []jen.Code
	for _, f := range fields {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(code, comments(g.memberDoc(f))...)
		code = append(code, g.structField(f))
	}
	return append(code, g.extraField(len(code) > 0)...)
}

func (g *gen) structField(f *model.Field) jen.Code {
	tag := f.Wire
	if !f.Always() {
		tag += ",omitzero"
	}
	return jen.Id(f.Name).Add(g.fieldType(f)).Tag(map[string]string{"json": tag})
}

// extraField is the last member of every struct if unknown ones are kept.
func (g *gen) extraField(blank bool) []jen.Code {
	if !g.keeps() {
		return nil
	}
	var code []jen.Code
	if blank {
		code = append(code, jen.Line())
	}
	code = append(code, comments("Extra is the members that this version does not know, as they were written.")...)
	return append(code, jen.Id("Extra").Qual(codecPath, "Extra").Tag(map[string]string{"json": "-"}))
}

// fieldType is a member's type with its presence.
func (g *gen) fieldType(f *model.Field) jen.Code {
	switch {
	case f.Null():
		return jen.Qual(codecPath, "Nullable").Types(g.goType(f.Type))
	case g.isPointer(f):
		return jen.Op("*").Add(g.goType(f.Type))
	}
	return g.goType(f.Type)
}

// isPointer reports whether a member is a pointer, nil when absent. Lists,
// maps, raw values and interfaces have a nil of their own.
func (g *gen) isPointer(f *model.Field) bool {
	if f.Presence != model.Optional {
		return false
	}
	switch g.kind(f.Type) {
	case scalarKind, enumKind, structKind:
		return true
	}
	return false
}

// goType is the Go form of a type's use.
func (g *gen) goType(r *model.Ref) jen.Code {
	if r == nil {
		return jen.Any()
	}
	switch r.Kind {
	case model.RefString:
		return jen.String()
	case model.RefBool:
		return jen.Bool()
	case model.RefInt:
		return jen.Int64()
	case model.RefFloat:
		return jen.Float64()
	case model.RefRaw:
		return jen.Qual(codecPath, "Raw")
	case model.RefBytes:
		return jen.Index().Byte()
	case model.RefList:
		return jen.Index().Add(g.goType(r.Elem))
	case model.RefMap:
		return jen.Map(jen.String()).Add(g.goType(r.Elem))
	}
	return g.ref(r.Name)
}

// emitEnum writes a defined string or integer and its known values.
func (g *gen) emitEnum(s *source, t *model.Type) {
	base, literal := jen.String(), text
	if t.Enum.Integer {
		base, literal = jen.Int64(), digits
	}
	s.decl(typeDoc(t), jen.Type().Id(t.Name).Add(base))
	if len(t.Enum.Values) == 0 {
		return
	}
	var values, known []jen.Code
	for _, v := range t.Enum.Values {
		if doc := sentences(v.Doc.EN); doc != "" {
			if len(values) > 0 {
				values = append(values, jen.Line())
			}
			values = append(values, comments(doc)...)
		}
		values = append(values, jen.Id(v.Name).Id(t.Name).Op("=").Add(literal(v.Wire)))
		known = append(known, jen.Id(v.Name))
	}
	s.decl("The values of "+t.Name+".", jen.Const().Defs(values...))
	s.decl("Known reports whether the value is one that this version knows.",
		jen.Func().Params(jen.Id("v").Id(t.Name)).Id("Known").Params().Bool().Block(
			jen.Switch(jen.Id("v")).Block(jen.Case(known...).Block(jen.Return(jen.True()))),
			jen.Return(jen.False()),
		))
}
