// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/files"
)

// migrated is the text of a log's successor.
func migrated(l *log.Reader, o Options) (string, error) {
	var b []byte
	err := Log(l, o, func(h harness.SessionHeaderLine) (err error) {
		b, err = log.AppendHeader(b, h)
		return err
	}, func(r log.Row) error {
		b = append(r.Append(b), '\n')
		return nil
	})
	return string(b), err
}

var made = regexp.MustCompile(`v2-to-v3-system-[0-9a-f]{64}`)

// Each log of an older generation becomes what the official migration made of it,
// byte for byte but for the ids that it makes.
func TestAsTheOfficialMigration(t *testing.T) {
	dirs, err := filepath.Glob("../testdata/golden/*-1-original")
	require.NoError(t, err)
	require.Len(t, dirs, 5)
	n := 0
	for _, dir := range dirs {
		home, done := os.DirFS(dir), os.DirFS(strings.Replace(dir, "-1-original", "-2-migrated-to-v4", 1))
		l, err := files.Scan(home)
		require.NoError(t, err)
		for _, p := range l.Places {
			t.Run(filepath.Base(dir)+"/"+p.ID, func(t *testing.T) {
				var o Options
				for _, c := range l.Places {
					r, f, err := files.Open(home, c, 0)
					require.NoError(t, err)
					if parent := r.Header().ParentSession; parent != nil && string(*parent) == p.ID {
						child, err := ChildOf(r)
						require.NoError(t, err)
						o.Children = append(o.Children, child)
					}
					require.NoError(t, f.Close())
				}
				r, f, err := files.Open(home, p, 0)
				require.NoError(t, err)
				defer f.Close()
				got, err := migrated(r, o)
				require.NoError(t, err)

				successors, err := files.Scan(done)
				require.NoError(t, err)
				w, wf, err := files.Open(done, successors.Find(p.ID)[0], 0)
				require.NoError(t, err)
				defer wf.Close()
				want, err := log.AppendHeader(nil, *w.Header())
				require.NoError(t, err)
				lines := strings.Count(got, "\n")
				for i := 1; i < lines; i++ {
					r, err := w.Next()
					require.NoError(t, err)
					want = append(append(want, r.Line...), '\n')
				}
				assert.Equal(t, made.ReplaceAllString(string(want), "made"), made.ReplaceAllString(got, "made"))
				// DSH closes and marks what follows.
				if next, err := w.Next(); err == nil {
					assert.Contains(t, []string{"session/end-seed", "step/end", "turn/end"}, next.Type)
				}
				n++
			})
		}
	}
	assert.Equal(t, 14, n)
}

