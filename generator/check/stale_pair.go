// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"unicode/utf8"

	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// StalePair is the id of the rule whose findings are confirmed by their keys.
const StalePair = "stale-pair"

var stalePair = Rule{
	ID: StalePair, Severity: problem.Error, Texts: true,
	About: model.Text{
		EN: "A text of which one language has changed since both were confirmed: change the other too, or confirm with `accord gen --confirm KEY` that it still says the same.",
		ZH: "自双方确认以来只改了一种语言的说明：请同时修改另一种，或用 `accord gen --confirm KEY` 确认含义仍然一致。",
	},
	check: func(p *pass) {
		for _, d := range p.o.Drifts {
			other, changed, old := translation.Chinese, d.Text.Doc.EN, d.Text.Doc.ZH
			names := [2]string{"英文", "中文"}
			if d.Changed == translation.Chinese {
				other, changed, old = translation.English, old, changed
				names = [2]string{"中文", "英文"}
			}
			p.add(d.Text.Var, problem.Problem{Pos: d.Text.Pos, At: d.Text.Key, Text: model.Text{
				EN: fmt.Sprintf("the %s text of %s has changed since it was last confirmed, and the %s has not: %q against %q; change that too, or run `accord gen --confirm %q`",
					d.Changed, d.Text.Key, other, excerpt(changed), excerpt(old), d.Text.Key),
				ZH: fmt.Sprintf("%s 的%s自上次确认后已更改，而%s没有：“%s”对“%s”；请一并修改，或执行 `accord gen --confirm %q`", d.Text.Key, names[0], names[1], excerpt(changed), excerpt(old), d.Text.Key),
			}})
		}
	},
}

// excerpt is the beginning of a text.
func excerpt(text string) string {
	const most = 48
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
