// SPDX-License-Identifier: Apache-2.0

package spec

import "github.com/accordkit/accord/spec/model"

// alone reports variants that are also used elsewhere: in another union, or by
// themselves where their tag is next to their members, and would be written all
// the same.
func (d *describer) alone() {
	owner := map[string]*model.Type{}
	for _, t := range d.out.Types {
		if t.Kind != model.KindUnion || t.Union.ByShape() {
			continue
		}
		for _, v := range t.Union.Variants {
			if other := owner[v.Type]; other != nil {
				d.problem(Place(v.Pos.File), "%s is a variant of %s already: give %s of %s a type of its own", v.Type, other.Name, v.Name, t.Name)
				continue
			}
			owner[v.Type] = t
		}
	}
	use := func(r *model.Ref, pos model.Pos) {
		for r != nil && r.Elem != nil {
			r = r.Elem
		}
		if r == nil || r.Kind != model.RefNamed {
			return
		}
		if u := owner[r.Name]; u != nil && u.Union.Content == "" {
			d.problem(Place(pos.File), "%s is a variant of %s, and its %s is written wherever it stands: use %s here, or a type of its own", r.Name, u.Name, u.Union.Tag, u.Name)
		}
	}
	for _, t := range d.out.Types {
		for _, f := range t.Fields {
			use(f.Type, f.Pos)
		}
		use(t.Of, t.Pos)
		if t.Kind == model.KindUnion {
			for _, v := range t.Union.Variants {
				use(v.Of, v.Pos)
			}
		}
	}
	for _, e := range d.out.Errors {
		for _, f := range e.Data {
			use(f.Type, f.Pos)
		}
	}
	message := func(name string, pos model.Pos) { use(&model.Ref{Kind: model.RefNamed, Name: name}, pos) }
	for _, m := range d.out.Methods {
		message(m.Params, m.Pos)
		message(m.Result, m.Pos)
	}
	for _, n := range d.out.Notifications {
		message(n.Params, n.Pos)
	}
}
