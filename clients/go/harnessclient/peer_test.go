// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
)

// TestMain is also a runtime: the test binary starts itself with a role.
func TestMain(m *testing.M) {
	if role := os.Getenv("HARNESS_TEST_ROLE"); role != "" {
		runtimeProcess(role)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// pipe is one direction of a connection in memory, with as much room as there
// is: so that a peer never waits for the client under test.
type pipe struct {
	mu     sync.Mutex
	cond   *sync.Cond
	data   []byte
	closed bool
	stuck  chan struct{} // if set, writes block until it is closed
}

func newPipe() *pipe {
	p := &pipe{}
	p.cond = sync.NewCond(&p.mu)
	return p
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.stuck != nil {
		<-p.stuck
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, io.ErrClosedPipe
	}
	p.data = append(p.data, b...)
	p.cond.Broadcast()
	return len(b), nil
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.data) == 0 {
		if p.closed {
			return 0, io.EOF
		}
		p.cond.Wait()
	}
	n := copy(b, p.data)
	p.data = p.data[n:]
	return n, nil
}

func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.cond.Broadcast()
	return nil
}

// frame is what the client wrote.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (f *frame) param(name string) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(f.Params, &m)
	return strings.Trim(string(m[name]), `"`)
}

// peer is a runtime made of what a test lets it say.
type peer struct {
	t    *testing.T
	in   *pipe // what the client writes
	out  *pipe // what it reads
	got  chan *frame
	seqs map[string]int
}

func newPeer(t *testing.T) *peer {
	p := &peer{t: t, in: newPipe(), out: newPipe(), got: make(chan *frame, 1024), seqs: map[string]int{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(p.got)
		r := bufio.NewReader(p.in)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			f := new(frame)
			if err := json.Unmarshal(line, f); err != nil {
				t.Errorf("the client wrote %q: %v", line, err)
				return
			}
			p.got <- f
		}
	}()
	t.Cleanup(func() {
		_ = p.in.Close()
		_ = p.out.Close()
		<-done
	})
	return p
}

// next is the next frame of the client, which must be a call of the method.
func (p *peer) next(method string) *frame {
	p.t.Helper()
	f, ok := <-p.got
	require.True(p.t, ok, "the client has gone, and %s has not come", method)
	require.Equal(p.t, method, f.Method, "%s", f.Params)
	return f
}

// quiet checks that the client has written nothing.
func (p *peer) quiet() {
	p.t.Helper()
	select {
	case f := <-p.got:
		p.t.Fatalf("the client wrote %s %s", f.Method, f.Params)
	default:
	}
}

func (p *peer) say(format string, args ...any) {
	_, err := fmt.Fprintf(p.out, format+"\n", args...)
	if err != nil && !errors.Is(err, io.ErrClosedPipe) {
		p.t.Errorf("say: %v", err)
	}
}

func (p *peer) reply(f *frame, result string) {
	p.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, f.ID, result)
}

func (p *peer) refuse(f *frame, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	text, _ := json.Marshal(message)
	p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s%s}}`, f.ID, code, text, data)
}

func (p *peer) notify(method, params string) {
	p.say(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

// event sends the next event of a session; turn 0 leaves the member out.
func (p *peer) event(session string, turn int, kind, data string) int {
	seq := p.seqs[session]
	p.seqs[session]++
	member := ""
	if turn != 0 {
		member = fmt.Sprintf(`,"turn":%d`, turn)
	}
	p.notify("session.event", fmt.Sprintf(`{"sessionId":%q,"event":{"type":%q,"seq":%d,"time":1,"data":%s}%s}`, session, kind, seq, data, member))
	return seq
}

func message(id, text string) string {
	return fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"source":{"kind":"user"},"role":"user","id":%q}`, text, id)
}

func (p *peer) insert(session string, start int, ids ...string) {
	var list []string
	for _, id := range ids {
		list = append(list, message(id, "text of "+id))
	}
	p.event(session, 0, "agent/inbox/spliced", fmt.Sprintf(`{"target":"next-turn","start":%d,"inserted":[%s]}`, start, strings.Join(list, ",")))
}

func (p *peer) remove(session string, start, n int, more string) {
	p.event(session, 0, "agent/inbox/spliced", fmt.Sprintf(`{"target":"next-turn","start":%d,"removedCount":%d,"inserted":[]%s}`, start, n, more))
}

func (p *peer) turnStart(session string, turn int) {
	p.event(session, turn, "turn/start", fmt.Sprintf(`{"turn":%d}`, turn))
}

func (p *peer) turnEnd(session string, turn int, reason string) {
	p.event(session, turn, "turn/end", fmt.Sprintf(`{"turn":%d,"reason":%s}`, turn, reason))
}

func (p *peer) answer(session string, turn int, text, more string) {
	p.event(session, turn, "assistant/message", fmt.Sprintf(
		`{"turn":%d,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":%q}],"source":{"kind":"model","provider":"p","model":"m"},"id":"a"}%s}`,
		turn, text, more))
}

func (p *peer) delta(session string, turn, n int, text string) {
	p.notify("session.delta", fmt.Sprintf(`{"sessionId":%q,"turn":%d,"step":1,"attempt":1,"n":%d,"index":0,"kind":"text","text":%q}`, session, turn, n, text))
}

const allCapabilities = `{"session":{"cancel":true,"close":true,"load":true,"resume":true,"wait":true,"status":true,"list":true,"workingDirectory":true},"deltas":true}`

const completed, abortedByUser = `{"kind":"completed"}`, `{"kind":"aborted","reason":{"kind":"user"}}`

// connect begins with a peer that negotiates, or with one that does not if
// capabilities is empty.
func connect(t *testing.T, capabilities string, o harnessclient.Options) (*peer, *harnessclient.Runtime) {
	t.Helper()
	p := newPeer(t)
	go func() {
		f, ok := <-p.got
		if !ok {
			return
		}
		result := `{"serverInfo":{"name":"x","version":"1"}}`
		if capabilities != "" {
			result = `{"serverInfo":{"name":"x","version":"1"},"protocolVersion":2,"capabilities":` + capabilities + `}`
		}
		p.reply(f, result)
	}()
	rt, err := harnessclient.Connect(t.Context(), p.out, p.in, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = rt.Close(ctx)
	})
	return p, rt
}

func closeRuntime(t testing.TB, rt *harnessclient.Runtime) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(t, rt.Close(ctx))
}

// prompt begins a prompt; the returned function gives what became of it.
func prompt(t *testing.T, s *harnessclient.Session, ctx context.Context, text string, o *harness.PromptOptions) func() (*harnessclient.Turn, error) {
	var turn *harnessclient.Turn
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		turn, err = s.Prompt(ctx, harness.Text(text), o)
	}()
	t.Cleanup(func() { <-done })
	return func() (*harnessclient.Turn, error) {
		<-done
		return turn, err
	}
}

// begin is a prompt that is accepted and taken by a turn.
func begin(t *testing.T, p *peer, s *harnessclient.Session, id string, turn int) *harnessclient.Turn {
	t.Helper()
	started := prompt(t, s, t.Context(), "go", nil)
	f := p.next("session/prompt")
	p.insert(string(s.ID()), 0, id)
	p.turnStart(string(s.ID()), turn)
	p.remove(string(s.ID()), 0, 1, "")
	p.reply(f, fmt.Sprintf(`{"messageId":%q}`, id))
	got, err := started()
	require.NoError(t, err)
	return got
}
