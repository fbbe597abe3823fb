// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitRedact writes what leaves out of logs what is declared sensitive. It goes
// by names alone, so that what no type describes is left out too.
func (g *gen) emitRedact(s *source) {
	always, values := g.sensitive()
	if len(always)+len(values) == 0 {
		return
	}
	var cases []jen.Code
	if len(always) > 0 {
		cases = append(cases, jen.Case(literals(always)...).Block(jen.Return(jen.True())))
	}
	object := jen.Id("_")
	if len(values) > 0 {
		object = jen.Id("object")
		cases = append(cases, jen.Case(literals(values)...).Block(jen.Return(jen.Op("!").Id("object"))))
	}
	s.decl("Redact is the text of a message, or of a part of one, for logs and traces: whatever stands under a name that the protocol declares sensitive, at any depth, is left out.",
		jen.Func().Id("Redact").Params(jen.Id("text").Index().Byte()).Index().Byte().Block(
			jen.Return(jen.Qual(codecPath, "Redact").Call(jen.Id("text"), jen.Func().Params(jen.Id("name").Index().Byte(), object.Bool()).Bool().Block(
				jen.Switch(jen.String().Call(jen.Id("name"))).Block(cases...),
				jen.Return(jen.False()),
			))),
		))
}

// literals are names as a list of some lines.
func literals(names []string) []jen.Code {
	var out []jen.Code
	for i, name := range names {
		if i > 0 && i%8 == 0 {
			out = append(out, jen.Line().Add(text(name)))
			continue
		}
		out = append(out, text(name))
	}
	return out
}

// sensitive are the names of members that are declared so, sorted. Where a name
// is that of an object elsewhere, an error's data say, and what is sensitive is
// never one, it is in values: objects of that name are looked into.
func (g *gen) sensitive() (always, values []string) {
	secret := map[string]bool{}               // names, and whether some of them are objects
	open := map[string]bool{errorsData: true} // names of objects that are not
	see := func(fields []*model.Field) {
		for _, f := range fields {
			object := g.mayBeObject(f.Type)
			switch {
			case f.Sensitive:
				secret[f.Wire] = secret[f.Wire] || object
			case object:
				open[f.Wire] = true
			}
		}
	}
	for _, t := range g.p.Types {
		see(t.Fields)
		if t.Union != nil {
			open[t.Union.Content] = true
		}
	}
	for _, e := range g.p.Errors {
		see(e.Data)
	}
	for _, name := range slices.Sorted(maps.Keys(secret)) {
		if open[name] && !secret[name] {
			values = append(values, name)
		} else {
			always = append(always, name)
		}
	}
	return always, values
}

// errorsData is the member of an error in JSON-RPC that is an object.
const errorsData = "data"

func (g *gen) mayBeObject(r *model.Ref) bool {
	switch g.kind(r) {
	case structKind, interfaceKind, mapKind, rawKind:
		return true
	}
	return false
}
