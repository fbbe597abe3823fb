// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/accordkit/accord/cmd/internal/layout"
)

// isTerminal says whether a file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colours says whether a file is a terminal that wants colours.
func colours(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(f)
}

// width is how wide text is laid out: the terminal's width, within what reads
// well.
func width() int {
	const least, usual, most = 40, 80, 100
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		n = windowWidth(os.Stdout)
	}
	if n <= 0 {
		n = usual
	}
	return min(max(n, least), most)
}

// The marks of the Markdown that pages are made of.
var (
	codeMark   = regexp.MustCompile("`([^`\n]+)`")
	strongMark = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	weakMark   = regexp.MustCompile(`(?m)^(\s*)\*([^*\n]+)\*$`)
	cellMark   = regexp.MustCompile(`(?:\\\||[^|])+`)
)

// laidOut turns a page of Markdown into lines for a terminal: a table's rows
// become a list, and paragraphs are wrapped.
func laidOut(page string, width int, colour bool) string {
	var b strings.Builder
	code, table := false, 0
	for line := range strings.Lines(strings.TrimRight(page, "\n")) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "|") {
			table = 0
		}
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code:
			b.WriteString("    " + line + "\n")
		case strings.HasPrefix(line, "|"):
			if table++; table > 2 { // past the head and its line
				b.WriteString(marked(row(line, width), colour))
			}
		case strings.HasPrefix(line, "#"):
			b.WriteString(paint(strings.Trim(strings.TrimLeft(line, "# "), "`"), "1", colour) + "\n")
		default:
			indent := ""
			if strings.HasPrefix(line, "- ") {
				indent = "  "
			}
			b.WriteString(marked(layout.Wrap(line, indent, width), colour))
		}
	}
	return b.String()
}

// row shows a row of a table: its first cell and what is short on a line, and the
// last cell, which is the longest, below it unless there are but two.
func row(line string, width int) string {
	var cells []string
	for _, c := range cellMark.FindAllString(line, -1) {
		if c = strings.ReplaceAll(strings.TrimSpace(c), `\|`, "|"); c != "" {
			cells = append(cells, strings.ReplaceAll(c, "<br>", "; "))
		}
	}
	switch n := len(cells); n {
	case 0:
		return ""
	case 1, 2:
		return layout.Wrap("  "+strings.Join(cells, "  "), "      ", width)
	default:
		return layout.Wrap("  "+cells[0]+"  "+strings.Join(cells[1:n-1], ", "), "      ", width) + layout.Wrap("      "+cells[n-1], "      ", width)
	}
}

// marked shows the marks of a text as colours, or leaves out those that are
// noise.
func marked(text string, colour bool) string {
	text = strongMark.ReplaceAllString(text, paint("$1", "1", colour))
	text = weakMark.ReplaceAllString(text, "$1"+paint("$2", "2", colour))
	if colour {
		text = codeMark.ReplaceAllString(text, paint("$1", "36", colour))
	}
	return text
}

func paint(text, style string, colour bool) string {
	if !colour {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}
