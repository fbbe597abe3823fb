// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitHandle writes a scope's handle.
func (c *client) emitHandle(s *source, sc *clientScope) {
	name, key := sc.s.Handle, c.goType(sc.key)
	doc := docAs(sc.s.Doc.EN, sc.s.Var, name)
	if doc == "" {
		doc = name + " is one " + sc.s.Name + "."
	}
	doc += "\n\nThis is its handle on one connection. Handles are small and may be made as often as one likes; two of one id are alike."
	fields := []jen.Code{jen.Id("rt").Op("*").Id(c.conn()), jen.Id("id").Add(key)}
	opened := c.opened(sc)
	if opened != "" {
		fields = append(fields, jen.Id("loaded").Op("*").Add(c.ref(opened)))
	}
	s.decl(doc, jen.Type().Id(name).Struct(fields...))
	s.decl(name+" is the handle of an id, whether there is such a "+sc.s.Name+" yet or not. Nothing is sent.",
		c.onConn().Id(name).Params(jen.Id("id").Add(key)).Op("*").Id(name).Add(oneLine(
			jen.Return(jen.Op("&").Id(name).Values(jen.Id("rt").Op(":").Id("rt"), jen.Id("id").Op(":").Id("id"))))))
	s.decl("ID is its id.", onHandle(name).Id("ID").Params().Add(key, oneLine(jen.Return(jen.Id("s.id")))))
	if opened != "" {
		s.decl("Loaded is what the "+c.noun()+" answered when the handle was made; nil if it was made without a call.",
			onHandle(name).Id("Loaded").Params().Op("*").Add(c.ref(opened)).Add(oneLine(jen.Return(jen.Id("s.loaded")))))
	}
}

func onHandle(name string) *jen.Statement { return jen.Func().Params(jen.Id("s").Op("*").Id(name)) }

// returnsHandle reports whether a method opens a scope and answers which: it is
// then a method of Runtime that gives the scope's handle.
func (c *client) returnsHandle(m *model.Method) bool {
	if m.Attaches == "" || m.Result == "" || m.In == nil {
		return false
	}
	sc := c.scope(m.Attaches)
	return sc != nil && c.memberOf(m.Result, sc.s.Key) != nil
}

// opened is the result of the methods that return a scope's handle.
func (c *client) opened(sc *clientScope) string {
	result := ""
	for _, m := range c.calls(model.Client) {
		if !c.returnsHandle(m) || m.Attaches != sc.s.Name {
			continue
		}
		if result != "" && result != m.Result {
			c.problems.Add(m.Pos, "%s answers with %s, and another method that opens a %s with %s: a client has one place for it", m.Name, m.Result, sc.s.Name, result)
		}
		result = m.Result
	}
	return result
}

// emitOpen writes a method that returns a scope's handle.
func (c *client) emitOpen(s *source, sc *clientScope, m *model.Method) {
	key := argument(c.member(m.Params, m.In.Key).Name)
	params, fill := c.arguments(m, jen.Id(key))
	args := []jen.Code{params[0], jen.Id(key).Add(c.goType(sc.key))}
	doc := ""
	var replays []jen.Code
	done := do()
	if m.Replays != nil {
		args = append(args, c.replayParam(m))
		replays = append(replays, replaying())
		done = jen.Id("again.End").Call(done)
		doc = c.replayDoc(m)
	}
	args = append(args, params[1:]...)
	body := append(fill,
		jen.Id("s").Op(":=").Op("&").Id(sc.s.Handle).Values(
			jen.Id("rt").Op(":").Id("rt"), jen.Id("id").Op(":").Id(key), jen.Id("loaded").Op(":").New(c.ref(m.Result))))
	body = append(body, c.exchange(sc, m, jen.Id("s.loaded"), jen.Qual(clientPath, "Accepting").Call(jen.Id("s.attach")))...)
	body = append(body, replays...)
	body = append(body, jen.Return(jen.Qual(clientPath, "Result").Call(jen.Id("s"), done)))
	s.decl(c.methodDoc(m, doc), c.onConn().Id(c.handleName(m)).Params(args...).Params(jen.Op("*").Id(sc.s.Handle), jen.Error()).Block(body...))
	c.emitAttach(s, sc, m)
}

// emitAttach writes, once a scope, what happens when it was opened.
func (c *client) emitAttach(s *source, sc *clientScope, m *model.Method) {
	if c.taken["attach of "+sc.s.Name] != "" {
		return
	}
	c.taken["attach of "+sc.s.Name] = m.Name
	got := c.memberOf(m.Result, sc.s.Key)
	mismatch := jen.Code(jen.Return(jen.Qual("fmt", "Errorf").Call(jen.Lit("the "+c.noun()+" opened "+sc.s.Name+" %q instead of %q"), jen.Id("s.loaded."+got.Name), jen.Id("s.id"))))
	read := jen.Code(jen.Nil())
	if w := sc.folded(); w != nil {
		mismatch = jen.Return(jen.Id("s.mismatch").Call())
		read = jen.Func().Params(jen.Id("k").Qual(clientPath, "Knowledge").Types(sc.params()...)).Block(
			jen.Id("k").Assert(jen.Op("*").Id(sc.knowledge())).Dot(w.foldName()).Dot("Reopened").Call(jen.Id("s.loaded")))
	}
	differs := jen.Id("s.loaded." + got.Name).Op("!=").Id("s.id")
	if c.versioned() {
		// Peers that never negotiated may answer with nothing.
		differs = differs.Op("&&").Parens(jen.Id("s.rt.Version").Call().Op("!=").Lit(0).Op("||").Id("s.loaded." + got.Name).Op("!=").Lit(""))
	}
	s.decl("attach takes over what the answer said, before any message that follows it. An answer that names another "+sc.s.Name+" is an error.",
		onHandle(sc.s.Handle).Id("attach").Params(placeParam()).Error().Block(
			jen.If(differs).Block(mismatch),
			sc.inScope().Dot("Reloaded").Call(read),
			jen.Return(jen.Nil()),
		))
}
