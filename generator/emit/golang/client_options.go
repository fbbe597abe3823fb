// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func (c *client) emitOptions(s *source) {
	var code []jen.Code
	add := func(doc string, field jen.Code) {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(append(code, comments(doc)...), field)
	}
	m, fields := c.optionFields()
	for _, f := range fields {
		add(c.memberDoc(f), jen.Id(c.optionName(m, f)).Add(c.fieldType(f)))
	}
	if c.versioned() {
		add("Legacy offers no version: the "+c.noun()+" is treated as one that does not negotiate.", jen.Id("Legacy").Bool())
	}
	if m != nil && c.offersType() != "" && c.offersMore(c.offersType()) {
		add(c.offersField().Name+" may change what is announced: what the other functions of these options can serve is there already.",
			jen.Id(c.offersField().Name).Func().Params(jen.Op("*").Add(c.ref(c.offersType()))))
	}
	add("Handler takes what the "+c.noun()+" sends.", jen.Id("Handler").Id("Handler"))
	for _, m := range c.asks() {
		doc := c.askName(m) + " answers " + m.Name + ". Its context ends when the " + c.noun() + " withdraws the question."
		if m.Needs != "" {
			doc += " Without it the capability is not announced."
		}
		if m.Absent != "" {
			doc += " Without it, and when it returns neither a result nor an error, the answer is " + m.Absent + "."
		}
		add(doc, jen.Id(c.askName(m)).Add(c.askFunc(m)))
	}
	add("Diagnose receives what went wrong on the connection without ending it, a panic of a function given here included. It must be quick and may be called from several goroutines. Without it such a panic ends the process.",
		jen.Id("Diagnose").Func().Params(jen.Qual(jsonrpcPath, "Diagnostic")))
	add("Limits bound the connection.", jen.Id("Limits").Qual(jsonrpcPath, "Limits"))
	if len(c.scopes) > 0 {
		add("QueueLimit bounds the bytes that wait for handlers and handles in one scope; 0 means 8 MiB. Past it live messages are merged, then dropped and counted; if the others alone exceed it, the handles and handlers that are behind fail.",
			jen.Id("QueueLimit").Int())
	}
	if m != nil {
		add("HandshakeTimeout bounds the beginning; 0 means 30 s.", jen.Id("HandshakeTimeout").Qual("time", "Duration"))
	}
	add("Retry says how often calls are made again where an error and the method's idempotency allow it. The zero value repeats nothing.",
		jen.Id("Retry").Qual(clientPath, "Retry"))
	s.decl("Options say how to begin with "+c.aNoun()+", and who takes what it sends.", jen.Type().Id("Options").Struct(code...))
}

// optionFields are the members of the negotiation's params that a host sets.
func (c *client) optionFields() (m *model.Method, fields []*model.Field) {
	if m = c.negotiation(); m == nil {
		return nil, nil
	}
	for _, f := range c.types[m.Params].Fields {
		if n := c.p.Negotiation; f.Wire != n.Asked && f.Wire != n.Offers {
			fields = append(fields, f)
		}
	}
	return m, fields
}

func (c *client) optionName(m *model.Method, f *model.Field) string {
	return c.override(m.Name+"."+f.Wire, f.Name)
}

// asks are the requests that the other side makes.
func (c *client) asks() []*model.Method { return c.calls(model.Server) }

// askName is the member of Options that answers one.
func (c *client) askName(m *model.Method) string {
	alone := 0
	for _, other := range c.asks() {
		if other.Needs == m.Needs {
			alone++
		}
	}
	if m.Needs != "" && alone == 1 {
		return exported(m.Needs)
	}
	return m.GoName
}

func (c *client) askFunc(m *model.Method) jen.Code {
	params := []jen.Code{ctxParam()}
	if m.Params != "" {
		params = append(params, jen.Id("p").Op("*").Add(c.ref(m.Params)))
	}
	if m.Result == "" {
		return jen.Func().Params(params...).Error()
	}
	return jen.Func().Params(params...).Params(c.resultType(m), jen.Error())
}
