// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// faults are what a connection refuses by itself, and what an error says that
// stands for it. Where no error of a protocol does, it is JSON-RPC's plain one.
var faults = []struct{ kind, fault string }{
	{"ParseFault", model.ParseFault},
	{"RequestFault", model.RequestFault},
	{"ParamsFault", model.ParamsFault},
	{"LimitFault", model.LimitFault},
	{"OverloadFault", model.OverloadFault},
	{"CancelFault", model.CancelFault},
	{"InternalFault", model.InternalFault},
	{"ConnectionFault", model.InternalFault},
}

// faultMembers are members of such errors' data that are filled in, by wire
// name, with the fault's field.
var faultMembers = []struct {
	wire, field string
	kind        string
}{
	{"path", "Path", model.RefString},
	{"limit", "Limit", model.RefString},
	{"value", "Value", model.RefInt},
}

// retrySoon is when a client that overloaded a connection may try again.
const retrySoon = 100

// emitFaults writes how errors are written to peers.
func (g *gen) emitFaults(s *source) {
	code := 0
	if gen := g.generation(); gen != nil {
		code = gen.Code
	}
	doc := "EncodeError writes an error to a peer as the declaration has it."
	if g.versioned() {
		doc = "EncodeError writes an error to a peer: as the declaration has it to one that negotiated, and in the words and under the one code that it knows to one that never did."
	}
	s.decl(doc,
		jen.Func().Id("EncodeError").Params(jen.Err().Error(), jen.Id("strict").Bool()).
			Params(jen.Id("code").Int(), jen.Id("message").String(), jen.Id("data").Index().Byte()).
			Block(jen.Return(jen.Id("encoder").Dot("Encode").Call(jen.Err(), jen.Id("strict")))))
	values := []jen.Code{jen.Id("Faults").Op(":").Id("faultError")}
	if code != 0 {
		values = append(values, jen.Id("LegacyCode").Op(":").Lit(code))
	}
	s.decl("", jen.Var().Id("encoder").Op("=").Qual(serverPath, "Encoder").Values(values...))

	var cases []jen.Code
	byFault := map[string][]jen.Code{}
	var order []*model.Error
	for _, f := range faults {
		e := g.errorFor(f.fault)
		if e == nil {
			continue
		}
		if byFault[f.fault] == nil {
			order = append(order, e)
		}
		byFault[f.fault] = append(byFault[f.fault], jen.Qual(jsonrpcPath, f.kind))
	}
	for _, e := range order {
		cases = append(cases, jen.Case(byFault[e.Fault]...).Block(jen.Return(jen.Op("&").Add(g.ref(errorName(e))).Values(g.faultValues(e)...))))
	}
	f := jen.Id("f").Op("*").Qual(jsonrpcPath, "Fault")
	if len(cases) == 0 {
		s.decl("faultError is the protocol's own error for what a connection refuses by itself: there is none.",
			jen.Func().Id("faultError").Params(jen.Op("*").Qual(jsonrpcPath, "Fault")).Error().Block(jen.Return(jen.Nil())))
	} else {
		s.decl("faultError is the protocol's own error for what a connection refuses by itself.",
			jen.Func().Id("faultError").Params(f).Error().Block(
				jen.Switch(jen.Id("f").Dot("Kind")).Block(cases...),
				jen.Return(jen.Nil()),
			))
	}
	g.emitUnsupported(s, g.errorFor(model.MethodFault))
	if n := g.p.Negotiation; n != nil {
		if e := g.errorOf(n.Before); e != nil {
			s.decl("", jen.Func().Id("tooEarly").Params().Error().Add(oneLine(jen.Return(jen.Op("&").Add(g.ref(errorName(e))).Values()))))
		}
	}
}

func (g *gen) faultValues(e *model.Error) []jen.Code {
	f := func(name string) *jen.Statement { return jen.Id("f").Dot(name) }
	values := []jen.Code{
		jen.Id("Message").Op(":").Add(f("Error")).Call(),
		jen.Id("Legacy").Op(":").Add(f("Legacy")),
		jen.Id("Err").Op(":").Add(f("Err")),
	}
	for _, m := range faultMembers {
		if d := g.dataField(e, m.wire); d != nil && d.Type.Kind == m.kind && !g.isPointer(d) && !d.Null() {
			values = append(values, jen.Id(d.Name).Op(":").Add(f(m.field)))
		}
	}
	if d := g.dataField(e, "retryAfterMs"); d != nil && d.Type.Kind == model.RefInt && !g.isPointer(d) {
		values = append(values, jen.Id(d.Name).Op(":").Lit(retrySoon))
	}
	return broken(values)
}

// emitUnsupported writes the error of a method that is not served: the
// protocol's own, or JSON-RPC's plain one.
func (g *gen) emitUnsupported(s *source, e *model.Error) {
	legacy := jen.Code(nil)
	if gen := g.generation(); gen != nil && gen.Unknown != "" {
		before, after, found := strings.Cut(gen.Unknown, "{method}")
		sum := jen.Add(text(before))
		if found {
			sum = sum.Op("+").Id("method")
			if after != "" {
				sum = sum.Op("+").Add(text(after))
			}
		}
		legacy = sum
	}
	var value jen.Code
	usesCapability := false
	if e == nil {
		values := []jen.Code{
			jen.Id("Kind").Op(":").Qual(jsonrpcPath, "MethodFault"),
			jen.Id("Detail").Op(":").Lit("unknown method: ").Op("+").Id("method"),
		}
		if legacy != nil {
			values = append(values, jen.Id("Legacy").Op(":").Add(legacy))
		}
		value = jen.Op("&").Qual(jsonrpcPath, "Fault").Values(broken(values)...)
	} else {
		values := []jen.Code{jen.Id("Message").Op(":").Lit("method " + "is not served: ").Op("+").Id("method")}
		if legacy != nil {
			values = append(values, jen.Id("Legacy").Op(":").Add(legacy))
		}
		for _, wire := range []string{"method", "capability"} {
			if d := g.dataField(e, wire); d != nil && d.Type.Kind == model.RefString && !g.isPointer(d) && !d.Null() {
				values = append(values, jen.Id(d.Name).Op(":").Id(wire))
				usesCapability = usesCapability || wire == "capability"
			}
		}
		value = jen.Op("&").Add(g.ref(errorName(e))).Values(broken(values)...)
	}
	second := "capability"
	if !usesCapability {
		second = "_"
	}
	s.decl("unsupported is the error of a method that is not served. A capability, if there is one, is what the server would have announced.",
		jen.Func().Id("unsupported").Params(jen.Id("method"), jen.Id(second).String()).Error().Block(jen.Return(value)))
	s.decl("", jen.Func().Id("unknownMethod").Params(jen.Id("method").String()).Error().Block(
		jen.Return(jen.Id("unsupported").Call(jen.Id("method"), jen.Lit("")))))
}
