// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// chosen is the member of a method's params by which its caller chose the key
// of what settles the call; nil if the response brings it.
func (c *client) chosen(m *model.Method) *model.Field {
	for _, k := range m.Settles {
		for _, w := range k.By {
			if w.How != model.ByEnd || !w.Chosen {
				continue
			}
			f := c.member(m.Params, w.Key)
			if f == nil || c.isPointer(f) || f.Null() {
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

// ticketOf is the member by which a receipt names it, or by which its caller did.
func (c *client) ticketOf(w *work, m *model.Method) *model.Field {
	if f := c.chosen(m); f != nil {
		return f
	}
	for _, k := range m.Settles {
		for _, by := range k.By {
			if by.How == model.ByEnd && by.Activity == w.activity.Name && by.Key != "" {
				return c.member(m.Result, by.Key)
			}
		}
	}
	return nil
}

// ticketValue is the ticket of a handle.
func (c *client) ticketValue(w *work, m *model.Method) *jen.Statement {
	if c.chosen(m) != nil {
		return jen.Id("t.id")
	}
	return jen.Id("t.Receipt." + c.ticketOf(w, m).Name)
}
