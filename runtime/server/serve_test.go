// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	errUnknown = errors.New("unknown")
	errEarly   = errors.New("early")
	errForeign = errors.New("foreign")
)

const (
	opHello jsonrpc.Op = iota + 1
	opDo
	opSoft
)

func newGate() *Gate {
	return &Gate{
		Rules: []Rules{
			{},
			{
				Method: "hello", Before: true, Asked: "version",
				Prechecks: []Precheck{{Present: []string{"version"}, Absent: []string{"model", "provider"}, Error: func() error { return errForeign }}},
				Refusals: []Refusal{
					{Member: "cwd", Want: String, Text: "no cwd"},
					{Member: "tokens", Want: Int, Min: 1, Max: codec.MaxInt, Optional: true, Text: "tokens must be positive"},
					{Member: "model", Want: String, Text: `no model for "{provider}" and {nobody}`},
				},
			},
			{
				Method: "do",
				Refusals: []Refusal{
					{Member: "id", Want: String, Empty: true, First: true, Text: "needs an id", Wrong: "id must be text", Blank: "id is empty"},
					{Member: "list", Want: List, Text: "needs a list"},
				},
				Together: []Together{{Exclude: true, Members: []string{"a", "b"}}, {Members: []string{"c", "d"}}},
			},
			{Method: "soft"},
		},
		Unknown: func(string) error { return errUnknown },
		Early:   func() error { return errEarly },
	}
}

// why is what Admit says of a call: the error, or the legacy text of a fault.
func why(g *Gate, op jsonrpc.Op, raw string, err error) string {
	refused := g.Admit(&jsonrpc.Request{Op: op, Method: "m", Raw: []byte(raw), Err: err})
	var fault *jsonrpc.Fault
	switch {
	case refused == nil:
		return ""
	case errors.As(refused, &fault) && fault.Legacy != "":
		return fault.Legacy
	case errors.As(refused, &fault):
		return "fault at " + fault.Path
	}
	return refused.Error()
}

func TestAdmit(t *testing.T) {
	wrong := func(path string) error { return &codec.Error{Kind: codec.Type, Path: path, Msg: "want a string"} }
	for _, tt := range []struct {
		name    string
		op      jsonrpc.Op
		raw     string
		err     error
		before  string // to a peer that has said nothing yet
		legacy  string // to one that opened without a version
		version string // to one that agreed on a version
	}{
		{"unknown methods come first", 0, `{}`, nil, "unknown", "unknown", "unknown"},
		{"a number out of range is unknown", 9, `{}`, nil, "unknown", "unknown", "unknown"},
		{"another protocol's client", opHello, `{"version":1}`, wrong("cwd"), "foreign", "foreign", "foreign"},
		{"not with a member of ours", opHello, `{"version":1,"model":null,"cwd":""}`, nil, `no model for "{provider}" and {nobody}`, `no model for "{provider}" and {nobody}`, ""},
		{"members are filled in", opHello, `{"cwd":"/","provider":"p\u0041"}`, nil, `no model for "pA" and {nobody}`, `no model for "pA" and {nobody}`, ""},
		{"a version of the wrong type", opHello, `{"version":"2","model":"m","cwd":5}`, wrong("version"), "fault at version", "fault at version", "fault at version"},
		{"refusals in their order", opHello, `{"tokens":0}`, nil, "no cwd", "no cwd", ""},
		{"bounds", opHello, `{"cwd":"/","tokens":0,"model":"m"}`, nil, "tokens must be positive", "tokens must be positive", ""},
		{"null is there", opHello, `{"cwd":"/","tokens":null,"model":"m"}`, nil, "tokens must be positive", "tokens must be positive", ""},
		{"a fraction is no integer", opHello, `{"cwd":"/","tokens":1.5,"model":"m"}`, nil, "tokens must be positive", "tokens must be positive", ""},
		{"optional ones may be missing", opHello, `{"cwd":"/","model":"m"}`, nil, "", "", ""},
		{"first ones before negotiation", opDo, `{}`, nil, "needs an id", "needs an id", ""},
		{"another shape", opDo, `{"id":5}`, nil, "id must be text", "id must be text", ""},
		{"blank", opDo, `{"id":""}`, nil, "id is empty", "id is empty", ""},
		{"the last of two counts", opDo, `{"id":5,"id":"x","list":[]}`, nil, "early", "", ""},
		{"then negotiation, then the others", opDo, `{"id":"x"}`, nil, "early", "needs a list", ""},
		{"without params at all", opDo, ``, nil, "needs an id", "needs an id", ""},
		{"what was wrong with params last", opDo, `{"id":"x","list":[]}`, wrong("list[0]"), "early", "fault at list[0]", "fault at list[0]"},
		{"exclusive", opDo, `{"id":"x","list":[],"b":1,"a":1}`, nil, "early", "fault at b", "fault at b"},
		{"all or none", opDo, `{"id":"x","list":[],"d":1}`, nil, "early", "fault at c", "fault at c"},
		{"without rules", opSoft, `[]`, nil, "early", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGate()
			assert.Equal(t, tt.before, why(g, tt.op, tt.raw, tt.err), "before")
			g.Open(0, nil)
			assert.Equal(t, tt.legacy, why(g, tt.op, tt.raw, tt.err), "legacy")
			g = newGate()
			g.Open(2, nil)
			assert.Equal(t, tt.version, why(g, tt.op, tt.raw, tt.err), "version")
		})
	}
}

