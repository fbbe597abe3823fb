// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// A result is mostly an object that is always there: a pointer to a struct. It may
// also be null, a list, a choice, a scalar; those are values, nil where they are
// null, and functions read and write them.

// plain reports whether a method's result is an object that is always there, or
// nothing.
func (g *gen) plain(m *model.Method) bool {
	return m.Result == "" || !m.OrNull && g.kind(resultRef(m)) == structKind
}

func resultRef(m *model.Method) *model.Ref {
	return &model.Ref{Kind: model.RefNamed, Name: m.Result}
}

// resultPointer reports whether a result is a pointer in Go.
func (g *gen) resultPointer(m *model.Method) bool {
	switch g.kind(resultRef(m)) {
	case structKind:
		return true
	case scalarKind, enumKind:
		return m.OrNull
	}
	return false // nil is null
}

// resultType is a result in Go.
func (g *gen) resultType(m *model.Method) jen.Code {
	if g.resultPointer(m) {
		return jen.Op("*").Add(g.ref(m.Result))
	}
	return g.ref(m.Result)
}

// noResult is what is returned with an error.
func (g *gen) noResult(m *model.Method) jen.Code {
	switch kind := g.kind(resultRef(m)); {
	case g.resultPointer(m), kind != scalarKind && kind != enumKind:
		return jen.Nil()
	}
	return g.zero(resultRef(m))
}

// reply is a result as something that writes itself.
func (g *gen) reply(m *model.Method, result jen.Code) jen.Code {
	if g.plain(m) {
		return result
	}
	null := jen.Add(result).Op("==").Nil()
	by := func(write jen.Code) jen.Code { return jen.Qual(codecPath, "By").Call(write, result) }
	write := g.ref(appendFunc(m.Result))
	switch g.kind(resultRef(m)) {
	case structKind:
		return jen.Qual(codecPath, "NullIf").Call(null, result)
	case scalarKind, enumKind:
		if m.OrNull {
			return by(jen.Qual(codecPath, "AppendPointer").Call(write))
		}
	case interfaceKind: // it writes nil as null
	default:
		if m.OrNull {
			return jen.Qual(codecPath, "NullIf").Call(null, by(write))
		}
	}
	return by(write)
}

// resultReader is the function that reads a result that is not plain.
func (g *gen) resultReader(m *model.Method) jen.Code {
	read := g.ref(decodeFunc(m.Result))
	if g.kind(resultRef(m)) == structKind {
		read = jen.Qual(codecPath, "Struct").Types(g.ref(m.Result))
	}
	switch {
	case !m.OrNull:
		return read
	case g.resultPointer(m):
		return jen.Qual(codecPath, "Pointer").Call(read)
	}
	return jen.Qual(codecPath, "OrNull").Call(read)
}

// The functions that read and write a value of a type without methods.
func decodeFunc(typeName string) string { return "Decode" + typeName }
func appendFunc(typeName string) string { return "Append" + typeName }

// emitValueFuncs writes the functions that read and write a scalar, a list or a
// map that is a result. Choices have them anyway.
func (g *gen) emitValueFuncs(s *source, t *model.Type) {
	if !g.results[t.Name] {
		return
	}
	ref := &model.Ref{Kind: model.RefNamed, Name: t.Name}
	value := jen.Code(g.readValue(ref, false))
	switch g.kind(ref) {
	case listKind, mapKind, bytesKind:
	case scalarKind, enumKind:
	default:
		return
	}
	s.decl(decodeFunc(t.Name)+" reads "+article(t.Name)+".",
		jen.Func().Id(decodeFunc(t.Name)).Params(decoder()).Id(t.Name).Block(jen.Return(value)))
	s.decl(appendFunc(t.Name)+" writes "+article(t.Name)+".",
		jen.Func().Id(appendFunc(t.Name)).Params(jen.Id("b").Index().Byte(), jen.Id("v").Id(t.Name)).Index().Byte().Block(
			jen.Return(g.writeValue(ref, jen.Id("v")))))
}
