package docs

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commands builds the commands and gives an environment in which they are
// found.
func commands(t *testing.T) []string {
	t.Helper()
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin, "../cmd/accord").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// runGo runs a program as if it stood in this module, which stays as it is.
func runGo(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	here, err := filepath.Abs("snippet/main.go")
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{here: file}})
	require.NoError(t, err)
	list := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", "-overlay", list, "./snippet")
	cmd.Env = commands(t)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	return string(out)
}

func TestGoHost(t *testing.T) {
	source := snippets(read(t, "../README.md"))["go-host"]
	require.NotEmpty(t, source)
	assert.Equal(t, "hello from Go\ncompleted hello from Go <nil>\n", runGo(t, source))
}

func TestEmbedding(t *testing.T) {
	source := snippets(read(t, "embedding.md"))["host"]
	require.NotEmpty(t, source)
	assert.Equal(t, `may it run? bash
first: completed
cancel accepted: stopping
second: cancelled
refused: session-not-found
closed: clean
`, runGo(t, source))
}
