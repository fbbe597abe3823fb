// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/internal/synthetic"
	"github.com/accordkit/accord/generator/load"
)

var methods = flag.Int("methods", 200, "how many methods the protocol of BenchmarkGenerate has")

// emptyModule is a folder with a module that stands on this checkout.
func emptyModule(tb testing.TB) string {
	tb.Helper()
	root, err := filepath.Abs("..")
	require.NoError(tb, err)
	dir := tb.TempDir()
	text := "module example.org/m\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => " + root + "\n"
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	return dir
}

// module writes a protocol of n methods into a module of its own, and gives the
// folder of its spec package.
func module(tb testing.TB, n int) string {
	tb.Helper()
	spec := filepath.Join(emptyModule(tb), "spec")
	require.NoError(tb, os.Mkdir(spec, 0o755))
	for name, text := range synthetic.Files(n, "example.org/m") {
		require.NoError(tb, os.WriteFile(filepath.Join(spec, name), []byte(text), 0o644))
	}
	return spec
}

// TestSynthetic generates a protocol that has several files and every kind of
// method, and compiles what comes out.
func TestSynthetic(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := module(t, 60)
	p, err := generator.Open(t.Context(), dir, load.Options{Dir: dir, CacheDir: t.TempDir()})
	require.NoError(t, err)
	require.Empty(t, p.Problems)
	require.Len(t, p.Model.Methods, 60)
	// Interrupted, it writes nothing.
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Write(over, generator.WriteOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, filepath.Join(dir, "accord.manifest.json"))
	require.NoDirExists(t, filepath.Join(dir, "..", "client"))

	_, err = p.Write(t.Context(), generator.WriteOptions{})
	require.NoError(t, err)

	again, err := generator.Open(t.Context(), dir, load.Options{Dir: dir, CacheDir: t.TempDir()})
	require.NoError(t, err)
	diffs, err := again.Compare()
	require.NoError(t, err)
	require.Empty(t, diffs)

	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir = filepath.Dir(dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// A declaration costs its compiler a few small functions, and not one for each
// word and payload: a large protocol would take minutes to compile.
func TestDeclarationsAreCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const methods, most = 60, 24
	dir := module(t, methods)
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		require.NoError(t, err, "%v", err)
		return strings.TrimSpace(string(out))
	}
	functions := 0
	for line := range strings.Lines(run("tool", "nm", run("list", "-export", "-f", "{{.Export}}", "."))) {
		if field := strings.Fields(line); len(field) > 1 && (field[1] == "T" || field[1] == "t") {
			functions++
		}
	}
	require.Greater(t, functions, methods)
	require.Less(t, functions/methods, most, "a method is compiled to %d functions: see docs/decisions/013-words-by-pointer.md", functions/methods)
}

// BenchmarkGenerate is `accord gen` of a protocol of -methods methods whose
// spec package is compiled. With 2000:
//
//	go test ./generator -run=^$ -bench=Generate -benchtime=1x -methods=2000 -timeout=30m
func BenchmarkGenerate(b *testing.B) {
	dir := module(b, *methods)
	o := load.Options{Dir: dir, CacheDir: b.TempDir()}
	open := func() *generator.Project {
		p, err := generator.Open(b.Context(), dir, o)
		require.NoError(b, err)
		require.Empty(b, p.Problems)
		return p
	}
	open() // compiled from here on
	for b.Loop() {
		_, err := open().Write(b.Context(), generator.WriteOptions{})
		require.NoError(b, err)
	}
}
