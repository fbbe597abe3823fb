// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/accordkit/accord/generator/load"
)

// module writes files into a module of their own that uses this kit.
func module(t *testing.T, files ...txtar.File) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	write("go.mod", []byte("module example.org/p\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => "+root+"\n"))
	for _, f := range files {
		write(f.Name, f.Data)
	}
	return dir
}

// TestBroken loads specs that break in every way that is known; each says what
// it wants to hear. A line of want may be the beginning of what is said.
func TestBroken(t *testing.T) {
	archives, err := filepath.Glob("testdata/broken/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			var want string
			var files []txtar.File
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				files = append(files, f)
			}
			dir := module(t, files...)
			before := snapshot(t, dir)
			timeout := time.Second
			if strings.Contains(want, "too much memory") {
				timeout = time.Minute // a busy machine takes its time to run out of it
			}
			m, problems, err := load.Load(t.Context(), ".", load.Options{Dir: dir, Timeout: timeout, NoCache: true})
			require.NoError(t, err)
			got := strings.Split(strings.TrimSpace(problems.String()), "\n")
			wanted := strings.Split(strings.TrimSpace(want), "\n")
			for i := range got {
				if i < len(wanted) && strings.HasPrefix(got[i], wanted[i]) {
					got[i] = wanted[i]
				}
			}
			assert.Equal(t, wanted, got)
			assert.Equal(t, before, snapshot(t, dir), "nothing is written into the author's tree")
			if problems.Errors() == 0 {
				assert.NotNil(t, m)
			}
		})
	}
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			out[path] = string(data)
			return err
		}
		return err
	}))
	return out
}
