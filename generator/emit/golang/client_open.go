// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitOpener writes the method whose work a handle then follows.
func (c *client) emitOpener(s *source, w *work, m *model.Method, sig *jen.Statement, body []jen.Code) {
	sc, handle := w.sc, c.handleOf(w, m)
	doc := "It returns when the call is accepted; the " + handle + " follows what it leads to."
	var undo jen.Code
	if cancel := c.undoes(w, m); cancel != nil {
		doc += " If ctx ends before that, the caller is released at once, and what turns out to have been accepted is cancelled."
		undo = c.undo(w, m, cancel, handle)
	}
	of := append([]jen.Code{jen.Id(unexported(sc.s.Handle)).Op(":").Id(sc.self())}, c.chosenValue(m)...)
	body = append(body, c.begun(s, sc, m, handle, of, "Receipt", undo)...)
	s.decl(c.methodDoc(m, doc), sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

// begun are the statements that make a call whose answer brings a handle: of are
// the handle's members, receipt the one with the result.
func (c *client) begun(s *source, sc *clientScope, m *model.Method, handle string, of []jen.Code, receipt string, undo jen.Code) []jen.Code {
	result := jen.Qual(clientPath, "NoResult")
	if m.Result != "" {
		result = c.ref(m.Result)
	}
	values := []jen.Code{jen.Id("Follow").Op(":").Parens(jen.Op("*").Id(handle)).Dot("follow")}
	if len(of) > 0 {
		values = append([]jen.Code{jen.Id("Handle").Op(":").Id(handle).Values(of...)}, values...)
	}
	if undo != nil {
		values = append(values, jen.Id("Cancel").Op(":").Add(undo))
	}
	pending := jen.Qual(clientPath, "Pending").Types(jen.Id(handle), result)
	body := []jen.Code{jen.Id("t").Op(":=").Op("&").Add(pending).Values(broken(values)...)}
	if m.Result != "" {
		body = append(body, jen.Id("t.Handle."+receipt).Op("=").Op("&").Id("t.Result"))
	}
	body = append(body, c.exchange(sc, m, jen.Op("&").Id("t.Result"), jen.Id("t"))...)
	if c.joined(m) {
		c.emitStarter(s, sc, m, body, pending)
		args := []jen.Code{}
		if m.Params != "" {
			args = append(args, jen.Op("&").Id("p"))
		}
		body = []jen.Code{jen.List(jen.Id("t"), jen.Id("x")).Op(":=").Id(sc.self() + "." + c.starter(m)).Call(args...)}
	}
	return append(body, jen.Return(jen.Qual(clientPath, "Result").Call(jen.Op("&").Id("t.Handle"), jen.Id("x").Dot("Do").Call(jen.Id("ctx")))))
}

// undoes is the method by which what was accepted is taken back when its caller has
// gone; nil if it is not.
func (c *client) undoes(w *work, m *model.Method) *model.Method {
	for _, cancel := range w.cancels {
		if cancel.Undoes == m.Name && c.stops(w, m, cancel) {
			return cancel
		}
	}
	return nil
}

// undo is the function that cancels a call whose caller has gone.
func (c *client) undo(w *work, m, cancel *model.Method, handle string) jen.Code {
	if required := c.required(cancel); len(required) > 1 || len(required) == 1 && required[0] != c.target(w, cancel) {
		c.problems.Add(cancel.Pos, "%s undoes %s, so it must need nothing that only a caller knows", cancel.Name, m.Name)
	}
	args := []jen.Code{jen.Id("ctx")}
	if c.handleOptions(w, cancel) != nil {
		args = append(args, jen.Nil())
	}
	return jen.Func().Params(ctxParam(), jen.Id("t").Op("*").Id(handle)).Block(
		jen.List(jen.Id("_"), jen.Id("_")).Op("=").Id("t." + c.handleName(cancel)).Call(args...))
}
