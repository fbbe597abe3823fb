// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitOpener writes the method whose work a handle then follows.
func (c *client) emitOpener(s *source, w *work, m *model.Method, sig *jen.Statement, body []jen.Code) {
	sc, handle := w.sc, c.handleOf(w, m)
	self := jen.Id("s")
	if sc.whole {
		self = jen.Id("rt")
	}
	of := append([]jen.Code{jen.Id(unexported(sc.s.Handle)).Op(":").Add(self)}, c.chosenValue(m)...)
	body = append(body,
		jen.Id("t").Op(":=").Op("&").Id(pendingName(handle)).Values(
			jen.Id(handle).Op(":").Id(handle).Values(of...)))
	into := jen.Code(nil)
	if m.Result != "" {
		body = append(body, jen.Id("t.Receipt").Op("=").Op("&").Id("t.result"))
		into = jen.Id("t.Receipt")
	}
	body = append(body, c.exchange(sc, m, into, jen.Id("t"))...)
	body = append(body, answered(jen.Op("&").Id("t."+handle)))
	doc := "It returns when the call is accepted; the " + handle + " tells the rest."
	if c.undoes(w, m) != nil {
		doc += " If ctx ends before that, the caller is released at once, and what turns out to have been accepted is cancelled."
	}
	s.decl(c.methodDoc(m, doc), sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

// pendingName is the type of a handle whose call is on its way.
func pendingName(handle string) string { return "pending" + handle }

// emitCallOf writes that type: what the call needs is one object with its handle.
func (c *client) emitCallOf(s *source, w *work, handle, result string, undoes bool) {
	name := pendingName(handle)
	fields := []jen.Code{jen.Id(handle)}
	if result != "" {
		fields = append(fields, jen.Id("result").Id(result))
	}
	s.decl(name+" is "+article(handle)+" whose call is on its way.", jen.Type().Id(name).Struct(fields...))
	s.decl("Accept implements track.Binder.", onActivity(name).Id("Accept").Params(placeParam()).Error().Block(
		jen.Id("t.run").Op("=").Id("t.follow").Call(w.sc.inScope()), jen.Return(jen.Nil())))
	undo := oneLine()
	if undoes {
		undo = oneLine(jen.Id("t.undo").Call())
	}
	s.decl("Undo implements track.Binder.", onActivity(name).Id("Undo").Params().Add(undo))
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

// emitUndo writes the cancel of a call whose caller has gone.
func (c *client) emitUndo(s *source, w *work, m, cancel *model.Method, name string) {
	sc := w.sc
	if required, _ := c.required(cancel); len(required) > 1 || len(required) == 1 && required[0] != c.target(w, cancel) {
		c.problems.Add(cancel.Pos, "%s undoes %s, so it must need nothing that only a caller knows", cancel.Name, m.Name)
	}
	rt := "t." + unexported(sc.s.Handle) + ".rt.client"
	if sc.whole {
		rt = "t." + unexported(sc.s.Handle) + ".client"
	}
	s.decl("undo cancels what was accepted after its caller had gone.",
		onActivity(name).Id("undo").Params().Block(
			jen.Id(rt+".Owner.Go").Call(jen.Func().Params().Block(
				jen.List(jen.Id("_"), jen.Id("_")).Op("=").Id("t."+c.handleName(cancel)).Call(jen.Id(rt+".Owner.Context").Call()),
			))))
}
