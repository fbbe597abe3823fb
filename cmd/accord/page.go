// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
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

// width is how wide text is laid out: the terminal's width where the shell says
// it, within what reads well.
func width() int {
	const least, most = 40, 100
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		return min(max(n, least), most)
	}
	return most
}

// The marks of the Markdown that pages are made of.
var (
	codeMark   = regexp.MustCompile("`([^`\n]+)`")
	strongMark = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	weakMark   = regexp.MustCompile(`(?m)^(\s*)\*([^*\n]+)\*$`)
)

// laidOut turns a page of Markdown into lines for a terminal: tables become
// lists, and paragraphs are wrapped.
func laidOut(page string, width int, colour bool) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
				b.WriteString("    " + lines[i] + "\n")
			}
		case strings.HasPrefix(line, "|"):
			var rows [][]string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				rows = append(rows, cells(lines[i]))
			}
			i--
			b.WriteString(marked(list(rows, width), colour))
		case strings.HasPrefix(line, "#"):
			title := strings.Trim(strings.TrimLeft(line, "# "), "`")
			b.WriteString(paint(title, "1", colour) + "\n")
		default:
			indent := ""
			if strings.HasPrefix(line, "- ") {
				indent = "  "
			}
			b.WriteString(marked(wrapped(line, "", indent, width), colour))
		}
	}
	return b.String()
}

// cells are the cells of a table's row.
func cells(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	out := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
	for i, c := range out {
		out[i] = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
	}
	return out
}

// list shows a table with a head, a line below it and rows. One whose second
// column has no head pairs names with facts; of others each row begins with its
// first cell and what is short, and what is long follows below.
func list(rows [][]string, width int) string {
	if len(rows) < 2 {
		return ""
	}
	var b strings.Builder
	facts := len(rows[0]) == 2 && rows[0][1] == ""
	label := 0
	for _, row := range rows[2:] {
		label = max(label, columns(row[0]))
	}
	for _, row := range rows[2:] {
		if facts {
			parts := strings.Split(row[1], "<br>")
			lead := "  " + row[0] + strings.Repeat(" ", label-columns(row[0])+2)
			for _, part := range parts {
				b.WriteString(wrapped(part, lead, strings.Repeat(" ", label+4), width))
				lead = strings.Repeat(" ", label+4)
			}
			continue
		}
		var short []string
		for i, c := range row[1 : len(row)-1] {
			if c != "" && i+1 < len(rows[0]) {
				short = append(short, strings.ReplaceAll(c, "<br>", "; "))
			}
		}
		lead := "  " + row[0]
		if len(short) > 0 {
			lead += "  " + strings.Join(short, ", ")
		}
		b.WriteString(wrapped(lead, "", "      ", width))
		for _, part := range strings.Split(row[len(row)-1], "<br>") {
			if part != "" {
				b.WriteString(wrapped(part, "      ", "      ", width))
			}
		}
	}
	return b.String()
}

// wrapped breaks a paragraph at blanks, and between Chinese characters where a
// line has none.
func wrapped(text, first, indent string, width int) string {
	var b strings.Builder
	line, at := first, columns(first)
	empty := true // but for its indentation
	flush := func() {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		line, at, empty = indent, columns(indent), true
	}
	for _, word := range pieces(text) {
		n := columns(strings.TrimRight(word, " "))
		if !empty && at+n > width {
			flush()
		}
		if empty && at == columns(indent) {
			word = strings.TrimLeft(word, " ")
		}
		line += word
		at += columns(word)
		empty = false
	}
	flush()
	return b.String()
}

// pieces are what a line may be broken behind: words with their blank, and
// Chinese characters with the punctuation that follows them.
func pieces(text string) []string {
	var out []string
	begin := 0
	runes := []rune(text)
	for i, r := range runes {
		next := rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if r == ' ' && next != ' ' || r >= 0x3400 && next != 0 && !closes(next) {
			out = append(out, string(runes[begin:i+1]))
			begin = i + 1
		}
	}
	return append(out, string(runes[begin:]))
}

// closes reports whether a line must not begin with a character.
func closes(r rune) bool { return strings.ContainsRune("，。、；：）》」』？！,.;:)]}", r) }

// columns is how many columns a text takes: a wide character takes two.
func columns(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x2E80 {
			n++
		}
	}
	return n
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
