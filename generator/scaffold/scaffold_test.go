// SPDX-License-Identifier: Apache-2.0

package scaffold

import (
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// That the files work is tested with the command: they are generated from,
// compiled and run there.
func TestFiles(t *testing.T) {
	files, err := Files(Options{Module: "example.org/zoo", Version: "v1.2.3"})
	require.NoError(t, err)
	seen := map[string]string{}
	for _, f := range files {
		seen[f.Path] = string(f.Content)
		assert.NotContains(t, string(f.Content), "[[", f.Path)
		assert.Equal(t, f.Path == ".ci/run", f.Executable, f.Path)
		if strings.HasSuffix(f.Path, ".go") {
			formatted, err := format.Source(f.Content)
			require.NoError(t, err, f.Path)
			assert.Equal(t, string(formatted), string(f.Content), f.Path)
		}
	}
	assert.Equal(t, "module example.org/zoo\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v1.2.3\n", seen["go.mod"])
	assert.Contains(t, seen["spec/protocol.go"], "var Zoo = &spec.Protocol{")
	assert.Contains(t, seen["cmd/zoo/main.go"], "\"example.org/zoo/zoo/zooclient\"\n")

	files, err = Files(Options{Module: "example.org/zoo", Version: "v0.0.0", Replace: "/kit"})
	require.NoError(t, err)
	for _, f := range files {
		if f.Path == "go.mod" {
			assert.Contains(t, string(f.Content), "\nreplace github.com/accordkit/accord => /kit\n")
		}
	}
}

func TestNames(t *testing.T) {
	for module, want := range map[string]string{
		"example.org/notes":       "notes",
		"example.org/My-Notes":    "mynotes",
		"example.org/notes/v2":    "notes",
		"notes":                   "notes",
		"v2":                      "v2",
		"example.org/notes.proto": "notesproto",
	} {
		assert.Equal(t, want, nameOf(module), module)
	}
	for _, o := range []Options{
		{},
		{Module: "/x"},
		{Module: "x/"},
		{Module: "a b"},
		{Module: "example.org/2048"},
		{Module: "example.org/func"},
		{Module: "example.org/x", Name: "A"},
		{Module: "example.org/x", Name: "a_test"},
		{Module: "example.org/x", Name: "main"},
		{Module: "example.org/x", Name: "internal"},
		{Module: "example.org/x", Name: "vendor"},
		{Module: "example.org/x", Name: "testdata"},
		{Module: "example.org/x", Name: "server"},
		{Module: "example.org/spec"},
		{Module: "example.org/x", Name: "é"},
		{Module: "example.org/x", Name: "init"},
		{Module: "example.org/x", Name: "any"},
		{Module: "example.org/x", Name: "error"},
		{Module: "example.org/x", Name: "nil"},
		{Module: "example.org/x", Name: "con"},
		{Module: "example.org/x", Name: "lpt1"},
		{Module: "example.org/X."},
		{Module: "example.org/vendor/x"},
		{Module: "vendor"},
		{Module: "example.org/aux/x"},
	} {
		_, err := Files(o)
		require.Error(t, err, "%+v", o)
	}
}
