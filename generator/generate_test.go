// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/spec/model"
)

type emitter struct {
	name  string
	files []generator.File
	err   error
}

func (e emitter) Name() string                                   { return e.name }
func (e emitter) Emit(*model.Protocol) ([]generator.File, error) { return e.files, e.err }

func file(path, content string) generator.File {
	return generator.File{Path: path, Content: []byte(content)}
}

func region(path, name, content string) generator.File {
	return generator.File{Path: path, Region: name, Content: []byte(content)}
}

func TestGenerate(t *testing.T) {
	m := &model.Protocol{}
	files, err := generator.Generate(m,
		emitter{name: "one", files: []generator.File{file("b/./x.go", "x"), file("a.go", "a")}},
		emitter{name: "two", files: []generator.File{region("README.md", "p/methods", "m"), region("README.md", "p/errors", "e")}})
	require.NoError(t, err)
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path+f.Region)
	}
	assert.Equal(t, []string{"README.mdp/methods", "README.mdp/errors", "a.go", "b/x.go"}, paths)

	for name, tc := range map[string]struct {
		emitters []generator.Emitter
		want     string
	}{
		"all failures are told": {
			[]generator.Emitter{emitter{name: "one", err: errors.New("no")}, emitter{name: "two", err: errors.New("nor I")}},
			"one: no\ntwo: nor I",
		},
		"two of a name": {
			[]generator.Emitter{emitter{name: "one", files: []generator.File{file("x.go", "")}}, emitter{name: "two", files: []generator.File{file("X.go", "")}}},
			"one and two both generate X.go",
		},
		"whole and region": {
			[]generator.Emitter{emitter{name: "one", files: []generator.File{file("x.md", "")}}, emitter{name: "two", files: []generator.File{region("x.md", "p/a", "")}}},
			"x.md is generated as a whole, and its region p/a too",
		},
		"absolute": {[]generator.Emitter{emitter{name: "one", files: []generator.File{file("/etc/x", "")}}}, `one: "/etc/x" is no relative path with slashes`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := generator.Generate(m, tc.emitters...)
			assert.EqualError(t, err, tc.want)
		})
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func get(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(data)
}

func kinds(t *testing.T, dir string, files []generator.File) map[string]generator.Kind {
	t.Helper()
	diffs, err := generator.Check(dir, files)
	require.NoError(t, err)
	out := map[string]generator.Kind{}
	for _, d := range diffs {
		out[d.Path] = d.Kind
	}
	return out
}

func TestWriteAndCheck(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	dir := filepath.Join(root, "spec")
	require.NoError(t, os.Mkdir(dir, 0o755))
	files := []generator.File{file("../out/a.go", "a1\n"), file("../out/b.go", "b1\n")}
	assert.Equal(t, map[string]generator.Kind{"../out/a.go": generator.Missing, "../out/b.go": generator.Missing}, kinds(t, dir, files))

	r, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"../out/a.go", "../out/b.go"}, r.Written)
	assert.Equal(t, "a1\n", get(t, root, "out/a.go"))
	assert.Empty(t, kinds(t, dir, files))

	// What is the same is not touched.
	info, err := os.Stat(filepath.Join(root, "out/a.go"))
	require.NoError(t, err)
	r, err = generator.Write(dir, files, false)
	require.NoError(t, err)
	assert.Empty(t, r.Written)
	again, err := os.Stat(filepath.Join(root, "out/a.go"))
	require.NoError(t, err)
	assert.True(t, os.SameFile(info, again), "not even replaced by itself")

	// A new version, with one file fewer.
	next := []generator.File{file("../out/a.go", "a2\n")}
	assert.Equal(t, map[string]generator.Kind{"../out/a.go": generator.Changed, "../out/b.go": generator.Stale}, kinds(t, dir, next))
	r, err = generator.Write(dir, next, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"../out/a.go"}, r.Written)
	assert.Equal(t, []string{"../out/b.go"}, r.Removed)
	assert.NoFileExists(t, filepath.Join(root, "out/b.go"))
}

