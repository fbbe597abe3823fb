// SPDX-License-Identifier: Apache-2.0

package markdown

import "strings"

// table is a GFM table. Columns that are empty in every row are left out.
type table struct {
	heads []string
	rows  [][]string
}

var inCell = strings.NewReplacer("\n", " ", "|", `\|`)

func newTable(heads ...string) *table { return &table{heads: heads} }

// row adds a row. Each cell becomes one line, and a bar in it does not end it.
func (t *table) row(cells ...string) {
	for i, c := range cells {
		cells[i] = inCell.Replace(strings.TrimSpace(c))
	}
	t.rows = append(t.rows, cells)
}

func (t *table) String() string {
	if len(t.rows) == 0 {
		return ""
	}
	var keep []int
	for i := range t.heads {
		used := i == 0
		for _, r := range t.rows {
			used = used || r[i] != ""
		}
		if used {
			keep = append(keep, i)
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, i := range keep {
			b.WriteByte(' ')
			b.WriteString(cells[i])
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
	line(t.heads)
	b.WriteByte('|')
	b.WriteString(strings.Repeat(" --- |", len(keep)))
	b.WriteByte('\n')
	for _, r := range t.rows {
		line(r)
	}
	return b.String()
}
