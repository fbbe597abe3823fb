// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// moment is one line of a recording.
type moment struct {
	Dir   string          `json:"dir"`
	Frame json.RawMessage `json:"frame"`
	Text  string          `json:"text"`
}

func recording(t *testing.T, name string) (out []moment) {
	f, err := os.Open(filepath.Join("..", "testdata", "recordings", name+".jsonl"))
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var m moment
		require.NoError(t, json.Unmarshal(lines.Bytes(), &m))
		out = append(out, m)
	}
	return out
}

// differences are where our frames differ by intent from what the recorded
// runtime wrote: by the id of the answer, why. The table says all of them.
var differences = map[string]map[string]string{
	"wait-then-shutdown-mid-turn": {
		`"w1"`: "a wait that a shutdown cuts short is an error: DSH's success proves nothing",
	},
}

// skipped are requests that our runtime serves and the recorded one did not:
// cancel and close, and a prompt to a stored id, which continues it.
var skipped = map[string][]string{
	"errors": {`"a3"`, `"b6"`, `"b9"`},
}

// What the recorded runtime said to clients that did not negotiate is what ours
// says, frame by frame: kinds, members, values, and the order in each session.
// Ids and times are made alike.
func TestRecordings(t *testing.T) {
	for _, name := range []string{
		"simple-prompt", "tool-call", "two-prompts", "working-directory", "wait-with-child", "wait-then-shutdown-mid-turn", "errors",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				moments := recording(t, name)
				e := newEngine(t, func(o *session.Options) {
					o.Agent, o.NewID, o.TakeAll = actor(t, moments), nil, true
					o.Deltas = session.DeltasNever
					if name == "errors" {
						o.Store = withStored(t, "simple")
					}
				})
				c := connect(t, e, true).read()
				play(c, moments, skipped[name])
				require.NoError(t, <-c.end)
				compare(t, name, moments, c.all())
			})
		})
	}
}

// play writes the client's lines. Those that were written in one go, or without
// waiting for what preceded them, are so again.
func play(c *wire, moments []moment, skip []string) {
	for i, m := range moments {
		if m.Dir != ">" {
			continue
		}
		if i > 0 && moments[i-1].Dir == "<" {
			time.Sleep(5 * time.Second)
			synctest.Wait()
		}
		if m.Text != "" {
			c.line(m.Text)
			continue
		}
		var f struct{ ID json.RawMessage }
		_ = json.Unmarshal(m.Frame, &f)
		if !slices.Contains(skip, string(f.ID)) {
			c.line(string(m.Frame))
		}
		if i+1 < len(moments) && moments[i+1].Dir == "<" {
			synctest.Wait()
		}
	}
}

// withStored returns a store that has a log with an id.
func withStored(t *testing.T, id string) store.Store {
	s := new(memory.Store)
	l, err := s.Create(context.Background(), store.Header{ID: id})
	require.NoError(t, err)
	require.NoError(t, l.Close(context.Background()))
	return s
}

// actor returns an agent that answers as the recorded model did.
func actor(t *testing.T, moments []moment) *recordedAgent {
	a := &recordedAgent{
		Answers: map[string][]recordedAnswer{},
		Think:   time.Millisecond,
		Offered: demo.Agent{}.Offers,
	}
	type known struct {
		prompt  string
		system  string
		header  *harness.RequestHeader
		context *harness.RequestContext
		extra   []harness.ContextSection
		setup   []harness.EventData
		upload  bool
		open    bool
	}
	sessions := map[string]*known{}
	var root *known
	results := map[harness.ToolCallID]*harness.ToolResultEvent{}
	for _, m := range moments {
		if m.Dir != "<" {
			continue
		}
		var f frame
		require.NoError(t, json.Unmarshal(m.Frame, &f))
		if f.Method != "session.event" {
			continue
		}
		k := sessions[f.Params.SessionID]
		if k == nil {
			k = &known{}
			sessions[f.Params.SessionID] = k
			if root == nil {
				root = k
			}
		}
		switch d := f.event(t).Data.(type) {
		case *harness.PermissionPreset, *harness.SandboxMode, *harness.ApprovalPolicy:
			k.setup = append(k.setup, d)
		case *harness.UserMessage:
			switch src := d.Source.(type) {
			case *harness.SourceUser:
				k.prompt = d.Content[0].(*harness.TextBlock).Text
			case *harness.SourceSubagentSettled:
				k.prompt = recordedNotice
			case *harness.SourceRuntimeContext:
				k.extra = src.Sections[1:]
			}
		case *harness.SystemMessage:
			k.system = d.Message.Content[0].(*harness.TextBlock).Text
		case *harness.RequestHeader:
			k.header = d
		case *harness.RequestContext:
			k.context = d
		case *harness.DeliveryAccepted:
			k.upload = true
		case *harness.StepStart:
			k.open = true
		case *harness.AssistantMessage:
			a.Answers[k.prompt] = append(a.Answers[k.prompt], recordedStream(d.Stream))
			k.open = false
		case *harness.AssistantAttempt:
			a.Answers[k.prompt] = append(a.Answers[k.prompt], recordedStream(d.Stream))
			k.open = false
		case *harness.ToolResultEvent:
			results[d.Message.ToolCallID] = d
		}
	}
	for _, k := range sessions {
		if k.open { // the recording ends while the model speaks
			answer := recordedText("first words")
			answer.Hangs = true
			a.Answers[k.prompt] = append(a.Answers[k.prompt], answer)
		}
	}
	described := func(s agent.Session) *known {
		for id, k := range sessions {
			if (s.Parent != "") == (id != firstSession(moments)) && k.header != nil {
				if s.Parent == "" && id != string(s.ID) {
					continue
				}
				return k
			}
		}
		return root
	}
	a.Description = func(s agent.Session) *agent.Description {
		k := described(s)
		d := recordedHeader(k.system, k.header, *k.context.ContextWindow)
		d.Context = k.extra
		d.Uploads = k.upload
		return d
	}
	a.Begins = func(s agent.Session) []harness.EventData {
		if root == nil {
			return nil
		}
		return root.setup
	}
	a.Tools = map[string]recordedTool{
		"bash": func(_ context.Context, c *agent.Call, _ agent.Host) (agent.Output, error) {
			r := results[c.ID]
			return agent.Output{Content: r.Message.Content, IsError: *r.Message.IsError, Meta: r.Meta}, nil
		},
		"subagent": func(ctx context.Context, c *agent.Call, h agent.Host) (agent.Output, error) {
			var args struct{ Prompt, Description string }
			if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
				return agent.Output{}, err
			}
			parent := fmt.Sprintf("Your parent agent id is %q.", c.Session.ID)
			for id := range sessions {
				if id != firstSession(moments) {
					parent = childPrompt(t, moments, id)
				}
			}
			id, err := h.Start(ctx, agent.Child{Label: args.Description, Prompt: []harness.ContentBlock{
				&harness.TextBlock{Text: args.Prompt}, &harness.TextBlock{Text: parent},
			}})
			return agent.TextOutput("started subagent " + string(id)), err
		},
	}
	return a
}

