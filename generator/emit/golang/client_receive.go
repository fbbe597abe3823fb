package golang

import (
	"slices"

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
	s.decl("The numbers of what a runtime sends.", jen.Const().Defs(ops...))
	c.emitHandler(s)
	s.decl("receiver is this side's receiving half.", jen.Type().Id("receiver").Id("Runtime"))

	var lookup, params []jen.Code
	for _, n := range notes {
		lookup = append(lookup, jen.Case(jen.Lit(n.Name)).Block(jen.Return(jen.Id(noteOpConst(n)))))
		if n.Params != "" {
			params = append(params, jen.Case(jen.Id(noteOpConst(n))).Block(jen.Return(reads(n.Params))))
		}
	}
	for _, m := range asks {
		lookup = append(lookup, jen.Case(jen.Lit(m.Name)).Block(jen.Return(jen.Id(opConst(m)))))
		if m.Params != "" {
			params = append(params, jen.Case(jen.Id(opConst(m))).Block(jen.Return(reads(m.Params))))
		}
	}
	s.decl("Lookup implements jsonrpc.Handler. Unknown messages have a number too, so that a host can be told of them.",
		onReceiver().Id("Lookup").Params(jen.Id("method").Index().Byte()).Qual(jsonrpcPath, "Op").Block(
			jen.Switch(jen.String().Call(jen.Id("method"))).Block(lookup...),
			jen.Return(jen.Id("opUnknown"))))
	s.decl("Params implements jsonrpc.Handler.",
		onReceiver().Id("Params").Params(jen.Id("op").Qual(jsonrpcPath, "Op"), decoder()).Any().Block(
			jen.Switch(jen.Id("op")).Block(params...),
			jen.Return(jen.Qual(trackPath, "ReadRaw").Call(jen.Id("d")))))
	c.emitNotificationTaker(s)
	for _, sc := range c.scopes {
		s.decl("to hands a message to its "+sc.s.Name+". One that nobody has a handle of is made only if there are handlers.",
			onReceiver().Id("to"+sc.s.Handle).Params(jen.Id("id").Add(c.goType(sc.key)), jen.Id("it").Qual(trackPath, "Item")).Block(
				jen.If(jen.Id("scope").Op(":=").Id("r."+sc.field()+".Find").Call(jen.Id("id"), jen.Id("r.options.Handler.some").Call()), jen.Id("scope").Op("!=").Nil()).Block(
					jen.Id("scope.Receive").Call(jen.Id("it")))))
	}
	c.emitRequestTaker(s)
	for _, sc := range c.scopes {
		c.emitNewScope(s, sc)
	}
}

func reads(typeName string) jen.Code {
	return jen.Qual(trackPath, "Read").Call(jen.Id("d"), jen.New(jen.Id(typeName)))
}

func onReceiver() *jen.Statement { return jen.Func().Params(jen.Id("r").Op("*").Id("receiver")) }

