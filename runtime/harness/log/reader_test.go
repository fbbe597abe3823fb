// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
)

// golden lists the logs of the official programs.
func golden(t testing.TB) []string {
	var files []string
	require.NoError(t, filepath.WalkDir("testdata/golden", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "session.") {
			files = append(files, path)
		}
		return err
	}))
	require.Greater(t, len(files), 40)
	return files
}

func encodingOf(path string) Encoding {
	if strings.HasSuffix(path, ".zstd") {
		return Zstd
	}
	return Raw
}

func openBytes(t testing.TB, b []byte, e Encoding) *Reader {
	t.Helper()
	l, err := NewReader(iotest.HalfReader(bytes.NewReader(b)), Options{Encoding: e})
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func open(t testing.TB, path string) *Reader {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return openBytes(t, b, encodingOf(path))
}

// all reads a log's rows, each a copy.
func all(l *Reader) (rows []Row, err error) {
	for r, err := range l.Rows() {
		if err != nil {
			return rows, err
		}
		r.Data, r.Line, r.Sources = bytes.Clone(r.Data), bytes.Clone(r.Line), slices.Clone(r.Sources)
		rows = append(rows, r)
	}
	return rows, nil
}

// textOf is the whole text of a log, decompressed by one who knows nothing of it.
func textOf(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	if encodingOf(path) == Zstd {
		d, err := zstd.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		defer d.Close()
		b, err = io.ReadAll(d)
		if !strings.Contains(path, "torn") {
			require.NoError(t, err)
		}
	}
	return b
}

func TestEveryGenerationIsRead(t *testing.T) {
	for _, path := range golden(t) {
		t.Run(path, func(t *testing.T) {
			l := open(t, path)
			rows, err := all(l)
			require.NoError(t, err)
			lines := bytes.Split(bytes.TrimSuffix(textOf(t, path), []byte("\n")), []byte("\n"))
			var got [][]byte
			for i, r := range rows {
				assert.EqualValues(t, i, r.Seq)
				if !r.Packed {
					got = append(got, r.Line)
				}
			}
			if strings.Contains(path, "torn-1") {
				require.NotNil(t, l.Tail())
				assert.Equal(t, lines[1:len(got)+1], got)
				return
			}
			assert.Nil(t, l.Tail())
			assert.Equal(t, lines[1:], got)
			assert.EqualValues(t, len(lines), l.Line()-1)
		})
	}
}

// What is read and written again is the same text, in DSH's order of members.
func TestRowsAreWrittenAsDSHWritesThem(t *testing.T) {
	n := 0
	for _, path := range golden(t) {
		l := open(t, path)
		if l.Header().Version != Newest {
			continue
		}
		header, err := AppendHeader(nil, *l.Header())
		require.NoError(t, err)
		first, _, _ := bytes.Cut(textOf(t, path), []byte("\n"))
		assert.Equal(t, string(first)+"\n", string(header))
		rows, err := all(l)
		require.NoError(t, err)
		for _, r := range rows {
			r.SurfaceFirst = bytes.Index(r.Line, []byte(`,"surfaceOp":`)) < bytes.Index(r.Line, []byte(`,"sourceEventSeqs":`))
			assert.Equal(t, string(r.Line), string(r.Append(nil)))
			n++
		}
	}
	assert.Greater(t, n, 500)
}

func TestTwoWritersReusedASequence(t *testing.T) {
	l := open(t, "testdata/cases/14-two-writers-reused-a-seq/session.jsonl")
	rows, err := all(l)
	assert.Len(t, rows, 6)
	var damage *DamagedError
	require.ErrorAs(t, err, &damage)
	assert.EqualValues(t, 8, damage.Line)
	assert.EqualValues(t, 6, damage.Expected)
	assert.EqualValues(t, 5, damage.Found)
	assert.True(t, damage.CommittedAfter)
	_, again := l.Next()
	assert.Equal(t, err, again)
}

func TestPackedRowsAndATornFrame(t *testing.T) {
	const dir = "testdata/cases/15-packed-rows-and-torn-frame/"
	plain, err := all(open(t, dir+"session.jsonl"))
	require.NoError(t, err)
	require.Len(t, plain, 13)
	var times []int64
	for _, r := range plain[3:7] {
		times = append(times, r.Time)
	}
	assert.Equal(t, []int64{1760000000100, 1760000000105, 1760000000105, 1760000000103}, times)
	assert.Equal(t, `{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"🏓"}}`, string(plain[6].Data))
	assert.Equal(t, `{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"call-1","name":"bash","argumentsDelta":"1}"}}`, string(plain[9].Data))

	whole, err := all(open(t, dir+"session.whole.jsonl.zstd"))
	require.NoError(t, err)
	assert.Equal(t, plain, whole)

	l := open(t, dir+"session.torn.jsonl.zstd")
	torn, err := all(l)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(torn), 7)
	assert.Equal(t, plain[:len(torn)], torn)
	require.NotNil(t, l.Tail())

	_, err = all(open(t, dir+"session.badrow.jsonl"))
	var damage *DamagedError
	require.ErrorAs(t, err, &damage)
	assert.Contains(t, damage.Reason, "gap list and payload list differ in length")
	assert.EqualValues(t, 5, damage.Line)
}

