// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

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
		case len(is.Values) == 0 && f.Always() && f.Null(): // it is there, but may be null
			null := jen.Add(expr).Dot("Null")
			if !is.Absent {
				null = jen.Op("!").Add(null)
			}
			or(null)
		case len(is.Values) == 0:
			op := "!="
			if is.Absent {
				op = "=="
			}
			or(jen.Add(expr).Op(op).Add(g.nothing(f)))
		case g.isPointer(f) || f.Null():
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
				return g.ref(v.Name)
			}
		}
	}
	return jen.Lit(wire)
}
