// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitReadMarks writes what each message means.
func (c *client) emitReadMarks(s *source, sc *clientScope, on func() *jen.Statement) {
	cases := c.byParams(c.scopedIn(sc), jen.Id("it.Kind"), func(n *model.Notification) []jen.Code { return c.marks(sc, n) })
	var body []jen.Code
	if len(cases) > 0 {
		body = append(body, jen.Switch(jen.Id("p").Op(":=").Id("it.Note").Assert(jen.Type())).Block(cases...))
	}
	switch {
	case sc.folded() != nil:
		body = append(body, jen.Id("k."+sc.folded().foldName()+".Read").Call(jen.Id("it"), jen.Id("m")))
	case len(sc.works) > 0:
		body = append(body, jen.Id("m.Late").Op("=").Id("k.Late").Call(jen.Id("m.Key"), jen.Id("m.Keyed"), jen.Id("m.Ends")))
	}
	s.decl("Read implements client.Knowledge.", on().Id("Read").
		Params(jen.Id("it").Op("*").Qual(clientPath, "Item"), jen.Id("m").Op("*").Qual(clientPath, "Marks").Types(sc.params()...)).Block(body...))
}

// marks are the statements that say what a notification means.
func (c *client) marks(sc *clientScope, n *model.Notification) []jen.Code {
	r := &reading{client: c, sc: sc, n: n, variants: map[*model.Variant][]jen.Code{}}
	r.scope()
	r.lives()
	for _, w := range sc.works {
		r.w = w
		r.carried(w.activity)
		r.activity(w.activity)
		r.claimed()
		r.excepted(w.activity)
	}
	r.byVariant()
	return r.body
}

// reading gathers the statements about one notification: those about its
// params, p, and those about one variant of the union in them, d.
type reading struct {
	*client
	sc   *clientScope
	w    *work // that is looked at
	n    *model.Notification
	body []jen.Code
	bore string // the activity whose key the message bears

	union    *model.Type // what distinguishes the variants; nil: none is
	at       *model.Field
	variants map[*model.Variant][]jen.Code
	order    []*model.Variant
}

func (r *reading) variant(v *model.Variant, code ...jen.Code) {
	if !slices.Contains(r.order, v) {
		r.order = append(r.order, v)
	}
	r.variants[v] = append(r.variants[v], code...)
}

// frame adds what code says of a frame, if it is of this notification. pos is where
// it is declared.
func (r *reading) frame(f *model.Frame, pos model.Pos, code func(base, typeName string) []jen.Code) {
	if f == nil || f.Notification != r.n.Name {
		return
	}
	if v := r.variantOf(f); v != nil {
		r.union, r.at = r.unionAt(f)
		r.variant(v, r.where(f, "d", v.Type, pos, code("d", v.Type))...)
		return
	}
	r.body = append(r.body, r.where(f, "p", r.n.Params, pos, code("p", r.n.Params))...)
}

// scope says whether the message is sent again, and whether it ends the scope.
func (r *reading) scope() {
	for _, m := range r.calls(model.Client) {
		if again := m.Replays; again != nil && again.Notification == r.n.Name {
			r.body = append(r.body, jen.Id("m.Replay").Op("=").Id("p."+r.member(r.n.Params, again.Marker).Name))
		}
	}
	if as := r.over(r.sc, r.n); as != "" {
		r.body = append(r.body, jen.Id("m.Over").Op("=").Add(r.sc.outcomeText(as)))
	}
}

// carried says which activity the message bears the key of.
func (r *reading) carried(a *model.Activity) {
	for _, k := range r.n.Carry {
		if k.Activity != a.Name {
			continue
		}
		if r.bore != "" {
			r.problems.Add(r.n.Pos, "%s bears the keys of %s and %s, but a client follows one of them by a message", r.n.Name, r.bore, a.Name)
			continue
		}
		r.bore = a.Name
		expr, f := r.memberAt(jen.Id("p"), r.n.Params, k.Key)
		if f == nil {
			r.problems.Add(r.n.Pos, "%s bears the key of %s in a member that a client cannot reach", r.n.Name, a.Name)
			continue
		}
		r.body = append(r.body, r.keyed(f, expr)...)
	}
}

