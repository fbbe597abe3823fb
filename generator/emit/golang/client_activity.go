package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitOpener writes the method whose work a handle then follows.
func (c *client) emitOpener(s *source, sc *clientScope, m *model.Method, sig *jen.Statement, body []jen.Code) {
	handle := sc.activity.Handle
	_, rt := c.at(sc)
	self := jen.Id("s")
	if sc.whole {
		self = jen.Id("rt")
	}
	of := append([]jen.Code{jen.Id(unexported(sc.s.Handle)).Op(":").Add(self)}, c.chosenValue(m)...)
	body = append(body,
		jen.Id("t").Op(":=").Op("&").Id(pendingName(handle)).Values(
			jen.Id(handle).Op(":").Id(handle).Values(of...), jen.Id("scope").Op(":").Id("scope")))
	into := jen.Code(nil)
	if m.Result != "" {
		body = append(body, jen.Id("t.Receipt").Op("=").Op("&").Id("t.result"))
		into = jen.Op("&").Id("t.result")
	}
	body = append(body, c.exchange(rt, m, into, jen.Id("t"))...)
	body = append(body, answered(jen.Op("&").Id("t."+handle)))
	doc := "It returns when the call is accepted; the " + handle + " tells the rest."
	if c.undoes(sc) {
		doc += " If ctx ends before that, the caller is released at once, and what turns out to have been accepted is cancelled."
	}
	s.decl(c.methodDoc(m, doc), sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

// emitCanceller writes the method that stops an activity.
func (c *client) emitCanceller(s *source, sc *clientScope, m *model.Method, sig *jen.Statement, body []jen.Code) {
	handle := c.cancellation(sc)
	var of []jen.Code
	if chosen := c.chosenValue(m); chosen != nil {
		of = append(of, jen.Id(handle).Op(":").Id(handle).Values(chosen...))
	}
	body = append(body,
		jen.Id("t").Op(":=").Op("&").Id(pendingName(handle)).Values(append(of, jen.Id("scope").Op(":").Id("scope"))...))
	into := jen.Code(nil)
	if m.Result != "" {
		body = append(body, jen.Id("t.Result").Op("=").Op("&").Id("t.result"))
		into = jen.Op("&").Id("t.result")
	}
	_, rt := c.at(sc)
	body = append(body, c.exchange(rt, m, into, jen.Id("t"))...)
	body = append(body, answered(jen.Op("&").Id("t."+handle)))
	s.decl(c.methodDoc(m, "It returns when the call is accepted; Settled of the "+handle+" waits until what it stops is proven over."),
		sig.Params(jen.Op("*").Id(handle), jen.Error()).Block(body...))
}

// pendingName is the type of a handle whose call is on its way.
func pendingName(handle string) string { return "pending" + handle }

// emitCallOf writes that type: what the call needs is one object with its handle.
func (c *client) emitCallOf(s *source, sc *clientScope, handle, result string, undoes bool) {
	name := pendingName(handle)
	fields := []jen.Code{jen.Id(handle)}
	if result != "" {
		fields = append(fields, jen.Id("result").Id(result))
	}
	s.decl(name+" is a "+handle+" whose call is on its way.", jen.Type().Id(name).Struct(append(fields, c.scopeParam(sc))...))
	s.decl("Accept implements track.Binder.", onActivity(name).Id("Accept").Params().Error().Block(
		jen.Id("t.run").Op("=").Id("t.follow").Call(jen.Id("t.scope")), jen.Return(jen.Nil())))
	undo := oneLine()
	if undoes {
		undo = oneLine(jen.Id("t.undo").Call())
	}
	s.decl("Undo implements track.Binder.", onActivity(name).Id("Undo").Params().Add(undo))
}

// undoes tells whether what was accepted is taken back when its caller has gone.
func (c *client) undoes(sc *clientScope) bool {
	return c.stops(sc) && sc.cancels.Undoes == sc.opens.Name
}

// stops tells whether a handle can stop what it follows: by the method that
// cancels, told the ticket.
func (c *client) stops(sc *clientScope) bool {
	return sc.cancels != nil && sc.opens != nil && c.target(sc) != nil && c.ticketOf(sc) != nil
}

// chosen is the member of a method's params by which its caller chose the key
// of what settles the call; nil if the response brings it.
func (c *client) chosen(m *model.Method) *model.Field {
	for _, k := range m.Settles {
		for _, w := range k.By {
			if w.How != model.ByEnd || !w.Chosen {
				continue
			}
			f := c.member(m.Params, w.Key)
			if f == nil || c.isPointer(f) || f.Presence == model.Nullable {
				c.problems.Add(m.Pos, "%s of %s is the key of what settles the call, so it must be a plain member on the top level", w.Key, m.Params)
				return nil
			}
			return f
		}
	}
	return nil
}

// chosenValue keeps that key in a handle.
func (c *client) chosenValue(m *model.Method) []jen.Code {
	if f := c.chosen(m); f != nil {
		return []jen.Code{jen.Id("id").Op(":").Id("p." + f.Name)}
	}
	return nil
}

// chosenField is where a handle keeps it.
func (c *client) chosenField(m *model.Method) []jen.Code {
	if f := c.chosen(m); f != nil {
		return []jen.Code{jen.Id("id").Add(c.fieldType(f))}
	}
	return nil
}

// target is the member by which a cancel names the ticket.
func (c *client) target(sc *clientScope) *model.Field {
	return c.memberOf(sc.cancels.Params, sc.ticket)
}

// ticketOf is the member by which a receipt names it, or by which its caller did.
func (c *client) ticketOf(sc *clientScope) *model.Field {
	if f := c.chosen(sc.opens); f != nil {
		return f
	}
	for _, k := range sc.opens.Settles {
		for _, w := range k.By {
			if w.How == model.ByEnd && w.Key != "" {
				return c.member(sc.opens.Result, w.Key)
			}
		}
	}
	return nil
}

// ticketValue is the ticket of a handle.
func (c *client) ticketValue(sc *clientScope) *jen.Statement {
	if c.chosen(sc.opens) != nil {
		return jen.Id("t.id")
	}
	return jen.Id("t.Receipt." + c.ticketOf(sc).Name)
}

// emitHandles writes the handles of activities and of their cancellations.
func (c *client) emitHandles() {
	if len(c.scopes) == 0 {
		return
	}
	s := c.source("activities.gen.go")
	for _, sc := range c.scopes {
		if sc.activity == nil {
			continue
		}
		c.emitOutcomes(s, sc)
		if sc.opens != nil {
			c.emitActivity(s, sc)
		}
		if sc.cancels != nil {
			c.emitCancellation(s, sc)
		}
	}
}

func onActivity(name string) *jen.Statement { return jen.Func().Params(jen.Id("t").Op("*").Id(name)) }

func (sc *clientScope) run() jen.Code {
	return jen.Op("*").Qual(trackPath, "Run").Types(sc.params()...)
}

func (c *client) emitActivity(s *source, sc *clientScope) {
	name, scopeField := sc.activity.Handle, unexported(sc.s.Handle)
	doc := docAs(sc.activity.Doc.EN, sc.activity.Var, name)
	if doc == "" {
		doc = name + " is one " + sc.activity.Name + "."
	}
	doc += "\n\nThis handle follows what one accepted call of " + sc.opens.Name + " leads to."
	var receipt []jen.Code
	if sc.opens.Result != "" {
		receipt = []jen.Code{
			jen.Comment("Receipt is the response that accepted the call."),
			jen.Id("Receipt").Op("*").Id(sc.opens.Result),
			jen.Line(),
		}
	}
	s.decl(doc, jen.Type().Id(name).Struct(append(receipt,
		jen.Id(scopeField).Op("*").Id(sc.s.Handle),
		jen.Add(fieldLines(c.chosenField(sc.opens))...),
		jen.Id("run").Add(sc.run()),
	)...))
	s.decl(sc.s.Handle+" is the "+sc.s.Name+" that it belongs to.",
		onActivity(name).Id(sc.s.Handle).Params().Op("*").Id(sc.s.Handle).Add(oneLine(jen.Return(jen.Id("t."+scopeField)))))
	if sc.link == nil && c.ticketOf(sc) != nil {
		s.decl("ID is its id.", onActivity(name).Id("ID").Params().Add(c.fieldType(c.ticketOf(sc)), oneLine(jen.Return(c.ticketValue(sc)))))
	} else {
		c.emitKeys(s, sc, name)
	}
	c.emitStreams(s, sc, name)
	s.decl("Settled waits until it is over, and the messages before its end have been handled. With an error, the connection's or that this side fell behind, the Settlement has what is known so far; it is nil only if ctx ended first.",
		onActivity(name).Id("Settled").Params(ctxParam()).Params(jen.Op("*").Id("Settlement"), jen.Error()).Block(
			jen.List(jen.Id("end"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.List(jen.Id("s"), jen.Id("_")).Op(":=").Id("end").Assert(jen.Op("*").Id("Settlement")),
			jen.Return(jen.Id("s"), jen.Err()),
		))
	s.decl("Err tells why its messages are incomplete: the connection was lost, or they were not taken in time. It is nil while they are not.",
		onActivity(name).Id("Err").Params().Error().Add(oneLine(jen.Return(jen.Id("t.run.Err").Call()))))
	if c.stops(sc) {
		c.emitStop(s, sc, name)
	}
	if c.undoes(sc) {
		c.emitUndo(s, sc, name)
	}
	c.emitFollow(s, sc, name, sc.opens, "t.Receipt")
	c.emitCallOf(s, sc, name, sc.opens.Result, c.undoes(sc))
}

// fieldLines puts fields of a struct on lines of their own.
func fieldLines(fields []jen.Code) []jen.Code {
	var out []jen.Code
	for _, f := range fields {
		out = append(out, f, jen.Line())
	}
	return out
}

// emitKeys writes how a handle tells which activity took its call.
func (c *client) emitKeys(s *source, sc *clientScope, name string) {
	s.decl("Key waits until a "+sc.activity.Name+" has taken the call, and tells which; ok is false if none ever will.",
		onActivity(name).Id("Key").Params(ctxParam()).Params(jen.Id("key").Id(sc.of), jen.Id("ok").Bool(), jen.Err().Error()).Add(oneLine(
			jen.Return(jen.Id("t.run.Key").Call(jen.Id("ctx"))))))
	s.decl("Taken tells which "+sc.activity.Name+" has taken the call so far.",
		onActivity(name).Id("Taken").Params().Params(jen.Id("key").Id(sc.of), jen.Id("ok").Bool()).Add(oneLine(
			jen.Return(jen.Id("t.run.Taken").Call()))))
}

// emitStop writes the cancel of one call.
func (c *client) emitStop(s *source, sc *clientScope, name string) {
	m := sc.cancels
	target, ticket := c.target(sc), c.ticketOf(sc)
	value := jen.Code(c.ticketValue(sc))
	if c.isPointer(target) && !c.isPointer(ticket) {
		value = jen.Op("&").Add(value)
	}
	params, args := []jen.Code{ctxParam()}, []jen.Code{jen.Id("ctx")}
	required, others := c.required(m)
	for _, f := range required {
		if f == target {
			args = append(args, value)
			continue
		}
		params = append(params, jen.Id(argument(f.Name)).Add(c.fieldType(f)))
		args = append(args, jen.Id(argument(f.Name)))
	}
	var body []jen.Code
	switch {
	case target.Presence != model.Required:
		params = append(params, jen.Id("more").Op("...").Id(m.Params))
		args = append(args, jen.Id("p"))
		body = append(body,
			jen.Id("p").Op(":=").Qual(trackPath, "Optional").Call(jen.Id("more")),
			jen.Id("p."+target.Name).Op("=").Add(value))
	case others:
		params = append(params, jen.Id("more").Op("...").Id(m.Params))
		args = append(args, jen.Id("more").Op("..."))
	}
	cancel := c.handleName(m)
	body = append(body, jen.Return(jen.Id("t."+unexported(sc.s.Handle)+"."+cancel).Call(args...)))
	s.decl(cancel+" stops what this handle follows, and nothing else; see "+sc.s.Handle+"."+cancel+".",
		onActivity(name).Id(cancel).Params(params...).Params(jen.Op("*").Id(c.cancellation(sc)), jen.Error()).Block(body...))
}

// emitUndo writes the cancel of a call whose caller has gone.
func (c *client) emitUndo(s *source, sc *clientScope, name string) {
	if required, _ := c.required(sc.cancels); len(required) > 1 || len(required) == 1 && required[0] != c.target(sc) {
		c.problems.Add(sc.cancels.Pos, "%s undoes %s, so it must need nothing that only a caller knows", sc.cancels.Name, sc.opens.Name)
	}
	rt := "t." + unexported(sc.s.Handle) + ".rt.client"
	if sc.whole {
		rt = "t." + unexported(sc.s.Handle) + ".client"
	}
	s.decl("undo cancels what was accepted after its caller had gone.",
		onActivity(name).Id("undo").Params().Block(
			jen.Id(rt+".Owner.Go").Call(jen.Func().Params().Block(
				jen.List(jen.Id("_"), jen.Id("_")).Op("=").Id("t."+c.handleName(sc.cancels)).Call(jen.Id(rt+".Owner.Context").Call()),
			))))
}

// carried are the messages of an activity, the live ones or the others.
func (c *client) carried(a *model.Activity, live bool) (list []*model.Notification) {
	for _, n := range c.p.Notifications {
		if n.Params == "" || live != (n.Live != nil) {
			continue
		}
		if slices.ContainsFunc(n.Carry, func(k model.Carry) bool { return k.Activity == a.Name }) {
			list = append(list, n)
		}
	}
	return list
}

// valued are the live messages that are handed out as values: those of
// activities that have no other live ones.
func (c *client) valued() (list []*model.Notification) {
	for _, sc := range c.scopes {
		if sc.activity == nil || sc.opens == nil {
			continue
		}
		if live := c.carried(sc.activity, true); len(live) == 1 && !slices.Contains(list, live[0]) {
			list = append(list, live[0])
		}
	}
	return list
}

// spare is where those are kept that may be used again.
func spare(n *model.Notification) string { return "spare" + n.Params }

// emitStreams writes what an activity's messages are read by: those that are
// kept, and the live ones. Where several kinds of message are in one, it has
// values of any of them.
func (c *client) emitStreams(s *source, sc *clientScope, name string) {
	for _, live := range []bool{false, true} {
		list := c.carried(sc.activity, live)
		if len(list) == 0 {
			continue
		}
		from, method, what := "Events", "Messages", "the messages of the "+sc.activity.Name+", in order, with those that put its call in"
		if live {
			from, method, what = "Live", "LiveMessages", "the live messages of the "+sc.activity.Name+"; none comes after its end"
		}
		elem := jen.Code(jen.Any())
		items := jen.Id("t.run." + from).Call(jen.Id("ctx"))
		notes := jen.Qual(trackPath, "Notes").Types(elem).Call(items)
		if len(list) == 1 {
			n := list[0]
			words := words(n.Name)
			method = c.override(n.Name, plural(exported(words[len(words)-1])))
			what = strings.Replace(what, "messages", n.Name+" messages", 1)
			elem = jen.Op("*").Id(n.Params)
			notes = jen.Qual(trackPath, "Notes").Types(elem).Call(items)
			if live {
				elem = jen.Id(n.Params)
				notes = jen.Qual(trackPath, "Values").Call(items, jen.Op("&").Id("t."+unexported(sc.s.Handle)+".rt."+spare(n)))
			}
		} else {
			var types []string
			for _, n := range list {
				types = append(types, "*"+n.Params)
			}
			what += ". Each is one of " + strings.Join(types, ", ")
		}
		seq := jen.Qual("iter", "Seq").Types(elem)
		s.decl(method+" are "+what+". Each is handed out once: a second loop goes on where the first stopped. They end with the "+sc.activity.Name+"; Err tells if they ended early.",
			onActivity(name).Id(method).Params().Add(seq).Add(oneLine(
				jen.Return(jen.Id("t."+method+"Context").Call(jen.Qual("context", "Background").Call())))))
		s.decl(method+"Context are "+method+" until ctx ends.",
			onActivity(name).Id(method+"Context").Params(ctxParam()).Add(seq).Block(
				jen.Return(notes)))
	}
}

// plural is the name of several things of a name.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"):
		return name
	case strings.HasSuffix(name, "y") && !strings.ContainsAny(name[max(len(name)-2, 0):len(name)-1], "aeiou"):
		return strings.TrimSuffix(name, "y") + "ies"
	case strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}

func (c *client) emitCancellation(s *source, sc *clientScope) {
	name := c.cancellation(sc)
	var fields []jen.Code
	if sc.cancels.Result != "" {
		fields = append(fields, jen.Comment("Result is the response."), jen.Id("Result").Op("*").Id(sc.cancels.Result), jen.Line())
	}
	s.decl(name+" follows an accepted call of "+sc.cancels.Name+" to the end of what it stops.", jen.Type().Id(name).Struct(append(fields,
		jen.Add(fieldLines(c.chosenField(sc.cancels))...),
		jen.Id("run").Add(sc.run()),
	)...))
	s.decl("Settled waits until what was stopped is proven over. The error is that of the connection, or ctx's.",
		onActivity(name).Id("Settled").Params(ctxParam()).Error().Block(
			jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("t.run.Settled").Call(jen.Id("ctx")),
			jen.Return(jen.Err()),
		))
	c.emitFollow(s, sc, name, sc.cancels, "t.Result")
	c.emitCallOf(s, sc, name, sc.cancels.Result, false)
}

// emitFollow writes what settles a call, by its result.
func (c *client) emitFollow(s *source, sc *clientScope, name string, m *model.Method, result string) {
	var conds, runs []jen.Code
	last := jen.Code(nil)
	for _, k := range m.Settles {
		run := c.way(sc, m, k, result)
		if len(k.If) == 0 {
			last = run
			break
		}
		cond := c.holds(jen.Id(result), m.Result, k.If)
		if cond == nil {
			c.problems.Add(m.Pos, "%s settles by a condition on %s that a client cannot check", m.Name, k.If[0].Member)
			return
		}
		conds, runs = append(conds, cond), append(runs, jen.Return(run))
	}
	if last == nil {
		last = c.atResponse(sc, m, result)
	}
	var body []jen.Code
	if len(conds) == 1 {
		body = append(body, jen.If(conds[0]).Block(runs[0]))
	} else if len(conds) > 1 {
		cases := make([]jen.Code, len(conds))
		for i := range conds {
			cases[i] = jen.Case(conds[i]).Block(runs[i])
		}
		body = append(body, jen.Switch().Block(cases...))
	}
	s.decl("follow says what settles the call, by its result.",
		onActivity(name).Id("follow").Params(c.scopeParam(sc)).Add(sc.run()).Block(append(body, jen.Return(last))...))
}

// way is the run that settles as a case says.
func (c *client) way(sc *clientScope, m *model.Method, k *model.Case, result string) jen.Code {
	for _, w := range k.By {
		switch {
		case w.How == model.ByResponse && w.Activity != "":
			return c.endTold(sc, m, w, result)
		case w.How != model.ByEnd || w.Key == "":
			continue
		}
		key := jen.Code(jen.Id("t.id"))
		if !w.Chosen {
			f := c.member(m.Result, w.Key)
			if f == nil {
				break
			}
			if c.isPointer(f) {
				c.problems.Add(m.Pos, "%s of %s leads to what settles the call, so it must be a plain member", w.Key, m.Result)
			}
			key = jen.Id(result + "." + f.Name)
		}
		if m == sc.opens {
			return jen.Id("scope.Follow").Call(key)
		}
		return jen.Id("scope.Watch").Call(key)
	}
	return c.atResponse(sc, m, result)
}

func (c *client) atResponse(sc *clientScope, m *model.Method, result string) jen.Code {
	switch {
	case m != sc.opens:
		return jen.Id("scope.Ended").Call(jen.Nil())
	case sc.byHand():
		return jen.Id("scope.Ended").Call(jen.Id("settledBefore").Call(jen.Id(result)))
	}
	return jen.Id("scope.Ended").Call(jen.Op("&").Id("Settlement").Values())
}

// endTold is the run of a call whose response tells the end of the activity.
func (c *client) endTold(sc *clientScope, m *model.Method, w model.Way, result string) jen.Code {
	f := c.member(m.Result, w.Key)
	if m != sc.opens || sc.byHand() || f == nil || w.Activity != sc.activity.Name {
		return c.atResponse(sc, m, result)
	}
	end := jen.Id(result + "." + f.Name)
	told := jen.Code(end)
	if member, _ := c.tells(sc.activity); member != nil {
		told = jen.Add(end).Dot(member.Name)
	}
	values := []jen.Code{jen.Id("Outcome").Op(":").Id("outcomeOf").Call(told)}
	if t := c.lastType(sc); t == "" || t == c.under(f.Type).Name {
		last := jen.Code(end)
		if !c.isPointer(f) {
			last = jen.Op("&").Add(end)
		}
		values = append(values, jen.Id("Last").Op(":").Add(last))
	}
	return jen.Id("scope.Ended").Call(jen.Op("&").Id("Settlement").Values(values...))
}

func (c *client) lastGoType(sc *clientScope) jen.Code {
	if t := c.lastType(sc); t != "" {
		return jen.Op("*").Id(t)
	}
	return jen.Any()
}

// lastType is the type of the message that ends an activity; empty if it may be
// one of several.
func (c *client) lastType(sc *clientScope) string {
	if sc.activity.Ends == nil {
		return ""
	}
	last := c.notification(sc.activity.Ends.Notification).Params
	for _, n := range c.scoped() {
		if c.over(sc, n) != "" && n.Params != last {
			return ""
		}
	}
	return last
}

// holds is the condition on a value's members; nil if it cannot be written.
func (g *gen) holds(base jen.Code, typeName string, list []model.Is) jen.Code {
	var all *jen.Statement
	for _, is := range list {
		expr, f := g.memberAt(base, typeName, is.Member)
		if f == nil {
			return nil
		}
		var one *jen.Statement
		or := func(c jen.Code) {
			if one == nil {
				one = jen.Add(c)
				return
			}
			one = one.Op("||").Add(c)
		}
		switch k := g.kind(f.Type); {
		case len(is.Values) == 0:
			op := "!="
			if is.Absent {
				op = "=="
			}
			or(jen.Add(expr).Op(op).Add(g.nothing(f)))
		case g.isPointer(f) || f.Presence == model.Nullable:
			return nil
		default:
			for _, v := range is.Values {
				switch {
				case g.under(f.Type).Kind == model.RefBool && v == "true":
					or(expr)
				case g.under(f.Type).Kind == model.RefBool:
					or(jen.Op("!").Add(expr))
				case k == enumKind:
					or(jen.Add(expr).Op("==").Add(g.enumValue(f.Type, v)))
				default:
					or(jen.Add(expr).Op("==").Lit(v))
				}
			}
		}
		if len(is.Values) > 1 && len(list) > 1 {
			one = jen.Parens(one)
		}
		if all == nil {
			all = one
		} else {
			all = all.Op("&&").Add(one)
		}
	}
	return all
}

// enumValue is the constant of a value, or its text.
func (g *gen) enumValue(r *model.Ref, wire string) jen.Code {
	if t := g.types[g.under(r).Name]; t != nil && t.Enum != nil {
		for _, v := range t.Enum.Values {
			if v.Wire == wire {
				return jen.Id(v.Name)
			}
		}
	}
	return jen.Lit(wire)
}

func outcomeConst(o *model.Outcome) string { return "Outcome" + exported(o.Name) }

// outcome finds an activity's outcome by name.
func outcome(a *model.Activity, name string) *model.Outcome {
	return outcomeBy(a, func(o *model.Outcome) bool { return o.Name == name })
}

func outcomeBy(a *model.Activity, is func(*model.Outcome) bool) *model.Outcome {
	if i := slices.IndexFunc(a.Outcomes, is); i >= 0 {
		return a.Outcomes[i]
	}
	return nil
}

// emitOutcomes writes how an activity may end, and how its last message tells.
func (c *client) emitOutcomes(s *source, sc *clientScope) {
	if other := c.taken["outcomes"]; other != "" {
		c.problems.Add(sc.activity.Pos, "%s and %s both have outcomes, but a client has one type for them", other, sc.activity.Name)
		return
	}
	c.taken["outcomes"] = sc.activity.Name
	s.decl("Outcome is how a "+sc.activity.Name+" ended, as this client reports it.", jen.Type().Id("Outcome").String())
	var defs, ok []jen.Code
	for i, o := range sc.activity.Outcomes {
		if i > 0 {
			defs = append(defs, jen.Line())
		}
		doc := docAs(o.Doc.EN, exported(sc.activity.Name)+exported(o.Name), outcomeConst(o))
		defs = append(defs, comments(doc)...)
		defs = append(defs, jen.Id(outcomeConst(o)).Id("Outcome").Op("=").Lit(o.Name))
		if o.OK {
			ok = append(ok, jen.Id("o").Op("==").Id(outcomeConst(o)))
		}
	}
	s.decl("The outcomes.", jen.Const().Defs(defs...))
	success := jen.Code(jen.False())
	if len(ok) > 0 {
		sum := jen.Add(ok[0])
		for _, o := range ok[1:] {
			sum = sum.Op("||").Add(o)
		}
		success = sum
	}
	s.decl("OK tells whether the outcome is a success.",
		jen.Func().Params(jen.Id("o").Id("Outcome")).Id("OK").Params().Bool().Add(oneLine(jen.Return(success))))
	c.emitOutcomeOf(s, sc)
	if !c.byHand() {
		s.decl("Settlement is how what a handle follows ended.", jen.Type().Id("Settlement").Struct(
			jen.Comment("Outcome is the one terminal state; empty of a handle that fell behind."),
			jen.Id("Outcome").Id("Outcome"),
			jen.Line(),
			jen.Comment("Last is the message that ended it; nil if none did."),
			jen.Id("Last").Add(c.lastGoType(sc)),
		))
	}
}

// emitOutcomeOf writes the function that reads the outcome.
func (c *client) emitOutcomeOf(s *source, sc *clientScope) {
	a := sc.activity
	other := jen.Code(jen.Lit(""))
	if o := outcomeBy(a, func(o *model.Outcome) bool { return o.Other }); o != nil {
		other = jen.Id(outcomeConst(o))
	}
	f, typeName := c.tells(a)
	if f == nil {
		s.decl("", jen.Func().Id("outcomeOf").Params(jen.Op("*").Id(typeName)).Id("Outcome").Block(jen.Return(other)))
		return
	}
	param := jen.Id("told").Add(c.fieldType(f))
	value := jen.Id("told")
	if u := c.names.unions[c.under(f.Type).Name]; u != nil && c.kind(f.Type) == interfaceKind {
		t := c.types[c.under(f.Type).Name]
		var cases []jen.Code
		for _, o := range a.Outcomes {
			var variants []jen.Code
			for _, is := range o.Is {
				for _, v := range t.Union.Variants {
					for _, want := range is.Values {
						if v.Wire == want {
							variants = append(variants, jen.Id(u.constant(v)))
						}
					}
				}
			}
			if len(variants) > 0 {
				cases = append(cases, jen.Case(variants...).Block(jen.Return(jen.Id(outcomeConst(o)))))
			}
		}
		// By its tag, so that one whose other members are not as they should be,
		// which is kept raw, tells it too.
		s.decl("outcomeOf is the outcome that the last message tells.", jen.Func().Id("outcomeOf").Params(param).Id("Outcome").Block(
			jen.If(value.Op("==").Nil()).Block(jen.Return(other)),
			jen.Switch(jen.Id("told."+u.method).Call()).Block(cases...), jen.Return(other)))
		return
	}
	var cases []jen.Code
	for _, o := range a.Outcomes {
		var values []jen.Code
		for _, is := range o.Is {
			for _, want := range is.Values {
				switch {
				case c.kind(f.Type) == enumKind:
					values = append(values, c.enumValue(f.Type, want))
				case c.under(f.Type).Kind == model.RefBool:
					values = append(values, jen.Lit(want == "true"))
				default:
					values = append(values, jen.Lit(want))
				}
			}
		}
		if len(values) > 0 {
			cases = append(cases, jen.Case(values...).Block(jen.Return(jen.Id(outcomeConst(o)))))
		}
	}
	s.decl("outcomeOf is the outcome that the last message tells.", jen.Func().Id("outcomeOf").Params(param).Id("Outcome").Block(
		jen.Switch(value).Block(cases...), jen.Return(other)))
}

// tells is the member of an activity's last message that says how it ended, in
// the variant or the params that it ends with.
func (c *client) tells(a *model.Activity) (*model.Field, string) {
	if a.Ends == nil {
		return nil, ""
	}
	typeName := c.notification(a.Ends.Notification).Params
	path := a.Tells
	if v := c.variantOf(a.Ends); v != nil {
		typeName = v.Type
		rest, ok := strings.CutPrefix(path, a.Ends.Path+".")
		if !ok { // by the name of the content member
			union, _ := c.unionAt(a.Ends)
			root, _, _ := strings.Cut(a.Ends.Path, ".")
			rest, _ = strings.CutPrefix(path, root+"."+union.Union.Content+".")
		}
		path = rest
	}
	if path == "" {
		return nil, typeName
	}
	return c.member(typeName, path), typeName
}

// unionAt is the union that a frame's path leads to, and its member.
func (c *client) unionAt(f *model.Frame) (*model.Type, *model.Field) {
	n := c.notification(f.Notification)
	if n == nil || f.Variant == "" {
		return nil, nil
	}
	name, _, _ := strings.Cut(f.Path, ".")
	member := c.member(n.Params, name)
	if member == nil {
		return nil, nil
	}
	t := c.types[c.under(member.Type).Name]
	if t == nil || t.Union == nil {
		return nil, nil
	}
	return t, member
}

// variantOf is the variant that a frame is narrowed to; nil if it is none.
func (c *client) variantOf(f *model.Frame) *model.Variant {
	t, _ := c.unionAt(f)
	if t == nil {
		return nil
	}
	for _, v := range t.Union.Variants {
		if v.Wire == f.Variant {
			return v
		}
	}
	return nil
}
