// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/accordkit/accord/spec/model"
)

// A doc comment is English up to the first paragraph that begins with "zh:",
// and Chinese from there.

// wrong is something about a comment that its author did not mean.
type wrong struct {
	pos  token.Pos
	text string
	fix  []string // what a machine can do about it: see package check
}

// textLine is a comment's line without its marker.
type textLine struct {
	pos  token.Pos
	text string
}

var (
	directive = regexp.MustCompile(`^//([a-z0-9]+:[a-z0-9]|line |export |extern |nolint)`)
	almostZH  = regexp.MustCompile(`(?i)^[\[(]?zh(?:-[a-z]+)?[\])]?(?:\s*[:：]|[\s.,，。–—-]*(\p{Han}))`)
)

// readText splits a comment into its two languages. What is wrong is read as it
// was meant, so that nothing more is said of it.
func readText(g *ast.CommentGroup) (model.Text, []wrong) {
	if g == nil {
		return model.Text{}, nil
	}
	var en, zh []string
	var bad []wrong
	chinese := false
	list := paragraphs(g)
	for at := 0; at < len(list); at++ {
		p := list[at]
		first := p[0]
		if i := slices.IndexFunc(p[1:], func(l textLine) bool { return almostZH.MatchString(l.text) }); i >= 0 {
			bad = append(bad, wrong{p[i+1].pos, "zh: begins the Chinese text only at the start of a paragraph: put an empty comment line before it", []string{"paragraph"}})
			list = slices.Insert(list, at+1, p[i+1:])
			p = p[:i+1]
		}
		switch {
		case strings.HasPrefix(first.text, "zh:") && chinese:
			bad = append(bad, wrong{first.pos, "zh: stands twice: the Chinese text begins at the first and goes on to the end", []string{"replace", "zh: ", ""}})
			p[0].text = strings.TrimSpace(strings.TrimPrefix(first.text, "zh:"))
		case strings.HasPrefix(first.text, "zh:"):
			chinese = true
			p[0].text = strings.TrimSpace(strings.TrimPrefix(first.text, "zh:"))
		case almostZH.MatchString(first.text):
			mark, right := markZH(first.text), "zh:"
			if !strings.HasPrefix(first.text[len(mark):], " ") {
				right = "zh: "
			}
			bad = append(bad, wrong{first.pos, "the Chinese text begins with zh: in small letters and with an ASCII colon", []string{"replace", mark, right}})
			chinese = true
			p[0].text = strings.TrimSpace(first.text[len(mark):])
		case chinese && !hasHan(p) && hasLetters(p) && !isCode(p):
			bad = append(bad, wrong{first.pos, "English after the Chinese text: all English stands above zh:", nil})
		case !chinese && mostlyHan(p):
			bad = append(bad, wrong{first.pos, "Chinese text without zh: before its first paragraph", []string{"replace", "", "zh: "}})
			chinese = true
		}
		if text := joined(p); text != "" {
			if chinese {
				zh = append(zh, text)
			} else {
				en = append(en, text)
			}
		}
	}
	return model.Text{EN: strings.Join(en, "\n\n"), ZH: strings.Join(zh, "\n\n")}, bad
}

// markZH is what a line begins with that was meant for zh: by its author.
func markZH(line string) string {
	m := almostZH.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m[0], m[1])
}

// hasText reports whether a comment is more than directives.
func hasText(g *ast.CommentGroup) bool { return len(paragraphs(g)) > 0 }

// paragraphs takes markers and directives off a comment and parts it at its
// blank lines.
func paragraphs(g *ast.CommentGroup) [][]textLine {
	var out [][]textLine
	var current []textLine
	flush := func() {
		if len(current) > 0 {
			out = append(out, current)
		}
		current = nil
	}
	for _, c := range g.List {
		if directive.MatchString(c.Text) {
			continue
		}
		text, block := c.Text, strings.HasPrefix(c.Text, "/*")
		if block {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
		} else {
			text = strings.TrimPrefix(text, "//")
		}
		offset := token.Pos(2)
		for _, line := range strings.Split(text, "\n") {
			pos := c.Slash + offset
			offset += token.Pos(len(line) + 1)
			line = strings.TrimRightFunc(line, unicode.IsSpace)
			if block {
				line = strings.TrimLeftFunc(line, unicode.IsSpace)
			} else if cut, ok := strings.CutPrefix(line, " "); ok {
				line, pos = cut, pos+1
			}
			if strings.TrimSpace(line) == "" {
				flush()
				continue
			}
			current = append(current, textLine{pos, line})
		}
	}
	flush()
	return out
}

var listItem = regexp.MustCompile(`^\s*([-*+•]|\d+[.)])\s`)

// joined makes one text of a paragraph's lines. Lines of lists and code stay
// lines; others are joined by a space, except between Chinese characters.
func joined(p []textLine) string {
	var b strings.Builder
	last := ""
	for i, l := range p {
		keep := strings.HasPrefix(l.text, "\t") || strings.HasPrefix(l.text, "    ") || listItem.MatchString(l.text)
		text := l.text
		switch {
		case i == 0 || last == "":
		case keep:
			b.WriteByte('\n')
		default:
			text = strings.TrimLeft(text, " ")
			b.WriteString(between(last, text))
		}
		b.WriteString(text)
		if text != "" {
			last = text
		}
	}
	return b.String()
}

// between is what stands between two joined lines.
func between(before, after string) string {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	if wide(a) && wide(b) || punctuation(a) || punctuation(b) {
		return ""
	}
	return " "
}

func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || punctuation(r)
}

// punctuation is CJK punctuation and full-width forms.
func punctuation(r rune) bool {
	return r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

func count(p []textLine) (han, letters int) {
	for _, l := range p {
		for _, r := range l.text {
			switch {
			case unicode.Is(unicode.Han, r):
				han++
			case unicode.IsLetter(r):
				letters++
			}
		}
	}
	return han, letters
}

func hasHan(p []textLine) bool     { han, _ := count(p); return han > 0 }
func hasLetters(p []textLine) bool { _, n := count(p); return n > 0 }

// mostlyHan allows a few quoted words: a Chinese character says as much as
// three Latin letters.
func mostlyHan(p []textLine) bool { han, n := count(p); return 3*han > n && han > 3 }

func isCode(p []textLine) bool {
	for _, l := range p {
		if !strings.HasPrefix(l.text, "\t") && !strings.HasPrefix(l.text, "    ") {
			return false
		}
	}
	return true
}
