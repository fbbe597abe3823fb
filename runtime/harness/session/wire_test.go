// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// frame is one line from the runtime.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
	Params struct {
		SessionID string          `json:"sessionId"`
		Status    string          `json:"status"`
		Turn      int64           `json:"turn"`
		Replay    bool            `json:"replay"`
		Event     json.RawMessage `json:"event"`

		Step, Attempt, N, Index, Merged int64
		Kind, Text, Arguments           string

		Outcome         string
		Unfinished      []string
		NextSeq         int64
		ParentSessionID string
		ChildSessionID  string
		StopReason      string
		ToolCall        struct{ ToolCallID, Title string }
	} `json:"params"`
	Line string `json:"-"`
}

// event reads the frame's event.
func (f *frame) event(t testing.TB) *harness.Event {
	t.Helper()
	var e harness.Event
	require.NoError(t, json.Unmarshal(f.Params.Event, &e))
	return &e
}

// brief returns the frame in a few words, to compare orders by.
func (f *frame) brief(t testing.TB) string {
	switch {
	case f.Method == "session.event":
		e := f.event(t)
		s := e.Type()
		switch d := e.Data.(type) {
		case *harness.InboxSpliced:
			s = "insert"
			if d.RemovedCount > 0 {
				s = "claim"
			}
			if d.Outcome != "" {
				s = "withdraw"
			}
			if d.Target == harness.InboxNextStep {
				s += "/step"
			}
		case *harness.TurnEnd:
			s += ":" + d.Reason.EndReasonKind()
			if a, ok := d.Reason.(*harness.EndAborted); ok {
				s += "/" + a.Reason.AbortCauseKind()
			}
		case *harness.AssistantMessage:
			if d.Interrupted {
				s += ":interrupted"
			}
		}
		if f.Params.Replay {
			s += "(replay)"
		}
		return s
	case f.Method == "session.status":
		return f.Params.Status
	case f.Method != "":
		return f.Method
	case f.Error != nil:
		return fmt.Sprintf("error %s: %s", f.ID, f.Error.Message)
	}
	return "result " + string(f.ID)
}

// wire is a client that speaks lines.
type wire struct {
	t   testing.TB
	w   io.WriteCloser
	r   io.ReadCloser
	end chan error
	ids int

	mu     sync.Mutex
	frames []*frame
	seen   int // by next
	stall  chan struct{}
}

// newEngine returns an engine for tests: times are the bubble's, ids count.
func newEngine(t testing.TB, set ...func(o *session.Options)) *session.Engine {
	t.Helper()
	n := 0
	var mu sync.Mutex
	o := session.Options{
		Agent: demo.Agent{},
		Dirs:  anyDir{},
		NewID: func() string {
			mu.Lock()
			defer mu.Unlock()
			n++
			return fmt.Sprintf("id-%d", n)
		},
	}
	for _, f := range set {
		f(&o)
	}
	return session.New(o)
}

// anyDir has every directory but those called gone or missing.
type anyDir struct{}

func (anyDir) Find(path string) (string, error) {
	if strings.HasSuffix(path, "/gone") || strings.HasSuffix(path, "/missing") {
		return "", fmt.Errorf("no %s", path)
	}
	return path, nil
}

// connect connects a client whose lines are not read before read is called.
func connect(t testing.TB, e *session.Engine, alone bool) *wire {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &wire{t: t, w: inW, r: outR, end: make(chan error, 1)}
	go func() {
		var err error
		if alone {
			err = e.Serve(context.Background(), inR, outW)
		} else {
			err = e.ServeConn(context.Background(), inR, outW)
		}
		_ = outW.Close()
		c.end <- err
	}()
	return c
}

// read begins to take the runtime's lines.
func (c *wire) read() *wire {
	go func() {
		lines := bufio.NewReaderSize(c.r, 1<<20)
		for {
			if c.stall != nil {
				<-c.stall
			}
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			f := &frame{Line: strings.TrimSuffix(line, "\n")}
			if err := json.Unmarshal([]byte(line), f); err != nil {
				f.Method = "not json: " + line
			}
			c.mu.Lock()
			c.frames = append(c.frames, f)
			c.mu.Unlock()
		}
	}()
	return c
}

const (
	initV2  = `{"cwd":"/w","provider":"demo","model":"m","protocolVersion":2,"capabilities":{"permissions":true,"deltas":true}}`
	initOld = `{"cwd":"/w","provider":"deepseek-official","model":"m"}`
)

// dial connects a client that speaks version 2, as standard input and output.
func dial(t testing.TB, e *session.Engine) *wire {
	c := connect(t, e, true).read()
	c.ok("initialize", initV2)
	return c
}

// dialOld connects a client that does not negotiate.
func dialOld(t testing.TB, e *session.Engine) *wire {
	c := connect(t, e, true).read()
	c.ok("initialize", initOld)
	return c
}

