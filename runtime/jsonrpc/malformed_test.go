// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

// DecodeJSON reads params as a result.
func (p *params) DecodeJSON(d *codec.Decoder) {
	*p = params{}
	p.decode(d)
}

// An answer that is no response ends the call that it was for: no other will
// come.
func TestAnswersThatAreNoResponses(t *testing.T) {
	deep := nested(80)
	for name, c := range map[string]struct {
		line     string
		tolerant bool
		count    DiagnosticKind
	}{
		"both":                         {line: `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}`, count: MalformedResponse},
		"neither":                      {line: `{"jsonrpc":"2.0","id":1}`, count: MalformedResponse},
		"no version":                   {line: `{"id":1,"result":{}}`, count: MalformedResponse},
		"a member twice":               {line: `{"jsonrpc":"2.0","id":1,"result":{"text":"a","text":"b"}}`, count: DuplicateMember},
		"a member twice before the id": {line: `{"jsonrpc":"2.0","result":{"text":"a","text":"b"},"id":1}`, count: DuplicateMember},
		"the result twice":             {line: `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, count: DuplicateMember},
		"too deep":                     {line: `{"jsonrpc":"2.0","id":1,"result":{"tree":` + deep + `}}`, count: TooDeep},
		"too deep before the id":       {line: `{"jsonrpc":"2.0","result":{"tree":` + deep + `},"id":1}`, count: TooDeep},
		"too deep when tolerant":       {line: `{"result":{"tree":` + deep + `},"id":1}`, tolerant: true, count: TooDeep},
		"not UTF-8":                    {line: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\xff\"}}", count: MalformedLine},
		"cut off":                      {line: `{"jsonrpc":"2.0","id":1,"result":{"text":`, count: MalformedLine},
		"cut off when tolerant":        {line: `{"id":1,"error":{"code":`, tolerant: true, count: MalformedLine},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := dial(t, Config{Handler: &handler{}, Strict: !c.tolerant})
				call := p.conn.Begin("m")
				require.NoError(t, call.Start(context.Background()))
				p.next()
				p.send(c.line)
				err := call.Wait(context.Background())
				call.Release()
				var malformed *ResponseError
				require.ErrorAs(t, err, &malformed)
				assert.Error(t, errors.Unwrap(err), "and it says why")
				assert.Equal(t, 1, p.count(c.count))
				assert.NoError(t, p.close())
			})
		})
	}
}

// What looks like one and answers no call is counted, and no call ends by it.
func TestWhatIsNoAnswerEndsNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{}, Strict: true})
		call := p.conn.Begin("m")
		require.NoError(t, call.Start(context.Background()))
		p.next()
		p.send(
			`{"jsonrpc":"2.0","id":2}`,
			`{"jsonrpc":"2.0","id":"1"}`,
			`{"jsonrpc":"2.0","id":1`,
			`{"jsonrpc":"2.0","id":1,"method":"echo","result":{"a":1,"a":2}}`,
			`[{"jsonrpc":"2.0","id":1,"result":{}}]`,
			`{"jsonrpc":"2.0","id":1,"result":{"text":"at last"}}`,
		)
		require.NoError(t, call.Wait(context.Background()))
		var got params
		require.NoError(t, call.Read(&got))
		assert.Equal(t, "at last", got.Text)
		call.Release()
		assert.NoError(t, p.close())
	})
}

func TestAResultIsReadAsFarAsItGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{}, Strict: true})
		ask := func(result string) (params, error) {
			call := p.conn.Begin("m")
			defer call.Release()
			require.NoError(t, call.Start(context.Background()))
			id := strings.TrimPrefix(p.next(), `{"jsonrpc":"2.0","id":`)
			id, _, _ = strings.Cut(id, ",")
			p.send(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`)
			require.NoError(t, call.Wait(context.Background()))
			var got params
			err := call.Read(&got)
			return got, err
		}
		got, err := ask(`{"text":"a","n":"many"}`)
		require.NoError(t, err)
		assert.Equal(t, params{Text: "a"}, got)
		assert.Equal(t, 1, p.count(InvalidMember))
		assert.ErrorContains(t, p.diags[0].Err, "n: want an integer, found a string")
		_, err = ask(`"done"`)
		var malformed *ResponseError
		require.ErrorAs(t, err, &malformed)
		assert.ErrorContains(t, err, "want an object, found a string")
		assert.NoError(t, p.close())
	})
}

// A notification cannot be refused: it is handed on without the members that
// cannot be read, however it is written. A request can be.
func TestANotificationIsReadAsFarAsItGoes(t *testing.T) {
	for name, line := range map[string]string{
		"as this package writes":  `{"jsonrpc":"2.0","method":"note","params":{"text":7,"n":5}}`,
		"with white space":        `{ "jsonrpc":"2.0", "method":"note", "params":{"n":5, "text":7} }`,
		"the method after params": `{"jsonrpc":"2.0","params":{"text":{"a":[1]},"n":5},"method":"note"}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []params
				p := dial(t, Config{Strict: true, Handler: &handler{note: func(n *Notification) {
					assert.NoError(t, n.Err)
					got = append(got, *n.Params.(*params))
				}}})
				p.send(line)
				p.until()
				assert.Equal(t, []params{{N: 5}}, got)
				assert.Equal(t, 1, p.count(InvalidMember))
				assert.Zero(t, p.count(InvalidParams))
				assert.Equal(t, "note", p.diags[0].Method)
				assert.ErrorContains(t, p.diags[0].Err, "text: want a string")
				p.send(strings.Replace(strings.Replace(line, "note", "echo", 1), `"jsonrpc":"2.0"`, `"jsonrpc":"2.0","id":1`, 1))
				assert.Equal(t, badParamsType, p.next())
				assert.Equal(t, 1, p.count(InvalidMember))
				assert.NoError(t, p.close())
			})
		})
	}
}

func TestParamsThatAreNoObjectAreNoNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := 0
		p := dial(t, Config{Strict: true, Handler: &handler{note: func(n *Notification) {
			if n.Err != nil {
				failed++
			}
		}}})
		p.send(`{"jsonrpc":"2.0","method":"note","params":[]}`)
		p.until()
		assert.Equal(t, 1, failed)
		assert.Equal(t, 1, p.count(InvalidParams))
		assert.NoError(t, p.close())
	})
}

func TestTheLeastDepth(t *testing.T) {
	for _, line := range []string{call("1", "echo", `{"tree":[]}`), `{"id":1,"params":{"tree":[]},"method":"echo","jsonrpc":"2.0"}`} {
		lines, conn, err := serve(t, strings.NewReader(call("0", "echo", `{"text":"x"}`)+"\n"+line+"\n"), Config{Strict: true, Limits: Limits{Depth: 1}})
		require.NoError(t, err)
		require.Len(t, lines, 2)
		assert.Equal(t, echoed("0", "x"), lines[0])
		counts := conn.Counters()
		assert.EqualValues(t, 1, counts.Of(TooDeep), line)
	}
}
