// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/golang/testdata/lamps"
	"github.com/accordkit/accord/generator/emit/golang/testdata/lampsserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/spec/model"
)

// lampServer serves lamps. It does not know how to reset.
type lampServer struct {
	lampsserver.UnimplementedServer
	peer *lampsserver.Peer
	lane *jsonrpc.Lane

	mu      sync.Mutex
	touched []lamps.LampID
	held    []lampsserver.Call[*lamps.OpenResult] // how openings are answered later
	hold    bool
}

func (s *lampServer) Open(c lampsserver.Call[*lamps.OpenResult], p *lamps.OpenParams) {
	if s.hold {
		s.held = append(s.held, c)
		return
	}
	c.Reply(&lamps.OpenResult{})
}

func (s *lampServer) LampDim(c lampsserver.Call[*lamps.DimResult], p *lamps.DimParams) {
	if p.LampID == "none" {
		c.Fail(&lamps.NoLampError{LampID: p.LampID})
		return
	}
	s.peer.LampState(s.lane, &lamps.State{LampID: p.LampID, On: p.Level > 0, By: "dim"})
	c.Via(s.lane)
	was := int64(7)
	c.Reply(&lamps.DimResult{Level: p.Level, Was: &was, Unit: "%"})
}

func (s *lampServer) LampList(_ context.Context, p *lamps.ListParams) (*lamps.ListResult, error) {
	if p.Room != nil {
		return nil, &lamps.NoLampError{}
	}
	return &lamps.ListResult{Lamps: []lamps.LampID{"a"}, Rooms: []string{"r"}}, nil
}

func (s *lampServer) LampCheck(_ context.Context, p *lamps.CheckParams) error {
	s.SwitchTouched(&lamps.Touched{LampID: p.LampID + "!"})
	s.peer.LampRecord(s.lane, &lamps.Record{LampID: p.LampID, At: lamps.Place{Seq: 1}})
	return nil
}

func (s *lampServer) Bye(context.Context) error { return nil }

func (s *lampServer) SwitchTouched(p *lamps.Touched) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = append(s.touched, p.LampID)
}

// room is a client of lampServer that writes and reads lines.
type room struct {
	t      *testing.T
	server *lampServer
	to     *io.PipeWriter
	lines  chan string
}

func enter(t *testing.T) *room {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	r := &room{t: t, server: &lampServer{}, to: inW, lines: make(chan string, 64)}
	peer := lampsserver.NewPeer(inR, outW, jsonrpc.Config{}, func(p *lampsserver.Peer) lampsserver.Server {
		r.server.peer, r.server.lane = p, p.Conn().NewLane(nil)
		return r.server
	})
	done := make(chan error, 1)
	go func() { done <- peer.Serve(context.Background()) }()
	go func() {
		defer close(r.lines)
		lines := bufio.NewScanner(outR)
		for lines.Scan() {
			r.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		require.NoError(t, inW.Close())
		assert.NoError(t, <-done)
		for line := range r.lines {
			t.Error("not looked for:", line)
		}
	})
	return r
}

// say sends one message, without the envelope, and gives the lines that come
// until all is quiet.
func (r *room) say(message string) string {
	r.t.Helper()
	_, err := io.WriteString(r.to, `{"jsonrpc":"2.0",`+message+"}\n")
	require.NoError(r.t, err)
	return r.heard()
}

func (r *room) heard() string {
	synctest.Wait()
	var got []string
	for {
		select {
		case line := <-r.lines:
			got = append(got, strings.TrimPrefix(line, `{"jsonrpc":"2.0",`))
		default:
			return strings.Join(got, "\n")
		}
	}
}

const (
	openNew = `"id":0,"method":"open","params":{"room":"r","version":9,"offers":{"hints":true,"ask":{"allow":true}}}`
	openOld = `"id":0,"method":"open","params":{"room":"r"}`
)

func inRoom(name string, t *testing.T, test func(t *testing.T, r *room)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, enter(t)) })
	})
}

