// SPDX-License-Identifier: Apache-2.0

// Package docs holds the guides and the reference, and the tests that keep
// them true: what a page shows is run, and what it links to is there.
package docs

import (
	"embed"
	"strings"
)

//go:embed lint.md lint.zh.md language.md language.zh.md
var guides embed.FS

// guide is a page in a language, "zh" or anything else.
func guide(name, lang string) string {
	if lang == "zh" {
		name += ".zh"
	}
	text, _ := guides.ReadFile(name + ".md")
	return string(text)
}

// Rule is what the lint page says about a rule: what it asks for, a change that
// breaks it, and what is said then.
func Rule(id, lang string) (string, bool) {
	_, rest, ok := strings.Cut(guide("lint", lang), "\n### "+id+"\n")
	if !ok {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "\n<a id=")
	rest, _, _ = strings.Cut(rest, "\n<!-- end")
	return strings.TrimSpace(rest), true
}

// Word is a word of the language as its page has it.
type Word struct {
	Of      string // the declaration whose field it is; empty: a function or a constant
	Means   string
	Changes string // one letter an output, "–" for none
}

// Words are all words of a name.
func Words(name, lang string) []Word {
	var out []Word
	of := ""
	for line := range strings.Lines(guide("language", lang)) {
		if rest, ok := strings.CutPrefix(line, "<!-- words"); ok {
			of = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "-->"))
			continue
		}
		cells, ok := strings.CutPrefix(line, "| `"+name+"` | ")
		if !ok || strings.HasPrefix(cells, "means |") || strings.HasPrefix(cells, "含义 |") {
			continue
		}
		w := Word{Of: of}
		w.Means, w.Changes, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(cells), " |"), " | ")
		out = append(out, w)
	}
	return out
}

// WordNames are all words, in the order of the page.
func WordNames() []string {
	var out []string
	for line := range strings.Lines(guide("language", "en")) {
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			if name, after, ok := strings.Cut(rest, "`"); ok && strings.HasPrefix(after, " | ") && !strings.HasPrefix(after, " | means |") {
				out = append(out, name)
			}
		}
	}
	return out
}