const header4 = `{"type":"session","version":4,"id":"s","createdAt":1,"cwd":"/w","isSeeded":false,"delegationDepth":0}` + "\n"

func row(seq int, kind string) string {
	return fmt.Sprintf(`{"type":%q,"seq":%d,"time":1,"data":{"turn":1}}`, kind, seq) + "\n"
}

// The rules for what a crash leaves at the end of raw text.
func TestRawTails(t *testing.T) {
	for name, c := range map[string]struct {
		rows    string
		n       int
		torn    bool
		damaged string
	}{
		"whole":                       {row(0, "turn/start") + row(1, "turn/end"), 2, false, ""},
		"no end of line":              {row(0, "turn/start") + strings.TrimSpace(row(1, "step/start")), 1, true, ""},
		"no end of the turn's end":    {row(0, "turn/start") + strings.TrimSpace(row(1, "turn/end")), 1, true, ""},
		"garbage":                     {row(0, "turn/start") + "garbage\n" + row(1, "step/start"), 1, true, ""},
		"blank":                       {row(0, "turn/start") + "\n" + row(1, "step/start"), 1, true, ""},
		"gap":                         {row(0, "turn/start") + row(2, "step/start"), 1, true, ""},
		"gap at a turn's end":         {row(0, "turn/start") + row(2, "turn/end"), 1, false, "sequence 2 instead of 1"},
		"garbage before a turn's end": {row(0, "turn/start") + "garbage\n" + row(1, "turn/end"), 1, false, "want an object"},
		"blank before a turn's end":   {row(0, "turn/start") + "\n" + row(1, "turn/end"), 1, false, "want an object"},
		"unknown member":              {row(0, "turn/start") + `{"type":"step/start","seq":1,"time":1,"data":{},"x":1}` + "\n", 1, true, ""},
		"fractional time":             {`{"type":"turn/start","seq":0,"time":1.5,"data":{}}` + "\n", 0, true, ""},
		"carriage returns":            {strings.ReplaceAll(row(0, "turn/start")+row(1, "turn/end"), "\n", "\r\n"), 2, false, ""},
		"header alone":                {"", 0, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := openBytes(t, []byte(header4+c.rows), Raw)
			rows, err := all(l)
			assert.Len(t, rows, c.n)
			if c.damaged != "" {
				var damage *DamagedError
				require.ErrorAs(t, err, &damage)
				assert.True(t, damage.CommittedAfter)
				assert.EqualValues(t, c.n+2, damage.Line)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.torn, l.Tail() != nil)
			if !c.torn {
				return
			}
			// The file is sound up to the tail.
			sound := (header4 + c.rows)[:l.Tail().Offset]
			assert.EqualValues(t, c.n+2, l.Tail().Line)
			l = openBytes(t, []byte(sound), Raw)
			again, err := all(l)
			require.NoError(t, err)
			assert.Len(t, again, c.n)
			assert.Nil(t, l.Tail())
		})
	}
}

