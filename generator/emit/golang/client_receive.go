// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// scoped are the notifications of the other side that belong to a scope, and
// have params.
func (c *client) scoped() []*model.Notification {
	var out []*model.Notification
	for _, n := range c.notes(model.Server) {
		if n.In != nil && n.Params != "" {
			out = append(out, n)
		}
	}
	return out
}

// scopedIn are those of one scope.
func (c *client) scopedIn(sc *clientScope) []*model.Notification {
	return slices.DeleteFunc(c.scoped(), func(n *model.Notification) bool { return n.In.Scope != sc.s.Name })
}

// byParams are the cases of a switch over the type of p, one a type; where
// several notifications have one type, their number distinguishes them.
func (c *client) byParams(notes []*model.Notification, number jen.Code, body func(n *model.Notification) []jen.Code) []jen.Code {
	bodies := map[string][]jen.Code{} // cases by number
	last := map[string][]jen.Code{}   // the body of the last
	var order []string
	for _, n := range notes {
		code := body(n)
		if len(code) == 0 {
			continue
		}
		if bodies[n.Params] == nil {
			order = append(order, n.Params)
		}
		bodies[n.Params] = append(bodies[n.Params], jen.Case(jen.Id(noteOpConst(n))).Block(code...))
		last[n.Params] = code
	}
	shared := map[string]int{}
	for _, n := range notes {
		shared[n.Params]++
	}
	var cases []jen.Code
	for _, typ := range order {
		code := last[typ]
		if shared[typ] > 1 {
			code = []jen.Code{jen.Switch(number).Block(bodies[typ]...)}
		}
		cases = append(cases, jen.Case(jen.Op("*").Add(c.ref(typ))).Block(code...))
	}
	return cases
}

// emitReceive writes what takes the other side's messages.
func (c *client) emitReceive() {
	s := c.source("receive.gen.go")
	notes, asks := c.notes(model.Server), c.asks()
	ops := []jen.Code{jen.Id("_").Op("=").Iota()}
	for _, n := range notes {
		ops = append(ops, jen.Id(noteOpConst(n)))
	}
	for _, m := range asks {
		ops = append(ops, jen.Id(opConst(m)))
	}
	ops = append(ops, jen.Id("opUnknown"))
	s.decl("The numbers of what "+c.aNoun()+" sends.", jen.Const().Defs(ops...))
	c.emitHandler(s)
	s.decl("receiver is this side's receiving half.", jen.Type().Id("receiver").Id(c.conn()))

	var lookup, params []jen.Code
	for _, n := range notes {
		lookup = append(lookup, jen.Case(jen.Lit(n.Name)).Block(jen.Return(jen.Id(noteOpConst(n)))))
		switch {
		case slices.Contains(c.valued(), n):
			params = append(params, jen.Case(jen.Id(noteOpConst(n))).Block(jen.Return(
				jen.Qual(clientPath, "ReadLive").Call(jen.Id("d"), jen.Op("&").Id("r."+spare(n))))))
		case n.Params != "":
			params = append(params, jen.Case(jen.Id(noteOpConst(n))).Block(jen.Return(c.reads(n.Params))))
		}
	}
	for _, m := range asks {
		lookup = append(lookup, jen.Case(jen.Lit(m.Name)).Block(jen.Return(jen.Id(opConst(m)))))
		if m.Params != "" {
			params = append(params, jen.Case(jen.Id(opConst(m))).Block(jen.Return(c.reads(m.Params))))
		}
	}
	s.decl("Lookup implements jsonrpc.Handler. Unknown messages have a number too, so that a host can receive them.",
		onReceiver().Id("Lookup").Params(jen.Id("method").Index().Byte()).Qual(jsonrpcPath, "Op").Block(
			jen.Switch(jen.String().Call(jen.Id("method"))).Block(lookup...),
			jen.Return(jen.Id("opUnknown"))))
	s.decl("Params implements jsonrpc.Handler.",
		onReceiver().Id("Params").Params(jen.Id("op").Qual(jsonrpcPath, "Op"), decoder()).Any().Block(
			jen.Id("d.Whole").Op("=").True(),
			jen.Switch(jen.Id("op")).Block(params...),
			jen.Return(jen.Id("d.Raw").Call())))
	c.emitNotificationTaker(s)
	c.emitRequestTaker(s)
	for _, sc := range c.scopes {
		c.emitNewScope(s, sc)
	}
}

