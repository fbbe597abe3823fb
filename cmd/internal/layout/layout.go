// SPDX-License-Identifier: Apache-2.0

// Package layout lays text out in the columns of a terminal.
package layout

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// piece is what a line may be broken behind: a word, or a Chinese character, with
// the punctuation that follows it.
var piece = regexp.MustCompile(`(?:[\x{2E80}-\x{10FFFF}]|[^ \x{2E80}-\x{10FFFF}]+)[，。、；：）》」』？！,.;:)\]}]* *`)

// Wrap breaks a paragraph into lines of at most width columns, where its words
// let it. Lines after the first have the indentation; the last one ends with a
// newline too.
func Wrap(text, indent string, width int) string {
	body := strings.TrimLeft(text, " ")
	line := text[:len(text)-len(body)]
	var b strings.Builder
	empty := true
	for _, word := range piece.FindAllString(body, -1) {
		if !empty && Columns(line+strings.TrimRight(word, " ")) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += word
		empty = false
	}
	return b.String() + strings.TrimRight(line, " ") + "\n"
}

// Columns is how many columns a text takes: a wide character takes two.
func Columns(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x2E80 {
			n++
		}
	}
	return n
}

// Pad fills a text up to a number of columns, and always with a blank.
func Pad(s string, n int) string { return s + strings.Repeat(" ", max(1, n-Columns(s))) }

// Cut returns what fits into a number of columns, with "…" for the rest.
func Cut(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	for Columns(s) >= n {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s + "…"
}
