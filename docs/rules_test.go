// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
)

// Each rule of the protocols is carried by a test: its id is in a test file that
// was written by hand.
func TestRulesAreTested(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*_test.go", ":!*gen_test.go", ":!docs")
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err)
	var tests strings.Builder
	for _, file := range strings.Fields(string(out)) {
		tests.WriteString(read(t, "../"+file))
	}
	for _, spec := range []string{"../spec/harness", "../spec/jobs"} {
		s, err := load.Open(t.Context(), spec, load.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, s.Model.Rules, spec)
		for _, r := range s.Model.Rules {
			assert.Regexp(t, `\b`+regexp.QuoteMeta(r.ID)+`\b`, tests.String(), "%s: no test carries the rule %s", spec, r.ID)
		}
	}
}
