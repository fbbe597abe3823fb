// SPDX-License-Identifier: Apache-2.0

package files

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/runtime/harness/log"
)

func TestVectors(t *testing.T) {
	var v struct {
		IDs []struct{ ID, Segment string }
		CWD []struct{ CWD, ProjectKey string } `json:"cwds"`
		No  string                             `json:"noCwd"`
	}
	b, err := os.ReadFile("../testdata/cases/29-path-encoding/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &v))
	require.NotEmpty(t, v.IDs)
	for _, c := range v.IDs {
		got, err := Segment(c.ID)
		require.NoError(t, err)
		assert.Equal(t, c.Segment, got)
		id, err := ID(got)
		require.NoError(t, err)
		assert.Equal(t, c.ID, id)
	}
	require.NotEmpty(t, v.CWD)
	for _, c := range v.CWD {
		assert.Equal(t, c.ProjectKey, Project(c.CWD))
	}
	assert.Equal(t, v.No, Project(""))
}

func TestIDsThatHaveNoPlace(t *testing.T) {
	for _, id := range []string{"", "\xff", strings.Repeat("x", MaxSegment+1), strings.Repeat("会", 49), strings.Repeat("x", 4096)} {
		_, err := Segment(id)
		assert.Error(t, err, "%.20q", id)
	}
	_, err := Segment(strings.Repeat("x", MaxSegment))
	assert.NoError(t, err)
	for _, s := range []string{"", ".", "..", "a b", "~00", "~0061", "~00e9", "~D83D", "a/b", "é"} {
		_, err := ID(s)
		assert.Error(t, err, s)
	}
}

// No id leaves its directory, and each comes back.
func TestSegmentsStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.String().Draw(t, "id")
		s, err := Segment(id)
		if err != nil {
			return
		}
		if filepath.Base(filepath.Join("root", s)) != s || s == "." || s == ".." {
			t.Fatalf("%q has the segment %q", id, s)
		}
		if back, err := ID(s); err != nil || back != id {
			t.Fatalf("%q has the segment %q, which is %q: %v", id, s, back, err)
		}
		if p := Project(id); filepath.Base(filepath.Join("root", p)) != p {
			t.Fatalf("%q has the project %q", id, p)
		}
	})
}

func TestNames(t *testing.T) {
	for v := range 12 {
		for _, e := range []log.Encoding{log.Raw, log.Zstd} {
			version, encoding, ok := ParseName(Name(v, e))
			assert.True(t, ok)
			assert.Equal(t, v, version)
			assert.Equal(t, e, encoding)
		}
	}
	for _, name := range []string{"session.V4.jsonl", "session.v04.jsonl", "session.v0.jsonl", "session.v4.jsonl.tmp", "session.lock", "x.jsonl", "session.v99999999999999999999.jsonl"} {
		_, _, ok := ParseName(name)
		assert.False(t, ok, name)
	}
}

// Every home of the official programs is read.
func TestHomesOfDSH(t *testing.T) {
	homes, err := os.ReadDir("../testdata/golden")
	require.NoError(t, err)
	require.Greater(t, len(homes), 30)
	for _, d := range homes {
		home := os.DirFS(filepath.Join("../testdata/golden", d.Name()))
		l, err := Scan(home)
		require.NoError(t, err)
		assert.Empty(t, l.Strays)
		require.NotEmpty(t, l.Places, d.Name())
		e, err := l.Encoding(log.Raw)
		require.NoError(t, err)
		assert.Equal(t, l.Zstd, e == log.Zstd)
		for _, p := range l.Places {
			h, err := Head(home, p)
			require.NoError(t, err, d.Name())
			assert.Equal(t, p.ID, string(h.ID))
			assert.Equal(t, []Place{p}, l.Find(p.ID))
			found, err := Find(home, p.ID)
			require.NoError(t, err)
			assert.Equal(t, []Place{p}, found)
		}
	}
}

func header(id, cwd, version string) *fstest.MapFile {
	seed := `"isSeeded":false,`
	if version < "2" {
		seed = ""
	}
	if cwd != "" {
		cwd = `"cwd":"` + cwd + `",`
	}
	return &fstest.MapFile{Data: []byte(`{"type":"session","version":` + version + `,"id":"` + id + `","createdAt":1,` + cwd + seed + `"delegationDepth":0}` + "\n")}
}