// dialMore connects one client of many.
func dialMore(t testing.TB, e *session.Engine, init string) *wire {
	c := connect(t, e, false).read()
	c.ok("initialize", init)
	return c
}

func (c *wire) line(text string) {
	c.t.Helper()
	_, err := io.WriteString(c.w, text+"\n")
	require.NoError(c.t, err)
}

// send sends a request, and returns its id.
func (c *wire) send(method, params string) string {
	c.t.Helper()
	c.ids++
	id := fmt.Sprintf(`"r%d"`, c.ids)
	if params == "" {
		params = "{}"
	}
	c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

// answer returns the answer to a request, nil if there is none once all is quiet.
func (c *wire) answer(id string) *frame {
	synctest.Wait()
	var found *frame
	for _, f := range c.all() {
		if f.Method == "" && string(f.ID) == id {
			if found != nil {
				c.t.Fatalf("request %s was answered twice (E8)", id)
			}
			found = f
		}
	}
	return found
}

// call sends a request and gives its answer, which must be there at once.
func (c *wire) call(method, params string) *frame {
	c.t.Helper()
	f := c.answer(c.send(method, params))
	require.NotNil(c.t, f, "%s was not answered", method)
	return f
}

// ok makes a call that succeeds and returns its result.
func (c *wire) ok(method, params string) map[string]any {
	c.t.Helper()
	return c.result(c.call(method, params))
}

func (c *wire) result(f *frame) map[string]any {
	c.t.Helper()
	require.NotNil(c.t, f, "no answer")
	if f.Error != nil {
		c.t.Fatalf("refused: %d %s %s", f.Error.Code, f.Error.Message, f.Error.Data)
	}
	var r map[string]any
	require.NoError(c.t, json.Unmarshal(f.Result, &r))
	return r
}

// fails makes a call that is refused and returns the kind of its error.
func (c *wire) fails(method, params string) string {
	c.t.Helper()
	return c.kind(c.call(method, params))
}

func (c *wire) kind(f *frame) string {
	c.t.Helper()
	require.NotNil(c.t, f, "no answer")
	require.NotNil(c.t, f.Error, "it succeeded: %s", f.Result)
	var d struct{ Kind string }
	if len(f.Error.Data) > 0 {
		require.NoError(c.t, json.Unmarshal(f.Error.Data, &d))
	}
	return d.Kind
}

// prompt sends a prompt of text to a session, and returns the request's id.
func (c *wire) prompt(id, text string, more ...string) string {
	c.t.Helper()
	block, err := json.Marshal([]any{map[string]string{"type": "text", "text": text}})
	require.NoError(c.t, err)
	members := fmt.Sprintf(`"sessionId":%q,"contentBlocks":%s`, id, block)
	for _, m := range more {
		members += "," + m
	}
	return c.send("session/prompt", "{"+members+"}")
}

// prompted sends a prompt whose receipt comes at once and returns the message's id.
func (c *wire) prompted(id, text string, more ...string) string {
	c.t.Helper()
	return c.result(c.answer(c.prompt(id, text, more...)))["messageId"].(string)
}

func (c *wire) all() []*frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.frames[:len(c.frames):len(c.frames)]
}

// next returns the frames that came since it was last called.
func (c *wire) next() []*frame {
	synctest.Wait()
	all := c.all()
	fresh := all[c.seen:]
	c.seen = len(all)
	return fresh
}

// briefs returns what came since next or briefs was last called, in short, without
// deltas.
func (c *wire) briefs() []string {
	var out []string
	for _, f := range c.next() {
		if f.Method != "session.delta" {
			out = append(out, f.brief(c.t))
		}
	}
	return out
}

// events returns all events of a session so far.
func (c *wire) events(id string) []*harness.Event {
	synctest.Wait()
	var out []*harness.Event
	for _, f := range c.all() {
		if f.Method == "session.event" && f.Params.SessionID == id {
			out = append(out, f.event(c.t))
		}
	}
	return out
}

// texts returns the answers of a session so far.
func (c *wire) texts(id string) []string {
	var out []string
	for _, e := range c.events(id) {
		if m, ok := e.Data.(*harness.AssistantMessage); ok {
			text := ""
			for _, b := range m.Message.Content {
				if b, ok := b.(*harness.TextBlock); ok {
					text += b.Text
				}
			}
			out = append(out, text)
		}
	}
	return out
}

// deltas returns the texts of a session's deltas so far.
func (c *wire) deltas(id string) []string {
	synctest.Wait()
	var out []string
	for _, f := range c.all() {
		if f.Method == "session.delta" && f.Params.SessionID == id {
			out = append(out, f.Params.Text)
		}
	}
	return out
}

// hangUp ends the client's side, and waits for the connection's end.
func (c *wire) hangUp() {
	c.t.Helper()
	_ = c.w.Close()
	require.NoError(c.t, <-c.end)
}