func TestAgree(t *testing.T) {
	ask := func(n int64) *int64 { return &n }
	for _, tt := range []struct {
		asked *int64
		want  int64
		ok    bool
	}{
		{nil, 0, true},
		{ask(2), 2, true},
		{ask(3), 2, true},
		{ask(99), 5, true},
		{ask(1), 0, false},
		{ask(-1), 0, false},
	} {
		got, ok := Agree(tt.asked, 2, 5)
		assert.Equal(t, tt.want, got)
		assert.Equal(t, tt.ok, ok)
	}
}

func TestAgain(t *testing.T) {
	g := newGate()
	assert.NoError(t, g.Again(2, []byte(`{"a":true}`), "version", "offers"), "the first is free")
	g.Open(2, []byte(`{"a":true}`))
	assert.NoError(t, g.Again(2, []byte(`{"a":true}`), "version", "offers"))
	for _, err := range []error{g.Again(0, nil, "version", "offers"), g.Again(2, nil, "version", "offers")} {
		var fault *jsonrpc.Fault
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, jsonrpc.ParamsFault, fault.Kind)
	}

	g = newGate()
	g.Open(2, nil)
	assert.NoError(t, g.Again(2, []byte(`{}`), "version", "offers"), "an offer that is false is as if absent")
	g = newGate()
	g.Open(2, []byte(`{}`))
	assert.NoError(t, g.Again(2, nil, "version", "offers"))
}

// domain is an error as generated code has it.
type domain struct{ legacy string }

func (*domain) Error() string                     { return "own words" }
func (*domain) Kind() string                      { return "own" }
func (*domain) Code() int                         { return 1001 }
func (*domain) Retry() contract.Retry             { return contract.After }
func (e *domain) LegacyText() string              { return e.legacy }
func (*domain) AppendData(b []byte) []byte        { return append(b, `{"kind":"own"}`...) }
func (e *domain) Is(err error) bool               { _, ok := err.(*domain); return ok }
func encoded(code int, m string, d []byte) string { return fmt.Sprintf("%d %s %s", code, m, d) }

