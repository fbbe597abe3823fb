// SPDX-License-Identifier: Apache-2.0

package emit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ours are the words of the protocols in this repository, as far as the
// language has not the same: of spec/harness, and of spec/jobs.
var ours = regexp.MustCompile(`(?i)\b(sessions?|prompts?|turn|steer|subagents?|dsh|harness|` +
	`jobs?|leases?|workers?|brokers?|slots?)\b`)

// The generator knows the language, never a protocol: a word of one in it would
// be a fact that its declaration should state. The samples in emittest are a
// protocol themselves.
func TestEmittersKnowNoProtocol(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "emittest") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if word := ours.FindString(line); word != "" {
				t.Errorf("%s:%d: the generator knows the word %q", path, i+1, word)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, files)
}