func TestServerNegotiates(t *testing.T) { // WP-14
	inRoom("the highest version", t, func(t *testing.T, r *room) {
		assert.False(t, r.server.peer.Opened())
		assert.Equal(t, `"id":0,"result":{"version":3}}`, r.say(openNew))
		assert.EqualValues(t, 3, r.server.peer.Version())
		assert.True(t, r.server.peer.Capabilities().Ask.Allow)
		assert.True(t, r.server.peer.Conn().Strict())
		assert.Empty(t, r.say(`"id":1`), "a broken response is dropped")
	})
	inRoom("a lower one", t, func(t *testing.T, r *room) {
		assert.Equal(t, `"id":0,"result":{"version":2}}`, r.say(strings.Replace(openNew, "9", "2", 1)))
		assert.Equal(t, `"id":1,"result":{"level":1,"was":7}}`, afterFirst(r.say(`"id":1,"method":"lamp/dim","params":{"lampId":"a","level":1}`)))
	})
	inRoom("none in common", t, func(t *testing.T, r *room) {
		assert.Equal(t, `"id":0,"error":{"code":-32022,"message":"no version","data":{"kind":"no-version","retry":"never","requested":1,"supported":[2,3]}}}`,
			r.say(strings.Replace(openNew, "9", "1", 1)))
		assert.False(t, r.server.peer.Opened())
	})
	inRoom("none asked for", t, func(t *testing.T, r *room) {
		assert.Equal(t, `"id":0,"result":{}}`, r.say(openOld))
		assert.True(t, r.server.peer.Opened())
		assert.False(t, r.server.peer.Negotiated())
		assert.False(t, r.server.peer.Conn().Strict())
		assert.NotNil(t, r.server.peer.Capabilities())
	})
	inRoom("a version of the wrong type", t, func(t *testing.T, r *room) {
		assert.Contains(t, r.say(`"id":0,"method":"open","params":{"room":"r","version":"2"}`), `"code":-32602,"message":"version: `)
	})
	inRoom("another protocol's client", t, func(t *testing.T, r *room) {
		assert.Equal(t, `"id":0,"error":{"code":-32602,"message":"foreign","data":{"kind":"foreign","retry":"never"}}}`,
			r.say(`"id":0,"method":"open","params":{"version":1}`))
	})
	inRoom("again", t, func(t *testing.T, r *room) {
		r.say(openNew)
		assert.Equal(t, `"id":0,"result":{"version":3}}`, r.say(openNew))
		assert.Contains(t, r.say(strings.Replace(openNew, "9", "2", 1)), `"code":-32602,"message":"the version was agreed on before and cannot change","data":{"kind":"invalid-params","retry":"never","path":"version"}`)
		assert.Contains(t, r.say(strings.Replace(openNew, `"hints":true,`, "", 1)), `"path":"offers"`)
		assert.Contains(t, r.say(openOld), `"path":"version"`)
	})
	inRoom("answered later", t, func(t *testing.T, r *room) {
		r.server.hold = true
		assert.Empty(t, r.say(openNew))
		assert.Equal(t, `"id":1,"error":{"code":-32000,"message":"too early","data":{"kind":"too-early","retry":"never"}}}`, r.say(`"id":1,"method":"lamp/list"`))
		r.server.held[0].Reply(&lamps.OpenResult{})
		assert.Equal(t, `"id":0,"result":{"version":3}}`, r.heard())
		assert.Equal(t, `"id":1,"result":{"lamps":["a"],"rooms":["r"]}}`, r.say(`"id":1,"method":"lamp/list"`))
	})
}

func afterFirst(lines string) string {
	_, after, _ := strings.Cut(lines, "\n")
	return after
}

