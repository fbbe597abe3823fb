// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
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

// One wrong thing gives one message at its place, and none hides another: a
// declaration with many gives as many in one run, sorted. A line of want is the
// beginning of what is said.
func TestManyWrongThings(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	archive, err := txtar.ParseFile("testdata/fifty.txtar")
	require.NoError(t, err)
	dir := filepath.Join(emptyModule(t), "spec")
	require.NoError(t, os.Mkdir(dir, 0o755))
	var want []string
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			continue
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644))
	}
	p, err := generator.Open(t.Context(), dir, load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	got := strings.Split(strings.TrimSpace(p.Problems.String()), "\n")
	for i := range got {
		if i < len(want) && strings.HasPrefix(got[i], want[i]) {
			got[i] = want[i]
		}
	}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
	assert.GreaterOrEqual(t, len(want), 50)
}
