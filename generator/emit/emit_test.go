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

// Emitters know the language, never a protocol: a word of the flagship in one
// of them would be a fact that the declaration should state.
func TestEmittersKnowNoProtocol(t *testing.T) {
	flagship := regexp.MustCompile(`(?i)\b(sessions?|prompts?|turn|steer|subagents?|dsh|harness)\b`)
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if word := flagship.FindString(line); word != "" {
				t.Errorf("%s:%d: an emitter knows the word %q", path, i+1, word)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, files)
}
