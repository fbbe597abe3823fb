// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// commentWidth is where comments wrap, tabs and slashes included.
const commentWidth = 90

// commentLines wraps a text as line comments. Paragraphs stay apart; lists and
// indented lines stay as they are.
func commentLines(doc string, indent int) []string {
	var lines []string
	for i, paragraph := range strings.Split(strings.TrimSpace(doc), "\n\n") {
		if strings.TrimSpace(paragraph) == "" {
			continue
		}
		if i > 0 {
			lines = append(lines, "//")
		}
		for _, line := range wrap(paragraph, commentWidth-3-4*indent) {
			lines = append(lines, strings.TrimRight("// "+line, " "))
		}
	}
	return lines
}

// wrap breaks a paragraph into lines of at most width characters, where words
// allow it.
func wrap(paragraph string, width int) []string {
	var lines []string
	line := ""
	flush := func() {
		if line != "" {
			lines = append(lines, line)
		}
		line = ""
	}
	for _, source := range strings.Split(paragraph, "\n") {
		if fixed(source) {
			flush()
			lines = append(lines, source)
			continue
		}
		for _, word := range strings.Fields(source) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				flush()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
	}
	flush()
	return lines
}

// fixed reports whether a line is code or an item of a list.
func fixed(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
}

// comments are the lines of a doc comment within a group, a struct's members
// say.
func comments(doc string) []jen.Code {
	var code []jen.Code
	for _, line := range commentLines(doc, 1) {
		code = append(code, jen.Comment(line))
	}
	return code
}

// sentences joins texts, each with a full stop.
func sentences(parts ...string) string {
	var out []string
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if !strings.ContainsAny(p[len(p)-1:], ".!?:)") {
			p += "."
		}
		out = append(out, p)
	}
	return strings.Join(out, " ")
}

// memberDoc is a member's text and what else the declaration says about it.
func (g *gen) memberDoc(f *model.Field) string {
	return sentences(f.Doc.EN, g.boundsDoc(f), defaultDoc(f.Default), since(f.Since))
}

func since(version string) string {
	if version == "" {
		return ""
	}
	return "Since version " + version
}

func (g *gen) boundsDoc(f *model.Field) string {
	var parts []string
	if low, high := f.Bounds(); low != nil || high != nil {
		parts = append(parts, span(low, high, ""))
	}
	if f.MinLength != nil || f.MaxLength != nil {
		what := " characters"
		switch g.kind(f.Type) {
		case listKind, mapKind:
			what = " items"
		case bytesKind:
			what = " bytes"
		}
		parts = append(parts, span(toInt(f.MinLength), toInt(f.MaxLength), what))
	}
	if f.Pattern != "" {
		parts = append(parts, "Of the form "+f.Pattern)
	}
	return sentences(parts...)
}

func toInt[T int | int64](p *T) *int64 {
	if p == nil {
		return nil
	}
	n := int64(*p)
	return &n
}

func span(least, greatest *int64, what string) string {
	if n := least; greatest == nil && n != nil && *n == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	switch {
	case greatest == nil:
		return fmt.Sprintf("At least %d%s", *least, what)
	case least == nil:
		return fmt.Sprintf("At most %d%s", *greatest, what)
	}
	return fmt.Sprintf("%d to %d%s", *least, *greatest, what)
}

func defaultDoc(d *model.Default) string {
	if d == nil {
		return ""
	}
	var parts []string
	for i := 0; i < len(d.When); i++ {
		c := d.When[i]
		members, is := []string{c.Member}, "present"
		for i+1 < len(d.When) && d.When[i+1].Value == c.Value && d.When[i+1].Present == c.Present {
			i++
			members = append(members, d.When[i].Member)
		}
		if !c.Present {
			is = "absent"
		}
		parts = append(parts, c.Value+" if "+alternatives(members)+" is "+is)
	}
	if d.Value != "" {
		value := d.Value
		if len(parts) > 0 {
			value = "else " + value
		}
		parts = append(parts, value)
	}
	if len(parts) == 0 {
		return ""
	}
	return "Absent means " + strings.Join(parts, ", ")
}

// alternatives joins words: "a, b or c".
func alternatives(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
