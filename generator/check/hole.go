// SPDX-License-Identifier: Apache-2.0

package check

import (
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var hole = Rule{
	ID: "hole", Severity: problem.Error,
	About: model.Text{
		EN: "Every method says what its response proves (Accepts), what a repeated call does (Repeats) and what it may run concurrently with (Runs): clients retry and servers queue accordingly.",
		ZH: "每个方法都要说明应答证明什么（Accepts）、重复调用的效果（Repeats）以及可与什么并行（Runs）：客户端据此重试，服务端据此排队。",
	},
	check: func(p *pass) {
		for _, m := range p.m.Methods {
			var missing []string
			if m.Accepts == "" {
				missing = append(missing, "Accepts")
			}
			if m.Repeats == nil {
				missing = append(missing, "Repeats")
			}
			if m.Runs == "" {
				missing = append(missing, "Runs")
			}
			if len(missing) > 0 {
				p.report(m.Var, m.Pos, "method %s does not say %s", "方法 %s 没有说明 %s", m.Name, strings.Join(missing, ", "))
			}
		}
	},
}
