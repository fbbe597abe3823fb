package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func methodVar(m *model.Method) string { return "method" + m.GoName }

// emitMethods writes what a caller must know about each method, and the calls:
// on the handle of their scope, or on Runtime.
func (c *client) emitMethods() {
	s := c.source("methods.gen.go")
	var vars []jen.Code
	for _, m := range c.calls(model.Client) {
		values := []jen.Code{jen.Id("Name").Op(":").Lit(m.Name)}
		if m.Needs != "" {
			values = append(values, jen.Id("Needs").Op(":").Lit(m.Needs))
		}
		if len(m.Lacks) == 0 && len(c.p.Generations) > 0 {
			values = append(values, jen.Id("Common").Op(":").True())
		}
		if r := repeatsConst(m.Repeats); r != "" {
			values = append(values, jen.Id("Repeats").Op(":").Qual(trackPath, r))
		}
		vars = append(vars, jen.Id(methodVar(m)).Op("=").Qual(trackPath, "Method").Values(values...))
	}
	for _, n := range c.notes(model.Client) {
		values := []jen.Code{jen.Id("Name").Op(":").Lit(n.Name)}
		if n.Needs != "" {
			values = append(values, jen.Id("Needs").Op(":").Lit(n.Needs))
		}
		vars = append(vars, jen.Id(noteVar(n)).Op("=").Qual(trackPath, "Method").Values(values...))
	}
	if len(vars) > 0 {
		s.decl("", jen.Var().Defs(vars...))
	}
	for _, sc := range c.scopes {
		if !sc.whole {
			c.emitHandle(s, sc)
		}
		for _, m := range c.calls(model.Client) {
			switch {
			case m.In == nil || m.In.Scope != sc.s.Name || c.returnsHandle(m):
			case m.Pages != nil:
				c.emitPages(s, sc, m)
			default:
				c.emitCall(s, sc, m)
				c.emitAlsoNotify(s, sc, m)
			}
		}
		for _, n := range c.notes(model.Client) {
			if n.In != nil && n.In.Scope == sc.s.Name {
				c.emitNotify(s, sc, n)
			}
		}
	}
	for _, n := range c.notes(model.Client) {
		if n.In == nil {
			c.emitNotify(s, nil, n)
		}
	}
	for _, m := range c.calls(model.Client) {
		switch {
		case c.negotiates(m):
		case m.In == nil && m.Pages != nil:
			c.emitPages(s, nil, m)
		case m.In == nil:
			c.emitCall(s, nil, m)
			c.emitAlsoNotify(s, nil, m)
		case c.returnsHandle(m):
			c.emitOpen(s, c.scope(m.Attaches), m)
		}
	}
}

func repeatsConst(r *model.Repeats) string {
	if r == nil {
		return ""
	}
	return map[string]string{model.ReadOnly: "ReadOnly", model.Idempotent: "Idempotent", model.Keyed: "Keyed", model.Unsafe: ""}[r.How]
}

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
		fields = append(fields, jen.Id("loaded").Op("*").Id(opened))
	}
	s.decl(doc, jen.Type().Id(name).Struct(fields...))
	s.decl(name+" is the handle of an id, whether there is such a "+sc.s.Name+" yet or not. Nothing is sent.",
		c.onConn().Id(name).Params(jen.Id("id").Add(key)).Op("*").Id(name).Add(oneLine(
			jen.Return(jen.Op("&").Id(name).Values(jen.Id("rt").Op(":").Id("rt"), jen.Id("id").Op(":").Id("id"))))))
	s.decl("ID is its id.", onHandle(name).Id("ID").Params().Add(key, oneLine(jen.Return(jen.Id("s.id")))))
	if opened != "" {
		s.decl("Loaded is what the "+c.noun()+" answered when the handle was made; nil if it was made without a call.",
			onHandle(name).Id("Loaded").Params().Op("*").Id(opened).Add(oneLine(jen.Return(jen.Id("s.loaded")))))
	}
}

