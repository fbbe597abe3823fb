// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func at(file string, line, col int, step ...string) problem.Problem {
	return problem.Problem{Pos: model.Pos{File: file, Line: line, Col: col}, Fix: [][]string{step}}
}

const members = `package p

// Some are some.
type Some struct {
	A string ` + "`json:\"a\" lenght:\"1..\"`" + ` // a
	B []int
}

var all = []string{"slwo", "slwo"}
`

// What is not as it was when the problem was found is left alone; so is what has
// two answers.
func TestNoChange(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "p.go", members)
	put(t, dir, "broken.go", "package")
	outside := put(t, t.TempDir(), "q.go", members)
	for name, found := range map[string]problem.Problem{
		"other text":     at("p.go", 3, 4, "replace", "zh：", "zh:"),
		"no such line":   at("p.go", 99, 1, "replace", "", "x"),
		"no such column": at("p.go", 9, 999, "replace", "", "x"),
		"no such file":   at("q.go", 1, 1, "replace", "", "x"),
		"another folder": at("../q.go", 1, 1, "replace", "", "x"),
		"absolute":       at(outside, 1, 1, "replace", "", "x"),
		"does not parse": at("broken.go", 1, 1, "replace", "", "x"),
		"no field":       at("p.go", 4, 6, "tag", "json", "x"),
		"no such key":    at("p.go", 5, 2, "retag", "lnegth", "length"),
		"two as near":    at("p.go", 5, 2, "retag", "lenght", "lengh", "lenghtx"),
		"nothing near":   at("p.go", 5, 2, "retag", "lenght", "since"),
		"two literals":   at("p.go", 9, 11, "value", "slwo", "slow"),
		"no list":        at("p.go", 9, 5, "list", "P", "Errors", "E"),
		"no such word":   at("p.go", 5, 2, "polish"),
		"no word":        at("p.go", 5, 2),
		"nothing to do":  {Pos: model.Pos{File: "p.go", Line: 5, Col: 2}},
	} {
		assert.Empty(t, check.OpenSource(dir).Changes(found), name)
		done, texts, err := check.OpenSource(dir).Apply(problem.List{found})
		require.NoError(t, err)
		assert.Empty(t, done, name)
		assert.Empty(t, texts, name)
	}
	text, err := os.ReadFile(filepath.Join(dir, "p.go"))
	require.NoError(t, err)
	assert.Equal(t, members, string(text))
}

// Two problems with one tag take turns, and a file that was formatted stays so.
func TestTurns(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "p.go", members)
	all := problem.List{
		at("p.go", 5, 2, "retag", "lenght", "json", "length"), at("p.go", 5, 2, "tag", "since", "2"), at("p.go", 6, 2, "tag", "json", "b"),
	}
	done, texts, err := check.OpenSource(dir).Apply(all)
	require.NoError(t, err)
	put(t, dir, "p.go", string(texts["p.go"]))
	assert.Equal(t, problem.List{all[0], all[2]}, done)
	done, texts, err = check.OpenSource(dir).Apply(all[1:2])
	require.NoError(t, err)
	assert.Len(t, done, 1)
	assert.Equal(t, `package p

// Some are some.
type Some struct {
	A string `+"`json:\"a\" length:\"1..\" since:\"2\"`"+` // a
	B []int  `+"`json:\"b\"`"+`
}

var all = []string{"slwo", "slwo"}
`, string(texts["p.go"]))
}

// Changes that would not be Go change nothing.
func TestAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "p.go", members)
	put(t, dir, "q.go", "package p\n\nvar x int\n")
	done, texts, err := check.OpenSource(dir).Apply(problem.List{at("p.go", 6, 2, "tag", "json", "b"), at("q.go", 3, 1, "replace", "var", "vra")})
	require.ErrorContains(t, err, "the changes to q.go would not be Go")
	assert.Empty(t, done)
	assert.Empty(t, texts)
}
