// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// carried are the messages of an activity, the live ones or the others.
func (c *client) carried(a *model.Activity, live bool) (list []*model.Notification) {
	for _, n := range c.p.Notifications {
		if n.Params == "" || live != (n.Live != nil) {
			continue
		}
		if slices.ContainsFunc(n.Carry, func(k model.Carry) bool { return k.Activity == a.Name }) {
			list = append(list, n)
		}
	}
	return list
}

// valued are the live messages that are handed out as values: those of
// activities that have no other live ones.
func (c *client) valued() (list []*model.Notification) {
	for _, sc := range c.scopes {
		for _, w := range sc.works {
			if live := c.carried(w.activity, true); len(w.opens) > 0 && len(live) == 1 && !slices.Contains(list, live[0]) {
				list = append(list, live[0])
			}
		}
	}
	return list
}

// spare is where those are kept that may be used again.
func spare(n *model.Notification) string { return "spare" + n.Params }

// emitStreams writes what an activity's messages are read by: those that are
// kept, and the live ones. Where several kinds of message are in one, it has
// values of any of them.
func (c *client) emitStreams(s *source, w *work, name string) {
	sc, a := w.sc, w.activity
	for _, live := range []bool{false, true} {
		list := c.carried(a, live)
		if len(list) == 0 {
			continue
		}
		from, method, what := "Events", "Messages", "the messages of the "+a.Name+", in order, with those that put its call in"
		if live {
			from, method, what = "Live", "LiveMessages", "the live messages of the "+a.Name+"; none comes after its end"
		}
		elem := jen.Code(jen.Any())
		items := jen.Id("t.run." + from).Call(jen.Id("ctx"))
		notes := jen.Qual(clientPath, "Notes").Types(elem).Call(items)
		if len(list) == 1 {
			n := list[0]
			words := words(n.Name)
			method = c.override(n.Name, plural(exported(words[len(words)-1])))
			what = strings.Replace(what, "messages", n.Name+" messages", 1)
			elem = jen.Op("*").Add(c.ref(n.Params))
			notes = jen.Qual(clientPath, "Notes").Types(elem).Call(items)
			if live {
				elem = c.ref(n.Params)
				notes = jen.Qual(clientPath, "Values").Call(items, jen.Op("&").Id("t."+unexported(sc.s.Handle)+".rt."+spare(n)))
			}
		} else {
			var types []string
			for _, n := range list {
				types = append(types, "*"+n.Params)
			}
			what += ". Each is one of " + strings.Join(types, ", ")
		}
		s.decl(method+" are "+what+". Each is handed out once: a second loop continues where the first stopped. They end with the "+a.Name+", or when ctx ends; Err says why if they ended early.",
			onActivity(name).Id(method).Params(ctxParam()).Qual("iter", "Seq").Types(elem).Block(jen.Return(notes)))
	}
}