func TestEditedFilesAreSafe(t *testing.T) {
	dir := t.TempDir()
	files := []generator.File{file("a.go", "a1\n"), file("b.go", "b1\n")}
	_, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	put(t, dir, "b.go", "by hand\n")

	next := []generator.File{file("a.go", "a2\n"), file("b.go", "b2\n"), file("c.go", "c2\n")}
	put(t, dir, "c.go", "somebody's\n")
	_, err = generator.Write(dir, next, false)
	require.ErrorContains(t, err, "b.go was edited by hand: undo the edit, or give it up with --force")
	require.ErrorContains(t, err, "c.go is there already and was not generated")
	assert.Equal(t, "a1\n", get(t, dir, "a.go"), "nothing is written if something is refused")
	assert.Equal(t, "by hand\n", get(t, dir, "b.go"))

	diffs, err := generator.Check(dir, next)
	require.NoError(t, err)
	require.Len(t, diffs, 3)
	assert.Equal(t, "--- b.go (on disk)\n+++ b.go (generated)\n@@ -1,1 +1,1 @@\n-by hand\n+b2\n", diffs[1].Diff)

	_, err = generator.Write(dir, next, true)
	require.NoError(t, err)
	assert.Equal(t, "b2\n", get(t, dir, "b.go"))
	assert.Empty(t, kinds(t, dir, next))

	// One that is no longer generated, but was edited, is left to its editor.
	put(t, dir, "b.go", "mine now\n")
	r, err := generator.Write(dir, next[:1], false)
	require.NoError(t, err)
	assert.Equal(t, []string{"c.go"}, r.Removed)
	assert.Equal(t, []string{"b.go"}, r.Kept)
	assert.Equal(t, "mine now\n", get(t, dir, "b.go"))
}

// A file that cannot be written, here because what it is called until it is in
// place is too long a name, leaves everything as it was.
func TestAllOrNothing(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	dir := filepath.Join(root, "spec")
	put(t, root, "spec/gone.go", "g1\n")
	files := []generator.File{file("a.go", "a1\n"), file("gone.go", "g1\n")}
	_, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	before := tree(t, root)

	long := strings.Repeat("x", 250)
	next := []generator.File{file("a.go", "a2\n"), file("../new/deep/b.go", "b\n"), file(long, "c\n")}
	_, err = generator.Write(dir, next, false, file("accord.lock.json", "{}\n"))
	require.ErrorContains(t, err, "nothing was written:\ncannot write "+long+": ")
	assert.Equal(t, before, tree(t, root))

	// One folder for many files is one message.
	put(t, root, "new", "a file\n")
	before = tree(t, root)
	_, err = generator.Write(dir, []generator.File{file("../new/a.go", "a\n"), file("../new/b.go", "b\n")}, false)
	require.EqualError(t, err, "../new is a file where a folder is needed: move it away")
	assert.Equal(t, before, tree(t, root))
}

// tree is the files of a folder, and the folders with nothing in them.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out[path] = "folder"
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	}))
	return out
}

// What a killed process left next to a file is removed by the next write; what
// another process is writing now stays.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	killed := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	require.NoError(t, killed.Run())
	old, current := fmt.Sprintf("a.go.accord-%d.tmp", killed.Process.Pid), fmt.Sprintf("b.go.accord-%d.tmp", os.Getppid())
	for _, name := range []string{old, current, "mine.accord-x.tmp"} {
		put(t, dir, name, "half")
	}
	_, err := generator.Write(dir, []generator.File{file("a.go", "a\n")}, false)
	require.NoError(t, err)
	assert.NoFileExists(t, filepath.Join(dir, old))
	assert.FileExists(t, filepath.Join(dir, current))
	assert.FileExists(t, filepath.Join(dir, "mine.accord-x.tmp"))
}

func TestWhatIsEmptyMayBeOverwritten(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "README.md", "<!-- accord:begin p/a -->\n<!-- accord:end p/a -->\n")
	files := []generator.File{file("a.go", "a\n"), region("README.md", "p/a", "table\n")}
	_, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	put(t, dir, "a.go", "")
	put(t, dir, "README.md", "<!-- accord:begin p/a -->\n\n<!-- accord:end p/a -->\n")
	r, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"README.md", "a.go"}, r.Written)
}

func TestEqualFilesAreAdopted(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.go", "a1\r\n")
	r, err := generator.Write(dir, []generator.File{file("a.go", "a1\n")}, false)
	require.NoError(t, err, "a checkout with CRLF is the same file")
	assert.Equal(t, []string{"a.go"}, r.Same)
	assert.Equal(t, "a1\r\n", get(t, dir, "a.go"))
	// And from now on it is the generator's.
	_, err = generator.Write(dir, []generator.File{file("a.go", "a2\n")}, false)
	require.NoError(t, err)
}

