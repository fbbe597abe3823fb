// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var defaultValue = Rule{
	ID: "default-value", Severity: problem.Error,
	About: model.Text{
		EN: "A default is a value that the member can have, and depends only on members of the same struct.",
		ZH: "默认值必须是该成员可能的取值，并且只能取决于同级成员。",
	},
	check: func(p *pass) {
		for _, t := range p.m.Types {
			for _, f := range t.Fields {
				if f.Default == nil {
					continue
				}
				values := []string{f.Default.Value}
				for _, w := range f.Default.When {
					values = append(values, w.Value)
					if !slices.ContainsFunc(t.Fields, func(o *model.Field) bool { return o.Wire == w.Member }) {
						p.report("", f.Pos, "the default of %s.%s hangs on %s, which is no member beside it", "%s.%s 的默认值取决于 %s，但它不是同级成员", t.Name, f.Wire, w.Member)
					}
				}
				known, _ := p.valuesOf(&member{field: f})
				for _, v := range values {
					switch {
					case known != nil && !slices.Contains(known, v):
						p.report("", f.Pos, "the default of %s.%s is %q, which it cannot be: it is one of %s", "%s.%s 的默认值 %q 不是可能的取值：%s", t.Name, f.Wire, v, strings.Join(known, ", "))
						p.fix(append([]string{"default", v}, known...))
					case f.Type.Kind == model.RefInt && !isInteger(v, f):
						p.report("", f.Pos, "the default of %s.%s is %q, which is no integer within its bounds", "%s.%s 的默认值 %q 不是其范围内的整数", t.Name, f.Wire, v)
					}
				}
			}
		}
	},
}

func isInteger(text string, f *model.Field) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max)
}
