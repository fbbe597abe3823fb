// SPDX-License-Identifier: Apache-2.0

package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/storetest"
)

var encodings = map[string]log.Encoding{"raw": log.Raw, "zstd": log.Zstd}

func open(t *testing.T, home string, o Options) *Store {
	t.Helper()
	s, err := Open(home, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestContract(t *testing.T) { // DU-01
	for name, e := range encodings {
		for _, d := range []disk.Durability{disk.Strict, disk.Turn, disk.None} {
			t.Run(name+" "+d.String(), func(t *testing.T) {
				storetest.Run(t, func(t *testing.T) store.Store {
					return open(t, filepath.Join(t.TempDir(), "home"), Options{Encoding: e, Durability: d})
				})
			})
		}
	}
}

func row(seq int64, kind, data string) store.Record {
	return store.Record{Seq: seq, Data: fmt.Appendf(nil, `{"type":%q,"seq":%d,"time":%d,"data":%s}`, kind, seq, 1000+seq, data)}
}

func start(seq, turn int64) store.Record {
	return row(seq, "turn/start", fmt.Sprintf(`{"turn":%d}`, turn))
}

func end(seq, turn int64) store.Record {
	return row(seq, "turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, turn))
}

func only(t *testing.T, home string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, "sessions", "*", "*", "session.v4.jsonl*"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

// A log that was cut at any byte is opened with what is whole, and continued.
func TestCutAtEveryByte(t *testing.T) { // DU-02
	ctx := context.Background()
	for name, e := range encodings {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			s := open(t, home, Options{Encoding: e, Durability: disk.None})
			l, err := s.Create(ctx, store.Header{ID: "a", Cwd: "/w"})
			require.NoError(t, err)
			require.NoError(t, l.Append(ctx, -1, start(0, 1), end(1, 1)))
			file := only(t, home)
			whole, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, l.Append(ctx, 1, start(2, 2), row(3, "working-directory/change", `{"cwd":"/tmp"}`)))
			require.NoError(t, l.Append(ctx, 3, row(4, "working-directory/change", `{"cwd":"/w"}`)))
			require.NoError(t, l.Close(ctx))
			all, err := os.ReadFile(file)
			require.NoError(t, err)
			for n := len(whole); n <= len(all); n++ {
				require.NoError(t, os.WriteFile(file, all[:n], 0o600))
				l, err := s.Open(ctx, "a")
				require.NoError(t, err, "cut after %d bytes", n)
				next := l.Next()
				require.GreaterOrEqual(t, next, int64(2))
				var read int64
				for r, err := range l.Read(ctx, 0) {
					require.NoError(t, err)
					require.Equal(t, read, r.Seq)
					read++
				}
				require.Equal(t, next, read)
				if next == 2 {
					require.NoError(t, l.Append(ctx, 1, start(2, 2)))
				} else {
					require.NoError(t, l.Append(ctx, next-1, row(next, "turn/end", `{"turn":2,"reason":{"kind":"interrupted"}}`)))
				}
				require.NoError(t, l.Close(ctx))
				l, err = s.Open(ctx, "a")
				require.NoError(t, err, "continued after a cut at %d", n)
				require.Equal(t, next+1, l.Next())

				require.NoError(t, l.Close(ctx))
			}
		})
	}
}

// Ids are names in the home and nowhere else.
func TestOddIDs(t *testing.T) {
	ctx := context.Background()
	outside := t.TempDir()
	home := filepath.Join(outside, "home")
	s := open(t, home, Options{Durability: disk.None})
	for _, id := range []string{"..", ".", "a/b", "../../x", "会话", "a\x00b", "~", "UPPER", " "} {
		l, err := s.Create(ctx, store.Header{ID: id, Cwd: "/../.."})
		require.NoError(t, err, "%q", id)
		require.NoError(t, l.Append(ctx, -1, start(0, 1), end(1, 1)))
		require.NoError(t, l.Close(ctx))
		l, err = s.Open(ctx, id)
		require.NoError(t, err, "%q", id)
		assert.Equal(t, id, l.Header().ID)
		require.NoError(t, l.Close(ctx))
	}
	for _, id := range []string{"", "\xff", strings.Repeat("x", 4096)} {
		var bad *store.IDError
		_, err := s.Create(ctx, store.Header{ID: id})
		require.ErrorAs(t, err, &bad, "%.10q", id)
		_, err = s.Open(ctx, id)
		require.ErrorAs(t, err, &bad)
	}
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing lies outside of the home")
}

// A home that is not to be trusted, or that DSH would refuse, is refused.
func TestHomes(t *testing.T) {
	ctx := context.Background()
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(real, link))
	s := open(t, link, Options{Encoding: log.Zstd})
	l, err := s.Create(ctx, store.Header{ID: "a"})
	require.NoError(t, err)
	require.NoError(t, l.Append(ctx, -1, start(0, 1)))
	require.NoError(t, l.Close(ctx))
	info, err := os.Stat(only(t, real))
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode())

	again := open(t, real, Options{Encoding: log.Raw})
	assert.Equal(t, log.Zstd, again.encoding, "a home has one encoding, whatever is asked for")

	other := filepath.Join(real, "sessions", "--w--", "b")
	require.NoError(t, os.MkdirAll(other, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(other, "session.v4.jsonl"), nil, 0o600))
	_, err = Open(real, Options{})
	require.ErrorContains(t, err, "raw and compressed")

	shared := t.TempDir()
	require.NoError(t, os.Chmod(shared, 0o777))
	_, err = Open(shared, Options{})
	require.ErrorContains(t, err, "every user may write")
}

