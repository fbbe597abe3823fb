// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/store"
)

const killedEnv = "DISK_TEST_HOME"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedEnv); dir != "" {
		appendForever(dir)
		return
	}
	os.Exit(m.Run())
}

func head(id string) harness.SessionHeaderLine {
	return harness.SessionHeaderLine{ID: harness.SessionID(id), CreatedAt: 1, CWD: new("/w")}
}

func event(kind, data string) log.Row { return log.Row{Type: kind, Time: 1, Data: []byte(data)} }

// note is a row that says n.
func note(n int) log.Row {
	return log.Row{Type: "plugin:test/note", Time: 1, Data: fmt.Appendf(nil, `{"n":%d}`, n), Ignorable: true}
}

func openHome(t *testing.T) (*Home, string) {
	t.Helper()
	dir := t.TempDir()
	h, err := OpenHome(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return h, dir
}

// content is a log's decompressed text.
func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	if strings.HasSuffix(path, ".zstd") {
		d, err := zstd.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		defer d.Close()
		b, err = io.ReadAll(d)
		require.NoError(t, err)
	}
	return string(b)
}

func TestCreateAppendOpen(t *testing.T) {
	for _, e := range []log.Encoding{log.Raw, log.Zstd} {
		home, dir := openHome(t)
		l, err := Create(home, head("a/b"), Options{Encoding: e})
		require.NoError(t, err)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, entries, "nothing is written before the first rows")

		require.NoError(t, l.Append(-1, event("turn/start", `{"turn":1}`), event("step/start", `{"turn":1,"step":1}`)))
		path := filepath.Join(dir, "sessions/--w--/a~002Fb", files.Name(4, e))
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), info.Mode())
		info, err = os.Stat(filepath.Dir(path))
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
		entries, err = os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		assert.Len(t, entries, 2, "the log and the lock")

		var fenced *store.FencedError
		require.ErrorAs(t, l.Append(0, note(1)), &fenced)
		assert.Equal(t, store.FencedError{ID: "a/b", After: 0, Last: 1}, *fenced)
		var violation *log.Violation
		require.ErrorAs(t, l.Append(1, note(1), event("turn/start", `{"turn":2}`)), &violation)
		require.NoError(t, l.Append(1, note(1)), "a refused batch leaves nothing behind")
		require.NoError(t, l.Flush(t.Context()))

		_, err = Open(home, "a/b", Options{})
		var locked *store.LockedError
		require.ErrorAs(t, err, &locked)
		_, err = Create(home, head("a/b"), Options{Encoding: e})
		var exists *store.ExistsError
		require.ErrorAs(t, err, &exists)
		require.NoError(t, l.Close())
		assert.ErrorIs(t, l.Append(2, note(2)), fs.ErrClosed)

		l, err = Open(home, "a/b", Options{})
		require.NoError(t, err)
		assert.EqualValues(t, 3, l.Next())
		closers, seed := l.Closers(9)
		require.NoError(t, l.Append(2, closers...))
		require.NoError(t, l.Append(4, seed...))
		require.NoError(t, l.Close())
		text := content(t, path)
		assert.True(t, strings.HasSuffix(text, `{"type":"step/end","seq":3,"time":1,"data":{"turn":1,"step":1}}
{"type":"turn/end","seq":4,"time":1,"data":{"turn":1,"reason":{"kind":"interrupted"}}}
{"type":"session/end-seed","seq":5,"time":9,"data":{}}
`), text)
	}
	home, _ := openHome(t)
	_, err := Open(home, "nothing", Options{})
	var missing *store.NotFoundError
	require.ErrorAs(t, err, &missing)
	for _, id := range []string{"", strings.Repeat("x", 4096)} {
		_, err = Create(home, head(id), Options{Encoding: log.Raw})
		require.Error(t, err)
	}
}

// copyHome copies a home of a released program.
func copyHome(t *testing.T, name string) (*Home, string) {
	t.Helper()
	home, dir := openHome(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("../testdata/golden", name))))
	return home, dir
}

func glob(t *testing.T, pattern string) string {
	t.Helper()
	m, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.Len(t, m, 1, pattern)
	return m[0]
}

