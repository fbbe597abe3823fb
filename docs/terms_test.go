// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// terms is terms.json: one word for each concept in both languages, the words
// that are not to be used for it, and English phrases that have a plainer form.
type terms struct {
	Terms []struct {
		EN, ZH, Means string
		NotZH         []string
	}
	English    []struct{ Not, Say string }
	Exceptions []struct{ File, Text, Reason string }
}

// banned is a pattern that a text must not contain, and what to write instead.
type banned struct {
	not *regexp.Regexp
	say string
}

func readTerms(t *testing.T) (list terms, zh, en []banned) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(read(t, "terms.json")))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&list))
	seen := map[string]bool{}
	for _, term := range list.Terms {
		assert.NotEmpty(t, term.ZH, term.EN)
		assert.False(t, seen[term.EN] || seen[term.ZH], "%s is listed twice", term.EN)
		seen[term.EN], seen[term.ZH] = true, true
		for _, not := range term.NotZH {
			zh = append(zh, banned{regexp.MustCompile(not), term.ZH})
		}
	}
	for _, e := range list.English {
		en = append(en, banned{regexp.MustCompile("(?i)" + e.Not), e.Say})
	}
	require.NotEmpty(t, zh)
	require.NotEmpty(t, en)
	return list, zh, en
}

// textFiles returns the files of the checkout that hold texts.
func textFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go", "*.md", "*.tmpl", ":!*testdata*", ":!*.gen.go", ":!*gen_test.go")
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err)
	files := strings.Fields(string(out))
	require.Greater(t, len(files), 300)
	return files
}

var inlineCode = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|\\]\\([^)]*\\)")

// english returns the English prose of a line: of Go its comment, of a page what
// is no code. Quoted text is no prose of ours.
func english(file, line string) string {
	if strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".go.tmpl") {
		_, comment, ok := strings.Cut(line, "// ")
		if !ok {
			return ""
		}
		line = comment
	}
	return inlineCode.ReplaceAllString(line, "")
}

func hasHan(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// One word for one thing, in both languages; and plain English.
func TestTerms(t *testing.T) {
	list, zh, en := readTerms(t)
	used := make([]bool, len(list.Exceptions))
	excepted := func(file, line string) bool {
		for i, e := range list.Exceptions {
			if (e.File == "" || e.File == file) && strings.Contains(line, e.Text) {
				used[i] = true
				return true
			}
		}
		return false
	}
	for _, file := range textFiles(t) {
		if file == "docs/terms_test.go" {
			continue
		}
		isGo := strings.HasSuffix(file, ".go")

		code := false
		for n, line := range strings.Split(read(t, "../"+file), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") && !isGo {
				code = !code
			}
			if hasHan(line) {
				for _, b := range zh {
					if found := b.not.FindString(line); found != "" && !excepted(file, line) {
						t.Errorf("%s:%d: %q: say %s (docs/terms.json)", file, n+1, found, b.say)
					}
				}
				continue
			}
			if code {
				continue
			}
			prose := english(file, line)
			for _, b := range en {
				if found := b.not.FindString(prose); found != "" && !excepted(file, line) {
					t.Errorf("%s:%d: %q: say %s (docs/terms.json)", file, n+1, found, b.say)
				}
			}
		}
	}
	for i, e := range list.Exceptions {
		assert.NotEmpty(t, e.Reason, "an exception without a reason: %s %s", e.File, e.Text)
		assert.True(t, used[i], "an exception that nothing needs: %s %s", e.File, e.Text)
	}
}
