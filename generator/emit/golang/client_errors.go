// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitClientErrors writes how a client names what went wrong: by the errors
// of the protocol that stand for it, or by those of runtime/client.
func (c *client) emitClientErrors() {
	s := c.source("errors.gen.go")
	c.emitDecodeClientError(s)
	message := jen.Id("Message").Op(":").Id("m.Lacking").Call()
	var value jen.Code
	if e := c.errorFor(model.MethodFault); e != nil {
		values := []jen.Code{message}
		values = c.dataValue(values, e, "method", model.RefString, jen.Id("m.Name"))
		values = c.dataValue(values, e, "capability", model.RefString, jen.Id("m.Needs"))
		value = jen.Op("&").Add(c.ref(errorName(e))).Values(values...)
	} else {
		value = jen.Op("&").Qual(clientPath, "Failure").Values(jen.Id("Name").Op(":").Qual(clientPath, "Unsupported"), message)
	}
	s.decl("unsupported is the error of a method that the other side does not serve.",
		jen.Func().Id("unsupported").Params(jen.Id("m").Op("*").Qual(clientPath, "Method")).Error().Block(jen.Return(value)))
	c.emitAfter(s)
	if len(c.scopes) > 0 {
		c.emitLagging(s)
	}
	c.emitLost(s)
}

// dataValue adds a member of an error's data, if the error has it in that kind.
func (c *client) dataValue(values []jen.Code, e *model.Error, wire, kind string, value jen.Code) []jen.Code {
	f := c.dataField(e, wire)
	if f == nil || c.under(f.Type).Kind != kind || c.isPointer(f) || f.Null() {
		return values
	}
	if f.Type.Kind == model.RefNamed {
		value = c.ref(f.Type.Name).Call(value)
	}
	return append(values, jen.Id(f.Name).Op(":").Add(value))
}

// legacyText is a text of peers that never negotiated.
type legacyText struct {
	text string
	e    *model.Error
}

func (c *client) legacyTexts() []legacyText {
	var out []legacyText
	seen := map[string]bool{}
	unknown := map[string]bool{}
	for _, gen := range c.p.Generations {
		unknown[gen.Unknown] = true
	}
	add := func(text string, e *model.Error) {
		if e != nil && !seen[text] && !unknown[text] {
			seen[text] = true
			out = append(out, legacyText{text, e})
		}
	}
	for _, e := range c.p.Errors {
		for _, t := range e.Legacy {
			add(t, e)
		}
	}
	for _, m := range c.calls(model.Client) {
		if m.Legacy == nil {
			continue
		}
		for _, t := range m.Legacy.Texts {
			add(t.Text, c.errorOf(t.Error))
		}
	}
	return out
}

// emitDecodeClientError writes how an error of the other side gets its type.
func (c *client) emitDecodeClientError(s *source) {
	e := jen.Id("e").Op("*").Qual(jsonrpcPath, "Error")
	typed := jen.Code(jen.Return(jen.Id("e")))
	if len(c.p.Errors) > 0 {
		typed = jen.Return(c.ref("DecodeError").Call(jen.Id("e")))
	}
	texts := c.legacyTexts()
	body := []jen.Code{typed}
	negotiated := jen.Id("_")
	if len(texts) > 0 {
		negotiated = jen.Id("negotiated")
		body = []jen.Code{
			jen.If(jen.Op("!").Id("negotiated").Op("&&").Len(jen.Id("e.Data")).Op("==").Lit(0)).Block(
				jen.Return(jen.Qual(clientPath, "Legacy").Call(jen.Id("e"), jen.Id("legacyTexts")))),
			typed,
		}
	}
	s.decl("decodeError gives an error of the other side the type of its kind.",
		jen.Func().Id("decodeError").Params(e, negotiated.Bool()).Error().Block(body...))
	if len(texts) == 0 {
		return
	}
	var rows []jen.Code
	member := c.scopeMember()
	for _, t := range texts {
		values := []jen.Code{jen.Id("Message").Op(":").Id("message")}
		members := jen.Id("_")
		if member != nil && strings.Contains(t.text, "{"+member.Wire+"}") {
			members = jen.Id("members")
			values = c.dataValue(values, t.e, member.Wire, model.RefString, jen.Id("members").Index(jen.Lit(member.Wire)))
			if len(values) == 1 {
				members = jen.Id("_")
			}
		}
		rows = append(rows, jen.Values(jen.Id("Text").Op(":").Add(text(t.text)), jen.Id("Typed").Op(":").
			Func().Params(jen.Id("message").String(), members.Map(jen.String()).String()).Error().Block(
			jen.Return(jen.Op("&").Add(c.ref(errorName(t.e))).Values(values...)))))
	}
	s.decl("legacyTexts are the texts by which peers that never negotiated say which kind they mean.",
		jen.Var().Id("legacyTexts").Op("=").Index().Qual(clientPath, "LegacyText").Values(broken(rows)...))
}