// A log that was killed continues with the rows that DSH wrote to it, byte for
// byte, whatever was torn.
func TestOpenedLogsContinueAsInDSH(t *testing.T) {
	for before, id := range map[string]string{
		"v4-raw-killed-tool-1-before":   "killed-tool",
		"v4-raw-killed-stream-1-before": "killed-stream",
		"v4-raw-torn-1-before":          "torn",
		"v4-zstd-killed-1-before":       "killed",
		"v4-zstd-torn-1-before":         "tool",
	} {
		home, dir := copyHome(t, before)
		after := strings.Replace(before, "-1-before", "-2-resumed", 1)
		want := content(t, glob(t, "../testdata/golden/"+after+"/sessions/*/*/session.v4.*"))
		time := regexp.MustCompile(`"session/end-seed","seq":\d+,"time":(\d+)`).FindStringSubmatch(want)
		var now int64
		_, err := fmt.Sscan(time[1], &now)
		require.NoError(t, err)

		l, err := Open(home, id, Options{})
		require.NoError(t, err, before)
		closers, seed := l.Closers(now)
		require.NoError(t, l.Append(l.Next()-1, closers...))
		require.NoError(t, l.Append(l.Next()-1, seed...))
		require.NoError(t, l.Close())
		assert.Equal(t, want, content(t, glob(t, dir+"/sessions/*/*/session.v4.*")), before)
	}
}

// A log of an older generation is migrated next to the old file, which stays. It lists
// the child whose log lies in the home.
func TestOpenMigrates(t *testing.T) {
	made := regexp.MustCompile(`v2-to-v3-system-[0-9a-f]{64}`)
	home, dir := copyHome(t, "v0-by-0.1.2rc1-subagent-1-original")
	old := glob(t, dir+"/sessions/*/sub/session.jsonl.zstd")
	before, err := os.ReadFile(old)
	require.NoError(t, err)
	want := content(t, glob(t, "../testdata/golden/v0-by-0.1.2rc1-subagent-2-migrated-to-v4/sessions/*/sub/session.v4.jsonl.zstd"))
	l, err := Open(home, "sub", Options{})
	require.NoError(t, err)
	assert.EqualValues(t, 31, l.Next())
	_, seed := l.Closers(1795991097555)
	require.NoError(t, l.Append(l.Next()-1, seed...))
	require.NoError(t, l.Close())
	got := content(t, glob(t, dir+"/sessions/*/sub/session.v4.jsonl.zstd"))
	assert.Equal(t, made.ReplaceAllString(want, ""), made.ReplaceAllString(got, ""))
	after, err := os.ReadFile(old)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	l, err = Open(home, "sub", Options{})
	require.NoError(t, err)
	require.NoError(t, l.Close())
}

func TestOpenRefuses(t *testing.T) {
	home, dir := copyHome(t, "foreign-nohead-2-continued-by-dsh-now-unreadable")
	_, err := Open(home, "foreign-min", Options{})
	var damaged *store.DamagedError
	require.ErrorAs(t, err, &damaged)
	assert.Contains(t, damaged.Reason, "system/message is the first row")
	path := glob(t, dir+"/sessions/*/*/session.v4.jsonl")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.EqualValues(t, bytes.Count(b[:bytes.Index(b, []byte(`"type":"system/message"`))], []byte("\n"))+1, damaged.Line)

	// A refused log is not kept locked.
	_, err = Open(home, "foreign-min", Options{})
	require.ErrorAs(t, err, &damaged)

	require.NoError(t, os.WriteFile(path, append(b, `{"type":"go/x","seq":1,"time":1,"data":{}}`+"\n"...), 0o600))
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(b), `"version":4`, `"version":5`, 1)), 0o600))
	require.NoError(t, os.Rename(path, strings.Replace(path, "v4", "v5", 1)))
	_, err = Open(home, "foreign-min", Options{})
	var format *store.FormatError
	require.ErrorAs(t, err, &format)
	assert.Equal(t, 5, format.Version)

	require.NoError(t, os.MkdirAll(dir+"/sessions/_no-cwd/foreign-min", 0o700))
	require.NoError(t, os.WriteFile(dir+"/sessions/_no-cwd/foreign-min/session.jsonl", nil, 0o600))
	_, err = Open(home, "foreign-min", Options{})
	require.ErrorAs(t, err, &damaged)
	assert.Contains(t, damaged.Reason, "several projects")
}