// emitHandler writes the struct of functions that a host gives.
func (c *client) emitHandler(s *source) {
	var fields, some, cases []jen.Code
	sum := jen.Code(jen.False())
	for _, n := range c.scoped() {
		name := noteName(n)
		if len(fields) > 0 {
			fields = append(fields, jen.Line())
		}
		fields = append(fields, comments(docAs(n.Doc.EN, n.Var, name))...)
		fields = append(fields, jen.Id(name).Func().Params(ctxParam(), jen.Id("p").Op("*").Id(n.Params)))
		if len(some) == 0 {
			sum = jen.Id("h." + name).Op("!=").Nil()
		} else {
			sum = jen.Add(sum).Op("||").Id("h." + name).Op("!=").Nil()
		}
		some = append(some, sum)
		cases = append(cases, jen.Case(jen.Op("*").Id(n.Params)).Block(
			jen.If(jen.Id("h."+name).Op("!=").Nil()).Block(jen.Id("h."+name).Call(jen.Id("ctx"), jen.Id("p")))))
	}
	add := func(doc string, field jen.Code) {
		if len(fields) > 0 {
			fields = append(fields, jen.Line())
		}
		fields = append(append(fields, comments(doc)...), field)
	}
	for _, n := range c.notes(model.Server) {
		if n.In != nil || n.Params == "" {
			continue
		}
		add(docAs(n.Doc.EN, n.Var, noteName(n))+" It is called on the goroutine that reads, and must be quick.",
			jen.Id(noteName(n)).Func().Params(jen.Id("p").Op("*").Id(n.Params)))
	}
	add("Unknown takes notifications that this client does not know. It is called on the goroutine that reads, and must be quick.",
		jen.Id("Unknown").Func().Params(jen.Id("method").String(), jen.Id("params").Qual(codecPath, "Raw")))
	for _, sc := range c.scopes {
		name := "Lagging"
		if len(c.scopes) > 1 {
			name = sc.s.Handle + "Lagging"
		}
		add(name+" is called when the functions above took the messages of a "+sc.s.Name+" too slowly: what follows is lost to them until it is opened anew. err says from where.",
			jen.Id(name).Func().Params(ctxParam(), jen.Id("id").Add(c.goType(sc.key)), jen.Err().Error()))
	}
	s.decl("Handler takes what the runtime sends. Its functions are called one at a time for each scope, in the order of the wire; nil ones are not called. A function that makes calls makes them with its own context: those are answered at once, while others wait for the messages before their answers, and so for the function.",
		jen.Type().Id("Handler").Struct(fields...))
	s.decl("some tells whether any scope's messages are wanted.",
		jen.Func().Params(jen.Id("h").Op("*").Id("Handler")).Id("some").Params().Bool().Block(jen.Return(sum)))
	s.decl("", jen.Func().Params(jen.Id("h").Op("*").Id("Handler")).Id("handle").Params(ctxParam(), jen.Id("it").Op("*").Qual(trackPath, "Item")).Block(
		jen.Switch(jen.Id("p").Op(":=").Id("it.Note").Assert(jen.Type())).Block(cases...)))
}

// emitNotificationTaker writes where each notification goes.
func (c *client) emitNotificationTaker(s *source) {
	var cases []jen.Code
	for _, n := range c.notes(model.Server) {
		if n.Params == "" {
			continue
		}
		var body []jen.Code
		if n.In == nil {
			f := "r.options.Handler." + noteName(n)
			body = append(body, jen.If(jen.Id(f).Op("!=").Nil()).Block(jen.Id(f).Call(jen.Id("p"))))
		} else {
			sc := c.scope(n.In.Scope)
			id, f := c.memberAt(jen.Id("p"), n.Params, n.In.Key)
			if f == nil || c.isPointer(f) {
				c.problems.Add(n.Pos, "%s belongs to a %s by its member %s, which must be a plain one", n.Name, n.In.Scope, n.In.Key)
				continue
			}
			if n.Live != nil {
				body = append(body, jen.Id("it.Live").Op("=").True())
			}
			if n.Seq != nil {
				if seq, f := c.memberAt(jen.Id("p"), n.Params, n.Seq.Member); f != nil && c.under(f.Type).Kind == model.RefInt && !c.isPointer(f) {
					body = append(body, jen.List(jen.Id("it.Seq"), jen.Id("it.Numbered")).Op("=").List(seq, jen.True()))
				}
			}
			body = append(body, jen.Id("r.to"+sc.s.Handle).Call(id, jen.Id("it")))
			if c.ends(sc, n) {
				body = append(body, jen.Id("r."+sc.field()+".Drop").Call(id))
			}
		}
		cases = append(cases, jen.Case(jen.Op("*").Id(n.Params)).Block(body...))
	}
	cases = append(cases, jen.Case(jen.Qual(codecPath, "Raw")).Block(
		jen.If(jen.Id("r.options.Handler.Unknown").Op("!=").Nil()).Block(
			jen.Id("r.options.Handler.Unknown").Call(jen.Id("n.Method"), jen.Id("p")))))
	s.decl("Notification implements jsonrpc.Handler.",
		onReceiver().Id("Notification").Params(jen.Id("n").Op("*").Qual(jsonrpcPath, "Notification")).Block(
			jen.If(jen.Id("n.Err").Op("!=").Nil()).Block(jen.Return().Comment("counted and reported by the connection")),
			jen.Id("it").Op(":=").Qual(trackPath, "Item").Values(
				jen.Id("Note").Op(":").Id("n.Params"), jen.Id("Kind").Op(":").Int().Call(jen.Id("n.Op")), jen.Id("Size").Op(":").Int().Call(jen.Id("n.Bytes"))),
			jen.Switch(jen.Id("p").Op(":=").Id("n.Params").Assert(jen.Type())).Block(cases...),
		))
}

