// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"
	"strconv"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var unknownVersion = Rule{
	ID: "unknown-version", Severity: problem.Error,
	About: model.Text{
		EN: "What is new since a version names one that is negotiated or a generation without negotiation; what one generation alone writes names a generation.",
		ZH: "“自某版本起”须指明可协商的版本或未协商的世代；仅由某个世代写出的内容须指明该世代。",
	},
	check: func(p *pass) {
		var versions, generations []string
		if p.m.Negotiation != nil {
			for _, v := range p.m.Negotiation.Versions {
				versions = append(versions, strconv.Itoa(v))
			}
		}
		for _, g := range p.m.Generations {
			generations = append(generations, g.Name)
		}
		since := func(variable, what, version string, pos model.Pos) {
			if version != "" && len(versions)+len(generations) > 0 && !slices.Contains(versions, version) && !slices.Contains(generations, version) {
				p.report(variable, pos, "%s is since %q, which is no version or generation of this protocol", "%s 标注自 %q 起，但它不是本协议的版本或世代", what, version)
			}
		}
		for _, m := range p.m.Methods {
			since(m.Var, "method "+m.Name, m.Since, m.Pos)
		}
		for _, n := range p.m.Notifications {
			since(n.Var, "notification "+n.Name, n.Since, n.Pos)
		}
		for _, t := range p.m.Types {
			for _, f := range t.Fields {
				since("", t.Name+"."+f.Wire, f.Since, f.Pos)
			}
			if t.Union == nil {
				continue
			}
			for _, v := range t.Union.Variants {
				since("", "variant "+v.Wire, v.Since, v.Pos)
				if v.Only != "" && !slices.Contains(generations, v.Only) {
					p.report("", v.Pos, "variant %s is written by %q alone, which is no generation of this protocol", "变体 %s 仅由 %q 写出，但它不是本协议的世代", v.Wire, v.Only)
				}
			}
		}
	},
}
