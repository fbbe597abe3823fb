// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitCodecs writes what reads and writes the types of one theme.
func (g *gen) emitCodecs(th *theme) {
	s := g.source(th.codec + ".gen.go")
	for _, t := range th.types {
		switch t.Kind {
		case model.KindStruct:
			tag := ""
			if v := g.variants[t.Name]; v != nil && isInterface(v.union) {
				tag = v.union.Union.Tag
			}
			g.emitMembers(s, t.Name, tag, t.Fields)
			g.emitAppendStruct(s, t)
			g.emitDecodeStruct(s, t)
			g.emitJSON(s, t.Name)
		case model.KindUnion:
			g.emitUnionCodec(s, t)
		case model.KindEnum:
			g.emitDecodeEnum(s, t)
			g.emitValueFuncs(s, t)
			g.emitVariantMethod(s, t)
		case model.KindNamed:
			g.emitValueFuncs(s, t)
			g.emitVariantMethod(s, t)
		}
	}
}

func decoder() jen.Code { return jen.Id("d").Op("*").Qual(codecPath, "Decoder") }

// on is the receiver v of a method of a type.
func on(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("v").Op("*").Id(name))
}

// emitMembers writes the table of a struct's members, in the order in which
// they are written, and the compiled patterns of its strings.
func (g *gen) emitMembers(s *source, name, tag string, fields []*model.Field) {
	rows := []jen.Code{}
	row := func(function, wire string) {
		member := jen.Line().Qual(codecPath, function).Call(text(wire))
		if g.firm[name][wire] {
			member = member.Dot("Firm").Call()
		}
		rows = append(rows, member)
	}
	if tag != "" {
		row("Ignored", tag)
	}
	for _, f := range fields {
		row(g.presence(f), f.Wire)
	}
	if len(rows) > 0 {
		rows = append(rows, jen.Line())
	}
	s.decl("", jen.Var().Id(members(name)).Op("=").Qual(codecPath, "NewMembers").Call(rows...))
	for _, f := range fields {
		if f.Pattern != "" {
			s.decl("", jen.Var().Id(form(name, f.Name)).Op("=").Qual("regexp", "MustCompile").Call(text(f.Pattern)))
		}
	}
}

// firmMembers are those of results on which it hangs what settles the call: a
// client that does without them would wait for what never comes, or take for over
// what is not.
func firmMembers(p *model.Protocol) map[string]map[string]bool {
	firm := map[string]map[string]bool{}
	add := func(m *model.Method, path string) {
		if firm[m.Result] == nil {
			firm[m.Result] = map[string]bool{}
		}
		first, _, _ := strings.Cut(path, ".")
		firm[m.Result][first] = true
	}
	for _, m := range p.Methods {
		later := func(k *model.Case) bool {
			return slices.ContainsFunc(k.By, func(w model.Way) bool { return w.How != model.ByResponse || w.Activity != "" })
		}
		if m.Result == "" || !slices.ContainsFunc(m.Settles, later) {
			continue
		}
		for _, k := range m.Settles {
			for _, is := range k.If {
				add(m, is.Member)
			}
			for _, w := range k.By {
				if w.Key != "" && !w.Chosen {
					add(m, w.Key)
				}
			}
		}
	}
	return firm
}

// presence names the function that makes a member's row.
func (g *gen) presence(f *model.Field) string {
	switch {
	case f.Always():
		return "Required"
	case f.Null() || g.kind(f.Type) == rawKind:
		return "Nullish"
	}
	return "Optional"
}

// emitDecodeStruct writes DecodeJSON of a struct.
func (g *gen) emitDecodeStruct(s *source, t *model.Type) {
	var body []jen.Code
	if g.straight(t) {
		body = append(body,
			jen.Id("place").Op(":=").Id("d").Dot("Place").Call(),
			jen.If(jen.Id("v").Dot("decodeWritten").Call(jen.Id("d"))).Block(jen.Return()),
			jen.Id("d").Dot("Back").Call(jen.Id("place")))
		defer g.emitStraight(s, t)
	}
	body = append(body, jen.Op("*").Id("v").Op("=").Id(t.Name).Values())
	body = append(body, g.decodeLoop(t.Name, t.Fields, nil, nil))
	s.decl("DecodeJSON reads v from d, which keeps the error.",
		on(t.Name).Id("DecodeJSON").Params(decoder()).Block(body...))
}

// decodeLoop reads an object's members. The content of a union's struct comes
// where the writer writes it.
func (g *gen) decodeLoop(name string, before []*model.Field, content jen.Code, after []*model.Field) jen.Code {
	var cases []jen.Code
	for _, f := range before {
		cases = append(cases, jen.Case(text(f.Wire)).Block(g.decodeField(name, f)...))
	}
	if content != nil {
		cases = append(cases, content)
	}
	for _, f := range after {
		cases = append(cases, jen.Case(text(f.Wire)).Block(g.decodeField(name, f)...))
	}
	unknown := jen.Id("d").Dot("Skip").Call()
	if g.keeps() {
		unknown = jen.Id("d").Dot("Extra").Call(jen.Op("&").Id("v").Dot("Extra"))
	}
	body := jen.Add(unknown)
	if len(cases) > 0 {
		cases = append(cases, jen.Default().Block(unknown))
		body = jen.Switch(jen.String().Call(jen.Id("d").Dot("Key").Call())).Block(cases...)
	}
	return jen.For(jen.Id("d").Dot("Struct").Call(jen.Id(members(name))), jen.Id("d").Dot("More").Call(), jen.Empty()).Block(body)
}

