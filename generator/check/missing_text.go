// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var missingEnglish = Rule{
	ID: "missing-english", Severity: problem.Error, Texts: true,
	About: model.Text{
		EN: "Every declaration, payload type, member and value has an English text: its doc comment, above it.",
		ZH: "每个声明、载荷类型、成员和取值都有英文说明，即其上方的文档注释。",
	},
	check: func(p *pass) {
		for _, t := range p.texts() {
			switch {
			case t.Optional || t.Doc.EN != "":
			case t.Doc.ZH == "" && !p.excepted("missing-chinese", t.Var):
				p.report(t.Var, t.Pos, "%s has no text: write a comment above it, in English, and below it a paragraph in Chinese that begins with zh:",
					"%s 没有说明：请在其上方写英文注释，并在下面加上以 zh: 开头的中文段落", t.Key)
			default:
				p.report(t.Var, t.Pos, "%s has no English text: write a comment above it", "%s 没有英文说明：请在其上方写注释", t.Key)
			}
		}
	},
}

var missingChinese = Rule{
	ID: "missing-chinese", Severity: problem.Error, Texts: true,
	About: model.Text{
		EN: "Every text has a Chinese side: a paragraph of the doc comment that begins with zh: and all that follow it.",
		ZH: "每段说明都有中文：文档注释中以 zh: 开头的段落及其后的内容。",
	},
	check: func(p *pass) {
		for _, t := range p.texts() {
			// Of one that has neither the rule above has spoken.
			neither := t.Doc.EN == "" && (t.Optional || !p.excepted("missing-english", t.Var))
			if t.Doc.ZH == "" && !neither {
				p.report(t.Var, t.Pos, "%s has no Chinese text: end its comment with a paragraph that begins with zh:", "%s 没有中文说明：请在注释末尾加上以 zh: 开头的段落", t.Key)
			}
		}
	},
}