func (c *client) reads(typeName string) jen.Code {
	return jen.Qual(codecPath, "Decode").Call(jen.Id("d"), jen.New(c.ref(typeName)))
}

func onReceiver() *jen.Statement { return jen.Func().Params(jen.Id("r").Op("*").Id("receiver")) }

// emitHandler writes the struct of functions that a host gives.
func (c *client) emitHandler(s *source) {
	var fields, some []jen.Code
	sum := jen.Code(jen.False())
	for _, n := range c.scoped() {
		name := noteName(n)
		if len(fields) > 0 {
			fields = append(fields, jen.Line())
		}
		fields = append(fields, comments(docAs(n.Doc.EN, n.Var, name))...)
		fields = append(fields, jen.Id(name).Func().Params(ctxParam(), jen.Id("p").Op("*").Add(c.ref(n.Params))))
		if len(some) == 0 {
			sum = jen.Id("h." + name).Op("!=").Nil()
		} else {
			sum = jen.Add(sum).Op("||").Id("h." + name).Op("!=").Nil()
		}
		some = append(some, sum)
	}
	add := func(doc string, field jen.Code) {
		if len(fields) > 0 {
			fields = append(fields, jen.Line())
		}
		fields = append(append(fields, comments(doc)...), field)
	}
	for _, n := range c.notes(model.Server) {
		if n.In != nil {
			continue
		}
		var params []jen.Code
		if n.Params != "" {
			params = append(params, jen.Id("p").Op("*").Add(c.ref(n.Params)))
		}
		add(docAs(n.Doc.EN, n.Var, noteName(n))+" It is called on the goroutine that reads, and must be quick.",
			jen.Id(noteName(n)).Func().Params(params...))
	}
	add("Unknown takes notifications that this client does not know. It is called on the goroutine that reads, and must be quick.",
		jen.Id("Unknown").Func().Params(jen.Id("method").String(), jen.Id("params").Qual(codecPath, "Raw")))
	for _, sc := range c.scopes {
		for _, n := range c.notices(sc) {
			params := []jen.Code{ctxParam()}
			if !sc.whole {
				params = append(params, jen.Id("id").Add(c.keyType(sc)))
			}
			add(n.name+" is called when "+n.doc, jen.Id(n.name).Func().Params(append(params, n.param)...))
		}
	}
	doc := "Handler takes what the " + c.noun() + " sends. Its functions are called in the order of the wire; nil ones are not called."
	if len(c.scopes) > 0 {
		doc = "Handler takes what the " + c.noun() + " sends. Its functions are called one at a time for each scope, in the order of the wire; nil ones are not called. A function that makes calls makes them with its own context: those are answered at once, while others wait for the messages before their answers, and so for the function."
	}
	for _, sc := range c.scopes {
		if a := c.life(sc); a != nil {
			doc += " Those for a " + sc.s.Name + " that another one began are called after the one for " + a.Begins.Notification + " and before the one for " + a.Ends.Notification + "."
		}
	}
	s.decl(doc, jen.Type().Id("Handler").Struct(fields...))
	if len(c.scopes) == 0 {
		return
	}
	s.decl("some reports whether any scope's messages are wanted.",
		jen.Func().Params(jen.Id("h").Op("*").Id("Handler")).Id("some").Params().Bool().Block(jen.Return(sum)))
	cases := c.byParams(c.scoped(), jen.Id("it.Kind"), func(n *model.Notification) []jen.Code {
		f := "h." + noteName(n)
		return []jen.Code{jen.If(jen.Id(f).Op("!=").Nil()).Block(jen.Id(f).Call(jen.Id("ctx"), jen.Id("p")))}
	})
	param, body := jen.Id("it"), []jen.Code{}
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("p").Op(":=").Id("it.Note").Assert(jen.Type())).Block(cases...))
	}
	s.decl("", jen.Func().Params(jen.Id("h").Op("*").Id("Handler")).Id("handle").Params(ctxParam(), param.Op("*").Qual(clientPath, "Item")).Block(body...))
}

