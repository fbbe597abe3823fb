// SPDX-License-Identifier: Apache-2.0

package official

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/harness/log/migrate"
	"github.com/accordkit/accord/runtime/store"
)

// goldenHome is a home of a released program.
func goldenHome(name string) string {
	return filepath.Join("../../../runtime/harness/log/testdata/golden", name)
}

// A log that we wrote, closed or migrated opens in the official runtime and
// continues there, and what it has written then is a sound log to us.
func TestOfficialRuntimeContinuesOurLogs(t *testing.T) {
	for _, e := range []log.Encoding{log.Raw, log.Zstd} {
		p := newPlace(t)
		if e == log.Zstd {
			p.profile = "sdk"
		}
		ours := map[string]int{}
		for home, id := range map[string]string{
			"v4-raw-killed-tool-1-before":              "killed-tool",
			"v4-raw-killed-stream-1-before":            "killed-stream",
			"v4-raw-plain":                             "plain",
			"v0-by-0.1.1rc1-1-original":                "cut",
			"v2-by-official-migration-code-1-original": "tool",
			"v0-by-0.1.2rc1-subagent-1-original":       "sub",
		} {
			ours[id] = p.write(t, goldenHome(home), id, e)
		}
		d := p.launch(t)
		for id := range ours {
			s, err := d.Resume(within(t, 20*time.Second), harness.SessionID(id), nil)
			require.NoError(t, err, id)
			end := settled(t, prompted(t, s, "reply continued"))
			assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome, id)
			if id == "killed-tool" {
				// The model answers the tool's result, which closed the turn.
				assert.Contains(t, end.Text, "Its outcome is unknown", "the history is there")
			} else {
				assert.Equal(t, "continued", end.Text, id)
			}
		}
		require.NoError(t, d.Close(within(t, 20*time.Second)))

		home := os.DirFS(p.home)
		layout, err := files.Scan(home)
		require.NoError(t, err)
		for id, n := range ours {
			places := layout.Find(id)
			require.Len(t, places, 1, id)
			assert.Equal(t, e, places[0].Encoding)
			l, f, err := files.Open(home, places[0], 0)
			require.NoError(t, err)
			kept := 0
			report, err := log.Salvage(l, func(r log.Row) error {
				if log.Ours(r) != nil {
					kept++
				}
				return nil
			})
			require.NoError(t, f.Close())
			require.NoError(t, err)
			assert.True(t, report.Sound(), "%s: %+v", id, report.Violation)
			assert.Nil(t, report.Tail)
			assert.Equal(t, n, kept, "rows of ours survive")
		}
	}
}

// write writes a golden log into p as a process of ours would: migrated if it is of
// an older generation, closed, with rows of ours, in the place of a session that
// works in p's directory. It returns how many rows are ours.
func (p *place) write(t *testing.T, home, id string, e log.Encoding) int {
	t.Helper()
	fsys := os.DirFS(home)
	layout, err := files.Scan(fsys)
	require.NoError(t, err)
	places := layout.Find(id)
	require.Len(t, places, 1)
	l, f, err := files.Open(fsys, places[0], 0)
	require.NoError(t, err)
	defer f.Close()

	var header harness.SessionHeaderLine
	var batch []byte
	var checker *log.Checker
	begin := func(h harness.SessionHeaderLine) error {
		header = h
		header.CWD = &p.dir
		checker = log.NewChecker(&header)
		return nil
	}
	var last log.Row
	write := func(r log.Row) error {
		last = r
		batch = append(r.Append(batch), '\n')
		return checker.Check(r)
	}
	if l.Header().Version < log.Newest {
		require.NoError(t, migrate.Log(l, migrate.Options{}, begin, write))
	} else {
		require.NoError(t, begin(*l.Header()))
		for r, err := range l.Rows() {
			require.NoError(t, err)
			require.NoError(t, write(r))
		}
	}
	for _, r := range checker.Closers() {
		require.NoError(t, write(r))
	}
	if r, ok := checker.EndSeed(last.Time); ok {
		require.NoError(t, write(r))
	}
	for _, row := range []func(seq, time int64) log.Row{
		log.Owner{Epoch: 1, PID: 1, Host: "h"}.Row,
		log.Receipt{Key: "k", Fingerprint: "f", MessageID: "m"}.Row,
		log.Partial{Turn: 1, Step: 1, Text: "partial"}.Row,
	} {
		require.NoError(t, write(row(last.Seq+1, last.Time)))
	}

	segment, err := files.Segment(id)
	require.NoError(t, err)
	dir := filepath.Join(p.home, files.Sessions, files.Project(p.dir), segment)
	require.NoError(t, os.MkdirAll(dir, 0o700))
	first, err := log.AppendHeader(nil, header)
	require.NoError(t, err)
	text := log.AppendBatch(log.AppendBatch(nil, e, first), e, batch)
	require.NoError(t, os.WriteFile(filepath.Join(dir, files.Name(log.Newest, e)), text, 0o600))
	return 3
}