// ends tells whether a notification is the end of a scope: a call settles by
// it, told by the scope's key.
func (c *client) ends(sc *clientScope, n *model.Notification) bool { return c.over(sc, n) != "" }

// over is the outcome of what is open in a scope when a notification ends the
// scope; empty if it does not.
func (c *client) over(sc *clientScope, n *model.Notification) string {
	if sc.opens == nil || n.In == nil || n.In.Scope != sc.s.Name {
		return ""
	}
	for _, k := range sc.opens.Settles {
		for _, w := range k.By {
			if w.How == model.ByFrame && w.Frame != nil && w.Frame.Notification == n.Name && w.Frame.Variant == "" && w.Frame.Key == n.In.Key {
				return w.As
			}
		}
	}
	return ""
}

// emitRequestTaker writes who answers each request.
func (c *client) emitRequestTaker(s *source) {
	refuse := jen.Id("q.Fail").Call(jen.Id("unsupported").Call(jen.Op("&").Qual(trackPath, "Method").Values(jen.Id("Name").Op(":").Id("q.Method"))))
	var cases []jen.Code
	for _, m := range c.asks() {
		nobody, answer := jen.Code(refuse), jen.Code(nil)
		args := []jen.Code{jen.Id("ctx")}
		var body []jen.Code
		if m.Params != "" {
			body = append(body, jen.List(jen.Id("p"), jen.Id("_")).Op(":=").Id("q.Params").Assert(jen.Op("*").Id(m.Params)))
			args = append(args, jen.Id("p"))
		}
		if m.Absent != "" {
			nobody = jen.Id("q.Reply").Call(jen.Nil())
		}
		if m.Result == "" {
			answer = jen.Qual(trackPath, "Acknowledge").Call(jen.Id("q"), jen.Func().Params(ctxParam()).Error().Add(oneLine(jen.Return(jen.Id("answer").Call(args...)))))
		} else {
			absent := jen.Code(jen.New(jen.Id(m.Result)))
			if m.Absent != "" {
				absent = jen.Id(absentFunc(m)).Call()
				nobody = jen.Id("q.Reply").Call(absent)
				s.decl(absentFunc(m)+" is the answer when nobody gives one.", jen.Func().Id(absentFunc(m)).Params().Op("*").Id(m.Result).Block(
					jen.Return(jen.Qual(trackPath, "Constant").Call(jen.New(jen.Id(m.Result)), text(m.Absent)))))
			}
			answer = jen.Qual(trackPath, "Answer").Call(jen.Id("q"), absent,
				jen.Func().Params(ctxParam()).Params(jen.Op("*").Id(m.Result), jen.Error()).Add(oneLine(jen.Return(jen.Id("answer").Call(args...)))))
		}
		body = append(body, jen.Switch(jen.Id("answer").Op(":=").Id("r.options."+c.askName(m)), jen.Empty()).Block(
			jen.Case(jen.Id("q.Err").Op("!=").Nil()).Block(jen.Id("q.Fail").Call(jen.Id("q.Err"))),
			jen.Case(jen.Id("answer").Op("==").Nil()).Block(nobody),
			jen.Default().Block(answer),
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

// emitNewScope writes what makes a scope when it is first wanted.
func (c *client) emitNewScope(s *source, sc *clientScope) {
	values := []jen.Code{
		jen.Id("Knowledge").Op(":").Id("new" + exported(sc.knowledge())).Call(jen.Id("id")),
		jen.Id("Limit").Op(":").Id("rt.options.QueueLimit"),
		jen.Id("Owner").Op(":").Id("rt.client.Owner"),
		jen.Id("Lagging").Op(":").Func().Params(jen.Id("after").Int64()).Error().Add(oneLine(
			jen.Return(jen.Id("lagging").Call(jen.String().Call(jen.Id("id")), jen.Id("after"))))),
	}
	if sc.activity != nil {
		if o := outcomeBy(sc.activity, func(o *model.Outcome) bool { return o.Lost }); o != nil {
			values = append(values, jen.Id("LostAs").Op(":").String().Call(jen.Id(outcomeConst(o))))
		}
	}
	lagging := "Lagging"
	if len(c.scopes) > 1 {
		lagging = sc.s.Handle + "Lagging"
	}
	s.decl("", onRuntime().Id("new"+sc.s.Handle).Params(jen.Id("id").Add(c.goType(sc.key))).Op("*").Qual(trackPath, "Scope").Types(sc.params()...).Block(
		jen.Id("h").Op(":=").Op("&").Id("rt.options.Handler"),
		jen.Id("cfg").Op(":=").Qual(trackPath, "Config").Types(sc.params()...).Values(broken(values)...),
		jen.If(jen.Id("h.some").Call()).Block(jen.Id("cfg.Handle").Op("=").Id("h.handle")),
		jen.If(jen.Id("h."+lagging).Op("!=").Nil()).Block(
			jen.Id("cfg.Lagged").Op("=").Func().Params(ctxParam(), jen.Err().Error()).Add(oneLine(
				jen.Id("h."+lagging).Call(jen.Id("ctx"), jen.Id("id"), jen.Err())))),
		jen.Return(jen.Qual(trackPath, "New").Call(jen.Id("cfg"))),
	))
}

// emitKnowledge writes what the protocol says about the messages of a scope.
func (c *client) emitKnowledge() {
	if len(c.scopes) == 0 {
		return
	}
	s := c.source("knowledge.gen.go")
	for _, sc := range c.scopes {
		name := sc.knowledge()
		on := func() *jen.Statement { return jen.Func().Params(jen.Id("k").Op("*").Id(name)) }
		doc := name + " is what the protocol says about the messages of one " + sc.s.Name + "."
		create := jen.Op("&").Id(name).Values()
		param := jen.Id("_")
		switch {
		case sc.byHand():
			s.decl(doc+" What a declaration cannot say is in "+sc.foldName()+", by hand.", jen.Type().Id(name).Struct(jen.Op("*").Id(sc.foldName())))
			param = jen.Id("id")
			create = jen.Op("&").Id(name).Values(jen.Id("new" + exported(sc.link.Fold) + "Fold").Call(jen.Id("id")))
		case sc.activity != nil:
			s.decl(doc, jen.Type().Id(name).Struct(jen.Id("past").Qual(trackPath, "Past").Types(jen.Id(sc.of))))
		default:
			s.decl(doc, jen.Type().Id(name).Struct())
		}
		s.decl("", jen.Func().Id("new"+exported(name)).Params(param.Add(c.goType(sc.key))).Op("*").Id(name).Block(jen.Return(create)))
		c.emitReadMarks(s, sc, on)
		c.emitMerge(s, sc, on)
		if sc.byHand() {
			continue
		}
		key, ticket := jen.Code(jen.Struct()), jen.Code(jen.Struct())
		if sc.activity != nil {
			key, ticket = jen.Id(sc.of), jen.Id(sc.ticket)
		}
		where, ended := []jen.Code{jen.Return(jen.Id("key"), jen.False())}, []jen.Code{jen.Return(jen.False())}
		if sc.activity != nil {
			ended = []jen.Code{jen.Return(jen.Id("k.past.Has").Call(jen.Id("key")))}
			if sc.link == nil {
				// The ticket is the key itself.
				where = []jen.Code{jen.Return(jen.Id("ticket"), jen.True())}
			}
		}
		item := jen.Op("*").Qual(trackPath, "Item")
		end := []jen.Code{jen.Return(jen.Nil())}
		if sc.activity != nil {
			end = []jen.Code{
				jen.Id("s").Op(":=").Op("&").Id("Settlement").Values(jen.Id("Outcome").Op(":").Id("Outcome").Call(jen.Id("outcome"))),
				jen.If(jen.Id("last").Op("!=").Nil()).Block(jen.Id("s.Last").Op("=").Id("last.Note")),
				jen.Return(jen.Id("s")),
			}
		}
		s.decl("Where implements track.Knowledge.", on().Id("Where").Params(jen.Id("ticket").Add(ticket)).Params(jen.Id("key").Add(key), jen.Id("taken").Bool()).Block(where...))
		s.decl("Ended implements track.Knowledge.", on().Id("Ended").Params(jen.Id("key").Add(key)).Bool().Block(ended...))
		s.decl("Begin implements track.Knowledge.", on().Id("Begin").Params(key).Qual(trackPath, "Account").Block(jen.Return(jen.Qual(trackPath, "NoAccount").Values())))
		s.decl("End implements track.Knowledge.", on().Id("End").Params(jen.Id("_").Qual(trackPath, "Account"), jen.Id("outcome").String(), jen.Id("last").Add(item)).Any().Block(end...))
	}
}

// emitReadMarks writes what each message means.
func (c *client) emitReadMarks(s *source, sc *clientScope, on func() *jen.Statement) {
	var cases []jen.Code
	for _, n := range c.scoped() {
		if n.In.Scope != sc.s.Name {
			continue
		}
		if body := c.marks(sc, n); len(body) > 0 {
			cases = append(cases, jen.Case(jen.Op("*").Id(n.Params)).Block(body...))
		}
	}
	var body []jen.Code
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("p").Op(":=").Id("it.Note").Assert(jen.Type())).Block(cases...))
	}
	switch {
	case sc.byHand():
		body = append(body, jen.Id("k."+sc.foldName()+".Read").Call(jen.Id("it"), jen.Id("m")))
	case sc.activity != nil:
		body = append(body,
			jen.Id("m.Late").Op("=").Id("m.Keyed").Op("&&").Id("k.past.Has").Call(jen.Id("m.Key")),
			jen.If(jen.Id("m.Ends")).Block(jen.Id("k.past.Add").Call(jen.Id("m.Key"))),
		)
	}
	s.decl("Read implements track.Knowledge.", on().Id("Read").
		Params(jen.Id("it").Op("*").Qual(trackPath, "Item"), jen.Id("m").Op("*").Qual(trackPath, "Marks").Types(sc.params()...)).Block(body...))
}

// marks are the statements that say what a notification means.
func (c *client) marks(sc *clientScope, n *model.Notification) []jen.Code {
	var body []jen.Code
	for _, m := range c.calls(model.Client) {
		if r := m.Replays; r != nil && r.Notification == n.Name {
			body = append(body, jen.Id("m.Replay").Op("=").Id("p."+c.member(n.Params, r.Marker).Name))
		}
	}
	if as := c.over(sc, n); as != "" {
		value := jen.Code(jen.Lit(as))
		if o := outcome(sc.activity, as); o != nil {
			value = jen.String().Call(jen.Id(outcomeConst(o)))
		}
		body = append(body, jen.Id("m.Over").Op("=").Add(value))
	}
	a := sc.activity
	if a == nil {
		return body
	}
	var except []string
	for _, k := range n.Carry {
		if k.Activity != a.Name {
			continue
		}
		expr, f := c.memberAt(jen.Id("p"), n.Params, k.Key)
		if f == nil {
			c.problems.Add(n.Pos, "%s bears the key of %s in a member that a client cannot reach", n.Name, a.Name)
			continue
		}
		body = append(body, c.keyed(f, expr)...)
		except = k.Except
	}
	variants := map[*model.Variant][]jen.Code{}
	var order []*model.Variant
	union, at := (*model.Type)(nil), (*model.Field)(nil)
	add := func(v *model.Variant, code ...jen.Code) {
		if !slices.Contains(order, v) {
			order = append(order, v)
		}
		variants[v] = append(variants[v], code...)
	}
	frame := func(f *model.Frame, code func(base string, typeName string) []jen.Code) {
		if f == nil || f.Notification != n.Name {
			return
		}
		if v := c.variantOf(f); v != nil {
			union, at = c.unionAt(f)
			add(v, code("d", v.Type)...)
			return
		}
		body = append(body, code("p", n.Params)...)
	}
	frame(a.Begins, func(base, typeName string) []jen.Code {
		return append(c.frameKey(sc, a.Begins, base, typeName), jen.Id("m.Begins").Op("=").True())
	})
	frame(a.Ends, func(base, typeName string) []jen.Code {
		code := append(c.frameKey(sc, a.Ends, base, typeName), jen.Id("m.Ends").Op("=").True())
		told := jen.Code(jen.Id(base))
		if f, _ := c.tells(a); f != nil {
			told = jen.Id(base + "." + f.Name)
		}
		return append(code, jen.Id("m.As").Op("=").String().Call(jen.Id("outcomeOf").Call(told)))
	})
	if l := sc.link; l != nil && l.Fold == "" {
		frame(l.By, func(base, typeName string) []jen.Code {
			f := c.memberOf(typeName, l.From)
			if f == nil || c.isPointer(f) {
				c.problems.Add(l.Pos, "link %s leads from a %s, but its frame has no plain member of that type", l.Name, l.From)
				return nil
			}
			return append(c.frameKey(sc, l.By, base, typeName),
				jen.Id("m.Claims").Op("=").Append(jen.Id("m.Claims"), jen.Id(base+"."+f.Name)))
		})
	}
	if len(except) > 0 {
		for _, wire := range except {
			for _, t := range c.p.Types {
				if t.Union == nil {
					continue
				}
				for _, v := range t.Union.Variants {
					if v.Wire == wire && (union == nil || union == t) && c.memberOf(n.Params, t.Name) != nil {
						union, at = t, c.memberOf(n.Params, t.Name)
						add(v, jen.Id("m.Keyed").Op("=").False())
					}
				}
			}
		}
	}
	if len(order) > 0 {
		var cases []jen.Code
		uses := false
		for _, v := range order {
			cases = append(cases, jen.Case(jen.Op("*").Id(v.Type)).Block(variants[v]...))
			uses = uses || len(variants[v]) > 1
		}
		value := jen.Id("p." + at.Name)
		if u := c.names.unions[union.Name]; u.content != "" {
			value = value.Dot(u.content)
		}
		if uses {
			body = append(body, jen.Switch(jen.Id("d").Op(":=").Add(value).Assert(jen.Type())).Block(cases...))
		} else {
			body = append(body, jen.Switch(value.Assert(jen.Type())).Block(cases...))
		}
	}
	return body
}

// keyed says that a member holds the key of the activity, if it is there.
func (c *client) keyed(f *model.Field, expr jen.Code) []jen.Code {
	if c.isPointer(f) {
		return []jen.Code{jen.If(jen.Add(expr).Op("!=").Nil()).Block(
			jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(jen.Op("*").Add(expr), jen.True()))}
	}
	if f.Presence == model.Required {
		return []jen.Code{jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(expr, jen.True())}
	}
	return []jen.Code{jen.List(jen.Id("m.Key"), jen.Id("m.Keyed")).Op("=").List(expr, jen.Add(expr).Op("!=").Add(c.nothing(f)))}
}

// frameKey reads the key of a frame, from the variant it is narrowed to or from
// the params.
func (c *client) frameKey(sc *clientScope, f *model.Frame, base, typeName string) []jen.Code {
	if f.Key == "" {
		return nil
	}
	path := f.Key
	if f.Variant != "" {
		rest, ok := cutPath(path, f.Path)
		if !ok { // beside the union: in the params
			n := c.notification(f.Notification)
			expr, member := c.memberAt(jen.Id("p"), n.Params, path)
			if member == nil {
				c.problems.Add(sc.activity.Pos, "the key of %s is in a member that a client cannot reach", sc.activity.Name)
				return nil
			}
			return c.keyed(member, expr)
		}
		path = rest
	}
	expr, member := c.memberAt(jen.Id(base), typeName, path)
	if member == nil {
		c.problems.Add(sc.activity.Pos, "the key of %s is in a member that a client cannot reach", sc.activity.Name)
		return nil
	}
	return c.keyed(member, expr)
}

func cutPath(path, prefix string) (string, bool) {
	if len(path) > len(prefix)+1 && path[:len(prefix)] == prefix && path[len(prefix)] == '.' {
		return path[len(prefix)+1:], true
	}
	return path, false
}

// emitMerge writes how live messages are merged.
func (c *client) emitMerge(s *source, sc *clientScope, on func() *jen.Statement) {
	var cases []jen.Code
	for _, n := range c.scoped() {
		if n.Live == nil || n.In.Scope != sc.s.Name {
			continue
		}
		differ := jen.Op("!").Id("ok")
		field := func(wire string) *model.Field {
			f := c.member(n.Params, wire)
			if f == nil || c.isPointer(f) || f.Presence == model.Nullable {
				c.problems.Add(n.Pos, "member %s takes part in merging %s, so it must be a plain one", wire, n.Name)
				return nil
			}
			return f
		}
		for _, wire := range n.Live.Same {
			if f := field(wire); f != nil {
				differ = differ.Op("||").Id("x." + f.Name).Op("!=").Id("y." + f.Name)
			}
		}
		counter, merged := field(n.Live.Counter), field(n.Live.Merged)
		if counter == nil || merged == nil {
			continue
		}
		count := func(of string) jen.Code { return jen.Max(jen.Id(of+"."+merged.Name), jen.Lit(1)) }
		differ = differ.Op("||").Id("y." + counter.Name).Op("!=").Id("x." + counter.Name).Op("+").Add(count("x"))
		body := []jen.Code{
			jen.List(jen.Id("y"), jen.Id("ok")).Op(":=").Id("b").Assert(jen.Op("*").Id(n.Params)),
			jen.If(differ).Block(jen.Return(jen.Nil(), jen.Lit(0))),
			jen.Id("z").Op(":=").Op("*").Id("x"),
			jen.Id("z." + merged.Name).Op("=").Add(count("x")).Op("+").Add(count("y")),
		}
		size := jen.Code(jen.Lit(0))
		for i, wire := range n.Live.Join {
			f := field(wire)
			if f == nil {
				continue
			}
			body = append(body, jen.Id("z."+f.Name).Op("+=").Id("y."+f.Name))
			if i == 0 {
				size = jen.Len(jen.Id("y." + f.Name))
			} else {
				size = jen.Add(size).Op("+").Len(jen.Id("y." + f.Name))
			}
		}
		body = append(body, jen.Return(jen.Op("&").Id("z"), size))
		cases = append(cases, jen.Case(jen.Op("*").Id(n.Params)).Block(body...))
	}
	var body []jen.Code
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("x").Op(":=").Id("a").Assert(jen.Type())).Block(cases...))
	}
	s.decl("Merge implements track.Knowledge.", on().Id("Merge").Params(jen.List(jen.Id("a"), jen.Id("b")).Any()).
		Params(jen.Id("note").Any(), jen.Id("grown").Int()).Block(append(body, jen.Return(jen.Nil(), jen.Lit(0)))...))
}