func frame(t testing.TB, text string, o ...zstd.EOption) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, o...)
	require.NoError(t, err)
	defer e.Close()
	return e.EncodeAll([]byte(text), nil)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestFrames(t *testing.T) {
	h := frame(t, header4)
	a, b := frame(t, row(0, "turn/start")), frame(t, row(1, "step/start")+row(2, "step/end"))
	split := row(1, "step/start")
	flipped := bytes.Clone(b)
	flipped[len(flipped)-1] ^= 1
	for name, c := range map[string]struct {
		file    []byte
		n       int
		damaged string
	}{
		"whole":                     {join(h, a, b), 3, ""},
		"no checksum":               {join(h, frame(t, row(0, "turn/start"), zstd.WithEncoderCRC(false)), b), 3, ""},
		"other level":               {join(h, frame(t, row(0, "turn/start"), zstd.WithEncoderLevel(zstd.SpeedBestCompression)), b), 3, ""},
		"empty frame":               {join(h, a, frame(t, "", zstd.WithZeroFrames(true)), b), 3, ""},
		"a row in two frames":       {join(h, a, frame(t, split[:9]), frame(t, split[9:])), 2, ""},
		"header with rows":          {frame(t, header4+row(0, "turn/start")), 0, "first frame"},
		"trailing zeros":            {join(h, a, make([]byte, 9)), 1, "magic"},
		"skippable frame":           {join(h, a, []byte{0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0}), 1, "magic"},
		"checksum":                  {join(h, a, flipped), 1, "cannot be read"},
		"no end of the last line":   {join(h, a, frame(t, strings.TrimSpace(split))), 1, "no end"},
		"bad row in a whole frame":  {join(h, a, frame(t, "garbage\n")), 1, "want an object"},
		"reserved bit in a header":  {join(h, a, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x0c, 0x58, 1, 0, 0}), 1, "reserved bit"},
		"reserved type of a block":  {join(h, a, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 7, 0, 0}), 1, "reserved type"},
		"empty file":                {nil, 0, "no whole header"},
		"header cut off":            {h[:len(h)-6], 0, "no whole header"},
		"something else altogether": {[]byte(header4), 0, "magic"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := NewReader(bytes.NewReader(c.file), Options{Encoding: Zstd})
			var rows []Row
			if err == nil {
				defer l.Close()
				rows, err = all(l)
				assert.Len(t, rows, c.n)
			}
			if c.damaged == "" {
				require.NoError(t, err)
				assert.Nil(t, l.Tail())
				return
			}
			var damage *DamagedError
			require.ErrorAs(t, err, &damage)
			assert.Contains(t, damage.Reason, c.damaged)
		})
	}
}

// A log that is cut at any byte has a torn tail and no damage, gives a prefix of
// its rows, and is sound when it has been repaired as Tail says.
func TestCutAtEveryByte(t *testing.T) {
	for _, path := range []string{
		"testdata/golden/v4-raw-killed-tool-2-resumed/sessions/--tmp-ws--/killed-tool/session.v4.jsonl",
		"testdata/golden/v4-zstd-plain/sessions/--tmp-ws--/plain/session.v4.jsonl.zstd",
		"testdata/cases/15-packed-rows-and-torn-frame/session.jsonl",
		"testdata/cases/15-packed-rows-and-torn-frame/session.whole.jsonl.zstd",
	} {
		t.Run(path, func(t *testing.T) {
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			e := encodingOf(path)
			whole, err := all(openBytes(t, file, e))
			require.NoError(t, err)
			for cut := range file {
				l, err := NewReader(bytes.NewReader(file[:cut]), Options{Encoding: e})
				if err != nil {
					var damage *DamagedError
					require.ErrorAs(t, err, &damage)
					require.Contains(t, damage.Reason, "no whole header")
					continue
				}
				rows, err := all(l)
				require.NoError(t, err, "cut at %d", cut)
				require.Equal(t, whole[:len(rows)], append([]Row{}, rows...), "cut at %d", cut)
				if tail := l.Tail(); tail != nil {
					sound := openBytes(t, file[:tail.Offset], e)
					kept, err := all(sound)
					require.NoError(t, err)
					require.Nil(t, sound.Tail())
					lines := 0
					for _, r := range rows[len(kept):] {
						if !r.Packed {
							lines++
						}
					}
					require.Equal(t, tail.Recovered, lines, "cut at %d", cut)
				}
				l.Close()
			}
		})
	}
}