// A contender truncates the lock's file and leaves the lock alone.
func TestLocksAndOtherWriters(t *testing.T) {
	home, dir := openHome(t)
	l, err := Create(home, head("s"), Options{Encoding: log.Raw})
	require.NoError(t, err)
	require.NoError(t, l.Append(-1, note(0)))
	require.NoError(t, os.Truncate(filepath.Join(dir, "sessions/--w--/s", lockName), 0))
	other, err := OpenHome(dir)
	require.NoError(t, err)
	defer other.Close()
	_, err = Open(other, "s", Options{})
	var locked *store.LockedError
	require.ErrorAs(t, err, &locked)
	require.NoError(t, l.Append(0, note(1)))

	// One that does not ask is noticed.
	path := filepath.Join(dir, "sessions/--w--/s", files.Name(4, log.Raw))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.WriteString("{}\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	var stopped *StoppedError
	require.ErrorAs(t, l.Append(1, note(2)), &stopped)
	require.ErrorAs(t, l.Append(1, note(2)), &stopped)
	assert.Error(t, l.Close())
	l, err = Open(other, "s", Options{})
	require.NoError(t, err, "what it wrote is a torn tail")
	require.NoError(t, l.Append(1, note(2)))
	require.NoError(t, l.Close())
}

// Two processes that create the same session: the second is refused, and destroys
// nothing.
func TestCreateRace(t *testing.T) {
	home, _ := openHome(t)
	one, err := Create(home, head("s"), Options{Encoding: log.Zstd})
	require.NoError(t, err)
	two, err := Create(home, head("s"), Options{Encoding: log.Zstd})
	require.NoError(t, err)
	require.NoError(t, one.Append(-1, note(1)))
	var locked *store.LockedError
	require.ErrorAs(t, two.Append(-1, note(2)), &locked)
	require.NoError(t, one.Close())
	require.Error(t, two.Append(-1, note(2)))
	require.NoError(t, errOnly(two.Close()))
	l, err := Open(home, "s", Options{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, l.Next())
	require.NoError(t, l.Close())
}

// errOnly drops the error that a log gives which had stopped.
func errOnly(err error) error {
	var stopped *StoppedError
	if errors.As(err, &stopped) {
		return nil
	}
	return err
}

// read returns the notes of a stored log.
func read(t *testing.T, home fs.FS) []int {
	t.Helper()
	found, err := files.Find(home, "s")
	require.NoError(t, err)
	if len(found) == 0 {
		return nil
	}
	r, f, err := files.Open(home, found[0], 0)
	require.NoError(t, err)
	defer f.Close()
	var notes []int
	for row, err := range r.Rows() {
		require.NoError(t, err)
		var n int
		_, err = fmt.Sscanf(string(row.Data), `{"n":%d}`, &n)
		require.NoError(t, err)
		notes = append(notes, n)
	}
	return notes
}

// script creates a log, writes to it in two processes, and returns the notes that
// were acknowledged. It makes another attempt after each error.
func script(home FS, e log.Encoding) (acknowledged []int) {
	n := 0
	write := func(l *Log) {
		for range 3 {
			n++
			if l.Append(l.Next()-1, note(n), note(n+1000)) == nil && l.Flush(context.Background()) == nil {
				acknowledged = append(acknowledged, n, n+1000)
			}
		}
	}
	if l, err := Create(home, head("s"), Options{Encoding: e}); err == nil {
		write(l)
		_ = l.Close()
	}
	if l, err := Open(home, "s", Options{}); err == nil {
		write(l)
		_ = l.Close()
	}
	return acknowledged
}

// Whatever operation fails, nothing that was acknowledged is lost, and what is
// stored is in order and comes once.
func TestEveryFault(t *testing.T) {
	for _, e := range []log.Encoding{log.Raw, log.Zstd} {
		for _, short := range []bool{false, true} {
			for _, power := range []bool{false, true} {
				whole := newMemory()
				require.Len(t, script(whole, e), 12)
				require.Greater(t, whole.ops, 30)
				for k := 1; k <= whole.ops; k++ {
					m := newMemory()
					m.fail, m.short = k, short
					acknowledged := script(m, e)
					if power {
						m.crash(func(n int) int { return rand.IntN(n + 1) })
					}
					notes := read(t, m)
					seen := map[int]bool{}
					last := 0
					for i, n := range notes {
						require.False(t, seen[n], "operation %d: %v", k, notes)
						seen[n] = true
						if i%2 == 0 {
							require.Greater(t, n, last, "operation %d: %v", k, notes)
							last = n
						}
					}
					for _, n := range acknowledged {
						require.True(t, seen[n], "operation %d: %d was acknowledged, and %v is stored", k, n, notes)
					}
					// The log continues in any case.
					m.fail = 0
					l, err := Open(m, "s", Options{})
					if len(notes) == 0 {
						if err != nil {
							continue
						}
					}
					require.NoError(t, err, "operation %d", k)
					require.NoError(t, l.Append(l.Next()-1, note(9)))
					require.NoError(t, l.Close())
					require.Equal(t, append(notes, 9), read(t, m))
				}
			}
		}
	}
}

// A loss of power at any time leaves what was acknowledged.
func TestPowerLoss(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		m := newMemory()
		e := log.Encoding(seed % 2)
		l, err := Create(m, head("s"), Options{Encoding: e})
		require.NoError(t, err)
		durable, n := 0, 0
		for range random.IntN(12) {
			n++
			require.NoError(t, l.Append(l.Next()-1, note(n)))
			if n == 1 || random.IntN(2) == 0 {
				require.NoError(t, l.Flush(t.Context()))
				durable = n
			}
		}
		m.crash(func(n int) int { return random.IntN(n + 1) })
		notes := read(t, m)
		require.GreaterOrEqual(t, len(notes), durable, "seed %d", seed)
		for i, got := range notes {
			require.Equal(t, i+1, got)
		}
		if n == 0 {
			continue
		}
		l, err = Open(m, "s", Options{})
		require.NoError(t, err)
		require.NoError(t, l.Append(l.Next()-1, note(len(notes)+1)))
		require.NoError(t, l.Close())
		require.Len(t, read(t, m), len(notes)+1)
	}
}

// After a sync that failed nothing is written any more.
func TestSyncFails(t *testing.T) {
	m := newMemory()
	l, err := Create(m, head("s"), Options{Encoding: log.Raw})
	require.NoError(t, err)
	require.NoError(t, l.Append(-1, note(1)))
	require.NoError(t, l.Append(0, note(2)))
	m.fail = m.ops + 1
	var stopped *StoppedError
	require.ErrorAs(t, l.Flush(t.Context()), &stopped)
	assert.ErrorIs(t, stopped, errFault)
	ops := m.ops
	require.ErrorAs(t, l.Append(1, note(3)), &stopped)
	require.ErrorAs(t, l.Flush(t.Context()), &stopped)
	assert.Equal(t, ops, m.ops)
}

// Waits that come together share a sync, and end with their context.
func TestFlushesShareASync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		l, err := Create(m, head("s"), Options{Encoding: log.Raw})
		require.NoError(t, err)
		require.NoError(t, l.Append(-1, note(0)))
		m.gate = make(chan struct{})
		m.syncs = 0
		var group sync.WaitGroup
		wait := func() {
			group.Go(func() { assert.NoError(t, l.Flush(t.Context())) })
			synctest.Wait()
		}
		require.NoError(t, l.Append(0, note(1)))
		wait() // syncs
		for n := 2; n < 10; n++ {
			require.NoError(t, l.Append(l.Next()-1, note(n)))
			wait()
		}
		ctx, cancel := context.WithCancel(t.Context())
		group.Go(func() { assert.ErrorIs(t, l.Flush(ctx), context.Canceled) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(m.gate)
		group.Wait()
		assert.Equal(t, 2, m.syncs)
		require.NoError(t, l.Flush(t.Context()))
		assert.Equal(t, 2, m.syncs)
		require.NoError(t, l.Close())
	})
}