func onHandle(name string) *jen.Statement { return jen.Func().Params(jen.Id("s").Op("*").Id(name)) }

// docAs is a text that begins with the declaration's own name, as the text of
// another name.
func docAs(doc, from, to string) string {
	doc = strings.TrimSpace(doc)
	if rest, ok := strings.CutPrefix(doc, from+" "); ok {
		return to + " " + rest
	}
	return doc
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

// arguments are a method's parameters on its handle, and the statements that
// fill p from them.
func (c *client) arguments(m *model.Method, id jen.Code) (params, fill []jen.Code) {
	params = []jen.Code{ctxParam()}
	if m.Params == "" {
		return params, nil
	}
	var left, right []jen.Code
	if m.In != nil && m.In.Key != "" {
		left = append(left, jen.Id("p."+c.member(m.Params, m.In.Key).Name))
		right = append(right, id)
	}
	required, others := c.required(m)
	for _, f := range required {
		name := argument(f.Name)
		params = append(params, jen.Id(name).Add(c.fieldType(f)))
		left, right = append(left, jen.Id("p."+f.Name)), append(right, jen.Id(name))
	}
	if others {
		params = append(params, jen.Id("more").Op("...").Id(m.Params))
		fill = append(fill, jen.Id("p").Op(":=").Qual(trackPath, "Optional").Call(jen.Id("more")))
	} else {
		fill = append(fill, jen.Var().Id("p").Id(m.Params))
	}
	if len(left) > 0 {
		fill = append(fill, jen.List(left...).Op("=").List(right...))
	}
	return params, fill
}

// argument names a parameter so that it hides nothing that the body uses.
func argument(name string) string {
	name = unexported(name)
	switch name {
	case "ctx", "more", "p", "r", "s", "t", "x", "rt", "scope", "err", "replay":
		return name + "Value"
	}
	return name
}

// enter are the statements by which a call takes its place in a scope.
func enter(rt string, sc *clientScope, m *model.Method, id jen.Code) []jen.Code {
	how := "Enter"
	if m.Attaches != "" {
		how = "Attach"
	}
	return []jen.Code{
		jen.Id("scope").Op(":=").Id(rt + "." + sc.field() + "." + how).Call(id),
		jen.Defer().Id(rt+"."+sc.field()+".Leave").Call(id, jen.Id("scope")),
	}
}

// exchange are the statements that make the call ready: into is what its result
// is read into, bind what takes the answer over; nil: nothing.
func (c *client) exchange(rt string, m *model.Method, into, bind jen.Code) []jen.Code {
	in := jen.Code(jen.Nil())
	if m.In != nil {
		in = jen.Id("scope")
	}
	out := []jen.Code{jen.Id("x").Op(":=").Id(rt+".client.Caller.Begin").Call(jen.Op("&").Id(methodVar(m)), in)}
	if m.Params != "" {
		out = append(out, jen.Id("x.Params").Op("=").Id("p.AppendJSON").Call(jen.Id("x.Params")))
	}
	if r := m.Repeats; r != nil && r.How == model.Keyed {
		if f := c.member(m.Params, r.Key); f != nil {
			set := jen.Code(jen.Id("p." + f.Name).Op("!=").Nil())
			switch {
			case f.Presence == model.Required:
				set = jen.True()
			case !c.isPointer(f):
				set = jen.Id("p." + f.Name).Op("!=").Lit("")
			}
			out = append(out, jen.Id("x.Keyed").Op("=").Add(set))
		}
	}
	switch {
	case into != nil && bind != nil:
		out = append(out, jen.List(jen.Id("x.Into"), jen.Id("x.Bind")).Op("=").List(into, bind))
	case into != nil:
		out = append(out, jen.Id("x.Into").Op("=").Add(into))
	case bind != nil:
		out = append(out, jen.Id("x.Bind").Op("=").Add(bind))
	}
	return out
}

// do is the call itself.
func do() jen.Code { return jen.Id("x.Do").Call(jen.Id("ctx")) }

// answered returns a value that the call fills.
func answered(value jen.Code) jen.Code {
	return jen.Return(jen.Qual(trackPath, "Result").Call(value, do()))
}

// accepting is a function that takes an answer over.
func accepting(body ...jen.Code) jen.Code {
	return jen.Qual(trackPath, "Accepting").Call(jen.Func().Params().Error().Block(body...))
}

// at is the receiver of a method in a scope, and where it has the connection.
func (c *client) at(sc *clientScope) (receiver *jen.Statement, conn string) {
	if sc == nil || sc.whole {
		return c.onConn(), "rt"
	}
	return onHandle(sc.s.Handle), "s.rt"
}

// id is a scope's id in a method of its handle.
func (sc *clientScope) id() jen.Code {
	if sc.whole {
		return jen.Struct().Values()
	}
	return jen.Id("s.id")
}

// emitCall writes a method that returns its result, or the handle of what it
// begins or stops.
func (c *client) emitCall(s *source, sc *clientScope, m *model.Method) {
	receiver, rt := c.at(sc)
	var body []jen.Code
	params, fill := c.arguments(m, jen.Id("s.id"))
	body = append(body, fill...)
	if sc != nil {
		body = append(body, enter(rt, sc, m, sc.id())...)
	}
	sig := receiver.Id(c.handleName(m)).Params(params...)
	switch {
	case sc != nil && sc.opens == m:
		c.emitOpener(s, sc, m, sig, body)
		return
	case sc != nil && sc.cancels == m:
		c.emitCanceller(s, sc, m, sig, body)
		return
	case m.Result == "":
		body = append(body, c.exchange(rt, m, nil, nil)...)
		s.decl(c.methodDoc(m, ""), sig.Error().Block(append(body, jen.Return(do()))...))
		return
	}
	body = append(body, jen.Id("r").Op(":=").New(jen.Id(m.Result)))
	body = append(body, c.exchange(rt, m, jen.Id("r"), c.closing(sc, m))...)
	body = append(body, answered(jen.Id("r")))
	s.decl(c.methodDoc(m, ""), sig.Params(jen.Op("*").Id(m.Result), jen.Error()).Block(body...))
}

// closing is what the answer of a method that closes a scope does: if it proves
// that the scope is over, what is open in it is.
func (c *client) closing(sc *clientScope, m *model.Method) jen.Code {
	if sc == nil || m.Closes != sc.s.Name || sc.opens == nil {
		return nil
	}
	as := ""
	for _, n := range c.scoped() {
		if as == "" {
			as = c.over(sc, n)
		}
	}
	var proven *jen.Statement
	for _, k := range m.Settles {
		if len(k.By) != 1 || k.By[0].How != model.ByResponse {
			continue
		}
		cond := c.holds(jen.Id("r"), m.Result, k.If)
		switch {
		case len(k.If) == 0:
			cond = jen.True()
		case cond == nil:
			continue
		}
		if proven == nil {
			proven = jen.Add(cond)
		} else {
			proven = proven.Op("||").Add(cond)
		}
	}
	if as == "" || proven == nil {
		return nil
	}
	value := jen.Code(jen.Lit(as))
	if o := outcome(sc.activity, as); o != nil {
		value = jen.String().Call(jen.Id(outcomeConst(o)))
	}
	return accepting(
		jen.If(proven).Block(jen.Id("scope.Over").Call(value)),
		jen.Return(jen.Nil()),
	)
}

func noteVar(n *model.Notification) string { return "note" + noteName(n) }

// emitNotify writes what sends a notification.
func (c *client) emitNotify(s *source, sc *clientScope, n *model.Notification) {
	name := c.override(n.Name, c.unscoped(sc, noteName(n)))
	doc := docAs(n.Doc.EN, n.Var, name)
	needs := ""
	if n.Needs != "" {
		needs = "It needs the capability " + n.Needs
	}
	doc += "\n\n" + sentences("Wire name "+n.Name, "Nothing answers it: an error is that of the connection", needs, since(n.Since))
	c.emitOneWay(s, sc, name, doc, noteVar(n), &model.Method{Name: n.Name, Params: n.Params, In: n.In, Pos: n.Pos})
}

// emitAlsoNotify writes the form of a call that wants no answer.
func (c *client) emitAlsoNotify(s *source, sc *clientScope, m *model.Method) {
	if !m.AlsoNotify {
		return
	}
	name := "Notify" + c.handleName(m)
	c.emitOneWay(s, sc, name, name+" is "+c.handleName(m)+" without an answer: whether it took effect, nobody says. An error is that of the connection.", methodVar(m), m)
}

func (c *client) emitOneWay(s *source, sc *clientScope, name, doc, variable string, m *model.Method) {
	receiver, rt := c.at(sc)
	params, body := c.arguments(m, jen.Id("s.id"))
	p := jen.Nil()
	if m.Params != "" {
		p = jen.Op("&").Id("p")
	}
	body = append(body, jen.Return(jen.Id(rt+".client.Caller.Notify").Call(jen.Op("&").Id(variable), p)))
	s.decl(doc, receiver.Id(name).Params(params[1:]...).Error().Block(body...)) // without ctx: nothing waits
}

// emitOpen writes a method that returns a scope's handle.
func (c *client) emitOpen(s *source, sc *clientScope, m *model.Method) {
	key := argument(c.member(m.Params, m.In.Key).Name)
	params, fill := c.arguments(m, jen.Id(key))
	args := []jen.Code{params[0], jen.Id(key).Add(c.goType(sc.key))}
	doc := ""
	var replays, after []jen.Code
	if r := m.Replays; r != nil {
		note := c.notification(r.Notification)
		args = append(args, jen.Id("replay").Func().Params(jen.Qual("context", "Context"), jen.Op("*").Id(note.Params)))
		replays = append(replays, jen.Id("again").Op(":=").Qual(trackPath, "Replaying").Call(jen.Id("scope"), jen.Id("replay")))
		after = append(after, jen.Err().Op("=").Id("again.End").Call(jen.Err()))
		doc = "The stored messages are handed to replay, in order and one at a time, before " + c.handleName(m) + " returns; nil lets them pass. A replay that takes them too slowly makes the call fail as one that fell behind: call again from where it ended."
	}
	args = append(args, params[1:]...)
	body := append(fill,
		jen.Id("s").Op(":=").Op("&").Id(sc.s.Handle).Values(
			jen.Id("rt").Op(":").Id("rt"), jen.Id("id").Op(":").Id(key), jen.Id("loaded").Op(":").New(jen.Id(m.Result))))
	body = append(body, enter("rt", sc, m, jen.Id(key))...)
	body = append(body, replays...)
	body = append(body, c.exchange("rt", m, jen.Id("s.loaded"), accepting(jen.Return(jen.Id("s.attach").Call(jen.Id("scope")))))...)
	if len(after) > 0 {
		body = append(body, jen.Err().Op(":=").Add(do()))
		body = append(body, after...)
		body = append(body, jen.Return(jen.Qual(trackPath, "Result").Call(jen.Id("s"), jen.Err())))
	} else {
		body = append(body, answered(jen.Id("s")))
	}
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
	tell := jen.Code(jen.Nil())
	if sc.byHand() {
		mismatch = jen.Return(jen.Id("s.mismatch").Call())
		tell = jen.Func().Params(jen.Id("k").Qual(trackPath, "Knowledge").Types(sc.params()...)).Block(
			jen.Id("k").Assert(jen.Op("*").Id(sc.knowledge())).Dot(sc.foldName()).Dot("Reopened").Call(jen.Id("s.loaded")))
	}
	differs := jen.Id("s.loaded." + got.Name).Op("!=").Id("s.id")
	if c.versioned() {
		// Peers that never negotiated may answer with nothing.
		differs = differs.Op("&&").Parens(jen.Id("s.rt.Version").Call().Op("!=").Lit(0).Op("||").Id("s.loaded." + got.Name).Op("!=").Lit(""))
	}
	s.decl("attach takes over what the answer said, before any message that follows it. An answer that names another "+sc.s.Name+" is an error.",
		onHandle(sc.s.Handle).Id("attach").Params(c.scopeParam(sc)).Error().Block(
			jen.If(differs).Block(mismatch),
			jen.Id("scope.Reloaded").Call(tell),
			jen.Return(jen.Nil()),
		))
}

func (c *client) scopeParam(sc *clientScope) jen.Code {
	return jen.Id("scope").Op("*").Qual(trackPath, "Scope").Types(sc.params()...)
}

func (c *client) notification(name string) *model.Notification {
	for _, n := range c.p.Notifications {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// emitPages writes a listing, page after page.
func (c *client) emitPages(s *source, sc *clientScope, m *model.Method) {
	cursor, next, items := c.member(m.Params, m.Pages.Cursor), c.member(m.Result, m.Pages.Next), c.member(m.Result, m.Pages.Items)
	if cursor == nil || next == nil || items == nil || c.kind(items.Type) != listKind {
		c.problems.Add(m.Pos, "the pages of %s need members %s, %s and a list %s", m.Name, m.Pages.Cursor, m.Pages.Next, m.Pages.Items)
		return
	}
	elem := c.goType(c.under(items.Type).Elem)
	receiver, rt := c.at(sc)
	params, fill := c.arguments(m, jen.Id("s.id"))
	var place []jen.Code
	if sc != nil {
		place = enter(rt, sc, m, sc.id())
	}
	more := jen.Code(jen.Id("r." + next.Name).Op("!=").Nil())
	if !c.isPointer(next) {
		more = jen.Id("r." + next.Name).Op("!=").Lit("")
	}
	page := append(place, jen.Id("r").Op(":=").New(jen.Id(m.Result)))
	page = append(page, c.exchange(rt, m, jen.Id("r"), nil)...)
	page = append(page,
		jen.Err().Op(":=").Add(do()),
		jen.Id("p."+cursor.Name).Op("=").Id("r."+next.Name),
		jen.Return(jen.Id("r."+items.Name), more, jen.Err()),
	)
	body := append(fill, jen.Return(jen.Qual(trackPath, "Pages").Call(
		jen.Func().Params().Params(jen.Index().Add(elem), jen.Bool(), jen.Error()).Block(page...))))
	s.decl(c.methodDoc(m, "It reads the next page when the loop comes to its end; an error ends it."),
		receiver.Id(c.handleName(m)).Params(params...).Qual("iter", "Seq2").Types(jen.Op("*").Add(elem), jen.Error()).Block(body...))
}

// methodDoc is the comment of a method on its handle.
func (c *client) methodDoc(m *model.Method, more string) string {
	name := c.handleName(m)
	doc := docAs(m.Doc.EN, m.Var, name)
	if doc == "" {
		doc = name + " is " + m.Name + "."
	}
	if more != "" {
		doc += "\n\n" + more
	}
	needs := ""
	if m.Needs != "" {
		needs = "It needs the capability " + m.Needs
	}
	doc += "\n\n" + sentences("Wire name "+m.Name, accepts(m), c.settles(m), repeats(m.Repeats), needs, since(m.Since))
	if d := m.Deprecated; d != nil {
		doc += "\n\nDeprecated: " + sentences(since(d.Since), "Use "+d.Instead)
	}
	if names := c.failures(m); names != "" {
		doc += "\n\n" + sentences("Errors: "+names)
	}
	return doc
}
