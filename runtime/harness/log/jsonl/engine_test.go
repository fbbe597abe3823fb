// SPDX-License-Identifier: Apache-2.0

package jsonl_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/harness/log/jsonl"
	"github.com/accordkit/accord/runtime/harness/session"
)

// process is an engine over a home, as another process would have it, with a client.
func process(t *testing.T, home string, e log.Encoding) (rt *harnessclient.Runtime, end func()) {
	t.Helper()
	s, err := jsonl.Open(home, jsonl.Options{Encoding: e})
	require.NoError(t, err)
	engine := session.New(session.Options{Agent: demo.Agent{}, Store: s})
	in, toIn := io.Pipe()
	out, toOut := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- engine.Serve(context.Background(), in, toOut) }()
	rt, err = harnessclient.Connect(t.Context(), out, toIn, harnessclient.Options{Provider: "demo", Model: "demo", Dir: t.TempDir()})
	require.NoError(t, err)
	return rt, func() {
		require.NoError(t, rt.Close(context.Background()))
		<-served
		require.NoError(t, s.Close())
	}
}

func settled(t *testing.T, s *harnessclient.Session, text string) *harnessclient.Settlement {
	t.Helper()
	turn, err := s.Prompt(t.Context(), harness.Text(text), nil)
	require.NoError(t, err)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	return end
}

// What the engine writes is sound by DSH's rules, and another process continues it.
func TestSessionsOutliveTheirProcess(t *testing.T) {
	for name, e := range map[string]log.Encoding{"raw": log.Raw, "zstd": log.Zstd} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			rt, end := process(t, home, e)
			s := rt.Session("order/42")
			assert.True(t, settled(t, s, "remember color blue\nsay noted").OK())
			assert.True(t, settled(t, s, "tool grep\nsay done").OK())
			assert.True(t, settled(t, s, "child! say hello\nsay back").OK())
			assert.False(t, settled(t, s, "say a\nfail no").OK())
			turn, err := s.Prompt(t.Context(), harness.Text("say one\nsleep 1h"), nil)
			require.NoError(t, err)
			for range turn.Deltas(t.Context()) {
				break
			}
			stop, err := turn.Cancel(t.Context(), nil)
			require.NoError(t, err)
			require.NoError(t, stop.Settled(t.Context()))
			end()

			rt, end = process(t, home, e)
			again := settled(t, rt.Session("order/42"), "recall color")
			assert.Contains(t, again.Text, "blue")
			s, err = rt.Load(t.Context(), "order/42", nil, nil)
			require.NoError(t, err)
			assert.EqualValues(t, 6, s.Loaded().LastTurn)
			n := 0
			for _, err := range rt.List(t.Context(), nil) {
				require.NoError(t, err)
				n++
			}
			assert.Equal(t, 1, n)
			end()
			sound(t, home)
		})
	}
}

func sound(t *testing.T, home string) {
	t.Helper()
	root := os.DirFS(home)
	l, err := files.Scan(root)
	require.NoError(t, err)
	require.NotEmpty(t, l.Places)
	for _, p := range l.Places {
		rows, f, err := files.Open(root, p, 0)
		require.NoError(t, err)
		report, err := log.Verify(rows)
		require.NoError(t, err)
		if !assert.True(t, report.Sound(), "%s: %+v %+v", p.Path(), report, report.Violation) {
			data, _ := os.ReadFile(filepath.Join(home, p.Path()))
			if p.Encoding == log.Raw {
				t.Logf("%s", data)
			}
		}
		require.NoError(t, f.Close())
	}
}
