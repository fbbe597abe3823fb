package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitFollow writes what settles a call, by its result.
func (c *client) emitFollow(s *source, sc *clientScope, name string, m *model.Method, result string) {
	var conds []jen.Code
	var runs [][]jen.Code
	var last []jen.Code
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
		conds, runs = append(conds, cond), append(runs, run)
	}
	if last == nil {
		last = []jen.Code{jen.Return(c.atResponse(sc, m, result))}
	}
	var body []jen.Code
	if len(conds) == 1 {
		body = append(body, jen.If(conds[0]).Block(runs[0]...))
	} else if len(conds) > 1 {
		cases := make([]jen.Code, len(conds))
		for i := range conds {
			cases[i] = jen.Case(conds[i]).Block(runs[i]...)
		}
		body = append(body, jen.Switch().Block(cases...))
	}
	s.decl("follow says what settles the call, by its result.",
		onActivity(name).Id("follow").Params(jen.Id("scope").Add(sc.scope())).Add(sc.run()).Block(append(body, last...)...))
}

// way are the statements that return the run which settles as a case says.
func (c *client) way(sc *clientScope, m *model.Method, k *model.Case, result string) []jen.Code {
	for _, w := range k.By {
		switch {
		case w.How == model.ByResponse && w.Activity != "":
			return []jen.Code{jen.Return(c.endTold(sc, m, w, result))}
		case w.How != model.ByEnd || w.Key == "":
			continue
		}
		key := jen.Code(jen.Id("t.id"))
		var code []jen.Code
		if !w.Chosen {
			f := c.member(m.Result, w.Key)
			if f == nil {
				break
			}
			if c.isPointer(f) || f.Null() {
				c.problems.Add(m.Pos, "%s of %s leads to what settles the call, so it must be a plain member", w.Key, m.Result)
			}
			key = jen.Id(result + "." + f.Name)
			if !f.Always() { // else its reader sees to it, see firm
				code = append(code, jen.If(jen.Add(key).Op("==").Add(c.nothing(f))).Block(
					jen.Return(jen.Id("scope.Unnamed").Call(jen.Op("&").Id(methodVar(m)), jen.Lit(w.Key)))))
			}
		}
		follow := "scope.Watch"
		if m == sc.opens {
			follow = "scope.Follow"
		}
		return append(code, jen.Return(jen.Id(follow).Call(key)))
	}
	return []jen.Code{jen.Return(c.atResponse(sc, m, result))}
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