func TestEncode(t *testing.T) {
	e := &Encoder{LegacyCode: -32603, Faults: func(f *jsonrpc.Fault) error {
		if f.Kind == jsonrpc.ParamsFault {
			return &domain{legacy: f.Legacy}
		}
		return nil
	}}
	own := &domain{legacy: "old words"}
	for _, tt := range []struct {
		name           string
		err            error
		strict, legacy string
	}{
		{"domain", own, `1001 own words {"kind":"own"}`, `-32603 old words {"kind":"own"}`},
		{"wrapped", fmt.Errorf("at: %w", own), `1001 own words {"kind":"own"}`, `-32603 old words {"kind":"own"}`},
		{"about negotiation", AsNegotiated(own), `1001 own words {"kind":"own"}`, `1001 own words {"kind":"own"}`},
		{"a fault that the protocol names", &jsonrpc.Fault{Kind: jsonrpc.ParamsFault, Legacy: "text"}, `1001 own words {"kind":"own"}`, `-32603 text {"kind":"own"}`},
		{"one that it does not", &jsonrpc.Fault{Kind: jsonrpc.MethodFault, Detail: "d", Legacy: "text"}, `-32601 d `, `-32603 text `},
		{"one without words", &jsonrpc.Fault{Kind: jsonrpc.ParseFault}, `-32700 the line is not JSON in UTF-8 `, `-32603 the line is not JSON in UTF-8 `},
		{"passed on", &jsonrpc.Error{Code: 7, Message: "m", Data: codec.Raw(`1`)}, `7 m 1`, `-32603 m 1`},
		{"anything else says nothing", errors.New("secret"), `-32603 internal error `, `-32603 internal error `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.strict, encoded(e.Encode(tt.err, true)))
			assert.Equal(t, tt.legacy, encoded(e.Encode(tt.err, false)))
		})
	}
	e.LegacyCode = 0
	assert.Equal(t, `1001 old words {"kind":"own"}`, encoded(e.Encode(own, false)))
}

func TestSerial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Serial
		var mu sync.Mutex // guards log and gates
		var log []string
		gates := map[string]chan struct{}{}
		say := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, what)
		}
		said := func() string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			all := strings.Join(log, " ")
			log = nil
			return all
		}
		finish := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			close(gates[name])
		}
		run := startServer(t, func(r *jsonrpc.Request) {
			name := r.ID.String()
			gate := make(chan struct{})
			mu.Lock()
			gates[name] = gate
			mu.Unlock()
			s.Run(name[1:2], r, func(context.Context) {
				say(name + "+")
				<-gate
				say(name + "-")
				r.Reply(nil)
			})
		})
		run(`"a1"`, `"a2"`, `"a3"`, `"b1"`)
		assert.ElementsMatch(t, []string{`"a1"+`, `"b1"+`}, strings.Fields(said()), "keys run beside each other")
		run("cancel a2")
		assert.Empty(t, said(), "who was abandoned is not run, and who comes next waits all the same")
		finish(`"a1"`)
		assert.Equal(t, `"a1"- "a3"+`, said())
		finish(`"a3"`)
		finish(`"b1"`)
		synctest.Wait()
		assert.Empty(t, s.tails)
	})
}

// startServer serves a connection and gives what sends it requests by id.
func startServer(t *testing.T, handle func(r *jsonrpc.Request)) func(ids ...string) {
	in := make(chan string, 16)
	conn := jsonrpc.NewConn(lines(in), discard{}, jsonrpc.Config{Handler: requestFunc(handle), Strict: true})
	done := make(chan error, 1)
	go func() { done <- conn.Serve(context.Background()) }()
	t.Cleanup(func() {
		close(in)
		assert.NoError(t, <-done)
	})
	return func(ids ...string) {
		for _, id := range ids {
			if name, ok := strings.CutPrefix(id, "cancel "); ok {
				in <- `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"` + name + `"}}` + "\n"
				continue
			}
			in <- `{"jsonrpc":"2.0","id":` + id + `,"method":"do"}` + "\n"
		}
		synctest.Wait()
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

type lines chan string

func (l lines) Read(b []byte) (int, error) {
	line, ok := <-l
	if !ok {
		return 0, io.EOF
	}
	return copy(b, line), nil
}

type requestFunc func(r *jsonrpc.Request)

func (requestFunc) Lookup([]byte) jsonrpc.Op                  { return 1 }
func (requestFunc) Params(_ jsonrpc.Op, d *codec.Decoder) any { d.Skip(); return nil }
func (f requestFunc) Request(r *jsonrpc.Request)              { f(r) }
func (requestFunc) Notification(*jsonrpc.Notification)        {}
