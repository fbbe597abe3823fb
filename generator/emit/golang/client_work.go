// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// follow finds the activities that a method of the scope begins or stops.
func (c *client) follow(sc *clientScope, m *model.Method) {
	for _, k := range m.Settles {
		for _, way := range k.By {
			a := c.activity(way.Activity)
			if way.How != model.ByEnd || a == nil {
				continue
			}
			w := sc.work(a)
			if w == nil {
				w = &work{sc: sc, activity: a, of: a.Key}
				sc.works = append(sc.works, w)
			}
			if m.Cancels == a.Name {
				if !slices.Contains(w.cancels, m) {
					w.cancels = append(w.cancels, m)
				}
				continue
			}
			link := c.link(way.Link)
			if len(w.opens) > 0 && link != w.link {
				c.problems.Add(m.Pos, "%s and %s lead to a %s in different ways, by a link and without or by another: a client follows one", w.opens[0].Name, m.Name, a.Name)
				continue
			}
			w.link = link
			if !slices.Contains(w.opens, m) {
				w.opens = append(w.opens, m)
			}
		}
	}
}

func (c *client) link(name string) *model.Link {
	for _, l := range c.p.Links {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// checkWorks says what tickets and keys are, and reports what cannot be followed
// together.
func (c *client) checkWorks() {
	n := 0
	for _, sc := range c.scopes {
		n += len(sc.works)
	}
	for _, sc := range c.scopes {
		types := map[string]*work{}
		for _, w := range sc.works {
			w.ticket, w.alone = w.of, n == 1
			if w.link != nil {
				w.ticket = w.link.From
			}
			sc.ticket, sc.of = w.ticket, w.of
			for _, t := range []string{w.of, w.ticket} {
				if other := types[t]; other != nil && other != w {
					c.problems.Add(w.activity.Pos, "%s and %s of one scope are both known by a %s, so a client cannot distinguish their messages: give each a key type of its own", other.activity.Name, w.activity.Name, t)
				}
				types[t] = w
			}
		}
		if !sc.mixed() {
			continue
		}
		sc.ticket, sc.of = "any", "any"
		lost := map[string]bool{}
		for _, w := range sc.works {
			if w.byHand() {
				c.problems.Add(w.activity.Pos, "%s is followed by a rule that is kept by hand, and so can be followed alone in its scope", w.activity.Name)
			}
			if o := outcomeBy(w.activity, func(o *model.Outcome) bool { return o.Lost }); o != nil {
				lost[o.Name] = true
			}
		}
		if len(lost) > 1 {
			c.problems.Add(sc.works[1].activity.Pos, "what is lost with its connection has one name in a scope: call the Lost outcomes of %s and %s alike", sc.works[0].activity.Name, sc.works[1].activity.Name)
		}
	}
}

// mixed reports whether a scope has runs of several kinds: their tickets and
// keys are distinguished by their types.
func (sc *clientScope) mixed() bool { return len(sc.works) > 1 }

func (sc *clientScope) work(a *model.Activity) *work {
	for _, w := range sc.works {
		if w.activity == a {
			return w
		}
	}
	return nil
}

// opening and cancelling are the work that a method begins or stops; nil: none.
func (sc *clientScope) opening(m *model.Method) *work {
	if sc == nil {
		return nil
	}
	for _, w := range sc.works {
		if slices.Contains(w.opens, m) {
			return w
		}
	}
	return nil
}

func (sc *clientScope) cancelling(m *model.Method) *work {
	if sc == nil {
		return nil
	}
	for _, w := range sc.works {
		if slices.Contains(w.cancels, m) {
			return w
		}
	}
	return nil
}

// byHand reports whether a part of the package is written by hand.
func (w *work) byHand() bool { return w.link != nil && w.link.Fold != "" }

// foldName is the type that is then written.
func (w *work) foldName() string { return unexported(exported(w.link.Fold)) + "Fold" }

// folded is the work of a scope that is partly by hand; nil: none is.
func (sc *clientScope) folded() *work {
	if i := slices.IndexFunc(sc.works, (*work).byHand); i >= 0 {
		return sc.works[i]
	}
	return nil
}

// params are the type arguments of what a scope stands on.
func (sc *clientScope) params() []jen.Code {
	if len(sc.works) == 0 {
		return []jen.Code{jen.Struct(), jen.Struct()}
	}
	return []jen.Code{sc.typeArg(sc.ticket), sc.typeArg(sc.of)}
}

func (sc *clientScope) typeArg(name string) jen.Code {
	if name == "any" {
		return jen.Any()
	}
	return sc.ref(name)
}

// handleOf is the handle of what a method begins. Where several methods begin the
// same, each has one of its own, since their receipts differ.
func (c *client) handleOf(w *work, m *model.Method) string {
	if len(w.opens) == 1 {
		return w.activity.Handle
	}
	return c.handleName(m) + w.activity.Handle
}

// The names of how a work ends. A client that follows several has them by the
// handles' names.
func (w *work) own(name string) string {
	if w.alone {
		return name
	}
	return w.activity.Handle + name
}

func (w *work) outcomeType() string    { return w.own("Outcome") }
func (w *work) settlementType() string { return w.own("Settlement") }

func (w *work) outcomeOf() string {
	if w.alone {
		return "outcomeOf"
	}
	return unexported(w.activity.Handle) + "OutcomeOf"
}

func (w *work) outcomeConst(o *model.Outcome) string { return w.outcomeType() + exported(o.Name) }

// outcomeText is the name of an outcome as runtime/client has it.
func (w *work) outcomeText(name string) jen.Code {
	if o := outcomeBy(w.activity, func(o *model.Outcome) bool { return o.Name == name }); o != nil {
		return jen.String().Call(jen.Id(w.outcomeConst(o)))
	}
	return jen.Lit(name)
}

// outcomeText is that of an outcome of all works of a scope.
func (sc *clientScope) outcomeText(name string) jen.Code {
	if len(sc.works) == 1 {
		return sc.works[0].outcomeText(name)
	}
	return jen.Lit(name)
}
