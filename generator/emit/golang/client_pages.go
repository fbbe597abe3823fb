// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitPages writes a listing, page after page.
func (c *client) emitPages(s *source, sc *clientScope, m *model.Method) {
	cursor, next, items := c.member(m.Params, m.Pages.Cursor), c.member(m.Result, m.Pages.Next), c.member(m.Result, m.Pages.Items)
	if cursor == nil || next == nil || items == nil || c.kind(items.Type) != listKind {
		c.problems.Add(m.Pos, "the pages of %s need members %s, %s and a list %s", m.Name, m.Pages.Cursor, m.Pages.Next, m.Pages.Items)
		return
	}
	elem := c.goType(c.under(items.Type).Elem)
	receiver, _ := c.at(sc)
	params, fill := c.arguments(m, jen.Id("s.id"))
	page := []jen.Code{
		jen.Id("p").Op(":=").Id("p"),
		jen.Id("p." + cursor.Name).Op("=").Id("at"),
		jen.Id("r").Op(":=").New(c.ref(m.Result)),
	}
	page = append(page, c.exchange(sc, m, jen.Id("r"), nil)...)
	page = append(page,
		jen.Err().Op(":=").Add(do()),
		jen.Return(jen.Id("r."+items.Name), jen.Id("r."+next.Name), jen.Err()),
	)
	body := append(fill, jen.Return(jen.Qual(clientPath, "Pages").Call(
		jen.Func().Params(jen.Id("at").Add(c.fieldType(cursor))).Params(jen.Index().Add(elem), c.fieldType(cursor), jen.Error()).Block(page...))))
	s.decl(c.methodDoc(m, "It reads the next page when the loop comes to its end; an error ends it. Each loop begins with the first page."),
		receiver.Id(c.handleName(m)).Params(params...).Qual("iter", "Seq2").Types(jen.Op("*").Add(elem), jen.Error()).Block(body...))
}
