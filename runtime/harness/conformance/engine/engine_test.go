// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/runtime/harness/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestCasesAgainstTheEngine plays the cases that are about runtimes with our
// own: what the client observes must be what expect.json says.
func TestCasesAgainstTheEngine(t *testing.T) {
	cases, _, err := conformance.Discover(filepath.Join("..", "testdata", "cases"))
	require.NoError(t, err)
	played := 0
	for _, c := range cases {
		t.Run(c.Name(), func(t *testing.T) {
			require.NoError(t, c.Err)
			r, err := conformance.Run(t.Context(), c, conformance.Options{Timeout: 20 * time.Second, Against: Subject})
			require.NoError(t, err)
			if r.Checked == 0 && len(r.Skipped) > 0 {
				t.Skip("SKIPPED:", strings.Join(r.Skipped, "; "))
			}
			played++
			assert.True(t, r.Passed, "%s\n%s", r.Line(), strings.Join(r.Transcript, "\n"))
			for _, line := range r.Transcript {
				assert.NotContains(t, line, "!! ", "what the script's runtime wrote and ours did not")
			}
		})
	}
	assert.GreaterOrEqual(t, played, 5)
}