// decodeField reads one member into the struct v, and checks its bounds.
func (g *gen) decodeField(owner string, f *model.Field) []jen.Code {
	target := jen.Id("v").Dot(f.Name)
	if g.kind(f.Type) == structKind && !f.Null() {
		code := []jen.Code{jen.Add(target).Dot("DecodeJSON").Call(jen.Id("d"))}
		if g.isPointer(f) {
			code = append([]jen.Code{jen.Add(target).Op("=").New(g.goType(f.Type))}, code...)
		}
		return code
	}
	if f.Null() {
		code := []jen.Code{jen.Add(target).Op("=").Qual(codecPath, "Maybe").Call(jen.Id("d"), g.reader(f.Type))}
		if checks := g.checks(owner, f, jen.Add(target).Dot("V")); len(checks) > 0 {
			code = append(code, jen.If(jen.Op("!").Add(target).Dot("Null")).Block(checks...))
		}
		return code
	}
	value := g.readValue(f.Type, f.Intern)
	if g.isPointer(f) {
		return append([]jen.Code{jen.Add(target).Op("=").New(value)}, g.checks(owner, f, jen.Op("*").Add(target))...)
	}
	return append([]jen.Code{jen.Add(target).Op("=").Add(value)}, g.checks(owner, f, target)...)
}

// checks are the statements that refuse a value out of bounds.
func (g *gen) checks(owner string, f *model.Field, value jen.Code) []jen.Code {
	var code []jen.Code
	least := func(p *int64, none jen.Code) jen.Code {
		if p == nil {
			return none
		}
		return jen.Lit(int(*p))
	}
	if low, high := f.Bounds(); low != nil || high != nil {
		if f.Type.Kind == model.RefNamed {
			value = jen.Int64().Call(value)
		}
		none, all := jen.Op("-").Qual(codecPath, "MaxInt"), jen.Qual(codecPath, "MaxInt")
		if g.under(f.Type).Wide {
			none, all = jen.Qual("math", "MinInt64"), jen.Qual("math", "MaxInt64")
		}
		code = append(code, jen.Id("d").Dot("CheckInt").Call(value, least(low, none), least(high, all)))
	}
	if f.MinLength != nil || f.MaxLength != nil {
		bounds := []jen.Code{least(toInt(f.MinLength), jen.Lit(0)), least(toInt(f.MaxLength), jen.Qual(codecPath, "MaxInt"))}
		switch g.kind(f.Type) {
		case listKind, mapKind:
			code = append(code, jen.Id("d").Dot("CheckItems").Call(append([]jen.Code{jen.Len(value)}, bounds...)...))
		case bytesKind:
			code = append(code, jen.Id("d").Dot("CheckBytes").Call(append([]jen.Code{jen.Len(value)}, bounds...)...))
		default:
			code = append(code, jen.Qual(codecPath, "CheckLength").Call(append([]jen.Code{jen.Id("d"), value}, bounds...)...))
		}
	}
	if f.Pattern != "" {
		code = append(code, jen.Qual(codecPath, "CheckPattern").Call(jen.Id("d"), value, jen.Id(form(owner, f.Name))))
	}
	return code
}

// readValue is an expression that reads a value of any kind but a struct's.
func (g *gen) readValue(r *model.Ref, shared bool) jen.Code {
	under := g.under(r)
	named := func(code *jen.Statement) jen.Code {
		if r.Kind == model.RefNamed {
			return jen.Id(r.Name).Call(code)
		}
		return code
	}
	method := func(name string) *jen.Statement { return jen.Id("d").Dot(name).Call() }
	switch under.Kind {
	case model.RefString:
		if shared {
			return named(method("Shared"))
		}
		return named(method("String"))
	case model.RefBool:
		return named(method("Bool"))
	case model.RefInt:
		if under.Wide {
			return named(method("Wide"))
		}
		return named(method("Int64"))
	case model.RefFloat:
		return named(method("Float64"))
	case model.RefRaw:
		return named(method("Raw"))
	case model.RefBytes:
		return method("Bytes")
	case model.RefMap:
		return jen.Qual(codecPath, "Map").Call(jen.Id("d"), g.reader(under.Elem))
	case model.RefList:
		if g.kind(under.Elem) == structKind {
			return jen.Qual(codecPath, "Structs").Call(jen.Id("d"), method1(under.Elem.Name, "DecodeJSON"))
		}
		if under.Elem.Kind == model.RefString {
			return jen.Qual(codecPath, "Strings").Call(jen.Id("d"))
		}
		return jen.Qual(codecPath, "List").Call(jen.Id("d"), g.reader(under.Elem))
	}
	switch g.kind(under) {
	case enumKind:
		return jen.Id(decodeEnum(under.Name)).Call(jen.Id("d"))
	case interfaceKind:
		return jen.Id(g.names.unions[under.Name].read).Call(jen.Id("d"))
	}
	return jen.Qual(codecPath, "Struct").Types(g.goType(r)).Call(jen.Id("d"))
}

