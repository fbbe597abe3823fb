// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsageIsCountedOnce(t *testing.T) {
	const dir = "testdata/cases/17-usage-of-forks-and-resumes/"
	var total Usage
	for name, want := range map[string]Usage{
		"parent":  {InputTokens: 100, OutputTokens: 10, CacheReadTokens: 10, Requests: 1},
		"fork":    {InputTokens: 50, OutputTokens: 5, CacheReadTokens: 10, Requests: 1},
		"resumed": {InputTokens: 50, OutputTokens: 5, CacheReadTokens: 20, Requests: 2},
		"child":   {InputTokens: 7, OutputTokens: 1, CacheReadTokens: 10, Requests: 1},
	} {
		got, err := UsageOf(open(t, dir+name+".jsonl"))
		require.NoError(t, err)
		assert.Equal(t, want, got.Own, name)
		total.Add(got.Own)
	}
	assert.Equal(t, Usage{InputTokens: 207, OutputTokens: 21, CacheReadTokens: 50, Requests: 5}, total)
}

// A migration changes nothing of what was used, neither do closers.
func TestUsageOfAGenerationIsThatOfItsSuccessor(t *testing.T) {
	n, requests := 0, int64(0)
	for _, path := range golden(t) {
		if !strings.Contains(path, "-1-original") {
			continue
		}
		old, err := UsageOf(open(t, path))
		require.NoError(t, err)
		successor := strings.Replace(path, "-1-original", "-2-migrated-to-v4", 1)
		at := strings.LastIndex(successor, "/session.")
		present, err := UsageOf(open(t, successor[:at]+"/session.v4.jsonl.zstd"))
		require.NoError(t, err)
		assert.Equal(t, present.Own, old.Own, path)
		requests += old.Own.Requests
		n++
	}
	assert.Greater(t, n, 10)
	assert.Greater(t, requests, int64(10))
}

func TestUsageOfASeededChildIsItsOwn(t *testing.T) {
	const dir = "testdata/golden/v4-zstd-subagent-fork-seeded/sessions/--tmp-ws--/"
	got, err := UsageOf(open(t, dir+"63b93f14-f347-4849-bb3a-35449716fe95/session.v4.jsonl.zstd"))
	require.NoError(t, err)
	assert.EqualValues(t, 1, got.Own.Requests)
	assert.EqualValues(t, 1, got.Inherited.Requests)
	errs, err := UsageOf(open(t, "testdata/golden/v4-raw-errors/sessions/--tmp-ws--/errors/session.v4.jsonl"))
	require.NoError(t, err)
	assert.EqualValues(t, 8, errs.Own.Requests, "six attempts, one that was refused, one answer")
}

func TestVerify(t *testing.T) {
	for _, path := range golden(t) {
		r, err := Verify(open(t, path))
		require.NoError(t, err)
		assert.Equal(t, !strings.Contains(path, "nohead"), r.Sound(), path)
		assert.Equal(t, strings.Contains(path, "torn-1"), r.Tail != nil, path)
		if strings.Contains(path, "before") && !strings.Contains(path, "torn") {
			assert.True(t, r.Open, path)
		}
		if r.Violation != nil {
			b := bytes.Split(textOf(t, path), []byte("\n"))
			assert.Contains(t, string(b[r.Line-1]), `"type":"system/message"`)
		}
	}
	r, err := Verify(openBytes(t, []byte(header4+row(0, "go/one")+row(1, "turn/start")+row(2, "go/two")), Raw))
	require.NoError(t, err)
	assert.Len(t, r.Incompatible.Blockers, 2)
	assert.Nil(t, r.Violation)
	assert.True(t, r.Open)

	r, err = Verify(openBytes(t, []byte(strings.Replace(header4, "false", "true", 1)+row(0, "turn/start")), Raw))
	require.NoError(t, err)
	assert.Contains(t, r.Violation.Rule, "seeded")
}

func TestSalvage(t *testing.T) {
	for _, c := range []struct {
		path string
		kept int64
		lost []int64
	}{
		{"testdata/cases/14-two-writers-reused-a-seq/session.jsonl", 6, []int64{2}},
		{"testdata/golden/foreign-nohead-2-continued-by-dsh-now-unreadable/sessions/--tmp-ws--/foreign-min/session.v4.jsonl", 11, []int64{2}},
		{"testdata/cases/15-packed-rows-and-torn-frame/session.badrow.jsonl", 3, []int64{1}},
		{"testdata/cases/15-packed-rows-and-torn-frame/session.jsonl", 13, nil},
	} {
		file, err := os.ReadFile(c.path)
		require.NoError(t, err)
		for _, e := range []Encoding{Raw, Zstd} {
			first, _, _ := bytes.Cut(file, []byte("\n"))
			copied := AppendBatch(nil, e, append(bytes.Clone(first), '\n'))
			var rows []byte
			report, err := Salvage(openBytes(t, file, Raw), func(r Row) error {
				if !r.Packed {
					rows = append(append(rows, r.Line...), '\n')
				}
				return nil
			})
			require.NoError(t, err)
			assert.Equal(t, c.kept, report.Kept, c.path)
			assert.Equal(t, c.lost, report.LostTurns, c.path)
			if len(rows) > 0 {
				copied = AppendBatch(copied, e, rows)
			}
			again, err := Verify(openBytes(t, copied, e))
			require.NoError(t, err)
			assert.Nil(t, again.Damaged)
			assert.Nil(t, again.Violation)
			assert.Equal(t, c.kept, again.Rows)
		}
	}
	failed := errors.New("full")
	_, err := Salvage(open(t, "testdata/cases/15-packed-rows-and-torn-frame/session.jsonl"), func(Row) error { return failed })
	assert.ErrorIs(t, err, failed)
}

func TestRowsOfOurs(t *testing.T) {
	text := []byte(header4)
	for i, r := range []Row{
		Owner{Epoch: 2, PID: 7, Host: "h\"ost"}.Row(0, 5),
		Receipt{Key: "k", Fingerprint: "f", MessageID: "m"}.Row(1, 6),
		Partial{Turn: 1, Step: 2, Text: "té\nxt"}.Row(2, 7),
	} {
		assert.EqualValues(t, i, r.Seq)
		text = append(r.Append(text), '\n')
	}
	rows, err := all(openBytes(t, text, Raw))
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, &Owner{Epoch: 2, PID: 7, Host: "h\"ost"}, Ours(rows[0]))
	assert.Equal(t, &Receipt{Key: "k", Fingerprint: "f", MessageID: "m"}, Ours(rows[1]))
	assert.Equal(t, &Partial{Turn: 1, Step: 2, Text: "té\nxt"}, Ours(rows[2]))
	rows[0].Ignorable = false
	assert.Nil(t, Ours(rows[0]))
	assert.Nil(t, Ours(Row{Type: "plugin:stigmer/owner", Data: []byte(`{}`), Ignorable: true}))
	report, err := Verify(openBytes(t, text, Raw))
	require.NoError(t, err)
	assert.True(t, report.Sound())
}