func TestServerAdmits(t *testing.T) {
	const dim = `"id":1,"method":"lamp/dim","params":`
	unknown := `"id":1,"error":{"code":-32000,"message":"what is nope?","data":{"kind":"unsupported","retry":"never","method":"nope"}}}`
	inRoom("before it is opened", t, func(t *testing.T, r *room) {
		assert.Equal(t, unknown, r.say(`"id":1,"method":"nope"`))
		assert.Contains(t, r.say(dim+`{"lampId":"a","level":1}`), "too early")
		assert.Contains(t, r.say(dim+`{}`), `"code":-32000,"message":"which lamp?","data":{"kind":"invalid-params","retry":"never","path":"lampId"}`)
		assert.Equal(t, `"id":1,"result":{}}`, r.say(`"id":1,"method":"bye"`))
		assert.Empty(t, r.say(`"method":"switch.touched","params":{"lampId":"early"}`))
		assert.Empty(t, r.say(`"method":"lamp/check","params":{"lampId":"early"}`))
		assert.Empty(t, r.server.touched)
		for raw, text := range map[string]string{`{}`: "which room?", `{"room":1}`: "a room is a text", `{"room":""}`: "the room has no name"} {
			assert.Contains(t, r.say(`"id":1,"method":"open","params":`+raw), `"code":-32000,"message":"`+text+`"`)
		}
	})
	inRoom("an old peer", t, func(t *testing.T, r *room) {
		r.say(openOld)
		assert.Equal(t, unknown, r.say(`"id":1,"method":"nope"`))
		assert.Contains(t, r.say(dim+`{"lampId":"a"}`), `"message":"a knows 0 to 100"`)
		assert.Contains(t, r.say(dim+`{"lampId":"a","level":1,"fade":"x"}`), `"code":-32000,"message":"fade: want an integer, found a string"`)
		assert.Equal(t, "\"method\":\"lamp.state\",\"params\":{\"lampId\":\"a\",\"on\":true}}\n\"id\":1,\"result\":{\"level\":1}}", r.say(dim+`{"lampId":"a","level":1}`))
		assert.Contains(t, r.say(dim+`{"lampId":"none","level":1}`), `"code":-32000,"message":"nothing called none","data":{"kind":"no-lamp","lampId":"none"`)
		assert.Equal(t, `"id":1,"result":{"lamps":["a"]}}`, r.say(`"id":1,"method":"lamp/list"`))
		assert.Contains(t, r.say(`"id":1,"method":"lamp/list","params":{"room":"r"}`), `"message":"no lamps at all"`)
		assert.Equal(t, `"id":1,"error":{"code":-32000,"message":"what is lamp/reset?","data":{"kind":"unsupported","retry":"never","method":"lamp/reset"}}}`,
			r.say(`"id":1,"method":"lamp/reset","params":{"lampId":"a"}`))
	})
	inRoom("a new peer", t, func(t *testing.T, r *room) {
		r.say(openNew)
		assert.Contains(t, r.say(`"id":1,"method":"nope"`), `"code":-32601,"message":"method is not served: nope"`)
		assert.Contains(t, r.say(dim+`{"lampId":"a"}`), `"code":-32602,"message":"level: this required member is missing","data":{"kind":"invalid-params","retry":"never","path":"level"}`)
		assert.Contains(t, r.say(dim+`{"lampId":"a","level":101}`), `"path":"level"`)
		assert.Contains(t, r.say(dim+`[]`), `"code":-32602,"message":"params must be an object","data":{"kind":"invalid-params","retry":"never","path":""}`)
		assert.Contains(t, r.say(dim+`{"lampId":"a","level":1,"fade":1,"until":1}`), `"path":"until"`)
		assert.Contains(t, r.say(dim+`{"lampId":"a","level":1,"to":1}`), `"path":"from"`)
		assert.Equal(t, `"id":1,"result":{"level":1,"was":7,"unit":"%"}}`, afterFirst(r.say(dim+`{"lampId":"a","level":1}`)))
		assert.Contains(t, r.say(dim+`{"lampId":"none","level":1}`), `"code":1001,"message":"no lamp: \"none\""`)
		assert.Contains(t, r.say(`"id":true,"method":"bye"`), `"id":null,"error":{"code":-32600,"message":"id must be a string or an integer","data":{"kind":"invalid-request","retry":"never"}}`)
		assert.Contains(t, r.say(`"id":1,"x":`+strings.Repeat("[", 70)), `"error":{"code":-32600,"message":"the message nests too deep","data":{"kind":"limit-exceeded","retry":"never","limit":"depth","value":64}}`)
		assert.Contains(t, r.say(`"id":1,`), `"id":null,"error":{"code":-32700`)
	})
	inRoom("notifications", t, func(t *testing.T, r *room) {
		r.say(openNew)
		assert.Empty(t, r.say(`"method":"switch.touched","params":{"lampId":"a"}`))
		assert.Empty(t, r.say(`"method":"switch.touched","params":{"lampId":1}`))
		assert.Empty(t, r.say(`"method":"bye"`))
		record := `"method":"lamp.record","params":{"lampId":"b","at":{"seq":1}}}`
		assert.Equal(t, record, r.say(`"method":"lamp/check","params":{"lampId":"b"}`), "the same effect, and no answer")
		assert.Equal(t, record+"\n"+`"id":1,"result":{}}`, r.say(`"id":1,"method":"lamp/check","params":{"lampId":"b"}`))
		assert.Equal(t, []lamps.LampID{"a", "b!", "b!"}, r.server.touched)
	})
}

