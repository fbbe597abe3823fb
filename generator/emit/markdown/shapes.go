// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"github.com/accordkit/accord/spec/model"
)

// shapeTable lists the variants of a union by shape, and what distinguishes
// each.
func (w *writer) shapeTable(t *model.Type) string {
	tab := newTable(w.say(words.Name), w.say(words.Type), w.say(words.Tells), w.say(words.Meaning))
	for i, v := range t.Union.Variants {
		doc, name := v.Doc, v.Name
		if vt := w.types[v.Of.Name]; doc == (model.Text{}) && v.Of.Kind == model.RefNamed && vt != nil {
			doc, name = vt.Doc, vt.Name
		}
		tab.row(code(v.Wire), w.use(v.Of, true), w.distinction(t, i), w.summary(doc, name))
	}
	return tab.String()
}

// distinction says what distinguishes a variant: the kind of JSON that it is, and
// members that other objects do not have.
func (w *writer) distinction(t *model.Type, i int) string {
	v := t.Union.Variants[i]
	shape := model.ShapeOf(w.types, v.Of)
	text := w.shape(shape)
	tells, _, ok := model.Distinguish(w.types, t.Union, i)
	if shape != model.ObjectShape || !ok {
		return text
	}
	var parts []string
	for _, tell := range tells {
		parts = append(parts, w.say(words.IsValue, code(tell.Member), w.shape(tell.Shape)))
	}
	if len(parts) > 0 {
		return w.say(words.Where, text, w.join(parts, words.Clause))
	}
	for _, other := range t.Union.Variants[:i] {
		if model.ShapeOf(w.types, other.Of) == model.ObjectShape {
			return w.say(words.AnyOther, text)
		}
	}
	return text
}

// shape names kinds of JSON values.
func (w *writer) shape(s model.Shape) string {
	names := map[model.Shape]phrase{
		model.NullShape: {"null", "null"}, model.BoolShape: {"a boolean", "布尔值"}, model.NumberShape: {"a number", "数字"},
		model.StringShape: {"a string", "字符串"}, model.ListShape: {"a list", "列表"}, model.ObjectShape: {"an object", "对象"},
	}
	if s == model.AnyShape {
		return w.say(words.Any)
	}
	var out []string
	for _, one := range s.Shapes() {
		out = append(out, w.say(names[one]))
	}
	return w.join(out, words.Or)
}
