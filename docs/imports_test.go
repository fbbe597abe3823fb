// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os/exec"
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
		module + "runtime/server", // types and both sides are one package
		module + "runtime/harness",
		module + "clients/go/harnessclient",
	}, deps(t, "./clients/go/harnessclient"), "if this is meant, say so in docs/embedding.md and here")
}

// Imports run one way: what runs never imports what generates, nor what is
// declared, nor anybody else's code.
func TestImportsRunOneWay(t *testing.T) {
	for pattern, may := range map[string][]string{
		"./runtime/...":   {"runtime/"},
		"./spec":          {"spec"},
		"./generator/...": {"generator", "spec", "runtime/codec"}, // what is generated quotes as the codec does
	} {
		for _, p := range deps(t, pattern) {
			own, ours := strings.CutPrefix(p, module)
			if !ours {
				assert.NotEqual(t, "./runtime/...", pattern, "runtime compiles %s", p)
				continue
			}
			allowed := false
			for _, prefix := range may {
				allowed = allowed || strings.HasPrefix(own, prefix)
			}
			assert.True(t, allowed, "%s compiles %s", pattern, p)
		}
	}
}