// activity says what begins and ends an activity, and what settles a call
// otherwise.
func (r *reading) activity(a *model.Activity) {
	r.frame(a.Begins, a.Pos, func(base, typeName string) []jen.Code {
		return append(r.frameKey(r.w, a.Begins, base, typeName), jen.Id("m.Begins").Op("=").True())
	})
	r.frame(a.Ends, a.Pos, func(base, typeName string) []jen.Code {
		code := append(r.frameKey(r.w, a.Ends, base, typeName), jen.Id("m.Ends").Op("=").True())
		stated := jen.Code(jen.Id(base))
		if f, _ := r.outcomeMember(a); f != nil {
			stated = jen.Id(base + "." + f.Name)
		}
		return append(code, jen.Id("m.As").Op("=").String().Call(jen.Id(r.w.outcomeOf()).Call(stated)))
	})
	if r.w.byHand() || r.over(r.sc, r.n) != "" {
		return
	}
	said := map[string]bool{} // several methods may be settled by the same
	for _, m := range r.w.opens {
		for _, way := range waysOf(m) {
			if way.How != model.ByFrame || way.Frame == nil || way.Frame.Notification != r.n.Name {
				continue
			}
			if key := fmt.Sprintf("%+v %s", *way.Frame, way.As); !said[key] {
				said[key] = true
				r.frame(way.Frame, a.Pos, func(base, typeName string) []jen.Code { return r.settledBy(r.w, m, way, base, typeName) })
			}
		}
	}
}

// claimed says which ticket the message gives to an activity.
func (r *reading) claimed() {
	l := r.w.link
	if l == nil || l.Fold != "" {
		return
	}
	r.frame(l.By, l.Pos, func(base, typeName string) []jen.Code {
		f := r.memberOf(typeName, l.From)
		if f == nil || r.isPointer(f) {
			r.problems.Add(l.Pos, "link %s leads from a %s, but its frame has no plain member of that type", l.Name, l.From)
			return nil
		}
		return append(r.frameKey(r.w, l.By, base, typeName),
			jen.Id("m.Claims").Op("=").Append(jen.Id("m.Claims"), jen.Id(base+"."+f.Name)))
	})
}

// excepted says which variants do not belong to the activity, though the key is
// next to them.
func (r *reading) excepted(a *model.Activity) {
	var except []string
	for _, k := range r.n.Carry {
		if k.Activity == a.Name {
			except = k.Except
		}
	}
	for _, wire := range except {
		for _, t := range r.p.Types {
			if t.Union == nil || r.memberOf(r.n.Params, t.Name) == nil {
				continue
			}
			for _, v := range t.Union.Variants {
				if v.Wire == wire && (r.union == nil || r.union == t) {
					r.union, r.at = t, r.memberOf(r.n.Params, t.Name)
					r.variant(v)
					r.variants[v] = append([]jen.Code{jen.Id("m.Keyed").Op("=").False()}, r.variants[v]...)
				}
			}
		}
	}
}

// byVariant adds the switch over the variants.
func (r *reading) byVariant() {
	if len(r.order) == 0 {
		return
	}
	var cases []jen.Code
	uses := false
	for _, v := range r.order {
		cases = append(cases, jen.Case(jen.Op("*").Add(r.ref(v.Type))).Block(r.variants[v]...))
		uses = uses || slices.ContainsFunc(r.variants[v], readsVariant)
	}
	value := jen.Id("p." + r.at.Name)
	if u := r.names.unions[r.union.Name]; u.content != "" {
		value = value.Dot(u.content)
	}
	if uses {
		r.body = append(r.body, jen.Switch(jen.Id("d").Op(":=").Add(value).Assert(jen.Type())).Block(cases...))
		return
	}
	r.body = append(r.body, jen.Switch(value.Assert(jen.Type())).Block(cases...))
}

// aVariant is the variable that holds a variant, where a statement reads it.
var aVariant = regexp.MustCompile(`\bd\b`)

func readsVariant(code jen.Code) bool { return aVariant.MatchString(fmt.Sprintf("%#v", code)) }

// settledBy are the statements about a frame that settles a call in another way
// than the end of its activity: the frame names the ticket, or the activity.
func (c *client) settledBy(w *work, m *model.Method, way model.Way, base, typeName string) []jen.Code {
	said := jen.Id("m.As").Op("=").Add(w.outcomeText(way.As))
	expr, f := c.frameMember(way.Frame, base, typeName)
	switch {
	case way.Frame.Key == "" || f == nil || f.Type.Kind != model.RefNamed:
		c.problems.Add(m.Pos, "%s is settled by %s, which does not say of which call: give the frame a Key", m.Name, way.Frame.Notification)
		return nil
	case f.Type.Name == w.of:
		return append(c.frameKey(w, way.Frame, base, typeName), jen.Id("m.Ends").Op("=").True(), said)
	case f.Type.Name == w.ticket && !c.isPointer(f):
		return []jen.Code{jen.Id("m.Settles").Op("=").Append(jen.Id("m.Settles"), expr), said}
	}
	c.problems.Add(m.Pos, "%s is settled by %s, whose key is neither a %s nor a %s", m.Name, way.Frame.Notification, w.of, w.ticket)
	return nil
}
