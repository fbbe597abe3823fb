package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

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
		s.decl("", jen.Func().Id("new"+exported(name)).Params(param.Add(c.keyType(sc))).Op("*").Id(name).Block(jen.Return(create)))
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
				jen.If(jen.Id("last").Op("!=").Nil()).Block(c.setLast(sc)),
				jen.Return(jen.Id("s")),
			}
		}
		s.decl("Where implements track.Knowledge.", on().Id("Where").Params(jen.Id("ticket").Add(ticket)).Params(jen.Id("key").Add(key), jen.Id("taken").Bool()).Block(where...))
		s.decl("Ended implements track.Knowledge.", on().Id("Ended").Params(jen.Id("key").Add(key)).Bool().Block(ended...))
		s.decl("Begin implements track.Knowledge.", on().Id("Begin").Params(key).Qual(trackPath, "Account").Block(jen.Return(jen.Qual(trackPath, "NoAccount").Values())))
		s.decl("End implements track.Knowledge.", on().Id("End").Params(jen.Id("_").Qual(trackPath, "Account"), jen.Id("outcome").String(), jen.Id("last").Add(item)).Any().Block(end...))
	}
}

// setLast is the statement by which a settlement gets the message that ended it.
func (c *client) setLast(sc *clientScope) jen.Code {
	if t := c.lastType(sc); t != "" {
		return jen.List(jen.Id("s.Last"), jen.Id("_")).Op("=").Id("last.Note").Assert(jen.Op("*").Id(t))
	}
	return jen.Id("s.Last").Op("=").Id("last.Note")
}

// emitReadMarks writes what each message means.
func (c *client) emitReadMarks(s *source, sc *clientScope, on func() *jen.Statement) {
	cases := c.byParams(c.scopedIn(sc), jen.Id("it.Kind"), func(n *model.Notification) []jen.Code { return c.marks(sc, n) })
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
			add(v, c.where(f, "d", v.Type, a.Pos, code("d", v.Type))...)
			return
		}
		body = append(body, c.where(f, "p", n.Params, a.Pos, code("p", n.Params))...)
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
	if sc.opens != nil && !sc.byHand() {
		for _, k := range sc.opens.Settles {
			for _, w := range k.By {
				if w.How == model.ByFrame && w.Frame != nil && w.Frame.Notification == n.Name && c.over(sc, n) == "" {
					frame(w.Frame, func(base, typeName string) []jen.Code { return c.settled(sc, w, base, typeName) })
				}
			}
		}
	}
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
						add(v)
						variants[v] = append([]jen.Code{jen.Id("m.Keyed").Op("=").False()}, variants[v]...)
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

// where narrows statements to the frames that they are about.
func (c *client) where(f *model.Frame, base, typeName string, pos model.Pos, code []jen.Code) []jen.Code {
	if len(f.Where) == 0 || len(code) == 0 {
		return code
	}
	conds := make([]model.Is, len(f.Where))
	for i, is := range f.Where {
		conds[i] = is
		if f.Path != "" {
			conds[i].Member, _ = cutPath(is.Member, f.Path)
		}
	}
	cond := c.holds(jen.Id(base), typeName, conds)
	if cond == nil {
		c.problems.Add(pos, "a frame %s is told by %s, which a client cannot check", f.Notification, f.Where[0].Member)
		return nil
	}
	return []jen.Code{jen.If(cond).Block(code...)}
}

// settled are the statements about a frame that settles a call in another way
// than the end of its activity: the frame names the ticket, or the activity.
func (c *client) settled(sc *clientScope, w model.Way, base, typeName string) []jen.Code {
	as := jen.Code(jen.Lit(w.As))
	if o := outcome(sc.activity, w.As); o != nil {
		as = jen.String().Call(jen.Id(outcomeConst(o)))
	}
	said := jen.Id("m.As").Op("=").Add(as)
	expr, f := c.memberAt(jen.Id("p"), c.notification(w.Frame.Notification).Params, w.Frame.Key)
	if rest, ok := cutPath(w.Frame.Key, w.Frame.Path); ok && w.Frame.Variant != "" {
		expr, f = c.memberAt(jen.Id(base), typeName, rest)
	}
	switch {
	case w.Frame.Key == "" || f == nil || f.Type.Kind != model.RefNamed:
		c.problems.Add(sc.opens.Pos, "%s is settled by %s, which does not say of which call: give the frame a Key", sc.opens.Name, w.Frame.Notification)
		return nil
	case f.Type.Name == sc.of:
		return append(c.frameKey(sc, w.Frame, base, typeName), jen.Id("m.Ends").Op("=").True(), said)
	case f.Type.Name == sc.ticket && !c.isPointer(f):
		return []jen.Code{jen.Id("m.Settles").Op("=").Append(jen.Id("m.Settles"), expr), said}
	}
	c.problems.Add(sc.opens.Pos, "%s is settled by %s, whose key is neither a %s nor a %s", sc.opens.Name, w.Frame.Notification, sc.of, sc.ticket)
	return nil
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
	merges := map[string]string{} // by payload type
	for _, n := range c.scoped() {
		if n.Live == nil || n.In.Scope != sc.s.Name {
			continue
		}
		if merges[n.Params] != "" {
			c.problems.Add(n.Pos, "%s and %s are live and have one payload type, by which they are told apart when they merge: give each its own", merges[n.Params], n.Name)
			continue
		}
		merges[n.Params] = n.Name
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
		var counted []jen.Code
		if n.Live.Counter != "" {
			counter, merged := field(n.Live.Counter), field(n.Live.Merged)
			if counter == nil || merged == nil {
				continue
			}
			count := func(of string) jen.Code { return jen.Max(jen.Id(of+"."+merged.Name), jen.Lit(1)) }
			differ = differ.Op("||").Id("y." + counter.Name).Op("!=").Id("x." + counter.Name).Op("+").Add(count("x"))
			counted = append(counted, jen.Id("z."+merged.Name).Op("=").Add(count("x")).Op("+").Add(count("y")))
		}
		body := []jen.Code{
			jen.List(jen.Id("y"), jen.Id("ok")).Op(":=").Id("b").Assert(jen.Op("*").Id(n.Params)),
			jen.If(differ).Block(jen.Return(jen.Nil(), jen.Lit(0))),
			jen.Id("z").Op(":=").Op("*").Id("x"),
		}
		body = append(body, counted...)
		var size *jen.Statement
		grows := func(name string) *jen.Statement {
			if size == nil {
				return jen.Len(jen.Id("y." + name))
			}
			return size.Op("+").Len(jen.Id("y." + name))
		}
		for _, wire := range n.Live.Join {
			if f := field(wire); f != nil {
				body = append(body, jen.Id("z."+f.Name).Op("+=").Id("y."+f.Name))
				size = grows(f.Name)
			}
		}
		for _, wire := range n.Live.Last {
			f := c.member(n.Params, wire)
			if f == nil {
				c.problems.Add(n.Pos, "%s of %s is replaced when it is merged, and there is no such member", wire, n.Name)
				continue
			}
			body = append(body, jen.Id("z."+f.Name).Op("=").Id("y."+f.Name))
			if k := c.under(f.Type).Kind; (k == model.RefString || k == model.RefBytes) && !c.isPointer(f) && f.Presence != model.Nullable {
				size = grows(f.Name).Op("-").Len(jen.Id("x." + f.Name))
			}
		}
		if size == nil {
			size = jen.Lit(0)
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
