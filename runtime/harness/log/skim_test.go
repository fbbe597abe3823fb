// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A reader that skims reads the same rows.
func TestSkimmedRowsAreTheSame(t *testing.T) {
	for _, path := range golden(t) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		want := open(t, path)
		rows, err := all(want)
		require.NoError(t, err)
		l, err := NewReader(bytes.NewReader(b), Options{Encoding: encodingOf(path), Skim: true})
		require.NoError(t, err)
		defer l.Close()
		skimmed, err := all(l)
		require.NoError(t, err)
		require.Equal(t, rows, skimmed)
		assert.Equal(t, want.Tail(), l.Tail())
		n := 0
		for _, r := range rows {
			if _, ok := l.parser.skimRow(r.Line); ok {
				n++
			}
		}
		if l.Header().Version == Newest {
			assert.GreaterOrEqual(t, n, len(rows)*8/10, "%s: few rows can be skimmed", path)
		}
	}
}

// Other rows are left to the parser, which refuses what must be refused.
func TestWhatCannotBeSkimmed(t *testing.T) {
	p := newRowParser(Newest)
	sound := strings.TrimSpace(row(7, "turn/start"))
	r, ok := p.skimRow([]byte(sound))
	require.True(t, ok)
	assert.EqualValues(t, 7, r.Seq)
	assert.Equal(t, `{"turn":1}`, string(r.Data))
	for _, change := range [][2]string{
		{`"seq":7`, `"seq":07`},
		{`"seq":7`, `"seq":7.0`},
		{`"seq":7`, `"seq":-7`},
		{`"seq":7`, `"seq":99999999999999999999`},
		{`"time":1`, `"time":-1`},
		{`{"turn":1}`, `{"turn":[1}`},
		{`{"turn":1}`, `{"turn":"1}`},
		{`{"turn":1}`, `{"turn":1}}`},
		{`{"turn":1}`, `[]`},
		{`{"turn":1}`, `{"turn":1},"x":1`},
		{`{"turn":1}`, `{"turn":1},"sourceEventSeqs":[2,1`},
		{`turn/start`, `turn\/start`},
		{`"type"`, ` "type"`},
	} {
		require.Contains(t, sound, change[0])
		_, ok := p.skimRow([]byte(strings.Replace(sound, change[0], change[1], 1)))
		assert.False(t, ok, change[1])
	}
	r, ok = p.skimRow([]byte(strings.Replace(sound, `1}`, `"\\\"}\\"}`, 1)))
	assert.True(t, ok)
	assert.Equal(t, `{"turn":"\\\"}\\"}`, string(r.Data))
	assert.Equal(t, 2, skimObject([]byte(`{}`)))
	assert.Equal(t, -1, skimObject([]byte(`{]`)))
	assert.Equal(t, -1, skimObject(nil))
}
