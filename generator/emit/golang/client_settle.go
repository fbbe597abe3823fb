// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitFollow writes what settles a call, by its result.
func (c *client) emitFollow(s *source, w *work, name string, m *model.Method, result string) {
	var conds []jen.Code
	var runs [][]jen.Code
	var last []jen.Code
	for _, k := range m.Settles {
		run := c.way(w, m, k, result)
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
		last = []jen.Code{jen.Return(c.atResponse(w, m, result))}
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
		onActivity(name).Id("follow").Params(jen.Id("scope").Add(w.sc.scope())).Add(w.sc.run()).Block(append(body, last...)...))
}

// way are the statements that return the run which settles as a case says.
func (c *client) way(w *work, m *model.Method, k *model.Case, result string) []jen.Code {
	for _, by := range k.By {
		switch {
		case by.How == model.ByResponse && by.Activity != "":
			return []jen.Code{jen.Return(c.endTold(w, m, by, result))}
		case by.How != model.ByEnd || by.Key == "":
			continue
		}
		key := jen.Code(jen.Id("t.id"))
		var code []jen.Code
		if !by.Chosen {
			f := c.member(m.Result, by.Key)
			if f == nil {
				break
			}
			if c.isPointer(f) || f.Null() {
				c.problems.Add(m.Pos, "%s of %s leads to what settles the call, so it must be a plain member", by.Key, m.Result)
			}
			key = jen.Id(result + "." + f.Name)
			if !f.Always() { // else its reader sees to it, see firm
				code = append(code, jen.If(jen.Add(key).Op("==").Add(c.nothing(f))).Block(
					jen.Return(jen.Id("scope.Unnamed").Call(jen.Op("&").Id(methodVar(m)), jen.Lit(by.Key)))))
			}
		}
		follow := "scope.Watch"
		if w.begins(m) {
			follow = "scope.Follow"
		}
		return append(code, jen.Return(jen.Id(follow).Call(key)))
	}
	return []jen.Code{jen.Return(c.atResponse(w, m, result))}
}

func (c *client) atResponse(w *work, m *model.Method, result string) jen.Code {
	switch {
	case !w.begins(m):
		return jen.Id("scope.Ended").Call(jen.Nil())
	case w.byHand():
		return jen.Id("scope.Ended").Call(jen.Id("settledBefore").Call(jen.Id(result)))
	case w.sc.mixed():
		return jen.Id("scope.Ended").Call(jen.Op("&").Qual(trackPath, "Conclusion").Values())
	}
	return jen.Id("scope.Ended").Call(jen.Op("&").Id(w.settlementType()).Values())
}

// begins tells whether a method brings a ticket of the work.
func (w *work) begins(m *model.Method) bool { return slices.Contains(w.opens, m) }

// endTold is the run of a call whose response tells the end of the activity.
func (c *client) endTold(w *work, m *model.Method, by model.Way, result string) jen.Code {
	f := c.member(m.Result, by.Key)
	if !w.begins(m) || w.byHand() || f == nil || by.Activity != w.activity.Name {
		return c.atResponse(w, m, result)
	}
	end := jen.Id(result + "." + f.Name)
	told := jen.Code(end)
	if member, _ := c.tells(w.activity); member != nil {
		told = jen.Add(end).Dot(member.Name)
	}
	outcome := jen.Id(w.outcomeOf()).Call(told)
	values := []jen.Code{jen.Id("Outcome").Op(":").Add(outcome)}
	if w.sc.mixed() {
		values = []jen.Code{jen.Id("As").Op(":").String().Call(outcome)}
	}
	if t := c.lastType(w); t == "" || t == c.under(f.Type).Name {
		last := jen.Code(end)
		if !c.isPointer(f) {
			last = jen.Op("&").Add(end)
		}
		values = append(values, jen.Id("Last").Op(":").Add(last))
	}
	if w.sc.mixed() {
		return jen.Id("scope.Ended").Call(jen.Op("&").Qual(trackPath, "Conclusion").Values(values...))
	}
	return jen.Id("scope.Ended").Call(jen.Op("&").Id(w.settlementType()).Values(values...))
}

func (c *client) lastGoType(w *work) jen.Code {
	if t := c.lastType(w); t != "" {
		return jen.Op("*").Id(t)
	}
	return jen.Any()
}

// lastType is the type of the message that ends an activity; empty if it may be
// one of several.
func (c *client) lastType(w *work) string {
	if w.activity.Ends == nil {
		return ""
	}
	last := c.notification(w.activity.Ends.Notification).Params
	for _, n := range c.scoped() {
		if c.over(w.sc, n) != "" && n.Params != last {
			return ""
		}
	}
	return last
}
