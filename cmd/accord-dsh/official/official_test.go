// SPDX-License-Identifier: Apache-2.0

package official

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// client is one official client: how to set it up and how to run a scenario.
type client struct {
	name  string
	setup string // setup.sh's word
	// command is the scenario script's command line, from the folder that
	// setup.sh prints.
	command func(tools string) *exec.Cmd
}

var clients = []client{
	{name: "python", setup: "python", command: func(tools string) *exec.Cmd {
		return exec.Command(filepath.Join(tools, "bin", "python"), testdata("scenarios.py"))
	}},
	{name: "python-0.1", setup: "python", command: func(tools string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(tools, "bin", "python"), testdata("scenarios.py"), "--generation", "0.1")
		cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(tools, "sdk-0.1"))
		return cmd
	}},
	{name: "node", setup: "node", command: func(tools string) *exec.Cmd {
		cmd := exec.Command("node", testdata("node", "scenarios.mjs"))
		cmd.Dir = tools
		return cmd
	}},
}

// TestOfficialClients runs every scenario of every official client.
func TestOfficialClients(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			tools := setUp(t, c.setup)
			bin := buildRuntime(t)
			for _, name := range list(t, c, tools) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					run(t, c, tools, bin, name)
				})
			}
		})
	}
}

// run plays one scenario in a process of its own, with a home and a working
// directory of its own.
func run(t *testing.T, c client, tools, bin, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	base := c.command(tools)
	args := append(base.Args[1:], name, "--bin", bin, "--home", t.TempDir(), "--cwd", t.TempDir())
	cmd := exec.CommandContext(ctx, base.Path, args...)
	cmd.Dir, cmd.Env = base.Dir, base.Env
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func list(t *testing.T, c client, tools string) []string {
	t.Helper()
	cmd := c.command(tools)
	cmd.Args = append(cmd.Args, "--list")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var names []string
	require.NoError(t, json.Unmarshal(out, &names))
	require.NotEmpty(t, names)
	return names
}

// setUp installs a client if it is not there yet. With -short, or without its
// language on this machine, the test is skipped, and on CI it fails.
func setUp(t *testing.T, what string) string {
	t.Helper()
	if testing.Short() {
		skip(t, "the official clients are not driven with -short")
	}
	cmd := exec.Command("./setup.sh", what)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		skip(t, strings.TrimSpace(stderr.String()))
	}
	require.NoError(t, err, "setup.sh %s: %s", what, stderr.String())
	return strings.TrimSpace(string(out))
}

func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("on CI the official clients must be driven: " + why)
	}
	t.Skip("SKIPPED: " + why)
}

var built struct {
	once sync.Once
	path string
	err  error
}

// buildRuntime builds accord-dsh once for all tests.
func buildRuntime(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if bin := os.Getenv("ACCORD_DSH_BIN"); bin != "" {
			built.path = bin
			return
		}
		dir, err := os.MkdirTemp("", "accord-dsh-")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "accord-dsh")
		out, err := exec.Command("go", "build", "-o", built.path, "github.com/accordkit/accord/cmd/accord-dsh").CombinedOutput()
		if err != nil {
			built.err = errors.New(string(out))
		}
	})
	require.NoError(t, built.err, "accord-dsh does not build")
	return built.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" && os.Getenv("ACCORD_DSH_BIN") == "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

func testdata(elements ...string) string {
	path, err := filepath.Abs(filepath.Join(append([]string{"testdata"}, elements...)...))
	if err != nil {
		panic(err)
	}
	return path
}
