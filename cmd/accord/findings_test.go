// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// On a terminal the place stands below a finding, whatever stands before the
// word; elsewhere a finding is a line.
func TestFindings(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte("package p\n\n\tvar 词, Read = 1, 2\n"), 0o600))
	list := problem.List{
		{Pos: model.Pos{File: "p.go", Line: 3, Col: len("\tvar 词, ") + 1}, Severity: problem.Error, Rule: "hole", Text: model.Text{EN: "it does not say Repeats"}},
		{Pos: model.Pos{File: "p.go", Line: 9, Col: 1}, Severity: problem.Warning, Text: model.Text{EN: "beyond the end"}},
		{Severity: problem.Error, Text: model.Text{EN: "nowhere"}},
	}
	shown := func(f findings) string {
		var b strings.Builder
		f.out = &b
		f.print(dir, list)
		return b.String()
	}
	assert.Equal(t, strings.Join([]string{
		"p.go:3:11: it does not say Repeats [hole]",
		"p.go:9:1: warning: beyond the end",
		"nowhere",
		"2 errors, 1 warning; `accord explain hole` says more of a rule",
		"",
	}, "\n"), shown(findings{}))
	assert.Equal(t, strings.Join([]string{
		"p.go:3:11: it does not say Repeats [hole]",
		"  3 |     var 词, Read = 1, 2",
		"    |             ^",
		"p.go:9:1: warning: beyond the end",
		"nowhere",
		"2 errors, 1 warning; `accord explain hole` says more of a rule",
		"",
	}, "\n"), shown(findings{excerpt: true}))
	assert.Contains(t, shown(findings{excerpt: true, colour: true}), "\x1b[1;31mp.go:3:11\x1b[0m: it does not say Repeats \x1b[2m[hole]\x1b[0m\n")
}