func open(t *testing.T, text string) *log.Reader {
	t.Helper()
	l, err := log.NewReader(strings.NewReader(text), log.Options{})
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func old(version int, extra string, rows ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"session","version":%d,"id":"s","createdAt":1,%s"delegationDepth":0}`+"\n", version, extra)
	for i, r := range rows {
		kind, data, _ := strings.Cut(r, " ")
		surface := ""
		if cut, ok := strings.CutSuffix(data, " append"); ok {
			data, surface = cut, `,"surfaceOp":"append"`
		}
		if cut, ok := strings.CutSuffix(data, " ignorable"); ok {
			data, surface = cut, `,"ignorable":true`
		}
		fmt.Fprintf(&b, `{"type":%q,"seq":%d,"time":%d,"data":%s%s}`+"\n", kind, i, 100+i, data, surface)
	}
	return b.String()
}

// What the first releases wrote is repaired.
func TestRepairs(t *testing.T) {
	got, err := migrated(open(t, old(0, "",
		`turn/start {"turn":1,"trigger":"user"}`,
		`step/start {"turn":1,"step":1}`,
		`steering/message {"role":"user","content":[],"source":{"kind":"user"}}`,
		`request/header {"header":{"config":{"provider":"p","model":"m"},"adapterDefaults":{},"tools":[],"messagePrefix":"x"},"reason":"initial"}`,
		`llm/retry {"turn":1,"step":1,"provider":"p","retry":1,"delayMs":466.96245539921847}`,
		`llm/retry-started {"turn":1,"step":1,"retry":1}`,
		`assistant/message {"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c","name":"n","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}} append`,
		`tool/call {"turn":1,"step":1,"callId":"c","name":"n","arguments":"{}"}`,
		`tool/result {"turn":1,"step":1,"callId":"c","content":[],"isError":false} append`,
		`step/end {"turn":1,"step":1}`,
		`compact/start {"turn":1}`,
		`compact/end {"turn":1}`,
		`turn/end {"turn":1,"reason":{"kind":"disposed"}}`,
		`turn/start {"turn":2}`,
		`turn/end {"turn":2,"reason":{"kind":"aborted"}}`,
		`turn/start {"turn":3}`,
		`turn/end {"turn":3,"reason":{"kind":"error","message":"no"}}`,
		`turn/start {"turn":4}`,
		`turn/start {"turn":5}`,
	)), Options{Children: []Child{{ID: "k", CreatedAt: 7}}})
	require.NoError(t, err)
	for _, want := range []string{
		`"seq":0,"time":100,"data":{"turn":1}`,
		`{"type":"user/message","seq":3,"time":102,"data":{"role":"user","content":[],"source":{"kind":"user"},"id":"legacy-message:s:2"},"surfaceOp":"append"}`,
		`"data":{"header":{"config":{"provider":"p","model":"m"}},"reason":"initial"}`,
		`"delayMs":466.96245539921847,"retryId":"legacy-retry:s:4"`,
		`"retry":1,"retryId":"legacy-retry:s:4"}`,
		`"message":{"role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","content":[],"isError":false,"id":"legacy-message:s:8"}`,
		`{"type":"compaction/end","seq":12,"time":111,"data":{"turn":1,"compactionId":"legacy-compaction:s:10"}}`,
		`{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"disposed"}}}`,
		`{"turn":2,"reason":{"kind":"aborted","reason":{"kind":"legacy"}}}`,
		`{"turn":3,"reason":{"kind":"error","error":{"message":"no","code":"UNKNOWN"}}}`,
		`{"type":"turn/end","seq":19,"time":117,"data":{"turn":4,"reason":{"kind":"interrupted"}}}`,
		`{"type":"subagent/catalog","seq":21,"time":118,"data":{"version":1,"childId":"k","childCreatedAt":7,"mode":"unknown"}}`,
	} {
		assert.Contains(t, got, want)
	}
	report, err := log.Verify(open(t, got))
	require.NoError(t, err)
	assert.True(t, report.Sound())
}

// What a fork inherited is marked, at the row that was there or at one of its own.
func TestSeeds(t *testing.T) {
	b, err := os.ReadFile("../testdata/cases/17-usage-of-forks-and-resumes/fork.jsonl")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"marked":   string(b),
		"unmarked": old(0, `"seedLength":2,`, `turn/start {"turn":1}`, `turn/end {"turn":1,"reason":{"kind":"completed"}}`, `turn/start {"turn":2}`),
		"all":      old(0, `"seedLength":2,`, `turn/start {"turn":1}`, `turn/end {"turn":1,"reason":{"kind":"completed"}}`),
	} {
		got, err := migrated(open(t, text), Options{})
		if name == "marked" {
			// Its messages come before any system prompt was sent.
			require.NoError(t, err)
		}
		require.NoError(t, err, name)
		assert.Contains(t, got, `"isSeeded":true`)
		assert.NotContains(t, got, "seedLength")
		assert.Equal(t, 1, strings.Count(got, `"data":{"inherited":true}`), name)
		report, err := log.Verify(open(t, got))
		require.NoError(t, err)
		assert.True(t, report.Sound(), "%s: %v", name, report.Violation)
	}
}

