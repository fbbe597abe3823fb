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
	last := c.atResponse(w, m, result)
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
	body := []jen.Code{jen.Id("scope").Op(":=").Id("in").Assert(w.sc.scope())}
	switch {
	case len(last) == 0 && !slices.ContainsFunc(runs, func(run []jen.Code) bool { return len(run) > 0 }):
		body = nil // it was over with its response
	case len(conds) == 0:
		body = append(body, last...)
	case len(conds) == 1:
		either := jen.If(conds[0]).Block(runs[0]...)
		if len(last) > 0 {
			either = either.Else().Block(last...)
		}
		body = append(body, either)
	default:
		cases := make([]jen.Code, len(conds))
		for i := range conds {
			cases[i] = jen.Case(conds[i]).Block(runs[i]...)
		}
		if len(last) > 0 {
			cases = append(cases, jen.Default().Block(last...))
		}
		body = append(body, jen.Switch().Block(cases...))
	}
	s.decl("follow finds what settles the call, by its result.", onActivity(name).Id("follow").Params(placeParam()).Block(body...))
}

// way are the statements that set the run which settles as a case says.
func (c *client) way(w *work, m *model.Method, k *model.Case, result string) []jen.Code {
	for _, by := range k.By {
		switch {
		case by.How == model.ByResponse && by.Activity != "":
			return c.endTold(w, m, by, result)
		case by.How != model.ByEnd || by.Key == "":
			continue
		}
		key, named := jen.Code(jen.Id("t.id")), jen.Code(nil)
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
				named = jen.Add(key).Op("!=").Add(c.nothing(f))
			}
		}
		follow := "Watch"
		if w.begins(m) {
			follow = "Follow"
		}
		run := jen.Id("t.run").Op("=").Id("scope." + follow).Call(key)
		if named == nil {
			return []jen.Code{run}
		}
		return []jen.Code{jen.If(named).Block(run).Else().Block(
			jen.Id("t.run").Op("=").Id("scope.Unnamed").Call(jen.Op("&").Id(methodVar(m)), jen.Lit(by.Key)))}
	}
	return c.atResponse(w, m, result)
}

// atResponse sets the run of a call that was over with its response; that of a
// cancel stays nil.
func (c *client) atResponse(w *work, m *model.Method, result string) []jen.Code {
	switch {
	case !w.begins(m):
		return nil
	case w.byHand():
		return ended(jen.Id("settledBefore").Call(jen.Id(result)))
	}
	return ended(jen.Op("&").Qual(clientPath, "Ending").Values(jen.Id("As").Op(":").Qual(clientPath, "Unsettled")))
}

func ended(settlement jen.Code) []jen.Code {
	return []jen.Code{jen.Id("t.run").Op("=").Id("scope.Ended").Call(settlement)}
}

// begins reports whether a method brings a ticket of the work.
func (w *work) begins(m *model.Method) bool { return slices.Contains(w.opens, m) }

// endTold sets the run of a call whose response says how the activity ended.
func (c *client) endTold(w *work, m *model.Method, by model.Way, result string) []jen.Code {
	f := c.member(m.Result, by.Key)
	if !w.begins(m) || w.byHand() || f == nil || by.Activity != w.activity.Name {
		return c.atResponse(w, m, result)
	}
	end := jen.Id(result + "." + f.Name)
	stated := jen.Code(end)
	if member, _ := c.outcomeMember(w.activity); member != nil {
		stated = jen.Add(end).Dot(member.Name)
	}
	values := []jen.Code{jen.Id("As").Op(":").String().Call(jen.Id(w.outcomeOf()).Call(stated))}
	if t := c.lastType(w); t == "" || t == c.under(f.Type).Name {
		last := jen.Code(end)
		if !c.isPointer(f) {
			last = jen.Op("&").Add(end)
		}
		values = append(values, jen.Id("Last").Op(":").Add(last))
	}
	return ended(jen.Op("&").Qual(clientPath, "Ending").Values(values...))
}

func (c *client) lastGoType(w *work) jen.Code {
	if t := c.lastType(w); t != "" {
		return jen.Op("*").Add(c.ref(t))
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
