// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/load"
)

var update = flag.Bool("update", false, "write the expected output anew")

// What a machine can mend is mended, all else stays as it was, and then nothing
// is left to say.
func TestFix(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const path = "testdata/fix.txtar"
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	dir := filepath.Join(emptyModule(t), "spec")
	require.NoError(t, os.Mkdir(dir, 0o755))
	want, kept := map[string]string{}, archive.Files[:0]
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = string(f.Data)
			continue
		}
		kept = append(kept, f)
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644))
	}
	var p *generator.Project
	for range 8 { // as many as the command takes
		p, err = generator.Open(t.Context(), dir, load.Options{Dir: dir, NoCache: true})
		require.NoError(t, err)
		done, err := p.Fix()
		require.NoError(t, err)
		if len(done) == 0 {
			break
		}
	}
	assert.Empty(t, p.Problems, "%s", p.Problems)
	got := map[string]string{}
	for _, f := range kept {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		require.NoError(t, err)
		got[f.Name] = string(data)
	}
	if *update {
		archive.Files = kept
		for _, f := range kept {
			archive.Files = append(archive.Files, txtar.File{Name: "want/" + f.Name, Data: []byte(got[f.Name])})
		}
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
		return
	}
	assert.Equal(t, want, got)
}