func TestIncompatibleIsNotDamaged(t *testing.T) {
	rows := row(0, "turn/start") + row(1, "go/one") + `{"type":"go/skipped","seq":2,"time":1,"data":{},"ignorable":true}` + "\n" + row(3, "assistant/chunk")
	_, err := all(openBytes(t, []byte(header4+rows+row(4, "turn/end")), Raw))
	var newer *IncompatibleError
	require.ErrorAs(t, err, &newer)
	assert.Equal(t, []Blocker{{3, 1, "go/one"}, {5, 3, "assistant/chunk"}}, newer.Blockers)

	// Both at once.
	_, err = all(openBytes(t, []byte(header4+rows+"garbage\n"+row(4, "turn/end")), Raw))
	var damage *DamagedError
	assert.ErrorAs(t, err, &newer)
	assert.ErrorAs(t, err, &damage)

	_, err = NewReader(strings.NewReader(strings.Replace(header4, ":4,", ":5,", 1)), Options{})
	require.ErrorAs(t, err, &newer)
	assert.Equal(t, 5, newer.Version)
	assert.NotErrorIs(t, err, io.EOF)

	_, err = all(openBytes(t, []byte(header4+blockers(150)), Raw))
	require.ErrorAs(t, err, &newer)
	assert.Len(t, newer.Blockers, maxBlockers)
	assert.EqualValues(t, 50, newer.More)
}

func blockers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i, "go/unknown"))
	}
	return b.String()
}

