// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// traceText is a trace in words, a line a step, and the state in which it ends.
func (g *graph) traceText(trace []step, here, others int) model.Text {
	var en, zh strings.Builder
	for i, st := range trace {
		number := say("\n  %d. ", "\n  %d. ", i+1)
		one := g.stepText(st)
		en.WriteString(number.EN + one.EN)
		zh.WriteString(number.ZH + one.ZH)
	}
	if here >= 0 {
		state := g.stateText(here)
		text := say("\n  here: %s", "\n  至此：%s", state.EN)
		en.WriteString(text.EN)
		zh.WriteString(strings.ReplaceAll(text.ZH, ", ", "，"))
	}
	if others > 0 {
		text := say("\n  and %d more ways to the same", "\n  另有 %d 种途径到达同样的情况", others)
		en.WriteString(text.EN)
		zh.WriteString(text.ZH)
	}
	return model.Text{EN: en.String(), ZH: zh.String()}
}

// stepText is one step: the move, what was answered, and what changed.
func (g *graph) stepText(st step) model.Text {
	name := g.moveText(st.cell)
	answer := g.answerText(st.cell)
	en, zh := name.EN, name.ZH
	if answer.EN != "" {
		en, zh = en+": "+answer.EN, zh+"："+answer.ZH
	}
	changes := g.changes(st.from, st.to)
	if st.cell.Waits {
		return model.Text{EN: en, ZH: zh}
	}
	if len(changes) == 0 {
		return model.Text{EN: en + "; nothing changes", ZH: zh + "；没有变化"}
	}
	var list []string
	for _, c := range changes {
		list = append(list, c[0]+" "+c[1]+" → "+c[2])
	}
	return model.Text{EN: en + "; " + strings.Join(list, ", "), ZH: zh + "；" + strings.Join(list, "，")}
}

// moveText names a move with the arguments that matter.
func (g *graph) moveText(c *model.Cell) model.Text {
	mv := g.move(c)
	if mv.Event != "" {
		return eventText(mv)
	}
	var args []string
	for i, a := range mv.Args {
		if values := g.m.Values(c, i); len(values) < len(a.Values) {
			args = append(args, a.Name+"="+values[0])
		}
	}
	if len(args) == 0 {
		return say("%s", "%s", mv.Method)
	}
	return model.Text{
		EN: mv.Method + " (" + strings.Join(args, ", ") + ")",
		ZH: mv.Method + "（" + strings.Join(args, "，") + "）",
	}
}

// eventText is an event's name, in Chinese as its author says it there.
func eventText(mv *model.Move) model.Text {
	t := model.Text{EN: mv.Event, ZH: mv.Event}
	if zh, _, _ := strings.Cut(mv.Doc.ZH, "。"); zh != "" {
		t.ZH = zh
	}
	return t
}

func (g *graph) answerText(c *model.Cell) model.Text {
	switch {
	case c.Waits:
		return say("is held", "被搁置")
	case c.Fails != "":
		return say("fails with %s", "以 %s 失败", c.Fails)
	case len(c.Says) > 0:
		return model.Text{EN: "is answered " + strings.Join(c.Says, ", "), ZH: "应答 " + strings.Join(c.Says, "，")}
	case c.Cuts && c.Told != nil:
		return say("is reported by %s", "由 %s 报告", frameText(c.Told))
	}
	return model.Text{}
}

// changes are a step's changes: dimension, from, to.
func (g *graph) changes(from, to int) [][3]string {
	var out [][3]string
	for dim, d := range g.m.Dims {
		if a, b := g.m.States[from][dim], g.m.States[to][dim]; a != b {
			out = append(out, [3]string{d.Name, a, b})
		}
	}
	return out
}

func (g *graph) stateText(state int) model.Text {
	var list []string
	for dim, d := range g.m.Dims {
		list = append(list, d.Name+" "+g.m.States[state][dim])
	}
	return model.Text{EN: strings.Join(list, ", "), ZH: strings.Join(list, "，")}
}

// frameText names a frame as the wire does.
func frameText(f *model.Frame) string {
	if f == nil {
		return "?"
	}
	name := f.Notification
	if f.Variant != "" {
		name = f.Variant
	}
	for _, is := range f.Where {
		member := strings.TrimPrefix(is.Member, f.Path+".")
		switch {
		case is.Absent:
			name += " " + member + "=" + absent
		case len(is.Values) == 0:
			name += " " + member + "=" + something
		default:
			name += " " + member + "=" + strings.Join(is.Values, "|")
		}
	}
	return name
}

// waysText lists ways to settle.
func (g *graph) waysText(ways []model.Way) model.Text {
	var names []string
	for _, w := range ways {
		name := frameText(w.Frame)
		switch w.How {
		case model.ByEnd:
			name = frameText(g.endOf(w.Activity))
		case model.ByCall:
			name = w.Method
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return model.Text{EN: strings.Join(names, ", "), ZH: strings.Join(names, "、")}
}