// emitNotificationTaker writes where each notification goes.
func (c *client) emitNotificationTaker(s *source) {
	var plain []jen.Code
	var notes []*model.Notification
	usesItem := false
	for _, n := range c.notes(model.Server) {
		if n.Params != "" {
			notes = append(notes, n)
			usesItem = usesItem || n.In != nil
			continue
		}
		f := "r.options.Handler." + noteName(n)
		plain = append(plain, jen.Case(jen.Id(noteOpConst(n))).Block(
			jen.If(jen.Id(f).Op("!=").Nil()).Block(jen.Id(f).Call()),
			jen.Return(),
		))
	}
	cases := c.byParams(notes, jen.Id("n.Op"), c.takes)
	cases = append(cases, jen.Case(jen.Qual(codecPath, "Raw")).Block(
		jen.If(jen.Id("r.options.Handler.Unknown").Op("!=").Nil()).Block(
			jen.Id("r.options.Handler.Unknown").Call(jen.Id("n.Method"), jen.Id("p")))))
	body := []jen.Code{jen.If(jen.Qual(clientPath, "Unusable").Call(jen.Id("n"))).Block(jen.Return().Comment("counted and reported by the connection"))}
	if len(plain) > 0 {
		body = append(body, jen.Switch(jen.Id("n.Op")).Block(plain...))
	}
	if usesItem {
		body = append(body, jen.Id("it").Op(":=").Qual(clientPath, "Item").Values(
			jen.Id("Note").Op(":").Id("n.Params"), jen.Id("Kind").Op(":").Id("n.Op"), jen.Id("Size").Op(":").Int().Call(jen.Id("n.Bytes")), jen.Id("Broken").Op(":").Id("n.Err").Op("!=").Nil()))
	}
	body = append(body, jen.Switch(jen.Id("p").Op(":=").Id("n.Params").Assert(jen.Type())).Block(cases...))
	s.decl("Notification implements jsonrpc.Handler.",
		onReceiver().Id("Notification").Params(jen.Id("n").Op("*").Qual(jsonrpcPath, "Notification")).Block(body...))
}

// takes are the statements that take one notification.
func (c *client) takes(n *model.Notification) []jen.Code {
	if n.In == nil {
		f := "r.options.Handler." + noteName(n)
		return []jen.Code{jen.If(jen.Id(f).Op("!=").Nil().Op("&&").Id("n.Err").Op("==").Nil()).Block(jen.Id(f).Call(jen.Id("p")))}
	}
	var body []jen.Code
	sc := c.scope(n.In.Scope)
	id, f := c.memberAt(jen.Id("p"), n.Params, n.In.Key)
	if sc.whole {
		id = jen.Struct().Values()
	} else if f == nil || c.isPointer(f) {
		c.problems.Add(n.Pos, "%s belongs to a %s by its member %s, which must be a plain one", n.Name, n.In.Scope, n.In.Key)
		return nil
	}
	if n.Live != nil {
		body = append(body, jen.Id("it.Live").Op("=").True())
	}
	if n.Seq != nil {
		if seq, f := c.memberAt(jen.Id("p"), n.Params, n.Seq.Member); f != nil && c.under(f.Type).Kind == model.RefInt && !c.isPointer(f) {
			body = append(body, jen.List(jen.Id("it.Seq"), jen.Id("it.Numbered")).Op("=").List(seq, jen.True()))
		}
	}
	body = append(body, jen.Id("r."+sc.field()+".Receive").Call(id, jen.Op("&").Id("it"), jen.Id("r.options.Handler.some").Call()))
	if c.ends(sc, n) {
		body = append(body, jen.Id("r."+sc.field()+".Drop").Call(id))
	}
	return body
}

// ends reports whether a notification is the end of a scope: a call settles by
// it, found by the scope's key.
func (c *client) ends(sc *clientScope, n *model.Notification) bool { return c.over(sc, n) != "" }

// over is the outcome of what is open in a scope when a notification ends the
// scope; empty if it does not.
func (c *client) over(sc *clientScope, n *model.Notification) string {
	if sc.whole || n.In == nil || n.In.Scope != sc.s.Name {
		return ""
	}
	as := ""
	for _, w := range sc.works {
		for _, m := range w.opens {
			for _, way := range waysOf(m) {
				if way.How != model.ByFrame || way.Frame == nil || way.Frame.Notification != n.Name || way.Frame.Variant != "" || way.Frame.Key != n.In.Key {
					continue
				}
				if as != "" && as != way.As {
					c.problems.Add(m.Pos, "what %s ends in a %s has one outcome: %s, or %s", n.Name, sc.s.Name, as, way.As)
				}
				as = way.As
			}
		}
	}
	return as
}

