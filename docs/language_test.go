// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// languagePages are the page of the language in both languages.
var languagePages = []string{"language.md", "language.zh.md"}

// kitchen is the protocol that the page's examples are together: a file each,
// in a module of its own.
func kitchen(t *testing.T) string {
	t.Helper()
	dir := newModule(t)
	for name, code := range snippets(read(t, "language.md")) {
		source := "package kitchen\n\n" + code
		if strings.Contains(code, "spec.") {
			source = "package kitchen\n\nimport \"github.com/accordkit/accord/spec\"\n\n" + code
		}
		formatted, err := format.Source([]byte(source))
		require.NoError(t, err, name)
		assert.Equal(t, string(formatted), source, "gofmt would write the example %s otherwise", name)
		put(t, dir, "kitchen/"+name+".go", source)
	}
	return dir
}

func loadKitchen(t *testing.T) *model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "./kitchen", load.Options{Dir: kitchen(t), NoCache: true})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), "%v", s.Problems)
	return s.Model
}

// The examples are a protocol that says all that it should, except for its texts.
func TestLanguageExamples(t *testing.T) {
	m := loadKitchen(t)
	var rules []string
	for _, r := range proof.Rules() {
		rules = append(rules, r.ID)
	}
	found := check.Run(m, check.Options{Found: proof.Run(m), Rules: rules})
	found = slices.DeleteFunc(found, func(p problem.Problem) bool { return strings.HasPrefix(p.Rule, "missing-") })
	assert.Empty(t, found.String())
}

// declaredWords are the exported names of package spec: types, functions,
// constants, fields and methods.
func declaredWords(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../spec/*.go")
	require.NoError(t, err)
	out := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			out[id.Name] = true
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, id := range s.Names {
							add(id)
						}
					case *ast.TypeSpec:
						add(s.Name)
						if strings.HasPrefix(filepath.Base(name), "describe") {
							continue // what the loader is given: Place and its like
						}
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, field := range fields.Fields.List {
								for _, id := range field.Names {
									add(id)
								}
							}
						}
					}
				}
			}
		}
	}
	require.Greater(t, len(out), 200)
	return out
}

// neverWritten are words that an example cannot have: types that are inferred,
// and what the loader calls. Set and V are what Nullable is made of.
var neverWritten = strings.Fields(`
	Any AnyError AnyScope AnyNotification AnyLink AnyActivity AnyMethod AnyMachine AnyNegotiation
	Acceptance Concurrency Retry UnknownMembers
	Side Within Cond Case Way Carry Example FrameOf FrameOption Model WriteModel Description Problem Place
	Set V ParseFault RequestFault MethodFault LimitFault OverloadFault CancelFault InternalFault LagFault Drop
`)

var codeSpan = regexp.MustCompile("`([A-Za-z]+)`")

// The page has every word, in both languages, and shows each in an example.
func TestLanguagePagesHaveEveryWord(t *testing.T) {
	words := declaredWords(t)
	for _, page := range languagePages {
		said := map[string]bool{}
		for _, m := range codeSpan.FindAllStringSubmatch(withoutCode(read(t, page)), -1) {
			said[m[1]] = true
		}
		for word := range words {
			assert.True(t, said[word] || slices.Contains([]string{"Set", "V"}, word), "%s does not have the word %s", page, word)
		}
	}
	shown := map[string]bool{}
	for _, code := range snippets(read(t, "language.md")) {
		for _, id := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(code, -1) {
			shown[id] = true
		}
	}
	for word := range words {
		if !slices.Contains(neverWritten, word) {
			assert.True(t, shown[word], "no example has the word %s", word)
		}
	}
	for _, word := range neverWritten {
		assert.True(t, words[word], "there is no word %s any more", word)
		assert.False(t, shown[word] && word != "Retry" && word != "V", "%s is written after all", word)
	}
}

// newModule is an empty module that may use this one, and what this one uses.
func newModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(read(t, "../go.mod"), "\n")
	require.True(t, ok)
	put(t, dir, "go.mod", "module example.com/page\n"+rest+
		"\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => "+root+"\n")
	put(t, dir, "go.sum", read(t, "../go.sum"))
	return dir
}

// put writes a file of a module.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
