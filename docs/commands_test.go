// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines returns the commands of a snippet that must be there.
func lines(t *testing.T, page, name string) []string {
	t.Helper()
	source := strings.TrimSpace(snippets(read(t, page))[name])
	require.NotEmpty(t, source, "%s has no snippet %s", page, name)
	return strings.Split(source, "\n")
}

// inCheckout runs a command at the top of the checkout.
func inCheckout(t *testing.T, env []string, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", line, out)
	return string(out)
}

// The commands that install from a clone do so, and the first ones to try work
// with what was installed.
func TestInstall(t *testing.T) {
	bin := t.TempDir()
	env := []string{"GOBIN=" + bin, "GOFLAGS=-buildvcs=false", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	for _, line := range lines(t, "../README.md", "install") {
		switch {
		case strings.HasPrefix(line, "git clone "): // this is the clone
			module, _, _ := strings.Cut(strings.TrimPrefix(read(t, "../go.mod"), "module "), "\n")
			assert.Equal(t, "git clone https://"+module, line)
		case line == "cd accord":
		default:
			inCheckout(t, env, line)
		}
	}
	for _, command := range []string{"accord", "accord-dsh"} {
		assert.FileExists(t, filepath.Join(bin, command))
	}
	for _, line := range lines(t, "../README.md", "first") {
		if strings.HasPrefix(line, "make ") {
			line = strings.Replace(line, "make ", "make -n ", 1) // a test of its own plays the demo
		}
		assert.NotEmpty(t, inCheckout(t, env, line), line)
	}
}

// The targets of make that CONTRIBUTING lists are there.
func TestContributingTargets(t *testing.T) {
	listed := lines(t, "../CONTRIBUTING.md", "make")
	for _, line := range listed {
		target, ok := strings.CutPrefix(line, "make ")
		require.True(t, ok, line)
		assert.NotEmpty(t, inCheckout(t, nil, "make -n "+target), line)
	}
}

// The golden files that CONTRIBUTING says how to write have tests that take the
// flag.
func TestContributingGolden(t *testing.T) {
	for _, line := range lines(t, "../CONTRIBUTING.md", "golden") {
		rest, ok := strings.CutPrefix(line, "go test ")
		require.True(t, ok, line)
		inCheckout(t, nil, "go test -run '^$' "+rest)
	}
}

var goVersion = regexp.MustCompile(`go-version: "(.+)"`)

// The hosted CI runs the same script that a contributor runs, with a version of Go that the
// module takes.
func TestHostedCI(t *testing.T) {
	workflow := read(t, "../.github/workflows/ci.yml")
	assert.Contains(t, workflow, "run: bash .ci/run\n")
	assert.Contains(t, workflow, `CI: "true"`, "a missing Node or Python is a failure there")
	required := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../go.mod"))
	require.NotNil(t, required)
	found := goVersion.FindAllStringSubmatch(workflow, -1)
	require.NotEmpty(t, found)
	for _, m := range found {
		assert.Regexp(t, `^`+regexp.QuoteMeta(required[1])+`\.\d+$`, m[1], "a pinned version of go.mod's Go")
	}
	for _, step := range []string{"go vet ./...", "GOOS=windows go vet ./...", "GOOS=darwin go vet ./..."} {
		assert.Contains(t, read(t, "../.ci/run"), step)
	}
}
