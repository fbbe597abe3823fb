// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Only what Markdown takes for code is left as it is: a span between two runs of as
// many backquotes.
func TestTagsAreShown(t *testing.T) {
	for text, want := range map[string]string{
		"a <b>":                      "a &lt;b>",
		"`<b>`":                      "`<b>`",
		"one ` and <b>":              "one ` and &lt;b>",
		"`` a ` <b> `` and <i>":      "`` a ` <b> `` and &lt;i>",
		"`` never closed ` <b>":      "`` never closed ` &lt;b>",
		"`a` and ` and <b>":          "`a` and ` and &lt;b>",
		"``` ` ``":                   "``` ` ``",
		"`a``<b>`":                   "`a``<b>`",
		"":                           "",
		"\\`<u>\\`":                  "\\`&lt;u>\\`",
		"\\\\`<u>`":                  "\\\\`<u>`",
		"\\``<u>` <u>":               "\\``<u>` &lt;u>",
		"`a\\`<u>`":                  "`a\\`&lt;u>`",
		"\\<u><u>\\":                 "\\<u>&lt;u>\\",
		"zh：`<b>` 与 <img src=x> 与 `": "zh：`<b>` 与 &lt;img src=x> 与 `",
	} {
		assert.Equal(t, want, safe(text), "%q", text)
	}
}

// A bar or a line break in a cell does not end it, whatever the cell holds.
func TestCellsOfTables(t *testing.T) {
	table := newTable("a", "b")
	table.row(value("done|partly"), "text | with `a|b`\nin two lines")
	table.row(value(""), value("a\nb"))
	assert.Equal(t, strings.Join([]string{
		"| a | b |", "| --- | --- |",
		"| `done\\|partly` | text \\| with `a\\|b` in two lines |",
		"| `\"\"` | `\"a\\nb\"` |", "",
	}, "\n"), table.String())
}
