// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// writer gathers the statements of one AppendJSON. Text that is always written
// is held back, so that neighbours become one literal.
type writer struct {
	code []jen.Code
	text string
	sure bool // a member was surely written: the next key needs a comma
}

func (w *writer) literal(s string) { w.text += s }

func (w *writer) flush() {
	if w.text == "" {
		return
	}
	if len(w.text) == 1 {
		w.code = append(w.code, jen.Id("b").Op("=").Append(jen.Id("b"), jen.LitRune(rune(w.text[0]))))
	} else {
		w.code = append(w.code, jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(w.text)).Op("...")))
	}
	w.text = ""
}

func (w *writer) statement(code ...jen.Code) {
	w.flush()
	w.code = append(w.code, code...)
}

// key is a member's name as JSON with its colon.
func key(wire string) string { return string(codec.AppendString(nil, wire)) + ":" }

// emitAppendStruct writes AppendJSON of a struct; a variant of a union begins
// with its tag.
func (g *gen) emitAppendStruct(s *source, t *model.Type) {
	w := &writer{}
	w.literal("{")
	if v := g.variants[t.Name]; v != nil && isInterface(v.union) {
		w.literal(key(v.union.Union.Tag) + string(codec.AppendString(nil, v.v.Wire)))
		w.sure = true
	}
	for _, f := range t.Fields {
		g.appendField(w, f)
	}
	g.appendEnd(s, w, t.Name)
}

// emitAppendUnion writes AppendJSON of a union that has content.
func (g *gen) emitAppendUnion(s *source, t *model.Type, u *unionNames) {
	before, after := splitFields(t)
	w := &writer{}
	w.literal("{" + key(t.Union.Tag))
	w.statement(jen.Id("b").Op("=").Qual(codecPath, "AppendString").Call(jen.Id("b"), jen.Id("v").Dot(exportedTag(t)).Call()))
	w.sure = true
	for _, f := range before {
		g.appendField(w, f)
	}
	w.statement(jen.Id("b").Op("=").Qual(codecPath, "AppendContent").Call(jen.Id("b"), text(","+key(t.Union.Content)), jen.Id("v").Dot(u.content)))
	for _, f := range after {
		g.appendField(w, f)
	}
	g.appendEnd(s, w, t.Name)
}

func (g *gen) appendEnd(s *source, w *writer, name string) {
	if g.keeps() {
		w.statement(jen.Id("b").Op("=").Qual(codecPath, "AppendExtra").Call(jen.Id("b"), jen.Id("v").Dot("Extra")))
	}
	if w.text != "" {
		w.literal("}")
		w.code = append(w.code, jen.Return(jen.Append(jen.Id("b"), jen.Add(text(w.text)).Op("..."))))
	} else {
		w.code = append(w.code, jen.Return(jen.Append(jen.Id("b"), jen.LitRune('}'))))
	}
	receiver := on(name)
	if !g.keeps() && len(w.code) == 1 {
		receiver = jen.Func().Params(jen.Op("*").Id(name))
	}
	s.decl("AppendJSON writes v to b as compact JSON.",
		receiver.Id("AppendJSON").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(w.code...))
}

// appendField writes one member, if it is there.
func (g *gen) appendField(w *writer, f *model.Field) {
	value := jen.Id("v").Dot(f.Name)
	if f.Always() {
		if w.sure || w.text == "{" {
			if w.sure {
				w.literal(",")
			}
			w.literal(key(f.Wire))
		} else {
			w.statement(appendKey(f))
		}
		w.sure = true
		written := g.writeValue(f.Type, value)
		if f.Null() {
			written = jen.Qual(codecPath, "AppendMaybe").Call(jen.Id("b"), value, g.writerOf(f.Type))
		}
		w.statement(jen.Id("b").Op("=").Add(written))
		return
	}
	first := appendKey(f)
	if w.sure {
		first = jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(","+key(f.Wire))).Op("..."))
	}
	body := []jen.Code{first}
	var present jen.Code
	kind := g.kind(f.Type)
	switch {
	case f.Null():
		present = jen.Add(value).Dot("Set")
		body = append(body, jen.Id("b").Op("=").Qual(codecPath, "AppendMaybe").Call(jen.Id("b"), value, g.writerOf(f.Type)))
	case g.isPointer(f):
		present = jen.Add(value).Op("!=").Nil()
		if kind == structKind {
			body = append(body, jen.Id("b").Op("=").Add(value).Dot("AppendJSON").Call(jen.Id("b")))
		} else {
			body = append(body, jen.Id("b").Op("=").Add(g.writeValue(f.Type, jen.Op("*").Add(value))))
		}
	case kind == rawKind || kind == bytesKind || kind == listKind || kind == mapKind || kind == interfaceKind:
		present = jen.Add(value).Op("!=").Nil()
		body = append(body, jen.Id("b").Op("=").Add(g.writeValue(f.Type, value)))
	case g.under(f.Type).Kind == model.RefBool && w.sure:
		present = value
		if f.Type.Kind == model.RefNamed {
			present = jen.Bool().Call(value)
		}
		body = []jen.Code{jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(","+key(f.Wire)+"true")).Op("..."))}
	default:
		present = jen.Add(value).Op("!=").Add(g.zero(f.Type))
		if g.under(f.Type).Kind == model.RefBool {
			present = value
		}
		body = append(body, jen.Id("b").Op("=").Add(g.writeValue(f.Type, value)))
	}
	w.statement(jen.If(present).Block(body...))
}

