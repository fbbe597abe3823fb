// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unusedError = Rule{
	ID: "unused-error", Severity: problem.Error, Whole: true,
	About: model.Text{
		EN: "Every error is named by something that can fail with it: a method, a queue, a limit, the negotiation. What stands for a fault, and what the client finds, belongs to every call.",
		ZH: "每个错误都由可能因此失败的事物指明：方法、队列、限制或协商。代表连接自身故障的错误和由客户端发现的错误属于所有调用。",
	},
	check: func(p *pass) {
		used := map[string]bool{}
		for _, m := range p.m.Methods {
			for _, kind := range m.Fails {
				used[kind] = true
			}
			if m.Repeats != nil {
				used[m.Repeats.Conflict] = true
			}
		}
		for _, s := range p.m.Scopes {
			if s.Queue != nil {
				used[s.Queue.Full] = true
			}
		}
		for _, l := range p.m.Limits {
			used[l.Error] = true
		}
		if n := p.m.Negotiation; n != nil {
			used[n.Unsupported], used[n.Before] = true, true
		}
		for _, machine := range p.m.Machines {
			for _, c := range machine.Cells {
				used[c.Fails] = true
			}
		}
		for _, e := range p.m.Errors {
			if !used[e.Kind] && !everyCalls(e) {
				p.report(e.Var, e.Pos, "no method fails with %s: list it in the Fails of those that do, or remove it", "没有方法以 %s 失败：请列入相应方法的 Fails，或将其删除", e.Kind)
			}
		}
	},
}

// everyCalls reports whether an error needs no method to name it.
func everyCalls(e *model.Error) bool {
	return e.Fault != "" || e.At == model.Client
}
