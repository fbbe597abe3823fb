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
	more := jen.Code(jen.Id("r." + next.Name).Op("!=").Nil())
	if !c.isPointer(next) {
		more = jen.Id("r." + next.Name).Op("!=").Lit("")
	}
	page := []jen.Code{jen.Id("r").Op(":=").New(jen.Id(m.Result))}
	page = append(page, c.exchange(sc, m, jen.Id("r"), nil)...)
	page = append(page,
		jen.Err().Op(":=").Add(do()),
		jen.Id("p."+cursor.Name).Op("=").Id("r."+next.Name),
		jen.Return(jen.Id("r."+items.Name), more, jen.Err()),
	)
	body := append(fill, jen.Return(jen.Qual(trackPath, "Pages").Call(
		jen.Func().Params().Params(jen.Index().Add(elem), jen.Bool(), jen.Error()).Block(page...))))
	s.decl(c.methodDoc(m, "It reads the next page when the loop comes to its end; an error ends it."),
		receiver.Id(c.handleName(m)).Params(params...).Qual("iter", "Seq2").Types(jen.Op("*").Add(elem), jen.Error()).Block(body...))
}