func TestDurabilities(t *testing.T) {
	for d, want := range map[Durability][]bool{
		Strict: {true, true, true, true},
		Turn:   {true, true, false, false},
		None:   {false, false, false, false},
	} {
		same, err := ParseDurability(d.String())
		require.NoError(t, err)
		assert.Equal(t, d, same)
		m := newMemory()
		l, err := Create(m, head("s"), Options{Durability: d})
		require.NoError(t, err)
		require.NoError(t, l.Append(-1, note(0)))
		for b, syncs := range want {
			require.NoError(t, l.Append(int64(b), note(b+1)))
			before := m.syncs
			require.NoError(t, l.Barrier(t.Context(), Barrier(b)))
			assert.Equal(t, syncs, m.syncs > before, "%s at barrier %d", d, b)
		}
		require.NoError(t, l.Close())
		assert.Equal(t, d == None, d.Survives() == store.Process)
		m.crash(func(int) int { return 0 })
		assert.Len(t, read(t, m), 5, "Close waits")
		assert.ErrorIs(t, l.Barrier(t.Context(), TurnEnd), fs.ErrClosed)
	}
	_, err := ParseDurability("sometimes")
	assert.ErrorContains(t, err, "strict")
}

// appendForever appends until it is killed, and reports what is durable.
func appendForever(dir string) {
	home, err := OpenHome(dir)
	if err != nil {
		panic(err)
	}
	l, err := Open(home, "s", Options{})
	var missing *store.NotFoundError
	if errors.As(err, &missing) {
		l, err = Create(home, head("s"), Options{Encoding: log.Zstd})
	}
	if err != nil {
		panic(err)
	}
	for n := int(l.Next()); ; n++ {
		if err := l.Append(int64(n)-1, note(n)); err != nil {
			panic(err)
		}
		if err := l.Flush(context.Background()); err != nil {
			panic(err)
		}
		fmt.Println(n)
	}
}

// Processes that are killed lose nothing that they reported, and the next one
// continues at once.
func TestKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	kills := 12
	if testing.Short() {
		kills = 3
	}
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killedEnv+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		reported := -1
		for n := rand.IntN(40); n >= 0 && lines.Scan(); n-- {
			_, err := fmt.Sscan(lines.Text(), &reported)
			require.NoError(t, err)
		}
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() {
			if strings.HasSuffix(lines.Text(), "\n") {
				_, _ = fmt.Sscan(lines.Text(), &reported)
			}
		}
		_ = cmd.Wait()
		notes := read(t, os.DirFS(dir))
		require.Greater(t, len(notes), reported)
		for i, n := range notes {
			require.Equal(t, i, n)
		}
	}
}
