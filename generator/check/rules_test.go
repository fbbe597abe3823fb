// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// open loads a spec of testdata; comments at line ends are the tests' own.
func open(t *testing.T, dir string) *load.Spec {
	t.Helper()
	s, err := load.Open(t.Context(), "./"+dir, load.Options{NoCache: true})
	require.NoError(t, err)
	for _, p := range s.Problems {
		if p.Severity == problem.Error {
			t.Error(p)
		}
	}
	require.NotNil(t, s.Model)
	return s
}

var want = regexp.MustCompile(`// want (.+)$`)

// wanted lists "file:line rule" of all want comments, and the rules in them.
func wanted(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		for i, line := range strings.Split(string(data), "\n") {
			if m := want.FindStringSubmatch(line); m != nil {
				for _, rule := range strings.Fields(m[1]) {
					out = append(out, filepath.Base(f)+":"+strconv.Itoa(i+1)+" "+rule)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func places(list problem.List) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.Pos.File+":"+strconv.Itoa(p.Pos.Line)+" "+p.Rule)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// drifted gives the drifts from a lock in which one text was confirmed with other
// English.
func drifted(m *model.Protocol) []translation.Drift {
	i := slices.IndexFunc(m.Methods, func(x *model.Method) bool { return x.Name == "drifted" })
	if i < 0 {
		return nil
	}
	now := m.Methods[i].Doc.EN
	m.Methods[i].Doc.EN = "Drifted was otherwise."
	_, lock := (&translation.Lock{}).Compare(m)
	m.Methods[i].Doc.EN = now
	drifts, _ := lock.Compare(m)
	return drifts
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{"testdata/bad", "testdata/clash"} {
		s := open(t, dir)
		found := check.Run(s.Model, check.Options{Drifts: drifted(s.Model)})
		assert.Equal(t, wanted(t, dir), places(found), dir)
		for _, p := range found {
			seen[p.Rule] = true
			assert.NotEmpty(t, p.Text.EN)
			assert.NotEmpty(t, p.Text.ZH)
			assert.NotContains(t, p.Text.EN+p.Text.ZH, "%!", "a format with wrong arguments")
			assert.Positive(t, p.Pos.Col)
		}
	}
	for _, r := range check.Rules() {
		assert.True(t, seen[r.ID], "rule %s has no bad spec", r.ID)
	}
}

func TestCleanSpec(t *testing.T) {
	s, err := load.Open(t.Context(), "../load/testdata/queue", load.Options{NoCache: true})
	require.NoError(t, err)
	require.Empty(t, s.Problems)
	found := check.Run(s.Model, check.Options{})
	assert.Empty(t, found)
}

func TestRulesAreDescribed(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range check.Rules() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, r.ID)
		assert.False(t, ids[r.ID], r.ID)
		ids[r.ID] = true
		assert.NotEmpty(t, r.About.EN)
		assert.NotEmpty(t, r.About.ZH)
		assert.Contains(t, []problem.Severity{problem.Error, problem.Warning}, r.Severity)
	}
}
