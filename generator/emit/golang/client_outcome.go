package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

func outcomeConst(o *model.Outcome) string { return "Outcome" + exported(o.Name) }

// outcomeText is the name of an outcome as package track has it.
func outcomeText(a *model.Activity, name string) jen.Code {
	if o := outcome(a, name); o != nil {
		return jen.String().Call(jen.Id(outcomeConst(o)))
	}
	return jen.Lit(name)
}

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
