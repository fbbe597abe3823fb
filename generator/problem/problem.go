// SPDX-License-Identifier: Apache-2.0

// Package problem is what is wrong with a specification, and where: the one
// form in which the loader, lint and the generator report. It must never
// decide what is wrong.
package problem

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/accordkit/accord/spec/model"
)

// Severity says whether a problem stands in the way.
type Severity string

// An Error stands in the way of generating; a Warning does not, but `check`
// shows it.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem is one thing that is wrong.
type Problem struct {
	Pos      model.Pos  `json:"pos"`            // File is relative to the spec package's directory, or absolute
	Rule     string     `json:"rule,omitempty"` // id of the lint rule; empty: the loader
	Severity Severity   `json:"severity"`
	Text     model.Text `json:"text"`
	At       string     `json:"at,omitempty"`   // wire path or variable that it is about
	Trace    model.Text `json:"trace,omitzero"` // how it comes to that, a step a line, each with a line break before it
	Fix      [][]string `json:"fix,omitempty"`  // what a machine can do about it, a word and its arguments a step: see package check
}

// Message is the problem in the language asked for, English where a text has
// no other: "zh" or anything else.
func (p Problem) Message(language string) string {
	text, trace := p.Text.EN, p.Trace.EN
	if language == "zh" && p.Text.ZH != "" {
		text, trace = p.Text.ZH, p.Trace.ZH
	}
	if p.Rule != "" {
		text += " [" + p.Rule + "]"
	}
	if p.Severity == Warning {
		text = "warning: " + text
	}
	return printable(text + trace)
}

// printable writes control characters as escapes, line breaks and tabs apart:
// parts of a text may come from the author's program, and are shown on terminals,
// which obey some.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// String is "file:line:col: message".
func (p Problem) String() string {
	var b strings.Builder
	if p.Pos.File != "" {
		b.WriteString(p.Pos.File)
		if p.Pos.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Pos.Line)
		}
		if p.Pos.Col > 0 {
			fmt.Fprintf(&b, ":%d", p.Pos.Col)
		}
		b.WriteString(": ")
	}
	return b.String() + p.Message("en")
}

// List is all problems of one run.
type List []Problem

// Add appends an error in English.
func (l *List) Add(pos model.Pos, format string, args ...any) {
	*l = append(*l, Problem{Pos: pos, Severity: Error, Text: model.Text{EN: fmt.Sprintf(format, args...)}})
}

// Warn appends a warning in English.
func (l *List) Warn(pos model.Pos, format string, args ...any) {
	*l = append(*l, Problem{Pos: pos, Severity: Warning, Text: model.Text{EN: fmt.Sprintf(format, args...)}})
}

// Sort orders problems by place and drops repetitions.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.At, b.At), cmp.Compare(a.Text.EN, b.Text.EN),
		)
	})
	*l = slices.CompactFunc(*l, func(a, b Problem) bool {
		a.Fix, b.Fix = nil, nil
		return reflect.DeepEqual(a, b)
	})
}

// Errors returns how many of the problems are errors.
func (l List) Errors() int {
	n := 0
	for _, p := range l {
		if p.Severity == Error {
			n++
		}
	}
	return n
}

// String is one problem a line.
func (l List) String() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.String())
		b.WriteByte('\n')
	}
	return b.String()
}
