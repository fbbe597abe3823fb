// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var keyedAbsent = Rule{
	ID: "keyed-absent", Severity: problem.Error,
	About: model.Text{
		EN: "A method whose calls are repeated by key says what a call without the key means.",
		ZH: "按键重复调用的方法要说明不带键的调用意味着什么。",
	},
	check: func(p *pass) {
		for _, m := range p.m.Methods {
			r := m.Repeats
			if r == nil || r.How != model.Keyed || r.Absent != "" || r.Key == "" {
				continue
			}
			if at := p.member(m.Params, r.Key); at != nil && at.field != nil && at.field.Always() {
				continue
			}
			p.report(m.Var, cmp.Or(r.Pos, m.Pos), "method %s is keyed by %s, but does not say what a call without it means: set Absent", "方法 %s 以 %s 为键，但没有说明缺少该键的调用意味着什么：请设置 Absent", m.Name, r.Key)
		}
	},
}

var keyedHole = Rule{
	ID: "keyed-hole", Severity: problem.Error,
	About: model.Text{
		EN: "A keyed method says which member is the key, for how long it is known, what makes two calls the same, and which error is returned if they are not.",
		ZH: "带键的方法要说明哪个成员是键、键的有效期、何为相同的调用，以及内容不同时的错误。",
	},
	check: func(p *pass) {
		for _, m := range p.m.Methods {
			r := m.Repeats
			if r == nil || r.How != model.Keyed {
				continue
			}
			var missing []string
			for _, w := range []struct {
				word string
				said bool
			}{{"By", r.Key != ""}, {"Window", r.Window != ""}, {"Fingerprint", len(r.Fingerprint) > 0}, {"Conflict", r.Conflict != ""}} {
				if !w.said {
					missing = append(missing, w.word)
				}
			}
			if len(missing) > 0 {
				p.report(m.Var, cmp.Or(r.Pos, m.Pos), "method %s is keyed, but does not say %s", "方法 %s 带键，但没有说明 %s", m.Name, strings.Join(missing, ", "))
			}
		}
	},
}
