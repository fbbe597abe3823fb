// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/accordkit/accord/"

// deps are the packages that a pattern's packages compile, outside of the
// standard library.
func deps(t *testing.T, pattern string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", pattern)
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// A host compiles the standard library and this, and nothing else.
func TestWhatAHostCompiles(t *testing.T) {
	assert.Equal(t, []string{
		module + "runtime/codec",
		module + "runtime/contract",
		module + "runtime/jsonrpc",
		module + "runtime/process",
		module + "runtime/client",
		module + "runtime/harness",
		module + "clients/go/harnessclient",
	}, deps(t, "./clients/go/harnessclient"), "if this is meant, say so in docs/embedding.md and here")
}

// outsiders are the packages that may compile more than the standard library
// and their own side: WebSockets, and what drives whole programs.
var outsiders = []string{"runtime/listen", "runtime/harness/agent", "runtime/harness/log", "runtime/harness/conformance"}

// Imports run one way: what runs never imports what generates, nor what is
// declared. The kit and what is generated compile the standard library and this
// module.
func TestImportsRunOneWay(t *testing.T) {
	for pattern, may := range map[string][]string{
		"./runtime/...":    {"runtime/"},
		"./clients/go/...": {"runtime/", "clients/go/"},
		"./spec":           {"spec"},
		"./generator/...":  {"generator", "spec", "runtime/codec"}, // what is generated quotes as the codec does
	} {
		runs := strings.HasPrefix(pattern, "./runtime") || strings.HasPrefix(pattern, "./clients")
		cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, pattern)
		cmd.Dir = ".."
		out, err := cmd.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			paths := strings.Fields(line)
			own := strings.TrimPrefix(paths[0], module)
			for _, d := range paths[1:] {
				wrong := false
				if path, ours := strings.CutPrefix(d, module); ours {
					wrong = !slices.ContainsFunc(may, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
				} else {
					first, _, _ := strings.Cut(d, "/")
					wrong = runs && strings.Contains(first, ".")
				}
				if !wrong {
					continue
				}
				i := slices.IndexFunc(outsiders, func(o string) bool { return own == o || strings.HasPrefix(own, o+"/") })
				if assert.GreaterOrEqual(t, i, 0, "%s compiles %s", own, d) {
					assert.NotContains(t, d, module+"generator", own)
					assert.NotContains(t, d, module+"spec", own)
				}
			}
		}
	}
}

// The kit knows no protocol: what is not below a protocol's folder compiles
// nothing that is.
func TestKitKnowsNoProtocol(t *testing.T) {
	specs, err := os.ReadDir("../spec")
	require.NoError(t, err)
	var protocols []string
	for _, e := range specs {
		if e.IsDir() && e.Name() != "model" {
			protocols = append(protocols, module+"runtime/"+e.Name())
		}
	}
	require.Contains(t, protocols, module+"runtime/harness")
	below := func(path string) bool {
		return slices.ContainsFunc(protocols, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./runtime/...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		if below(paths[0]) {
			continue
		}
		n++
		for _, d := range paths[1:] {
			assert.False(t, below(d), "%s compiles %s", paths[0], d)
		}
	}
	assert.Greater(t, n, 8)
}
