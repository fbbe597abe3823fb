// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unsettled = Rule{
	ID: "unsettled", Severity: problem.Error,
	About: model.Text{
		EN: "Every accepted call is settled by something that its caller can see: the response, the end of an activity, another frame. Every result falls into a case. What is done with its answer is settled by nothing later.",
		ZH: "每个受理的调用都由调用方可见的事物敲定：应答、活动的结束或另一帧。每种结果都属于某个情形。应答时已经完成的工作，不能由之后的事物敲定。",
	},
	check: func(p *pass) {
		for _, m := range p.m.Methods {
			if len(m.Settles) == 0 {
				p.report(m.Var, m.Pos, "nothing settles method %s: say in Settles what proves that its work is over", "方法 %s 没有任何敲定方式：请在 Settles 中说明什么证明其工作结束", m.Name)
				continue
			}
			if !p.exhaustive(m) {
				p.report(m.Var, cmp.Or(m.Settles[len(m.Settles)-1].Pos, m.Pos), "method %s has results that no case of Settles covers: end it with spec.Otherwise", "方法 %s 有结果不属于 Settles 的任何情形：请以 spec.Otherwise 收尾", m.Name)
			}
			for _, c := range m.Settles {
				for _, w := range c.By {
					p.checkWay(m, w, cmp.Or(c.Pos, m.Pos))
				}
			}
		}
	},
}

func (p *pass) checkWay(m *model.Method, w model.Way, at model.Pos) {
	if m.Accepts == model.Done && w.How != model.ByResponse {
		p.report(m.Var, at, "method %s says that its work is over with the response, but is settled by something later: let it Accept Admitted or Durable, or settle it AtResponse", "方法 %s 声明应答时工作已结束，却由之后的事物敲定：请将 Accepts 改为 Admitted 或 Durable，或以 AtResponse 敲定", m.Name)
		return
	}
	switch w.How {
	case model.ByEnd:
		if w.Key == "" {
			p.report(m.Var, at, "method %s is settled by the end of a %s, but does not say of which: select its key in the result", "方法 %s 由 %s 的结束敲定，但没有说明是哪一个：请在结果中选定其键", m.Name, w.Activity)
		}
	case model.ByCall:
		if i := slices.IndexFunc(p.m.Methods, func(x *model.Method) bool { return x.Name == w.Method }); i >= 0 && p.m.Methods[i].From == m.From {
			p.report(m.Var, at, "method %s is settled by a later call of %s, which is not one of the other side's", "方法 %s 由之后对 %s 的调用敲定，但后者不是另一方的方法", m.Name, w.Method)
		}
	case model.ByFrame:
		if w.Frame == nil {
			p.report(m.Var, at, "method %s is settled by a frame that is nil", "敲定方法 %s 的帧为空", m.Name)
		}
	}
}

// exhaustive reports whether some case holds for each result: the last is
// Otherwise, or the cases name all values of one closed enum or boolean.
func (p *pass) exhaustive(m *model.Method) bool {
	if len(m.Settles[len(m.Settles)-1].If) == 0 {
		return true
	}
	var conditions [][]model.Is
	for _, c := range m.Settles {
		conditions = append(conditions, c.If)
	}
	return p.covers(m.Result, conditions)
}

// covers reports whether one of the conditions holds for each value of a type:
// they are on one member, and name all its values, or its presence and its
// absence.
func (r *run) covers(typeName string, conditions [][]model.Is) bool {
	if len(conditions) == 0 {
		return false
	}
	var named []string
	present, absent := false, false
	member := ""
	for i, c := range conditions {
		if len(c) != 1 || i > 0 && c[0].Member != member {
			return false
		}
		member = c[0].Member
		named = append(named, c[0].Values...)
		absent = absent || c[0].Absent
		present = present || !c[0].Absent && len(c[0].Values) == 0
	}
	if present && absent {
		return true
	}
	at := r.member(typeName, member)
	if at == nil || at.field == nil || !at.field.Always() {
		return false
	}
	values, closed := r.valuesOf(at)
	if !closed {
		return false
	}
	for _, v := range values {
		if !slices.Contains(named, v) {
			return false
		}
	}
	return true
}
