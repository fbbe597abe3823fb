// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is Markdown in a pipe is read on a terminal: tables are lists, nothing is
// wider than the terminal, and no mark is left over.
func TestLaidOut(t *testing.T) {
	page := strings.Join([]string{
		"### `job/print`", "",
		"*method of the protocol queue*", "",
		"Prints a page, and says so when it is done with it.", "",
		"| fact |  |", "| --- | --- |", "| from | client |", "| settled by | if `a` is `b`: the end<br>otherwise: the response |", "",
		"**params**: `Page`", "",
		"| name | type | meaning |", "| --- | --- | --- |", "| `text` | string | Its text, a \\| b, as it is to be printed on paper. |", "",
		"```json", "{\"text\": \"a **b**\"}", "```", "",
		"打印一页纸，完成之后说明结果，然后等待下一页，直到没有为止。",
	}, "\n")
	want := strings.TrimLeft(`
job/print

method of the protocol queue

Prints a page, and says so when it is
done with it.

  from  client
  settled by  if `+"`a` is `b`"+`: the end;
      otherwise: the response

params: `+"`Page`"+`

  `+"`text`"+`  string
      Its text, a | b, as it is to be
      printed on paper.

    {"text": "a **b**"}

打印一页纸，完成之后说明结果，然后等待下
一页，直到没有为止。
`, "\n")
	assert.Equal(t, want, laidOut(page, 40, false))
	painted := laidOut(page, 40, true)
	assert.Contains(t, painted, "\x1b[1mjob/print\x1b[0m\n")
	assert.Contains(t, painted, "if \x1b[36ma\x1b[0m is")
	assert.Contains(t, painted, "\x1b[2mmethod of the protocol queue\x1b[0m")
}