// What a plugin wrote is named after it.
func TestPlugins(t *testing.T) {
	got, err := migrated(open(t, old(3, `"isSeeded":false,`,
		`go/owner {"epoch":1} ignorable`,
		`turn/start {"turn":1}`,
		`step/start {"turn":1,"step":1}`,
		`system/message {"turn":1,"step":1,"message":{"id":"a","role":"system","source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt"},"content":[]}} append`,
		`user/message {"id":"b","role":"user","source":{"kind":"plugin","plugin":"compact","x":1},"content":[{"type":"chart","n":1.0}]} append`,
		`user/message {"id":"c","role":"user","source":{"kind":"plugin","plugin":"mine"},"content":[{"type":"text","text":"\u00e9"}]} append`,
		`user/message {"id":"d","role":"user","source":{"kind":"plugin","plugin":"goal"},"content":[]} append`,
	)), Options{})
	require.NoError(t, err)
	for _, want := range []string{
		`{"type":"plugin:go/owner","seq":0,"time":100,"data":{"epoch":1},"ignorable":true}`,
		`"source":{"kind":"system-prompt"}`,
		`"source":{"kind":"compact-checkpoint","x":1},"content":[{"type":"plugin:chart","n":1.0}]`,
		`"source":{"kind":"plugin:mine"},"content":[{"type":"text","text":"\u00e9"}]`,
		`"source":{"kind":"goal"}`,
	} {
		assert.Contains(t, got, want)
	}
}

// All reasons against a migration are reported together.
func TestRefusals(t *testing.T) {
	_, err := migrated(open(t, old(0, "",
		`go/owner {} ignorable`,
		`user/message {"role":"user","content":[],"source":{"kind":"user"}} append`,
		`turn/start {"turn":1}`,
		`request/header {"header":{"config":{}},"reason":"fallback"}`,
		`session/title {"title":"t","messageSeqs":[99],"source":{"kind":"fallback"}}`,
	)), Options{})
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	var lines []int64
	for _, r := range refused.Refusals {
		lines = append(lines, r.Line)
	}
	assert.Equal(t, []int64{2, 3, 5}, lines)

	_, err = migrated(open(t, old(3, `"isSeeded":false,`, `session/title {"title":"t","messageSeqs":[99],"source":{"kind":"fallback"}}`)), Options{})
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, "does not keep")

	_, err = migrated(open(t, old(3, `"isSeeded":false,`, `turn/start {"turn":7}`)), Options{})
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, "turns are counted from 1")

	_, err = migrated(open(t, old(3, `"isSeeded":false,`, `go/owner {}`)), Options{})
	require.Error(t, err)
}

func TestErrorsOfTheCaller(t *testing.T) {
	failed := errors.New("full")
	text := old(3, `"isSeeded":false,`, `turn/start {"turn":1}`)
	assert.ErrorIs(t, Log(open(t, text), Options{}, func(harness.SessionHeaderLine) error { return failed }, nil), failed)
	assert.ErrorIs(t, Log(open(t, text), Options{}, func(harness.SessionHeaderLine) error { return nil }, func(log.Row) error { return failed }), failed)
}

// A message's stream is its chunks, in entries that DSH takes apart again.
func TestStreams(t *testing.T) {
	text := old(1, "",
		`turn/start {"turn":1}`,
		`step/start {"turn":1,"step":1}`,
		`assistant/chunk {"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"a"}}`,
		`permission/preset {"preset":"x"}`,
		`assistant/chunk {"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"\u0062"}}`,
		`assistant/chunk {"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"c","name":"n","argumentsDelta":""}}`,
		`assistant/chunk {"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"c","argumentsDelta":"{}"}}`,
		`step/end {"turn":1,"step":1}`,
	)
	got, err := migrated(open(t, text), Options{})
	require.NoError(t, err)
	assert.Contains(t, got, `{"type":"assistant/attempt","seq":3,"time":106,"data":{"turn":1,"step":1,"stream":[`+
		`{"type":"text-chunks","time0":102,"index":0,"dt":[2],"texts":["a","\u0062"]},`+
		`{"type":"tool-call-chunks","time0":105,"index":1,"dt":[],"id":"c","name":"n","args":[""]},`+
		`{"type":"tool-call-chunks","time0":106,"index":1,"dt":[],"id":"c","args":["{}"]}]}}`+"\n"+
		`{"type":"permission/preset","seq":4`)
	assert.False(t, bytes.Contains([]byte(got), []byte("assistant/chunk")))
}
