// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unlacked = Rule{
	ID: "unlacked", Severity: problem.Error, Whole: true,
	About: model.Text{
		EN: "A method that is new since a version is in the Lacks of every generation, since none of them has a version: else clients take it that such peers serve it.",
		ZH: "自某个版本起新增的方法须列入每个世代的 Lacks，因为世代都没有版本：否则客户端会认为这类对端提供该方法。",
	},
	check: func(p *pass) {
		n := p.m.Negotiation
		if n == nil {
			return
		}
		for _, m := range p.m.Methods {
			if !slices.ContainsFunc(n.Versions, func(v int) bool { return strconv.Itoa(v) == m.Since }) {
				continue
			}
			var has []string
			var add [][]string
			for _, g := range p.m.Generations {
				if !slices.Contains(m.Lacks, g.Name) {
					has = append(has, g.Name)
					add = append(add, []string{"list", g.Var, "Lacks", m.Var})
				}
			}
			if len(has) > 0 {
				p.report(m.Var, m.Pos, "method %s is since %s, which %s did not have: add it to the Lacks of each",
					"方法 %s 自版本 %s 起提供，而 %s 没有该版本：请加入各自的 Lacks", m.Name, m.Since, strings.Join(has, ", "))
				p.fix(add...)
			}
		}
	},
}
