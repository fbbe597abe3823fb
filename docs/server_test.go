// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the page on servers shows is what `accord init` writes, and its commands
// and its program run.
func TestWritingAServer(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	const page = "writing-a-server.md"
	dir, err := os.MkdirTemp("", "accord") // with a short path, as a socket needs, and for this user alone
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	env := commands(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	in := func(dir, line string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
		return string(out)
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	script := lines(t, page, "init")
	require.Equal(t, "cd notes", script[1])
	in(dir, script[0]+" --replace "+root)
	dir = filepath.Join(dir, "notes")
	shown := ""
	for _, line := range script[2:] {
		shown = in(dir, line)
	}
	assert.Contains(t, shown, "exported 2 of 2", "the demo")

	server := read(t, filepath.Join(dir, "server/server.go"))
	for _, name := range []string{"export", "confirm"} {
		assert.True(t, strings.Contains(server, snippets(read(t, page))[name]), "server.go of a new module has no %s", name)
	}

	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd/remote"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd/remote/main.go"), []byte(snippets(read(t, page))["sockets"]), 0o600))
	for _, line := range lines(t, page, "build") {
		in(dir, line)
	}
	for _, endpoint := range []string{"unix:" + filepath.Join(filepath.Dir(dir), "s"), "ws:127.0.0.1:0"} {
		cmd := exec.CommandContext(ctx, "./remote", "serve", endpoint)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		first := bufio.NewScanner(out)
		require.True(t, first.Scan(), endpoint)
		assert.Equal(t, "added n1\n", in(dir, "./remote add "+first.Text()+" 'buy milk'"))
		assert.Equal(t, "added n2\n", in(dir, "./remote add "+first.Text()+" 'buy bread'"), "connections share the server")
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		assert.NoError(t, cmd.Wait(), "%s %s", endpoint, strings.TrimSpace(first.Text()))
	}
}
