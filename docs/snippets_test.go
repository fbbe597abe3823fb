// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	return append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
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

// A host in any language writes these lines and reads lines.
func TestWireHost(t *testing.T) {
	source := snippets(read(t, "../README.md"))["wire"]
	require.NotEmpty(t, source)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	env := commands(t)
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec accord serve")
	cmd.Env, cmd.Dir = env, t.TempDir()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	read := ""
	for i, line := range strings.Split(strings.TrimSpace(source), "\n") {
		_, err := io.WriteString(in, line+"\n")
		require.NoError(t, err)
		answer := fmt.Sprintf(`"id":%d,"result"`, i+1)
		for lines.Scan() {
			read += lines.Text() + "\n"
			if strings.Contains(lines.Text(), answer) {
				break
			}
		}
		require.Contains(t, read, answer)
	}
	require.NoError(t, cmd.Wait())
	accepted, ended, idle := strings.Index(read, `"messageId"`), strings.Index(read, `"type":"turn/end"`), strings.Index(read, `"id":3`)
	assert.Positive(t, accepted)
	assert.Greater(t, ended, accepted)
	assert.Greater(t, idle, ended)
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
