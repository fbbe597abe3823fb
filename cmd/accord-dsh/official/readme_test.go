// SPDX-License-Identifier: Apache-2.0

package official

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The host that the README shows is run unchanged, with accord-dsh in PATH.
func TestReadmeHost(t *testing.T) {
	python := filepath.Join(setUp(t, "python"), "bin", "python")
	bin := buildRuntime(t)
	for _, page := range []string{"README.md", "README.zh.md"} {
		text, err := os.ReadFile("../../../" + page)
		require.NoError(t, err)
		m := regexp.MustCompile("(?s)<!-- snippet python-host -->\n\n```python\n(.*?)```").FindSubmatch(text)
		require.NotNil(t, m, page)
		cmd := exec.Command(python, "-c", string(m[1]))
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", page, out)
		assert.Equal(t, "completed hello from Python\n", string(out), page)
	}
}
