// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(breakEnv); IsPeer() && name != "" {
		os.Exit(brokenPeer(flaws[name]))
	}
	if IsPeer() {
		os.Exit(PeerMain())
	}
	// A peer under the race detector would sleep a second before its exit.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

// testOptions start this test binary as the peer.
func testOptions() Options {
	return Options{Peer: []string{os.Args[0]}, Timeout: 20 * time.Second}
}

// TestCases plays every wire case through the generated client.
func TestCases(t *testing.T) {
	cases, others, err := Discover(filepath.Join("testdata", "cases"))
	require.NoError(t, err)
	assert.Empty(t, others)
	require.NotEmpty(t, cases)
	for _, c := range cases {
		t.Run(c.Name(), func(t *testing.T) {
			require.NoError(t, c.Err)
			r, err := Run(t.Context(), c, testOptions())
			require.NoError(t, err)
			for _, s := range r.Skipped {
				t.Log("SKIPPED", s)
			}
			assert.True(t, r.Passed, "%s\n%s", r.Line(), r.Transcript)
		})
	}
}