func TestServerSends(t *testing.T) {
	inRoom("to an old peer", t, func(t *testing.T, r *room) {
		r.say(openOld)
		s := r.server
		assert.True(t, s.peer.LampState(s.lane, &lamps.State{LampID: "a", By: "hand"}))
		assert.False(t, s.peer.LampGone(s.lane, &lamps.Gone{LampID: "a"}))
		assert.False(t, s.peer.Hint(s.lane, &lamps.Hint{Text: "h"}))
		assert.True(t, s.peer.Tick(s.lane))
		assert.Equal(t, "\"method\":\"lamp.state\",\"params\":{\"lampId\":\"a\",\"on\":false}}\n\"method\":\"tick\"}", r.heard())
	})
	inRoom("to a new peer", t, func(t *testing.T, r *room) {
		r.say(openNew)
		s := r.server
		assert.True(t, s.peer.LampState(s.lane, &lamps.State{LampID: "a", By: "hand"}))
		assert.True(t, s.peer.LampGone(s.lane, &lamps.Gone{LampID: "a"}))
		assert.True(t, s.peer.Hint(s.lane, &lamps.Hint{Text: "h"}))
		assert.Equal(t, strings.Join([]string{
			`"method":"lamp.state","params":{"lampId":"a","on":false,"by":"hand"}}`,
			`"method":"lamp.gone","params":{"lampId":"a"}}`,
			`"method":"hint","params":{"text":"h"}}`,
		}, "\n"), r.heard())
	})
	inRoom("requests", t, func(t *testing.T, r *room) {
		p := r.server.peer
		r.say(openOld)
		answer, err := p.LampAllow(t.Context(), &lamps.AllowParams{LampID: "a"})
		require.NoError(t, err)
		assert.False(t, answer.Yes, "who cannot be asked counts as having said no")
		var unsupported *lamps.UnsupportedError
		require.ErrorAs(t, p.Poke(t.Context()), &unsupported)
		assert.Equal(t, "ask.poke", unsupported.Capability)
	})
	inRoom("requests that are answered", t, func(t *testing.T, r *room) {
		p := r.server.peer
		r.say(openNew)
		type outcome struct {
			yes bool
			err error
		}
		got := make(chan outcome)
		ask := func(ctx context.Context) {
			go func() {
				answer, err := p.LampAllow(ctx, &lamps.AllowParams{LampID: "a"})
				got <- outcome{answer != nil && answer.Yes, err}
			}()
		}
		ask(t.Context())
		assert.Equal(t, `"id":1,"method":"lamp/allow","params":{"lampId":"a"}}`, r.heard())
		r.say(`"id":1,"result":{"yes":true}`)
		assert.Equal(t, outcome{true, nil}, <-got)

		ask(t.Context())
		r.heard()
		r.say(`"id":2,"error":{"code":1001,"message":"m","data":{"kind":"no-lamp"}}`)
		var none *lamps.NoLampError
		assert.ErrorAs(t, (<-got).err, &none)

		ctx, cancel := context.WithCancel(t.Context())
		ask(ctx)
		r.heard()
		cancel()
		assert.ErrorIs(t, (<-got).err, context.Canceled)
		assert.Equal(t, `"method":"$/cancel_request","params":{"requestId":3}}`, r.heard(), "it is withdrawn")
	})
}

