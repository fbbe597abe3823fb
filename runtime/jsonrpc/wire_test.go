// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

const (
	parseError    = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON in UTF-8"}}`
	notAnObject   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is one object; batches are not served"}}`
	twice         = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"%s comes twice in one object: send it once"}}`
	badID         = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id must be a string or an integer"}}`
	nothingInIt   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message has a method, a result or an error"}}`
	badVersion    = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}}`
	badMethodType = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"method must be a string"}}`
	badParamsType = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params are not as the method wants them"}}`
	tooLong       = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"the line is longer than the line limit"}}`
	tooDeep       = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"the message nests too deep"}}`
	internal      = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`
)

func call(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

func echoed(id, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"text":%q}}`, id, text)
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

// row is one rule of the wire: what is sent, what comes back, and what is
// counted.
type row struct {
	rule  string
	name  string
	send  string // as written; a newline is added
	want  []string
	count DiagnosticKind
}

// strictRows are what a peer gets that negotiated.
var strictRows = []row{
	{rule: "WP-01", name: "a line over the limit", send: call("1", "echo", `{"text":"`+strings.Repeat("x", 9000)+`"}`), want: []string{fmt.Sprintf(tooLong, "1")}, count: LineTooLong},
	{rule: "WP-01", name: "a line over the limit without a shape", send: strings.Repeat("x", 9000), want: []string{fmt.Sprintf(tooLong, "null")}, count: LineTooLong},
	{rule: "WP-01", name: "a response over the limit", send: `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 9000) + `"}`, count: ResponseTooLong},
	{rule: "WP-03", name: "nesting over the limit, id before", send: call("1", "echo", `{"tree":`+nested(63)+`}`), want: []string{fmt.Sprintf(tooDeep, "1")}, count: TooDeep},
	{rule: "WP-03", name: "nesting over the limit, id after", send: `{"jsonrpc":"2.0","method":"echo","params":{"tree":` + nested(63) + `},"id":1}`, want: []string{fmt.Sprintf(tooDeep, "null")}, count: TooDeep},
	{rule: "WP-03", name: "nesting at the limit", send: call("1", "echo", `{"tree":`+nested(62)+`}`), want: []string{echoed("1", "")}},
	{rule: "WP-03", name: "nesting at the limit, method after", send: `{"jsonrpc":"2.0","params":{"tree":` + nested(62) + `},"method":"echo","id":1}`, want: []string{echoed("1", "")}},
	{rule: "WP-03", name: "nesting in an unknown member", send: `{"jsonrpc":"2.0","id":1,"x":` + nested(64) + `,"method":"echo"}`, want: []string{fmt.Sprintf(tooDeep, "1")}, count: TooDeep},
	{rule: "WP-04", name: "a member twice in the envelope", send: `{"jsonrpc":"2.0","id":1,"id":1,"method":"echo"}`, want: []string{fmt.Sprintf(twice, "id")}, count: DuplicateMember},
	{rule: "WP-04", name: "a member twice in params", send: call("1", "echo", `{"text":"a","text":"b"}`), want: []string{fmt.Sprintf(twice, "params.text")}, count: DuplicateMember},
	{rule: "WP-04", name: "a member twice, deep down", send: call("1", "echo", `{"tree":[{"a":1,"a":2}]}`), want: []string{fmt.Sprintf(twice, "params.tree[0].a")}, count: DuplicateMember},
	{rule: "WP-04", name: "a member twice, spelled differently", send: `{"jsonrpc":"2.0","id":1,"x":1,"\u0078":2,"method":"echo"}`, want: []string{fmt.Sprintf(twice, "x")}, count: DuplicateMember},
	{rule: "WP-04", name: "twice in params of the wrong type", send: call("1", "echo", `{"text":1,"x":1,"x":1}`), want: []string{fmt.Sprintf(twice, "params.x")}, count: DuplicateMember},
	{rule: "WP-05", name: "another case", send: `{"jsonrpc":"2.0","id":1,"Method":"boom","method":"echo","params":{"Text":"no","text":"yes"}}`, want: []string{echoed("1", "yes")}},
	{rule: "WP-05", name: "a name that ends in NUL", send: `{"jsonrpc":"2.0","id":1,"method\u0000":"boom","method":"echo"}`, want: []string{echoed("1", "")}},
	{rule: "WP-05", name: "a name that folds", send: `{"jsonrpc":"2.0","id":1,"param` + "\u017f" + `":{"text":"no"},"method":"echo"}`, want: []string{echoed("1", "")}},
	{rule: "WP-06", name: "invalid UTF-8", send: call("1", "echo", "{\"text\":\"a\xff\"}"), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-06", name: "half a surrogate pair", send: call("1", "echo", `{"text":"\ud800"}`), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-07", name: "carriage return and blanks", send: " \t" + call("1", "echo", `{"text":"a"}`) + " \r", want: []string{echoed("1", "a")}},
	{rule: "WP-07", name: "blank lines", send: "\n\r\n  \n" + call("1", "echo", `{}`), want: []string{echoed("1", "")}},
	{rule: "WP-07", name: "a byte order mark in the middle", send: "\xef\xbb\xbf" + call("1", "echo", `{}`), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-08", name: "string", send: call(`"a\u0062"`, "echo", `{}`), want: []string{echoed(`"a\u0062"`, "")}},
	{rule: "WP-08", name: "empty string", send: call(`""`, "echo", `{}`), want: []string{echoed(`""`, "")}},
	{rule: "WP-08", name: "zero", send: call(`0`, "echo", `{}`), want: []string{echoed(`0`, "")}},
	{rule: "WP-08", name: "2^53 + 1", send: call("9007199254740993", "echo", `{}`), want: []string{echoed("9007199254740993", "")}},
	{rule: "WP-08", name: "huge", send: call("123456789012345678901234567890", "echo", `{}`), want: []string{echoed("123456789012345678901234567890", "")}},
	{rule: "WP-08", name: "-0", send: call("-0", "echo", `{}`), want: []string{echoed("-0", "")}},
	{rule: "WP-08", name: "1.0", send: call("1.0", "echo", `{}`), want: []string{echoed("1.0", "")}},
	{rule: "WP-08", name: "1.00", send: call("1.00", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "1.5", send: call("1.5", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "1e3", send: call("1e3", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "null", send: call("null", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "object", send: call("{}", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "bool", send: call("true", "echo", `{}`), want: []string{badID}, count: InvalidMessage},
	{rule: "WP-08", name: "absent", send: `{"jsonrpc":"2.0","method":"echo"}`},
	{rule: "WP-10", name: "empty batch", send: `[]`, want: []string{notAnObject}, count: InvalidMessage},
	{rule: "WP-10", name: "batch of null", send: `[null]`, want: []string{notAnObject}, count: InvalidMessage},
	{rule: "WP-10", name: "batch of one", send: `[` + call("1", "echo", "{}") + `]`, want: []string{notAnObject}, count: InvalidMessage},
	{rule: "WP-10", name: "large batch", send: `[` + strings.Repeat("1,", 1000) + `1]`, want: []string{notAnObject}, count: InvalidMessage},
	{rule: "WP-10", name: "scalar", send: `7`, want: []string{notAnObject}, count: InvalidMessage},
	{rule: "WP-11", name: "no version", send: `{"id":1,"method":"echo"}`, want: []string{fmt.Sprintf(badVersion, "1")}, count: InvalidMessage},
	{rule: "WP-11", name: "version 1.0", send: `{"jsonrpc":"1.0","id":"a","method":"echo"}`, want: []string{fmt.Sprintf(badVersion, `"a"`)}, count: InvalidMessage},
	{rule: "WP-11", name: "version as a number", send: `{"jsonrpc":2.0,"id":1,"method":"echo"}`, want: []string{fmt.Sprintf(badVersion, "1")}, count: InvalidMessage},
	{rule: "WP-12", name: "params a list", send: call("1", "echo", `[]`), want: []string{badParamsType}},
	{rule: "WP-12", name: "params a string", send: call("1", "echo", `"a"`), want: []string{badParamsType}},
	{rule: "WP-12", name: "params null", send: call("1", "echo", `null`), want: []string{badParamsType}},
	{rule: "WP-12", name: "params missing", send: `{"jsonrpc":"2.0","id":1,"method":"echo"}`, want: []string{echoed("1", "")}},
	{rule: "WP-12", name: "a member of the wrong type, id after", send: `{"jsonrpc":"2.0","method":"echo","params":{"text":1},"id":1}`, want: []string{badParamsType}},
	{rule: "WP-13", name: "unknown id", send: `{"jsonrpc":"2.0","id":7,"result":{}}`, count: UnknownResponse},
	{rule: "WP-13", name: "unknown id, a string", send: `{"jsonrpc":"2.0","id":"7","result":{}}`, count: UnknownResponse},
	{rule: "WP-13", name: "both", send: `{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}`, count: MalformedResponse},
	{rule: "WP-13", name: "neither", send: `{"jsonrpc":"2.0","id":7}`, count: MalformedResponse},
	{rule: "WP-13", name: "a response without id", send: `{"jsonrpc":"2.0","result":{}}`, count: MalformedResponse},
	{rule: "WP-13", name: "the peer's own refusal", send: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, count: PeerRefused},
	{rule: "WP-13", name: "nothing at all", send: `{"jsonrpc":"2.0"}`, want: []string{nothingInIt}, count: InvalidMessage},
	{rule: "WP-15", name: "unknown method", send: call("1", "nope", `{}`), want: []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown: nope"}}`}},
	{rule: "WP-15", name: "unknown notification", send: `{"jsonrpc":"2.0","method":"nope"}`, count: UnknownMethod},
	{rule: "WP-17", name: "a handler panics", send: call("1", "boom", `{}`), want: []string{internal}, count: HandlerPanic},
	{rule: "WP-19", name: "a newline in a result", send: call("1", "echo", `{"text":"a\nb"}`), want: []string{echoed("1", "a\nb")}},
	{rule: "WP-20", name: "01", send: call("1", "echo", `{"n":01}`), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-20", name: "0x10", send: call("1", "echo", `{"n":0x10}`), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-20", name: "NaN", send: call("1", "echo", `{"n":NaN}`), want: []string{parseError}, count: MalformedLine},
	{rule: "WP-20", name: "1e400", send: call("1", "echo", `{"n":1e400}`), want: []string{badParamsType}},
	{rule: "WP-18", name: "2^53", send: call("1", "echo", `{"n":9007199254740992}`), want: []string{badParamsType}},
	{rule: "WP-18", name: "2^53 - 1", send: call("1", "echo", `{"n":9007199254740991}`), want: []string{`{"jsonrpc":"2.0","id":1,"result":{"text":"","n":9007199254740991}}`}},
	{rule: "C2", name: "cut off", send: `{"jsonrpc":"2.0","id":1`, want: []string{parseError}, count: MalformedLine},
	{rule: "C2", name: "two values in a line", send: `{} {}`, want: []string{parseError}, count: MalformedLine},
	{rule: "C2", name: "a method that is no string", send: `{"jsonrpc":"2.0","id":1,"method":5}`, want: []string{badMethodType}, count: InvalidMessage},
	{rule: "C2", name: "method and result", send: `{"jsonrpc":"2.0","id":1,"method":"echo","result":{}}`, want: []string{strings.Replace(nothingInIt, "null", "1", 1)}, count: InvalidMessage},
}

// tolerantRows are what a peer gets that never negotiated.
var tolerantRows = []row{
	{rule: "D1.1", name: "not JSON", send: "not json", count: MalformedLine},
	{rule: "D1.1", name: "a batch", send: `[` + call("1", "echo", "{}") + `]`, count: InvalidMessage},
	{rule: "D1.1", name: "no version", send: `{"id":1,"method":"echo"}`, want: []string{echoed("1", "")}},
	{rule: "D1.1", name: "another version", send: `{"jsonrpc":"1.0","id":1,"method":"echo"}`, want: []string{echoed("1", "")}},
	{rule: "D1.1", name: "empty method", send: call("1", "", "{}"), want: []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown: "}}`}},
	{rule: "D1.1", name: "id 1.5", send: call("1.5", "echo", "{}"), want: []string{echoed("1.5", "")}},
	{rule: "D1.1", name: "empty id", send: call(`""`, "echo", "{}"), want: []string{echoed(`""`, "")}},
	{rule: "D1.1", name: "id null is a notification", send: call("null", "echo", "{}")},
	{rule: "D1.1", name: "id true is a notification", send: call("true", "echo", "{}")},
	{rule: "D1.1", name: "a request whose method is a number is a response", send: `{"jsonrpc":"2.0","id":1,"method":5}`, count: UnknownResponse},
	{rule: "D1.1", name: "neither id nor method", send: `{"a":1}`, count: InvalidMessage},
	{rule: "D1.1", name: "params a list", send: call("1", "echo", `["a"]`), want: []string{badParamsType}},
	{rule: "D1.1", name: "params null", send: call("1", "echo", `null`), want: []string{echoed("1", "")}},
	{rule: "D1.1", name: "invalid UTF-8", send: call("1", "echo", "{\"text\":\"a\xff\"}"), want: []string{echoed("1", "a\ufffd")}},
	{rule: "D1.1", name: "invalid UTF-8 in the id", send: call("\"a\xff\"", "echo", "{}"), want: []string{echoed("\"a\ufffd\"", "")}},
	{rule: "D1.1", name: "half a surrogate pair", send: call("1", "echo", `{"text":"\ud800"}`), want: []string{echoed("1", "\ufffd")}},
	{rule: "D1.1", name: "of members that come twice the last counts", send: `{"id":9,"id":1,"method":"boom","method":"echo","params":{"text":"a"},"params":{"text":"b","text":"c"}}`, want: []string{echoed("1", "c")}},
	{rule: "D1.1", name: "the last method decides how params are read", send: `{"id":1,"method":"boom","params":{"text":"a"},"method":"echo"}`, want: []string{echoed("1", "a")}},
	{rule: "D1.1", name: "the last params count, though the first were wrong", send: `{"id":1,"method":"echo","params":{"text":1},"params":{"text":"b"}}`, want: []string{echoed("1", "b")}},
	{rule: "D1.1", name: "the first params count for nothing if the last are a list", send: `{"id":1,"method":"echo","params":{"text":"a"},"params":[]}`, want: []string{badParamsType}},
	{rule: "D1.1", name: "blanks of JavaScript", send: "\u00a0\ufeff\u2028\v" + call("1", "echo", "{}") + "\u3000\r", want: []string{echoed("1", "")}},
	{rule: "D1.1", name: "an unknown response", send: `{"id":"x","result":{}}`, count: UnknownResponse},
	{rule: "D1.1", name: "an id that is in flight", send: call("1", "hold", "{}") + "\n" + call("1", "echo", "{}"), want: []string{echoed("1", "")}},
	{rule: "D1.1", name: "cancelling is of another version", send: `{"method":"$/cancel_request","params":{"requestId":1}}`, count: UnknownMethod},
	{rule: "WP-01", name: "a request over the limit", send: call("1", "echo", `{"text":"`+strings.Repeat("x", 9000)+`"}`), want: []string{fmt.Sprintf(tooLong, "1")}, count: LineTooLong},
	{rule: "WP-01", name: "something over the limit", send: strings.Repeat("x", 9000), count: LineTooLong},
	{rule: "WP-03", name: "nesting over the limit", send: call("1", "echo", `{"tree":`+nested(63)+`}`), want: []string{fmt.Sprintf(tooDeep, "1")}, count: TooDeep},
	{rule: "WP-03", name: "nesting over the limit without id", send: nested(65), count: TooDeep},
	{rule: "WP-05", name: "another case", send: `{"id":1,"Method":"boom","method":"echo"}`, want: []string{echoed("1", "")}},
}

// Rules F1, F2, F3, F4 and F5.
func TestRows(t *testing.T) {
	for _, dialect := range []struct {
		name   string
		strict bool
		rows   []row
	}{{"strict", true, strictRows}, {"tolerant", false, tolerantRows}} {
		t.Run(dialect.name, func(t *testing.T) {
			for _, r := range dialect.rows {
				t.Run(r.rule+" "+r.name, func(t *testing.T) { r.test(t, dialect.strict) })
			}
		})
	}
}

func (r row) test(t *testing.T, strict bool) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h, Strict: strict, Limits: Limits{Line: 8 << 10}})
		p.until()
		p.send(r.send)
		want := r.want
		if want == nil {
			want = []string{}
		}
		assert.Equal(t, want, p.until())
		for k := DiagnosticKind(1); k < diagnosticKinds; k++ {
			expected := 0
			if k == r.count {
				expected = 1
			}
			assert.Equal(t, expected, p.count(k), "count of %s", k)
		}
		assert.NoError(t, p.close())
	})
}