// reader is a function that reads a value, for the generic readers of lists
// and the like.
func (g *gen) reader(r *model.Ref) jen.Code {
	under := g.under(r)
	method := func(name string) jen.Code {
		return jen.Parens(jen.Op("*").Qual(codecPath, "Decoder")).Dot(name)
	}
	if r.Kind == model.RefNamed && under.Kind != model.RefNamed {
		if under.Kind == model.RefString {
			return jen.Qual(codecPath, "Text").Types(jen.Id(r.Name))
		}
		return g.readerFunc(r)
	}
	switch under.Kind {
	case model.RefString:
		return method("String")
	case model.RefBool:
		return method("Bool")
	case model.RefInt:
		if under.Wide {
			return method("Wide")
		}
		return method("Int64")
	case model.RefFloat:
		return method("Float64")
	case model.RefRaw:
		return method("Raw")
	case model.RefBytes:
		return method("Bytes")
	case model.RefList, model.RefMap:
		return g.readerFunc(r)
	}
	switch g.kind(under) {
	case enumKind:
		return jen.Id(decodeEnum(under.Name))
	case interfaceKind:
		return jen.Id(g.names.unions[under.Name].read)
	}
	return jen.Qual(codecPath, "Struct").Types(g.goType(r))
}

// readerFunc wraps an expression as a reader.
func (g *gen) readerFunc(r *model.Ref) jen.Code {
	return jen.Func().Params(decoder()).Add(g.goType(r)).Block(jen.Return(g.readValue(r, false)))
}

// method1 is the method of a pointer type as a function.
func method1(typeName, method string) jen.Code {
	return jen.Parens(jen.Op("*").Id(typeName)).Dot(method)
}

// emitDecodeEnum writes the function that reads an enum: known values without
// allocation, others kept.
func (g *gen) emitDecodeEnum(s *source, t *model.Type) {
	if t.Enum.Integer {
		g.emitDecodeIntegers(s, t)
		return
	}
	var cases []jen.Code
	var list []string
	for _, v := range t.Enum.Values {
		cases = append(cases, jen.Case(text(v.Wire)).Block(jen.Return(jen.Id(v.Name))))
		list = append(list, v.Wire)
	}
	var unknown []jen.Code
	if t.Enum.Closed {
		unknown = append(unknown, jen.Id("d").Dot("CheckClosed").Call(text(strings.Join(list, ", "))))
	}
	unknown = append(unknown, jen.Return(jen.Id(t.Name).Call(jen.Id("s"))))
	cases = append(cases, jen.Default().Block(unknown...))
	s.decl("", jen.Func().Id(decodeEnum(t.Name)).Params(decoder()).Id(t.Name).Block(
		jen.Switch(jen.Id("s").Op(":=").Id("d").Dot("StringBytes").Call(), jen.String().Call(jen.Id("s"))).Block(cases...),
	))
}

// emitDecodeIntegers writes the function that reads an enum of integers.
func (g *gen) emitDecodeIntegers(s *source, t *model.Type) {
	read := jen.Id(t.Name).Call(jen.Id("d").Dot("Int64").Call())
	body := []jen.Code{jen.Return(read)}
	if t.Enum.Closed {
		var list []string
		for _, v := range t.Enum.Values {
			list = append(list, v.Wire)
		}
		refuse := jen.Code(jen.Id("d").Dot("CheckClosed").Call(text(strings.Join(list, ", "))))
		if len(list) > 0 {
			refuse = jen.If(jen.Op("!").Id("v").Dot("Known").Call()).Block(refuse)
		}
		body = []jen.Code{jen.Id("v").Op(":=").Add(read), refuse, jen.Return(jen.Id("v"))}
	}
	s.decl("", jen.Func().Id(decodeEnum(t.Name)).Params(decoder()).Id(t.Name).Block(body...))
}

// emitJSON makes a type fit for encoding/json.
func (g *gen) emitJSON(s *source, name string) {
	s.decl("MarshalJSON is AppendJSON for encoding/json.",
		jen.Func().Params(jen.Id("v").Id(name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Id("v").Dot("AppendJSON").Call(jen.Nil()), jen.Nil())))
	s.decl("UnmarshalJSON is DecodeJSON for encoding/json.",
		on(name).Id("UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().Block(
			jen.Return(jen.Qual(codecPath, "Unmarshal").Call(jen.Id("data"), jen.Id("v")))))
}