// emitRequestTaker writes who answers each request.
func (c *client) emitRequestTaker(s *source) {
	refuse := jen.Id("q.Fail").Call(jen.Id("unsupported").Call(jen.Op("&").Qual(clientPath, "Method").Values(jen.Id("Name").Op(":").Id("q.Method"))))
	var cases []jen.Code
	for _, m := range c.asks() {
		unasked, answer := jen.Code(refuse), jen.Code(nil)
		args := []jen.Code{jen.Id("ctx")}
		var body []jen.Code
		if m.Params != "" {
			body = append(body, jen.List(jen.Id("p"), jen.Id("_")).Op(":=").Id("q.Params").Assert(jen.Op("*").Add(c.ref(m.Params))))
			args = append(args, jen.Id("p"))
		}
		if m.Absent != "" {
			unasked = jen.Id("q.Reply").Call(jen.Nil())
		}
		if !c.plain(m) {
			if m.Absent != "" {
				unasked = jen.Id("q.Reply").Call(jen.Qual(codecPath, "Raw").Call(text(m.Absent)))
			}
			answer = jen.Qual(jsonrpcPath, "AnsweringBy").Call(broken([]jen.Code{
				jen.Id("q"),
				jen.Func().Params(ctxParam()).Params(c.resultType(m), jen.Error()).Add(oneLine(jen.Return(jen.Id("answer").Call(args...)))),
				jen.Func().Params(jen.Id("result").Add(c.resultType(m))).Qual(codecPath, "Appender").Add(oneLine(jen.Return(c.reply(m, jen.Id("result"))))),
			})...)
		} else if m.Result == "" {
			answer = jen.Qual(jsonrpcPath, "Acknowledging").Call(jen.Id("q"), jen.Func().Params(ctxParam()).Error().Add(oneLine(jen.Return(jen.Id("answer").Call(args...)))))
		} else {
			absent := jen.Code(jen.New(c.ref(m.Result)))
			if m.Absent != "" {
				absent = jen.Id(absentFunc(m)).Call()
				unasked = jen.Id("q.Reply").Call(absent)
				s.decl(absentFunc(m)+" returns the answer of a host that gives none.", jen.Func().Id(absentFunc(m)).Params().Op("*").Add(c.ref(m.Result)).Block(
					jen.Return(jen.Qual(clientPath, "Constant").Call(jen.New(c.ref(m.Result)), text(m.Absent)))))
			}
			answer = jen.Qual(jsonrpcPath, "Answering").Call(jen.Id("q"), absent,
				jen.Func().Params(ctxParam()).Params(jen.Op("*").Add(c.ref(m.Result)), jen.Error()).Add(oneLine(jen.Return(jen.Id("answer").Call(args...)))))
		}
		body = append(body, jen.Switch(jen.Id("answer").Op(":=").Id("r.options."+c.askName(m)), jen.Empty()).Block(
			jen.Case(jen.Id("q.Err").Op("!=").Nil()).Block(jen.Id("q.Fail").Call(jen.Id("q.Err"))),
			jen.Case(c.unanswered(m)).Block(unasked),
			jen.Default().Block(jen.Qual(clientPath, "Asked").Call(jen.Id("q"), answer)),
		))
		cases = append(cases, jen.Case(jen.Id(opConst(m))).Block(body...))
	}
	body := []jen.Code{refuse}
	if len(cases) > 0 {
		body = []jen.Code{jen.Switch(jen.Id("q.Op")).Block(append(cases, jen.Default().Block(refuse))...)}
	}
	s.decl("Request implements jsonrpc.Handler.",
		onReceiver().Id("Request").Params(jen.Id("q").Op("*").Qual(jsonrpcPath, "Request")).Block(body...))
}

// unanswered is the condition on which a request is answered without its host: the
// host answers none of the kind, or what asks was interrupted.
func (c *client) unanswered(m *model.Method) jen.Code {
	none := jen.Id("answer").Op("==").Nil()
	if m.Absent == "" || m.In == nil || m.In.Key == "" || !c.interrupting(c.scope(m.In.Scope)) {
		return none
	}
	id, f := c.memberAt(jen.Id("p"), m.Params, m.In.Key)
	if f == nil || c.isPointer(f) {
		return none
	}
	return none.Op("||").Id("r." + c.scope(m.In.Scope).field() + ".Withholds").Call(id)
}

