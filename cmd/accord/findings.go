// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/accordkit/accord/cmd/internal/layout"
	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/problem"
)

// findings prints problems: a line each, as editors and tests read them, and on
// a terminal the place below it. The last line counts them, and says how to learn
// more of a rule.
type findings struct {
	out     io.Writer
	excerpt bool // show the places
	colour  bool
	lines   map[string][]string // by file
}

func (f *findings) print(dir string, problems problem.List) {
	rule, certain := "", false // the first that is broken: an error's before a warning's
	for _, p := range problems {
		fmt.Fprintln(f.out, f.painted(shown(dir, p), p))
		if f.excerpt {
			fmt.Fprint(f.out, f.place(dir, p))
		}
		if p.Rule != "" && (rule == "" || !certain && p.Severity == problem.Error) {
			rule, certain = p.Rule, p.Severity == problem.Error
		}
	}
	mends := mendable(dir, problems)
	if len(problems) == 0 || !f.excerpt && rule == "" && mends == 0 {
		return
	}
	zh := language() == "zh"
	errors := problems.Errors()
	warnings := len(problems) - errors
	line := count(errors, "error")
	if warnings > 0 && errors > 0 {
		line += ", "
	}
	if warnings > 0 || errors == 0 {
		line += count(warnings, "warning")
	}
	if zh {
		line = fmt.Sprintf("%d 个错误，%d 个警告", errors, warnings)
	}
	if rule != "" {
		line += fmt.Sprintf(said(language(), "; `accord explain %s` says more of a rule", "；`accord explain %s` 说明一条规则"), rule)
	}
	if mends > 0 {
		line += fmt.Sprintf(said(language(), "; `accord check --fix` mends %d of them", "；`accord check --fix` 可修正其中 %d 个"), mends)
	}
	fmt.Fprintln(f.out, line)
}

// mendable counts the problems that a machine can do something about.
func mendable(dir string, problems problem.List) int {
	n := 0
	source := check.OpenSource(dir)
	for _, p := range problems {
		if len(source.Changes(p)) > 0 {
			n++
		}
	}
	return n
}

func count(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// painted brings out how bad a problem is and which rule found it.
func (f *findings) painted(line string, p problem.Problem) string {
	if !f.colour {
		return line
	}
	style := "1;31"
	if p.Severity == problem.Warning {
		style = "1;33"
	}
	if at := strings.Index(line, ": "); p.Pos.File != "" && at > 0 {
		line = paint(line[:at], style, true) + line[at:]
	}
	if p.Rule != "" {
		line = strings.Replace(line, " ["+p.Rule+"]", " "+paint("["+p.Rule+"]", "2", true), 1)
	}
	return line
}

// place is the line of source that a problem is about, with a mark below the
// word; empty where there is none to show.
func (f *findings) place(dir string, p problem.Problem) string {
	path := filepath.FromSlash(p.Pos.File)
	if path == "" || p.Pos.Line <= 0 || p.Pos.Col <= 0 {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	lines, ok := f.lines[path]
	if !ok {
		if data, err := os.ReadFile(path); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		if f.lines == nil {
			f.lines = map[string][]string{}
		}
		f.lines[path] = lines
	}
	if p.Pos.Line > len(lines) {
		return ""
	}
	text := strings.TrimRight(lines[p.Pos.Line-1], "\r")
	before := text[:min(p.Pos.Col-1, len(text))]
	number := strconv.Itoa(p.Pos.Line)
	gutter := strings.Repeat(" ", len(number))
	const tab = "    "
	return fmt.Sprintf("  %s | %s\n  %s | %s%s\n", paint(number, "2", f.colour), strings.ReplaceAll(text, "\t", tab),
		gutter, strings.Repeat(" ", layout.Columns(strings.ReplaceAll(before, "\t", tab))), paint("^", "1;31", f.colour))
}