func TestLiveFramesMerge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outR, outW := io.Pipe()
		inR, inW := io.Pipe()
		peer := lampsserver.NewPeer(inR, outW, jsonrpc.Config{Limits: jsonrpc.Limits{Lane: 4 << 10}}, func(*lampsserver.Peer) lampsserver.Server { return lampsserver.UnimplementedServer{} })
		done := make(chan error)
		go func() { done <- peer.Serve(context.Background()) }()
		lane := peer.Conn().NewLane(nil)
		for n := range int64(40) { // nothing is read: the first fill a quarter, the others merge
			id := lamps.LampID("a")
			if n >= 30 {
				id = "b"
			}
			assert.True(t, peer.LampGlow(lane, &lamps.Glow{LampID: id, N: n, Text: "x"}))
		}
		merged := lane.Counters().Merged
		assert.Positive(t, merged)
		go func() { _, _ = io.Copy(&strings.Builder{}, outR) }()
		require.NoError(t, inW.Close())
		assert.NoError(t, <-done)
		assert.Zero(t, lane.Counters().Dropped)
	})
}

func TestServerProblems(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *model.Protocol)
		want   string
	}{
		"a version that must be there": {func(p *model.Protocol) { member(p, "OpenParams", "version").Presence = model.Required }, "member version of OpenParams takes part in negotiation"},
		"a refusal of no member":       {func(p *model.Protocol) { p.Methods[1].Refusals[0].Member = "lampid" }, "names lampid, which is no member"},
		"a precheck of a value":        {func(p *model.Protocol) { p.Methods[0].Prechecks[0].If[0].Values = []string{"1"} }, "may only look at which members are there"},
		"a precheck of no error":       {func(p *model.Protocol) { p.Methods[0].Prechecks[0].Error = "other" }, `refuses with "other", which is no error`},
		"a rule of no member":          {func(p *model.Protocol) { p.Methods[1].Together[0].Members[0] = "nope" }, "names nope, which is no member"},
		"a capability of nobody":       {func(p *model.Protocol) { p.Methods[6].Needs = "ask.nope" }, "needs capability ask.nope"},
		"a text of no member":          {func(p *model.Protocol) { p.Methods[1].Legacy.Texts[0].Text = "{nope}" }, "names {nope}"},
		"a text of no error":           {func(p *model.Protocol) { p.Methods[1].Legacy.Texts[0].Error = "nope" }, `has a text for error "nope"`},
		"a number that may be missing": {func(p *model.Protocol) { member(p, "Place", "seq").Presence = model.Optional }, "is numbered by at.seq"},
		"merging by what is no member": {func(p *model.Protocol) { p.Notifications[2].Live.Counter = "m" }, "merges by m"},
		"counting by what may be missing": {func(p *model.Protocol) {
			member(p, p.Notifications[2].Params, p.Notifications[2].Live.Merged).Presence = model.Optional
		}, "so it must be a plain number"},
		"joining what is no text":          {func(p *model.Protocol) { p.Notifications[2].Live.Join = []string{"n"} }, "n is joined when frames of lamp.glow merge"},
		"a name of Peer's own":             {func(p *model.Protocol) { p.Notifications[1].Name = "version" }, "needs the method Version of Peer"},
		"one after another by no text":     {func(p *model.Protocol) { p.Methods[3].In = &model.Within{Scope: "lamp", Key: "x"} }, "runs one after another by x"},
		"negotiation by a server's method": {func(p *model.Protocol) { p.Negotiation.Method = "lamp/allow" }, "must be a client's"},
	} {
		t.Run(name, func(t *testing.T) {
			p := cases(t)["lamps"]
			c.change(p)
			_, err := golang.Server(p, payloadsOf("lamps"))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func member(p *model.Protocol, typeName, wire string) *model.Field {
	for _, f := range typeOf(p, typeName).Fields {
		if f.Wire == wire {
			return f
		}
	}
	return nil
}

func TestServerKnowsNoProtocolByName(t *testing.T) {
	files, err := filepath.Glob("server*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, word := range []string{"session", "harness", "prompt", "permission", "deepseek", "dsh"} {
			assert.NotContains(t, strings.ToLower(string(data)), word, "%s knows the word", f)
		}
	}
}