// One bad session, or a stray file, hides no other.
func TestOneSessionHidesNoOther(t *testing.T) {
	home := fstest.MapFS{
		"sessions/readme.txt":                       {},
		"sessions/--w--/good/session.v4.jsonl":      header("good", "/w", "4"),
		"sessions/--w--/good/session.jsonl":         header("good", "/w", "0"),
		"sessions/--w--/good/session.v3.jsonl.tmp":  {},
		"sessions/--w--/good/session.lock":          {},
		"sessions/--w--/newer/session.v5.jsonl":     header("newer", "/w", "5"),
		"sessions/--w--/newer/session.v4.jsonl":     header("newer", "/w", "4"),
		"sessions/--w--/broken/session.v4.jsonl":    {Data: []byte("garbage\n")},
		"sessions/--w--/other/session.v4.jsonl":     header("another", "/w", "4"),
		"sessions/--w--/moved/session.v4.jsonl":     header("moved", "/elsewhere", "4"),
		"sessions/--w--/renamed/session.v4.jsonl":   header("renamed", "/w", "0"),
		"sessions/--w--/empty/notes.txt":            {},
		"sessions/--w--/bad name/session.v4.jsonl":  header("bad name", "/w", "4"),
		"sessions/--w--/twice/session.v4.jsonl":     header("twice", "/w", "4"),
		"sessions/_no-cwd/twice/session.v4.jsonl":   header("twice", "", "4"),
		"sessions/_no-cwd/~002E~002E/session.jsonl": header("..", "", "0"),
	}
	l, err := Scan(home)
	require.NoError(t, err)
	assert.Equal(t, []Stray{{"sessions/--w--/bad name", `"bad name" is not the name of a session's directory`}}, l.Strays)
	assert.Len(t, l.Find("twice"), 2)
	assert.Empty(t, l.Find("nothing"))
	found, err := Find(home, "twice")
	require.NoError(t, err)
	assert.Len(t, found, 2)
	found, err = Find(home, "nothing")
	require.NoError(t, err)
	assert.Empty(t, found)
	_, err = Find(home, "")
	assert.Error(t, err)

	open := func(id string) error {
		places := l.Find(id)
		require.Len(t, places, 1, id)
		_, err := Head(home, places[0])
		return err
	}
	assert.NoError(t, open("good"))
	assert.Equal(t, []int{0}, l.Find("good")[0].Older)
	assert.NoError(t, open(".."))
	var newer *log.IncompatibleError
	assert.ErrorAs(t, open("newer"), &newer)
	var damage *log.DamagedError
	assert.ErrorAs(t, open("broken"), &damage)
	for _, id := range []string{"other", "moved", "renamed"} {
		var misplaced *MisplacedError
		assert.ErrorAs(t, open(id), &misplaced, id)
	}
}

func TestOneEncoding(t *testing.T) {
	for _, c := range []struct {
		home fstest.MapFS
		want log.Encoding
		err  string
	}{
		{fstest.MapFS{}, log.Zstd, ""},
		{fstest.MapFS{"sessions/--w--/a/session.v4.jsonl": {}}, log.Raw, ""},
		{fstest.MapFS{"sessions/--w--/a/session.jsonl.zstd": {}}, log.Zstd, ""},
		{fstest.MapFS{"sessions/--w--/a/session.v4.jsonl": {}, "sessions/--w--/b/session.jsonl.zstd": {}}, 0, "raw and compressed"},
		{fstest.MapFS{"sessions/--w--/a.jsonl": {}}, 0, "sessions/--w--/a.jsonl"},
		{fstest.MapFS{"sessions/--w--/a/session.v4.jsonl": {}, "sessions/--w--/a/session.v4.jsonl.zstd": {}}, 0, "raw and compressed"},
	} {
		l, err := Scan(c.home)
		require.NoError(t, err)
		got, err := l.Encoding(log.Zstd)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
}

func TestOpenReadsOn(t *testing.T) {
	home := os.DirFS("../testdata/golden/v4-zstd-tool")
	l, err := Scan(home)
	require.NoError(t, err)
	r, f, err := Open(home, l.Find("tool")[0], 0)
	require.NoError(t, err)
	n := 0
	for err = nil; err == nil; n++ {
		_, err = r.Next()
	}
	assert.ErrorIs(t, err, io.EOF)
	assert.Greater(t, n, 20)
	require.NoError(t, f.Close())
}

func TestChooseHome(t *testing.T) {
	env := map[string]string{}
	choose := func(flag string) string {
		home, err := ChooseHome(flag, func(k string) string { return env[k] }, func() (string, error) { return filepath.FromSlash("/home/ann"), nil })
		require.NoError(t, err)
		return home
	}
	if runtime.GOOS == "linux" {
		assert.Equal(t, "/home/ann/.local/state/accord", choose(""))
		env["XDG_STATE_HOME"] = "relative"
		assert.Equal(t, "/home/ann/.local/state/accord", choose(""))
		env["XDG_STATE_HOME"] = "/state"
		assert.Equal(t, "/state/accord", choose(""))
	}
	env["DSH_HOME"] = "  "
	assert.NotEqual(t, "  ", choose(""))
	env["DSH_HOME"] = t.TempDir()
	assert.Equal(t, env["DSH_HOME"], choose(""))
	flag := t.TempDir()
	assert.Equal(t, flag, choose(flag))
	_, err := ChooseHome("", func(string) string { return "" }, func() (string, error) { return "", errors.New("no home") })
	assert.ErrorContains(t, err, "--store")
}