func TestHeaders(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}`:                                                                           "",
		`{"delegationDepth":1,"isSeeded":true,"origin":"subagent","createdAt":1,"id":"s","version":4,"type":"session","parentSession":"p","agentPreset":"code","cwd":"C:\\w"}`: "",
		`{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0,"x":1}`:                                                                     "closed",
		`{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0,"seedLength":1}`:                                                            "seedLength",
		`{"type":"session","version":4,"id":"s","createdAt":1,"delegationDepth":0}`:                                                                                            "isSeeded",
		`{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false}`:                                                                                               "delegationDepth",
		`{"type":"session","version":4,"id":"","createdAt":1,"isSeeded":false,"delegationDepth":0}`:                                                                            "empty id",
		`{"type":"session","version":4,"id":"s","createdAt":-1,"isSeeded":false,"delegationDepth":0}`:                                                                          "createdAt",
		`{"type":"session","version":4,"id":"s","createdAt":1,"cwd":"w","isSeeded":false,"delegationDepth":0}`:                                                                 "absolute",
		`{"type":"session","version":4,"id":"s","createdAt":1,"origin":"x","isSeeded":false,"delegationDepth":0}`:                                                              "origin",
		`{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0,"x":1}`:                                                                                      "",
		`{"type":"session","version":1,"id":"s","createdAt":1,"delegationDepth":0,"isSeeded":true}`:                                                                            "isSeeded",
		`{"type":"session","id":"s","createdAt":1,"delegationDepth":0}`:                                                                                                        "no version",
		`{"type":"turn/start","version":4}`: "turn/start",
		"\xef\xbb\xbf{}":                    "not JSON",
	} {
		l, err := NewReader(strings.NewReader(text+"\n"), Options{})
		if want == "" {
			require.NoError(t, err, text)
			l.Close()
			continue
		}
		var damage *DamagedError
		require.ErrorAs(t, err, &damage, text)
		assert.Contains(t, damage.Reason, want)
		assert.EqualValues(t, 1, damage.Line)
	}
	_, err := AppendHeader(nil, harness.SessionHeaderLine{ID: "s", CWD: new("relative")})
	assert.ErrorContains(t, err, "absolute")
}

func TestOversizedRow(t *testing.T) {
	long := strings.Replace(row(0, "turn/start"), `{"turn":1}`, `{"x":"`+strings.Repeat("x", 200<<10)+`"}`, 1)
	for _, file := range [][]byte{[]byte(header4 + long), join(frame(t, header4), frame(t, long))} {
		e := Raw
		if bytes.HasPrefix(file, []byte{0x28, 0xb5}) {
			e = Zstd
		}
		rows, err := all(openBytes(t, file, e))
		require.NoError(t, err)
		assert.Len(t, rows, 1)
		l, err := NewReader(bytes.NewReader(file), Options{Encoding: e, MaxRow: 100 << 10})
		require.NoError(t, err)
		defer l.Close()
		_, err = l.Next()
		var size *SizeError
		require.ErrorAs(t, err, &size)
		assert.Equal(t, SizeError{Line: 2, Max: 100 << 10}, *size)
	}
}

func TestReadErrorsAreReturned(t *testing.T) {
	failed := errors.New("disk")
	for name, file := range map[string][]byte{"raw": []byte(header4 + row(0, "turn/start")), "zstd": join(frame(t, header4), frame(t, row(0, "turn/start")))} {
		e := Raw
		if name == "zstd" {
			e = Zstd
		}
		for n := range len(file) {
			r := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(failed))
			l, err := NewReader(r, Options{Encoding: e})
			if err == nil {
				_, err = all(l)
				l.Close()
			}
			require.ErrorIs(t, err, failed, "%s, after %d bytes", name, n)
		}
	}
}

func TestRangesOfSequences(t *testing.T) {
	for text, want := range map[string]string{
		`[3,7,8,9,15]`:           `[3,[7,9],15]`,
		`[3,[7,12],15]`:          `[3,[7,12],15]`,
		`[1,2]`:                  `[1,2]`,
		`[[1,2],3]`:              `[[1,3]]`,
		`[]`:                     `[]`,
		`[[0,9007199254740991]]`: `[[0,9007199254740991]]`, // and no list of as many
	} {
		l := openBytes(t, []byte(header4+`{"type":"user/message","seq":0,"time":1,"data":{},"sourceEventSeqs":`+text+"}\n"), Raw)
		rows, err := all(l)
		require.NoError(t, err)
		require.Len(t, rows, 1, text)
		assert.Equal(t, want, string(appendRanges(nil, rows[0].Sources)))
	}
	for _, text := range []string{`[-1]`, `[[2,1]]`, `[[1]]`, `[[1,2,3]]`, `["1"]`, `7`} {
		l := openBytes(t, []byte(header4+`{"type":"user/message","seq":0,"time":1,"data":{},"sourceEventSeqs":`+text+"}\n"), Raw)
		rows, err := all(l)
		require.NoError(t, err)
		assert.Empty(t, rows, text)
		assert.NotNil(t, l.Tail())
	}
}

// Whatever the bytes are, reading ends, and what it gives is dense.
func FuzzReader(f *testing.F) {
	for _, path := range golden(f) {
		if b, err := os.ReadFile(path); err == nil && len(b) < 6000 {
			f.Add(b, encodingOf(path) == Zstd)
		}
	}
	f.Add([]byte(header4+row(0, "turn/start")), false)
	f.Fuzz(func(t *testing.T, b []byte, compressed bool) {
		e := Raw
		if compressed {
			e = Zstd
		}
		l, err := NewReader(bytes.NewReader(b), Options{Encoding: e, MaxRow: 1 << 20, Skim: len(b)%2 == 0})
		if err != nil {
			return
		}
		defer l.Close()
		n := int64(0)
		for r, err := range l.Rows() {
			if err != nil {
				return
			}
			if r.Seq != n {
				t.Fatalf("sequence %d instead of %d", r.Seq, n)
			}
			n++
		}
		if tail := l.Tail(); tail != nil && tail.Offset > int64(len(b)) {
			t.Fatalf("the tail begins at %d of %d bytes", tail.Offset, len(b))
		}
	})
}