// emitNewScope writes what makes a scope when it is first wanted.
func (c *client) emitNewScope(s *source, sc *clientScope) {
	id, about := jen.Id("id"), jen.Code(jen.String().Call(jen.Id("id")))
	if sc.whole {
		about = jen.Lit(sc.s.Name)
	}
	values := []jen.Code{
		jen.Id("Knowledge").Op(":").Id("new" + exported(sc.knowledge())).Call(jen.Id("id")),
		jen.Id("Limit").Op(":").Id("rt.options.QueueLimit"),
		jen.Id("Owner").Op(":").Id("rt.client.Owner"),
		jen.Id("Lagging").Op(":").Func().Params(jen.Id("after").Int64()).Error().Add(oneLine(
			jen.Return(jen.Id("lagging").Call(about, jen.Id("after"))))),
	}
	if sc.mixed() && c.interrupting(sc) {
		values = append(values, jen.Id("Kind").Op(":").Id(sc.kind()))
		c.emitKind(s, sc)
	}
	for _, w := range sc.works {
		if o := outcomeBy(w.activity, func(o *model.Outcome) bool { return o.Lost }); o != nil {
			values = append(values, jen.Id("LostAs").Op(":").Add(w.outcomeText(o.Name)))
			break
		}
	}
	body := []jen.Code{
		jen.Id("h").Op(":=").Op("&").Id("rt.options.Handler"),
		jen.Id("cfg").Op(":=").Qual(clientPath, "Config").Types(sc.params()...).Values(broken(values)...),
		jen.If(jen.Id("h.some").Call()).Block(jen.Id("cfg.Handle").Op("=").Id("h.handle")),
	}
	for _, n := range c.notices(sc) {
		args := []jen.Code{jen.Id("ctx")}
		if !sc.whole {
			args = append(args, jen.Id("id"))
		}
		body = append(body, jen.If(jen.Id("h."+n.name).Op("!=").Nil()).Block(
			jen.Id("cfg."+n.config).Op("=").Func().Params(ctxParam(), n.param).Add(oneLine(jen.Id("h."+n.name).Call(append(args, n.value)...)))))
	}
	body = append(body, jen.Return(jen.Qual(clientPath, "New").Call(jen.Id("cfg"))))
	s.decl("", c.onConn().Id(sc.maker()).Params(id.Add(c.keyType(sc))).Op("*").Qual(clientPath, "Scope").Types(sc.params()...).Block(body...))
}

func (sc *clientScope) kind() string { return unexported(sc.s.Handle) + "Kind" }

// emitKind writes of which kind of activity a ticket or key is.
func (c *client) emitKind(s *source, sc *clientScope) {
	var cases []jen.Code
	for i, w := range sc.works[1:] {
		types := []jen.Code{c.ref(w.of)}
		if w.ticket != w.of {
			types = append(types, c.ref(w.ticket))
		}
		cases = append(cases, jen.Case(types...).Block(jen.Return(jen.Lit(i+1))))
	}
	s.decl(sc.kind()+" is of which kind of work a ticket or key is.",
		jen.Func().Id(sc.kind()).Params(jen.Id("x").Any()).Int().Block(
			jen.Switch(jen.Id("x").Assert(jen.Type())).Block(cases...),
			jen.Return(jen.Lit(0))))
}

// notice is a function of the Handler that gets no message of the other side.
type notice struct {
	name, config string
	doc          string // after "is called when "
	param, value jen.Code
}

// notices are those about one kind of scope.
func (c *client) notices(sc *clientScope) []notice {
	named := func(n notice) notice {
		n.name = n.config
		if len(c.scopes) > 1 {
			n.name = sc.s.Handle + n.config
		}
		return n
	}
	failed, err := jen.Err().Error(), jen.Err()
	lagging := "the functions above took the messages of a " + sc.s.Name + " too slowly: what follows is lost to them until it is opened anew. err says from where."
	if sc.whole {
		lagging = "the functions above took the messages too slowly: what follows is lost to them."
	}
	list := []notice{named(notice{config: "Lagged", doc: lagging, param: failed, value: err})}
	list[0].name = strings.Replace(list[0].name, "Lagged", "Lagging", 1)
	if c.interrupting(sc) {
		list = append(list, named(notice{
			config: "Withheld", param: jen.Id("what").Op("*").Qual(clientPath, "Withheld"), value: jen.Id("what"),
			doc: "work that was interrupted ends, in its place among the messages: those of what are lost to the functions above. A host that keeps them can load them.",
		}))
	}
	if a := c.life(sc); a != nil {
		list = append(list, named(notice{
			config: "Orphaned", param: failed, value: err,
			doc: "the connection is lost before " + a.Ends.Notification + " has come for a " + sc.s.Name + " that " + a.Begins.Notification + " announced: nothing of it follows.",
		}))
	}
	return list
}