// A session directory that leads out of the home is not followed.
func TestLinksOutOfTheHome(t *testing.T) {
	ctx := context.Background()
	home, outside := t.TempDir(), t.TempDir()
	s := open(t, home, Options{})
	require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions", "_no-cwd"), 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(home, "sessions", "_no-cwd", "a")))
	_, err := s.Create(ctx, store.Header{ID: "a"})
	require.Error(t, err)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// Bytes that another program has added fence the owner.
func TestForeignBytesFence(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	s := open(t, home, Options{Encoding: log.Raw})
	l, err := s.Create(ctx, store.Header{ID: "a"})
	require.NoError(t, err)
	require.NoError(t, l.Append(ctx, -1, start(0, 1)))
	file := only(t, home)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(before, end(1, 1).Data...), 0o600))
	var fenced *store.FencedError
	require.ErrorAs(t, l.Append(ctx, 0, end(1, 1)), &fenced)
	require.ErrorAs(t, l.Append(ctx, 0, end(1, 1)), &fenced, "for good")
	require.NoError(t, l.Close(ctx))
}

// A bad session hides no other, and says what is wrong with it.
func TestDamageIsOfOneSession(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	s := open(t, home, Options{Encoding: log.Raw})
	for _, id := range []string{"good", "bad", "newer"} {
		l, err := s.Create(ctx, store.Header{ID: id})
		require.NoError(t, err)
		require.NoError(t, l.Append(ctx, -1, start(0, 1), end(1, 1)))
		require.NoError(t, l.Close(ctx))
	}
	file := func(id string) string { return filepath.Join(home, "sessions", "_no-cwd", id, "session.v4.jsonl") }
	bad, err := os.ReadFile(file("bad"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file("bad"), bytes.Replace(bad, []byte(`"seq":0`), []byte(`"seq":7`), 1), 0o600))
	newer, err := os.ReadFile(file("newer"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file("newer")), "session.v5.jsonl"),
		bytes.Replace(newer, []byte(`"version":4`), []byte(`"version":5`), 1), 0o600))

	var damaged *store.DamagedError
	_, err = s.Open(ctx, "bad")
	require.ErrorAs(t, err, &damaged)
	assert.Equal(t, []int64{2, 0, 7}, []int64{damaged.Line, damaged.Seq, damaged.Got})
	assert.Equal(t, file("bad"), damaged.Path)
	var format *store.FormatError
	_, err = s.Open(ctx, "newer")
	require.ErrorAs(t, err, &format)
	assert.Equal(t, 5, format.Version)
	page, err := s.List(ctx, store.Query{})
	require.NoError(t, err)
	assert.Len(t, page.Logs, 2)
	require.Len(t, page.Skipped, 1)
	assert.Contains(t, page.Skipped[0].Path, "session.v5.jsonl")
	l, err := s.Open(ctx, "good")
	require.NoError(t, err)
	require.NoError(t, l.Close(ctx))
}

func TestObjects(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	s := open(t, home, Options{})
	const id = "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	for range 2 {
		require.NoError(t, s.Keep(ctx, id, []byte("foo")))
	}
	data, err := s.Find(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, "foo", string(data))
	var missing *store.NotFoundError
	_, err = s.Find(ctx, "sha256:"+strings.Repeat("0", 64))
	require.ErrorAs(t, err, &missing)
	for _, bad := range []string{"", "sha256:..", "sha256:" + strings.Repeat("A", 64), "../x"} {
		require.Error(t, s.Keep(ctx, bad, nil), bad)
	}
}