func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "real.go", "a1\n")
	require.NoError(t, os.Symlink("real.go", filepath.Join(dir, "link.go")))
	_, err := generator.Write(dir, []generator.File{file("link.go", "a2\n")}, true)
	require.NoError(t, err)
	assert.Equal(t, "a2\n", get(t, dir, "real.go"))
	target, err := os.Readlink(filepath.Join(dir, "link.go"))
	require.NoError(t, err)
	assert.Equal(t, "real.go", target)
}

func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, generator.ManifestName, "<<<<<<< HEAD")
	_, err := generator.Write(dir, []generator.File{file("a.go", "a")}, false)
	require.ErrorContains(t, err, "is damaged")
	assert.NoFileExists(t, filepath.Join(dir, "a.go"))
}

func TestHalfWrittenIsRepaired(t *testing.T) {
	dir := t.TempDir()
	_, err := generator.Write(dir, []generator.File{file("a.go", "a1"), file("b.go", "b1")}, false)
	require.NoError(t, err)
	put(t, dir, "a.go", "a2") // a run that ended before it came to b.go and the manifest
	_, err = generator.Write(dir, []generator.File{file("a.go", "a2"), file("b.go", "b2")}, false)
	require.NoError(t, err)
	assert.Equal(t, "b2", get(t, dir, "b.go"))
}

func TestConfig(t *testing.T) {
	dir := t.TempDir()
	_, err := generator.ReadConfig(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	put(t, dir, generator.ConfigName, "{\"emit\": [\n  {\"target\": \"x\", \"dri\": \"y\"}]}")
	_, err = generator.ReadConfig(dir)
	require.ErrorContains(t, err, "accord.json:2:")
	require.ErrorContains(t, err, `unknown field "dri": there are license and emit, and in each item of emit target, dir, file, lang, package, other, names`)
	put(t, dir, generator.ConfigName, `{"emit": [{"target": "x", "dir": "y"}]}`)
	c, err := generator.ReadConfig(dir)
	require.NoError(t, err)
	assert.Equal(t, []generator.Setting{{Target: "x", Dir: "y"}}, c.Emit)
}

// What settings and a manifest name outside of the module is neither written nor
// removed, whatever way leads there.
func TestNothingOutsideOfTheModule(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "m", "spec")
	put(t, root, "m/go.mod", "module example.com/m\n")
	put(t, root, "m/.git/config", "")
	put(t, dir, "a.go", "a\n")
	put(t, root, "outside/x.go", "x\n")
	require.NoError(t, os.Symlink(filepath.Join(root, "outside"), filepath.Join(root, "m", "link")))
	for path, want := range map[string]string{
		"../../outside/y.go":                 "outside of the module",
		"../../../etc/y.go":                  "outside of the module",
		"../link/deep/y.go":                  "outside of the module",
		"../.git/hooks/pre-commit":           "version control's own",
		"../sub/.GIT/config":                 "version control's own",
		filepath.Join(root, "m/spec/abs.go"): "relative to the spec package",
	} {
		outside, git := filepath.Join(root, "outside"), filepath.Join(root, "m", ".git")
		before, own := tree(t, outside), tree(t, git)
		_, err := generator.Write(dir, []generator.File{file(path, "y\n")}, true)
		require.ErrorContains(t, err, want, path)
		require.ErrorContains(t, err, "accord.json names", path)
		assert.Equal(t, before, tree(t, outside))
		assert.Equal(t, own, tree(t, git))
	}
	_, err := generator.Write(dir, []generator.File{file("../inside/y.go", "y\n")}, false)
	require.NoError(t, err)

	sum := sha256.Sum256([]byte("x\n"))
	put(t, dir, generator.ManifestName, fmt.Sprintf(`{"format":1,"files":{"../../outside/x.go":"sha256:%x"}}`, sum))
	_, err = generator.Write(dir, []generator.File{file("a.go", "a\n")}, true)
	require.ErrorContains(t, err, "accord.manifest.json names ../../outside/x.go")
	assert.Equal(t, "x\n", get(t, root, "outside/x.go"))
}
