// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/markdown"
	"github.com/accordkit/accord/generator/load"
)

// moduleWith copies the flagship's declaration into a module of its own, which
// has what this one requires, and adds a file.
func moduleWith(t *testing.T, name, source string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	const module = "module github.com/accordkit/accord\n"
	mod := read(t, "../go.mod")
	require.Contains(t, mod, module)
	mod = strings.Replace(mod, module, "module example.com/wire\n", 1) +
		"\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => " + root + "\n"
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("go.mod", mod)
	write("go.sum", read(t, "../go.sum"))
	files, err := filepath.Glob("../spec/harness/*.go")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			write("harness/"+filepath.Base(f), read(t, f))
		}
	}
	write("harness/"+name, source)
	return dir
}

// What the guide declares is what the guide says that comes of it.
func TestAddingAMethod(t *testing.T) {
	source := snippets(read(t, "adding-a-method.md"))["declaration"]
	require.NotEmpty(t, source)
	dir := moduleWith(t, "methods_title.go", source)
	options := load.Options{Dir: dir, NoCache: true}

	s, err := load.Open(t.Context(), "./harness", options)
	require.NoError(t, err)
	assert.Contains(t, s.Problems.String(), "SetTitle", "a method that no list has is an error at its place")
	assert.NotZero(t, s.Problems.Errors())

	replace := func(name, old, now string) {
		path := filepath.Join(dir, "harness", name)
		text := read(t, path)
		require.Contains(t, text, old)
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, old, now)), 0o600))
	}
	replace("protocol.go", "Shutdown, RequestPermission,", "Shutdown, SetTitle, RequestPermission,")
	replace("generations.go", "RequestPermission", "SetTitle, RequestPermission")
	s, err = load.Open(t.Context(), "./harness", options)
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), "%v", s.Problems)
	for _, p := range check.Run(s.Model, check.Options{}) {
		assert.NotContains(t, p.String(), "methods_title.go")
	}

	schema, err := jsonschema.Emit(s.Model)
	require.NoError(t, err)
	assert.Contains(t, string(schema), `"request.session.title.set"`)
	for _, lang := range []markdown.Lang{markdown.English, markdown.Chinese} {
		assert.Contains(t, markdown.Regions(s.Model, lang)[0].Text, "| `session/title/set` |")
	}
}