// The official runtime and we continue the same session in turns, and neither gets
// it while the other has it.
func TestOfficialRuntimeAndWeTakeTurns(t *testing.T) {
	for _, e := range []log.Encoding{log.Raw, log.Zstd} {
		p := newPlace(t)
		if e == log.Zstd {
			p.profile = "sdk"
		}
		home, err := disk.OpenHome(p.home)
		require.NoError(t, err)
		defer home.Close()
		const id = "shared/会话"
		event := func(kind, data string) log.Row {
			return log.Row{Type: kind, Time: 1795990000000, Data: []byte(data)}
		}
		surface := func(kind, data string) log.Row {
			r := event(kind, data)
			r.Surface.Op = "append"
			return r
		}
		l, err := disk.Create(home, harness.SessionHeaderLine{ID: id, CreatedAt: 1795990000000, CWD: &p.dir}, disk.Options{Encoding: e})
		require.NoError(t, err)
		require.NoError(t, l.Append(-1,
			event("turn/start", `{"turn":1}`),
			event("step/start", `{"turn":1,"step":1}`),
			surface("system/message", `{"turn":1,"step":1,"message":{"id":"s1","role":"system","source":{"kind":"system-prompt"},"content":[]}}`),
		))
		for round := range 3 {
			// DSH puts ids into a header of its requests, which takes Latin-1 only: it
			// resumes this one, and no more is asked of it.
			d := p.launch(t)
			_, err := d.Resume(within(t, 20*time.Second), id, nil)
			require.ErrorContains(t, err, "already owned by an active write handle")
			require.NoError(t, l.Append(l.Next()-1, log.Owner{Epoch: int64(round) + 1, PID: 1, Host: "h"}.Row(0, 1795990000000)))
			require.NoError(t, l.Close())

			_, err = d.Resume(within(t, 20*time.Second), id, nil)
			require.NoError(t, err)
			_, err = disk.Open(home, id, disk.Options{})
			var locked *store.LockedError
			require.ErrorAs(t, err, &locked)
			d.Process().Kill()
			<-d.Process().Done()

			l, err = disk.Open(home, id, disk.Options{})
			require.NoError(t, err)
			closers, seed := l.Closers(1795990000000)
			require.NoError(t, l.Append(l.Next()-1, closers...))
			require.NoError(t, l.Append(l.Next()-1, seed...))
			require.NoError(t, l.Append(l.Next()-1,
				event("turn/start", fmt.Sprintf(`{"turn":%d}`, round+2)),
				event("step/start", fmt.Sprintf(`{"turn":%d,"step":1}`, round+2)),
				surface("user/message", fmt.Sprintf(`{"id":"u%d","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"hi"}]}`, round)),
			))
		}
		require.NoError(t, l.Close())
		epochs := 0
		places, err := files.Find(home, id)
		require.NoError(t, err)
		require.Len(t, places, 1)
		r, f, err := files.Open(home, places[0], 0)
		require.NoError(t, err)
		report, err := log.Salvage(r, func(row log.Row) error {
			if _, ok := log.Ours(row).(*log.Owner); ok {
				epochs++
			}
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, f.Close())
		assert.True(t, report.Sound())
		assert.EqualValues(t, 4, report.Turns)
		assert.Equal(t, 3, epochs)
	}
}