func appendKey(f *model.Field) jen.Code {
	return jen.Id("b").Op("=").Qual(codecPath, "AppendKey").Call(jen.Id("b"), jen.Lit(f.Wire))
}

// zero is the literal of a scalar that is not written.
func (g *gen) zero(r *model.Ref) jen.Code {
	switch kind := g.under(r).Kind; {
	case kind == model.RefInt, kind == model.RefFloat, g.integral(r):
		return jen.Lit(0)
	case kind == model.RefBool:
		return jen.False()
	}
	return jen.Lit("")
}

// writeValue is the expression that appends a value.
func (g *gen) writeValue(r *model.Ref, value jen.Code) jen.Code {
	under := g.under(r)
	call := func(function string, args ...jen.Code) jen.Code {
		return jen.Qual(codecPath, function).Call(append([]jen.Code{jen.Id("b")}, args...)...)
	}
	plain := func(basic jen.Code) jen.Code {
		if r.Kind != model.RefNamed {
			return value
		}
		return jen.Add(basic).Call(value)
	}
	switch under.Kind {
	case model.RefString:
		return call("AppendString", plain(jen.String()))
	case model.RefBool:
		return call("AppendBool", plain(jen.Bool()))
	case model.RefInt:
		if under.Wide {
			return call("AppendWide", plain(jen.Int64()))
		}
		return call("AppendInt", plain(jen.Int64()))
	case model.RefFloat:
		return call("AppendFloat", plain(jen.Float64()))
	case model.RefRaw:
		return call("AppendRaw", plain(jen.Qual(codecPath, "Raw")))
	case model.RefBytes:
		return call("AppendBytes", value)
	case model.RefMap:
		return call("AppendMap", value, g.writerOf(under.Elem))
	case model.RefList:
		if g.kind(under.Elem) == structKind {
			return call("AppendStructs", value, method1(under.Elem.Name, "AppendJSON"))
		}
		return call("AppendList", value, g.writerOf(under.Elem))
	}
	switch g.kind(under) {
	case enumKind:
		if g.integral(under) {
			return call("AppendInt", jen.Int64().Call(value))
		}
		return call("AppendString", jen.String().Call(value))
	case interfaceKind:
		return jen.Id(g.names.unions[under.Name].write).Call(jen.Id("b"), value)
	}
	return jen.Add(value).Dot("AppendJSON").Call(jen.Id("b"))
}

// writerOf is a function that appends a value, for the generic writers of lists
// and the like.
func (g *gen) writerOf(r *model.Ref) jen.Code {
	under := g.under(r)
	if r.Kind == model.RefNamed && (under.Kind == model.RefString || g.kind(under) == enumKind && !g.integral(under)) {
		return jen.Qual(codecPath, "AppendText").Types(g.goType(r))
	}
	if r.Kind == under.Kind {
		switch under.Kind {
		case model.RefString:
			return jen.Qual(codecPath, "AppendString")
		case model.RefBool:
			return jen.Qual(codecPath, "AppendBool")
		case model.RefInt:
			if under.Wide {
				return jen.Qual(codecPath, "AppendWide")
			}
			return jen.Qual(codecPath, "AppendInt")
		case model.RefFloat:
			return jen.Qual(codecPath, "AppendFloat")
		case model.RefRaw:
			return jen.Qual(codecPath, "AppendRaw")
		case model.RefBytes:
			return jen.Qual(codecPath, "AppendBytes")
		}
		if g.kind(under) == interfaceKind {
			return jen.Id(g.names.unions[under.Name].write)
		}
	}
	return jen.Func().Params(jen.Id("b").Index().Byte(), jen.Id("v").Add(g.goType(r))).Index().Byte().Block(
		jen.Return(g.writeValue(r, jen.Id("v"))))
}
