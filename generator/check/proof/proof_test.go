// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/problem"
)

// want is one report: a rule, and the moves of its trace, or what its text
// says if it has none.
type want struct {
	rule  string
	trace []string
	here  string // part of the last line: where it ends
	says  string // part of the text
}

var stepLine = regexp.MustCompile(`(?m)^  \d+\. (.*)$`)

// moves are the moves of a trace with their arguments, without answers.
func moves(trace string) []string {
	var out []string
	for _, m := range stepLine.FindAllStringSubmatch(trace, -1) {
		move, _, _ := strings.Cut(m[1], "; ")
		move, _, _ = strings.Cut(move, ": ")
		out = append(out, move)
	}
	return out
}

// expect checks the reports that a wrong machine gets, except for rules that
// are not examined.
func expect(t *testing.T, wants []want, found problem.List, ignored ...string) {
	t.Helper()
	var left problem.List
	for _, p := range found {
		assert.NotContains(t, p.Text.EN+p.Text.ZH+p.Trace.EN+p.Trace.ZH, "%!", "a format with wrong arguments")
		assert.NotEmpty(t, p.Text.ZH)
		assert.Equal(t, p.Trace.EN == "", p.Trace.ZH == "")
		assert.Equal(t, len(moves(p.Trace.EN)), len(moves(p.Trace.ZH)))
		assert.NotEmpty(t, p.Pos.File, p)
		if !contains(ignored, p.Rule) {
			left = append(left, p)
		}
	}
	require.Len(t, left, len(wants), "%s", left)
	for _, w := range wants {
		hit := false
		for _, p := range left {
			hit = hit || p.Rule == w.rule && assert.ObjectsAreEqual(w.trace, moves(p.Trace.EN)) &&
				strings.Contains(p.Trace.EN, w.here) && strings.Contains(p.Text.EN, w.says)
		}
		assert.True(t, hit, "no %s by %q in %s", w.rule, w.trace, left)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func TestRulesAreDescribed(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range proof.Rules() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, r.ID)
		assert.False(t, ids[r.ID], r.ID)
		ids[r.ID] = true
		assert.NotEmpty(t, r.About.EN)
		assert.NotEmpty(t, r.About.ZH)
		assert.Equal(t, problem.Error, r.Severity)
	}
}
