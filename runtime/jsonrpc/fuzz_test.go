// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

// pieces gives the text in reads of random length.
type pieces struct {
	text []byte
	rand *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := min(1+p.rand.IntN(1+p.rand.IntN(64)), len(b), len(p.text))
	copy(b, p.text[:n])
	p.text = p.text[n:]
	return n, nil
}

// FuzzSplit feeds arbitrary bytes, whole and cut at arbitrary points: nothing
// panics, both say the same, each answer is one proper line, and the memory
// stays within its bound (WP-02, WP-16, WP-19).
func FuzzSplit(f *testing.F) {
	for _, rows := range [][]row{strictRows, tolerantRows} {
		for _, r := range rows {
			if len(r.send) < 2000 {
				f.Add([]byte(r.send+"\n"), uint64(1), true)
				f.Add([]byte(r.send+"\r\n"+r.send), uint64(2), false)
			}
		}
	}
	f.Add([]byte("\xef\xbb\xbf{}\n"), uint64(3), true)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"größe 漢字 😀"}}`+"\n"), uint64(4), true)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, strict bool) {
		config := Config{Strict: strict, Limits: Limits{Line: 1 << 10}, Handler: &handler{request: answerAtOnce}}
		whole, wholeCounts := feed(t, bytes.NewReader(data), config)
		cut, cutCounts := feed(t, &pieces{text: data, rand: rand.New(rand.NewPCG(seed, 0))}, config)
		require.Equal(t, whole, cut)
		require.Equal(t, wholeCounts.kinds, cutCounts.kinds)
		require.Equal(t, wholeCounts.LinesIn, cutCounts.LinesIn)
		for _, line := range strings.Split(strings.TrimSuffix(whole, "\n"), "\n") {
			if line != "" {
				require.NoError(t, codec.Validate([]byte(line), 0), line)
				require.True(t, json.Valid([]byte(line)), line)
			}
		}
	})
}

// answerAtOnce answers every request before the next is read.
func answerAtOnce(r *Request) {
	switch p, _ := r.Params.(*params); {
	case r.Err != nil:
		r.Fail(&Fault{Kind: ParamsFault, Err: r.Err})
	case p != nil:
		r.Reply(p)
	default:
		r.Fail(&Error{Code: CodeUnknownMethod, Message: r.Method})
	}
}

func feed(t *testing.T, in io.Reader, config Config) (string, Counters) {
	var out bytes.Buffer
	conn := NewConn(in, &out, config)
	require.NoError(t, conn.Serve(context.Background()))
	assert.LessOrEqual(t, cap(conn.in.buf), readBuffer)
	return out.String(), conn.Counters()
}

// FuzzID reads arbitrary tokens as ids: what is one is echoed byte for byte,
// and two spellings of one string are the same key.
func FuzzID(f *testing.F) {
	for _, token := range []string{"0", "-0", "1.0", "1.5", "1e3", "12345678901234567890", `""`, `"a"`, `"\u0061"`, `"\\"`, "null", "true"} {
		f.Add([]byte(token))
	}
	f.Fuzz(func(t *testing.T, token []byte) {
		if codec.Validate(token, 0) != nil {
			return
		}
		token = bytes.TrimSpace(token)
		id, ok := ParseID(token)
		if isID := token[0] == '"' || isNumber(token[0]); isID != ok {
			t.Fatalf("%s: id is %v", token, ok)
		} else if !isID {
			return
		}
		require.Equal(t, string(token), id.String())
		again, ok := ParseID(id.AppendJSON(nil))
		require.True(t, ok)
		require.Equal(t, id, again)
		if token[0] == '"' {
			var text string
			require.NoError(t, json.Unmarshal(token, &text))
			require.Equal(t, StringID(text).key(), id.key())
			require.NotEqual(t, intID, id.key().kind)
		}
	})
}

// FuzzFast compares the two ways of reading a message: whatever the fast one
// takes, the other reads in the same way.
func FuzzFast(f *testing.F) {
	for _, rows := range [][]row{strictRows, tolerantRows} {
		for _, r := range rows {
			if len(r.send) < 2000 {
				f.Add([]byte(r.send), true)
				f.Add([]byte(r.send), false)
			}
		}
	}
	for _, line := range []string{
		call("12", "echo", `{"text":"a"}`), `{"jsonrpc":"2.0","method":"note","params":{"n":1}}`, `{"jsonrpc":"2.0","id":7,"result":{"a":[1,{}]}}`,
		`{"jsonrpc":"2.0","id":7,"result":{}},"x":1}`, `{"jsonrpc":"2.0","method":"note","params":{"n":1},"params":{}}`,
		`{"jsonrpc":"2.0","method":"note","params":{"n":1}} }`, `{"jsonrpc":"2.0","id":007,"result":1}`, `{"jsonrpc":"2.0","id":1,"result":1`,
		`{"jsonrpc":"2.0","method":"note","params":{"tree":` + nested(62) + `}}`, `{"jsonrpc":"2.0","method":"note","params":{"tree":` + nested(63) + `}}`,
	} {
		f.Add([]byte(line), true)
		f.Add([]byte(line), false)
	}
	conn := NewConn(nil, io.Discard, Config{Handler: &handler{}})
	f.Fuzz(func(t *testing.T, line []byte, strict bool) {
		var quick, full message
		if !conn.fast(&quick, line, strict) {
			return
		}
		require.NoError(t, conn.parse(&full, line, strict))
		require.Equal(t, full, quick)
	})
}
