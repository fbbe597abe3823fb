// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func outcomeBy(a *model.Activity, is func(*model.Outcome) bool) *model.Outcome {
	if i := slices.IndexFunc(a.Outcomes, is); i >= 0 {
		return a.Outcomes[i]
	}
	return nil
}

// emitOutcomes writes how an activity may end, and how its last message says
// so.
func (c *client) emitOutcomes(s *source, w *work) {
	a, name := w.activity, w.outcomeType()
	s.decl(name+" is how "+article(a.Name)+" ended, as this client reports it.", jen.Type().Id(name).String())
	var defs, ok []jen.Code
	for i, o := range a.Outcomes {
		if i > 0 {
			defs = append(defs, jen.Line())
		}
		doc := docAs(o.Doc.EN, exported(a.Name)+exported(o.Name), w.outcomeConst(o))
		defs = append(defs, comments(doc)...)
		defs = append(defs, jen.Id(w.outcomeConst(o)).Id(name).Op("=").Lit(o.Name))
		if o.OK {
			ok = append(ok, jen.Id("o").Op("==").Id(w.outcomeConst(o)))
		}
	}
	if len(defs) > 0 {
		defs = append(defs, jen.Line())
	}
	defs = append(defs, comments(w.unsettled()+" is no end: the handle does not know how the "+a.Name+" ended, or that it has. The error says why.")...)
	defs = append(defs, jen.Id(w.unsettled()).Id(name).Op("=").Qual(clientPath, "Unsettled"))
	if o := outcomeBy(a, func(o *model.Outcome) bool { return o.Name == "unsettled" }); o != nil {
		c.problems.Add(o.Pos, "outcome unsettled of %s is the one that a client has for work whose end it does not know: give it another name", a.Name)
	}
	s.decl(the(w), jen.Const().Defs(defs...))
	success := jen.Code(jen.False())
	if len(ok) > 0 {
		sum := jen.Add(ok[0])
		for _, o := range ok[1:] {
			sum = sum.Op("||").Add(o)
		}
		success = sum
	}
	s.decl("OK reports whether the outcome is a success.",
		jen.Func().Params(jen.Id("o").Id(name)).Id("OK").Params().Bool().Add(oneLine(jen.Return(success))))
	c.emitOutcomeOf(s, w)
	c.emitOutcomeError(s, w)
	if !w.byHand() {
		c.emitSettlement(s, w)
	}
}

// the is the comment above an activity's outcomes.
func the(w *work) string {
	if w.alone {
		return "The outcomes."
	}
	return "The outcomes of " + article(w.activity.Name) + "."
}

// emitOutcomeOf writes the function that reads the outcome.
func (c *client) emitOutcomeOf(s *source, w *work) {
	a, name, outcome := w.activity, w.outcomeOf(), w.outcomeType()
	other := jen.Code(jen.Lit(""))
	if o := outcomeBy(a, func(o *model.Outcome) bool { return o.Other }); o != nil {
		other = jen.Id(w.outcomeConst(o))
	}
	f, typeName := c.outcomeMember(a)
	if f == nil {
		s.decl("", jen.Func().Id(name).Params(jen.Op("*").Add(c.ref(typeName))).Id(outcome).Block(jen.Return(other)))
		return
	}
	param := jen.Id("stated").Add(c.fieldType(f))
	value := jen.Id("stated")
	if u := c.names.unions[c.under(f.Type).Name]; u != nil && c.kind(f.Type) == interfaceKind {
		t := c.types[c.under(f.Type).Name]
		var cases []jen.Code
		for _, o := range a.Outcomes {
			var variants []jen.Code
			for _, is := range o.Is {
				for _, v := range t.Union.Variants {
					for _, want := range is.Values {
						if v.Wire == want {
							variants = append(variants, c.ref(u.constant(v)))
						}
					}
				}
			}
			if len(variants) > 0 {
				cases = append(cases, jen.Case(variants...).Block(jen.Return(jen.Id(w.outcomeConst(o)))))
			}
		}
		// By its tag, so that one whose other members are not as they should be,
		// which is kept raw, says it too.
		s.decl(name+" returns the outcome that the last message states.", jen.Func().Id(name).Params(param).Id(outcome).Block(
			jen.If(value.Op("==").Nil()).Block(jen.Return(other)),
			jen.Switch(jen.Id("stated."+u.method).Call()).Block(cases...), jen.Return(other)))
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
			cases = append(cases, jen.Case(values...).Block(jen.Return(jen.Id(w.outcomeConst(o)))))
		}
	}
	s.decl(name+" returns the outcome that the last message states.", jen.Func().Id(name).Params(param).Id(outcome).Block(
		jen.Switch(value).Block(cases...), jen.Return(other)))
}

// outcomeMember returns the member of an activity's last message that says how
// it ended, in the variant or the params that it ends with.
func (c *client) outcomeMember(a *model.Activity) (*model.Field, string) {
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
