// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

const vectortestPath = "github.com/accordkit/accord/runtime/vectortest"

// vectorsFile is where generated tests look for golden vectors, relative to
// their package.
const vectorsFile = "testdata/vectors.json"

// Tests renders a test file for the package that Types renders: it plays the
// protocol's golden vectors, from testdata/vectors.json next to it, through the
// codecs, and fuzzes them.
func Tests(p *model.Protocol) ([]File, error) {
	g := newGen(p, payloadsPath, "")
	s := g.source("vectors_gen_test.go")
	s.file.ImportName(vectortestPath, "vectortest")
	types := []jen.Code{}
	for _, t := range p.Types {
		var create *jen.Statement
		switch {
		case isInterface(t):
			u := g.names.unions[t.Name]
			create = jen.Qual(vectortestPath, "Choice").Call(jen.Id(u.read), jen.Id(u.write))
		case t.Kind == model.KindUnion,
			t.Kind == model.KindStruct && (g.variants[t.Name] == nil || !isInterface(g.variants[t.Name].union)):
			create = jen.Qual(vectortestPath, "Of").Types(jen.Id(t.Name)).Call()
		default:
			continue // scalars, and variants that are read as their union
		}
		types = append(types, jen.Line().Add(text(t.Name)).Op(":").Add(create))
	}
	if len(types) > 0 {
		types = append(types, jen.Line())
	}
	decodeError := jen.Nil()
	if len(p.Errors) > 0 {
		decodeError = jen.Id("DecodeError")
	}
	s.decl("", jen.Var().Id("vectorTypes").Op("=").Qual(vectortestPath, "Types").Values(types...))
	s.decl("", jen.Func().Id("TestVectors").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Qual(vectortestPath, "Play").Call(jen.Id("t"), text(vectorsFile), jen.Id("vectorTypes"), decodeError)))
	s.decl("", jen.Func().Id("FuzzVectors").Params(jen.Id("f").Op("*").Qual("testing", "F")).Block(
		jen.Qual(vectortestPath, "Fuzz").Call(jen.Id("f"), text(vectorsFile), jen.Id("vectorTypes"))))
	return g.finish()
}
