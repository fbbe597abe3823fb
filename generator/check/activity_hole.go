// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var activityHole = Rule{
	ID: "activity-hole", Severity: problem.Error, Blocks: true,
	About: model.Text{
		EN: "Every activity says which frame ends it, and which member of that frame is its key: without them a caller that waits for an end cannot learn of it. The frame that ends it and the frames with its key are in its scope, where frames have one order.",
		ZH: "每个活动都要说明由哪一帧结束，以及该帧的哪个成员是它的键：否则等待其结束的调用方无法知道。结束它的帧和携带其键的帧都在它的作用域中，那里的帧有统一的顺序。",
	},
	check: func(p *pass) {
		notes := map[string]*model.Notification{}
		for _, n := range p.m.Notifications {
			notes[n.Name] = n
		}
		for _, a := range p.m.Activities {
			switch {
			case a.Ends == nil:
				p.report(a.Var, a.Pos, "activity %s does not say Ends: name the frame that ends it, with spec.On and spec.Key", "活动 %s 没有说明 Ends：请以 spec.On 与 spec.Key 指明结束它的帧", a.Name)
			case a.Ends.Key == "":
				p.report(a.Var, a.Pos, "activity %s is ended by %s, but does not say which one is: select its key there with spec.Key", "活动 %s 由 %s 结束，但没有说明结束的是哪一个：请以 spec.Key 选定其中的键", a.Name, a.Ends.Notification)
			}
			for _, n := range p.m.Notifications {
				bears := slices.ContainsFunc(n.Carry, func(c model.Carry) bool { return c.Activity == a.Name })
				if (bears || a.Ends != nil && a.Ends.Notification == n.Name) && a.In != "" && (n.In == nil || n.In.Scope != a.In) {
					p.report(n.Var, n.Pos, "notification %s is of the activity %s, but not in its scope %s, so that it may come after the end: say In", "通知 %s 属于活动 %s，但不在其作用域 %s 中，因而可能在结束之后才到：请说明 In", n.Name, a.Name, a.In)
				}
			}
		}
	},
}

var outcomeHole = Rule{
	ID: "outcome-hole", Severity: problem.Error,
	About: model.Text{
		EN: "Every end of an activity is one of its outcomes: one has Other, or their conditions name all values that there can be. A newer server may send what is unknown today.",
		ZH: "活动的每种结束都属于某个结局：要么有一个为 Other，要么各条件指明了全部可能的取值。较新的服务端可能发送今天未知的值。",
	},
	check: func(p *pass) {
		params := map[string]string{}
		for _, n := range p.m.Notifications {
			params[n.Name] = n.Params
		}
		for _, a := range p.m.Activities {
			if a.Ends == nil || len(a.Outcomes) == 0 {
				continue // the first is reported; without outcomes an end is an end
			}
			var conditions [][]model.Is
			other := false
			for _, o := range a.Outcomes {
				other = other || o.Other
				if len(o.Is) > 0 {
					conditions = append(conditions, o.Is)
				}
			}
			if !other && !p.covers(params[a.Ends.Notification], conditions) {
				p.report(a.Var, a.Pos, "activity %s can end in a way that is none of its outcomes: add one with Other: true", "活动 %s 可能以不属于任何结局的方式结束：请加入一个 Other: true 的结局", a.Name)
			}
		}
	},
}