// unknownTexts are the texts by which peers that never negotiated say that they do
// not know a method.
func (c *client) unknownTexts() []jen.Code {
	var texts []string
	for _, gen := range c.p.Generations {
		if gen.Unknown != "" && !slices.Contains(texts, gen.Unknown) {
			texts = append(texts, gen.Unknown)
		}
	}
	var code []jen.Code
	for _, t := range texts {
		code = append(code, text(t))
	}
	return code
}

// emitAfter writes which time an error names before the same call may be made again.
func (c *client) emitAfter(s *source) {
	var body []jen.Code
	for _, e := range c.p.Errors {
		f := c.dataField(e, "retryAfterMs")
		if f == nil || c.under(f.Type).Kind != model.RefInt || c.isPointer(f) {
			continue
		}
		v := unexported(errorName(e))
		body = append(body,
			jen.Var().Id(v).Op("*").Add(c.ref(errorName(e))),
			jen.If(jen.Qual("errors", "As").Call(jen.Err(), jen.Op("&").Id(v))).Block(
				jen.Return(jen.Qual("time", "Duration").Call(jen.Id(v+"."+f.Name)).Op("*").Qual("time", "Millisecond"))))
	}
	s.decl("after returns the time that an error names before the same call may be made again; 0 if it names none.",
		jen.Func().Id("after").Params(jen.Err().Error()).Qual("time", "Duration").Block(append(body, jen.Return(jen.Lit(0)))...))
}

func (c *client) emitLagging(s *source) {
	message := jen.Id("Message").Op(":").Qual(clientPath, "LagText").Call(jen.Id("id"), jen.Id("after"))
	var value jen.Code
	if e := c.errorFor(model.LagFault); e != nil {
		values := []jen.Code{message}
		if m := c.scopeMember(); m != nil {
			values = c.dataValue(values, e, m.Wire, model.RefString, jen.Id("id"))
		}
		values = c.dataValue(values, e, "afterSeq", model.RefInt, jen.Id("after"))
		value = jen.Op("&").Add(c.ref(errorName(e))).Values(values...)
	} else {
		value = jen.Op("&").Qual(clientPath, "Failure").Values(jen.Id("Name").Op(":").Qual(clientPath, "Lagging"), message, jen.Id("After").Op(":").Id("after"))
	}
	s.decl("lagging returns the error of handles and handlers that did not take a scope's messages in time.",
		jen.Func().Id("lagging").Params(jen.Id("id").String(), jen.Id("after").Int64()).Error().Block(jen.Return(value)))
}

func (c *client) emitLost(s *source) {
	message := jen.Id("Message").Op(":").Qual(clientPath, "LostText").Call(jen.Id("cause"), jen.Id("exit"), jen.Id("stderr"))
	cause := jen.Id("Err").Op(":").Id("cause")
	var body []jen.Code
	if e := c.errorFor(model.ConnectionFault); e != nil {
		values := []jen.Code{message, cause}
		values = c.dataValue(values, e, "stderr", model.RefString, jen.Qual("strings", "Join").Call(jen.Id("stderr"), jen.Lit("\n")))
		body = append(body, jen.Id("e").Op(":=").Op("&").Add(c.ref(errorName(e))).Values(values...))
		var set []jen.Code
		if f := c.dataField(e, "exitCode"); f != nil && c.under(f.Type).Kind == model.RefInt && c.isPointer(f) {
			set = append(set, jen.Id("e."+f.Name).Op("=").New(jen.Int64().Call(jen.Id("exit.Code"))))
		}
		if f := c.dataField(e, "signal"); f != nil && c.under(f.Type).Kind == model.RefString && !c.isPointer(f) {
			set = append(set, jen.Id("e."+f.Name).Op("=").Id("exit.Signal"))
		}
		if len(set) > 0 {
			body = append(body, jen.If(jen.Id("exit").Op("!=").Nil()).Block(set...))
		}
		body = append(body, jen.Return(jen.Id("e")))
	} else {
		body = append(body, jen.Return(jen.Op("&").Qual(clientPath, "Failure").Values(jen.Id("Name").Op(":").Qual(clientPath, "ConnectionLost"), message, cause)))
	}
	s.decl("lost is the error of a connection that is lost.",
		jen.Func().Id("lost").Params(jen.Id("cause").Error(), jen.Id("exit").Op("*").Qual(processPath, "Exit"), jen.Id("stderr").Index().String()).Error().Block(body...))
}
