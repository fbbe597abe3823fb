// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/vectors"
)

// TestVectors plays the golden vectors of each case through its generated
// codecs, by its generated test, which lies in an overlay.
func TestVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	temp := t.TempDir()
	overlay := map[string]string{}
	args := []string{"test", "-vet=off", "-overlay", filepath.Join(temp, "overlay.json")}
	for name, p := range cases(t) {
		data, err := vectors.EmitCodecs(p)
		require.NoError(t, err)
		file := filepath.Join(temp, name+".json")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		files, err := golang.Tests(p)
		require.NoError(t, err)
		require.Len(t, files, 1)
		assert.True(t, strings.HasSuffix(files[0].Name, "_test.go"))
		quoted, err := json.Marshal(file)
		require.NoError(t, err)
		source := strings.ReplaceAll(string(files[0].Data), `"testdata/vectors.json"`, string(quoted))
		require.Contains(t, source, string(quoted))
		real := filepath.Join(temp, name+"_test.go.txt")
		require.NoError(t, os.WriteFile(real, []byte(source), 0o600))
		overlay[filepath.Join(here, "testdata", name, files[0].Name)] = real
		args = append(args, "./testdata/"+name)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(temp, "overlay.json"), text, 0o600))
	out, err := exec.Command("go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, len(cases(t)), strings.Count(string(out), "ok "), "%s", out)
}