func firstSession(moments []moment) string {
	for _, m := range moments {
		var f frame
		if m.Dir == "<" && json.Unmarshal(m.Frame, &f) == nil && f.Params.SessionID != "" {
			return f.Params.SessionID
		}
	}
	return ""
}

func childPrompt(t *testing.T, moments []moment, id string) string {
	for _, m := range moments {
		var f frame
		if m.Dir == "<" && json.Unmarshal(m.Frame, &f) == nil && f.Params.SessionID == id && f.Method == "session.event" {
			return f.event(t).Data.(*harness.InboxSpliced).Inserted[0].Content[1].(*harness.TextBlock).Text
		}
	}
	return ""
}

// compare compares what was written with what was recorded.
func compare(t *testing.T, name string, moments []moment, got []*frame) {
	wantBy, wantAnswers := map[string][]any{}, map[string]any{}
	gotBy, gotAnswers := map[string][]any{}, map[string]any{}
	wantNames, gotNames := map[string]*naming{}, map[string]*naming{}
	for _, m := range moments {
		if m.Dir == "<" {
			sort(t, m.Frame, wantNames, wantBy, wantAnswers)
		}
	}
	var order []string
	for _, f := range got {
		order = append(order, f.brief(t))
		sort(t, []byte(f.Line), gotNames, gotBy, gotAnswers)
	}
	for id, want := range wantBy {
		if d := cmp.Diff(want, gotBy[id]); d != "" {
			t.Errorf("session %s (-recorded +ours):\n%s\nall: %s", id, d, strings.Join(order, " "))
		}
		delete(gotBy, id)
	}
	assert.Empty(t, gotBy, "sessions that were not recorded")
	for id, want := range wantAnswers {
		if slices.Contains(skipped[name], id) {
			continue
		}
		have := gotAnswers[id]
		if why := differences[name][id]; why != "" {
			assert.NotEqual(t, want, have, "answer %s no longer differs (%s)", id, why)
			continue
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("answer %s (-recorded +ours):\n%s", id, d)
		}
	}
	for id := range gotAnswers {
		assert.Contains(t, wantAnswers, id, "an answer that was not recorded")
	}
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// naming gives made ids names by when they first came.
type naming struct{ ids []string }

func (n *naming) name(id string) string {
	i := slices.Index(n.ids, id)
	if i < 0 {
		i = len(n.ids)
		n.ids = append(n.ids, id)
	}
	return fmt.Sprintf("<id %d>", i)
}

// sort puts a frame, made alike, to its session or its request. Made ids are
// named per session, since sessions of one family are written concurrently with each
// other.
func sort(t *testing.T, line []byte, names map[string]*naming, by map[string][]any, answers map[string]any) {
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	if _, ok := v["method"]; !ok {
		id, _ := json.Marshal(v["id"])
		if e, ok := v["error"].(map[string]any); ok {
			delete(e, "data") // ours: programs need not read texts
		}
		answers[string(id)] = alike(v, "", &naming{})
		return
	}
	p := v["params"].(map[string]any)
	id, _ := p["sessionId"].(string)
	if id == "" {
		id = p["parentSessionId"].(string)
	}
	if uuid.MatchString(id) {
		id = "child"
	}
	if names[id] == nil {
		names[id] = &naming{}
	}
	by[id] = append(by[id], alike(v, "", names[id]))
}

// alike takes ids and times out of a value.
func alike(v any, key string, names *naming) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			out[k] = alike(v[k], k, names)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, alike(e, key, names))
		}
		return out
	case json.Number:
		if key == "time" || key == "time0" || key == "dt" || key == "childCreatedAt" {
			return json.Number("0")
		}
		return v
	case string:
		return uuid.ReplaceAllStringFunc(v, names.name)
	}
	return v
}
