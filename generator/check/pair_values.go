// SPDX-License-Identifier: Apache-2.0

package check

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var (
	quotedName = regexp.MustCompile("`([^`\n]+)`")
	number     = regexp.MustCompile(`[\w.-]*\d{2,}(?:\.\d+)?\w*`)
	digits     = regexp.MustCompile(`^\d+(?:\.\d+)?$`)
)

var pairValues = Rule{
	ID: "pair-values", Severity: problem.Warning, Texts: true,
	About: model.Text{
		EN: "What is code or a number of two digits and more in one language stands in the other too: the two sides of a text never disagree on a value.",
		ZH: "一种语言中的代码或两位以上的数字也应出现在另一种语言中：同一说明的双方在取值上不得不一致。",
	},
	check: func(p *pass) {
		for _, t := range p.texts() {
			if t.Doc.EN == "" || t.Doc.ZH == "" {
				continue
			}
			inEnglish, inChinese := missing(t.Doc.EN, t.Doc.ZH), missing(t.Doc.ZH, t.Doc.EN)
			switch {
			case inEnglish != "" && inChinese != "":
				p.report(t.Var, t.Pos, "the two texts of %s differ: the English has %s, and the Chinese %s", "%s 的两种说明不一致：英文有 %s，而中文有 %s", t.Key, inEnglish, inChinese)
			case inEnglish != "":
				p.report(t.Var, t.Pos, "the Chinese text of %s does not have %s, which the English has", "%s 的中文缺少英文中的 %s", t.Key, inEnglish)
			case inChinese != "":
				p.report(t.Var, t.Pos, "the English text of %s does not have %s, which the Chinese has", "%s 的英文缺少中文中的 %s", t.Key, inChinese)
			}
		}
	},
}

// missing gives the values of one text that another lacks, in its order.
func missing(from, in string) string {
	var lost []string
	var values []string
	for _, n := range number.FindAllString(quotedName.ReplaceAllString(from, ""), -1) {
		if digits.MatchString(n) { // and no part of a name
			values = append(values, n)
		}
	}
	for _, m := range quotedName.FindAllStringSubmatch(from, -1) {
		values = append(values, m[1])
	}
	for _, v := range values {
		if !strings.Contains(in, v) {
			lost = append(lost, strconv.Quote(v))
		}
	}
	return strings.Join(lost, ", ")
}
