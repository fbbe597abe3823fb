// SPDX-License-Identifier: Apache-2.0

package check

import (
	"regexp"
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var placeholder = regexp.MustCompile(`\{([A-Za-z][A-Za-z0-9]*)\}`)

var legacyMember = Rule{
	ID: "legacy-member", Severity: problem.Error, Blocks: true,
	About: model.Text{
		EN: "The text of an error fills {member} with a member of the error's data, or with the id of the scope that the call was made in.",
		ZH: "错误的文本用错误数据的成员或调用所在作用域的标识填入 {member}。",
	},
	check: func(p *pass) {
		// Every error's data may bear the scope's id, whatever messages call it.
		ids := map[string]bool{}
		for _, m := range p.m.Methods {
			if m.In != nil {
				ids[m.In.Key] = true
			}
		}
		for _, e := range p.m.Errors {
			for _, text := range append(slices.Clip(e.Legacy), e.Says) {
				for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
					name := found[1]
					if !ids[name] && !slices.ContainsFunc(e.Data, func(f *model.Field) bool { return f.Wire == name }) {
						p.report(e.Var, e.Pos, "the text %q of error %s has no member %s to fill in", "错误 %[2]s 的文本 %[1]q 没有可填入的成员 %[3]s", text, e.Kind, name)
					}
				}
			}
		}
	},
}
