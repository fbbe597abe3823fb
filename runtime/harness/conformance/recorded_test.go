// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded turns a recorded conversation with an official runtime into a
// script: the runtime's lines are written when the client has written what the
// recorded one had. What came before the handshake that succeeded, and requests
// that no host step makes, are left out, with their answers.
func recorded(t *testing.T, name string) *Case {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "recordings", name))
	require.NoError(t, err)
	type entry struct {
		Dir   string          `json:"dir"`
		Frame json.RawMessage `json:"frame"`
	}
	var entries []entry
	begin := -1
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var e entry
		require.NoError(t, json.Unmarshal(line, &e))
		if e.Frame == nil {
			continue
		}
		entries = append(entries, e)
		if headOf(e.Frame).Method == "initialize" {
			begin = len(entries) - 1
		}
	}
	require.GreaterOrEqual(t, begin, 0)
	c := &Case{Folder: name, File: name, Expect: &Expectation{tree: map[string]any{}}}
	var handshake []Step // waits for the first action, which starts the runtime
	leftOut := map[string]bool{}
	for i, e := range entries[begin:] {
		m, err := members(e.Frame)
		require.NoError(t, err)
		if string(m["id"]) == "null" || leftOut[string(m["id"])] && e.Dir == "<" {
			continue
		}
		s := Step{Line: i + 1, Kind: kindS2C, Frame: named(t, e.Frame, m)}
		if e.Dir == "<" {
			if handshake != nil && len(c.Steps) == 0 {
				handshake = append(handshake, s)
				continue
			}
			c.Steps = append(c.Steps, s)
			continue
		}
		s.Kind = kindC2S
		method := headOf(e.Frame).Method
		if method == "initialize" {
			handshake = append(handshake, s)
			continue
		}
		host := actionFor(t, method, m)
		if host == nil {
			leftOut[string(m["id"])] = true
			continue
		}
		host.Line = i + 1
		c.Steps = append(c.Steps, *host)
		c.Steps = append(c.Steps, handshake...)
		handshake = nil
		c.Steps = append(c.Steps, s)
	}
	c.Steps = append(c.Steps, Step{Kind: kindProc, Do: "exit"})
	return c
}

// named puts a $name in place of a frame's id.
func named(t *testing.T, frame json.RawMessage, m map[string]json.RawMessage) json.RawMessage {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, frame))
	var id string
	if m["id"] == nil {
		return b.Bytes()
	}
	require.NoError(t, json.Unmarshal(m["id"], &id))
	return bytes.Replace(b.Bytes(), []byte(`"id":`+string(m["id"])), []byte(`"id":"$`+id+`"`), 1)
}

// actionFor is what a host does to make its client send a frame; nil if there is no
// such host step.
func actionFor(t *testing.T, method string, frame map[string]json.RawMessage) *Step {
	t.Helper()
	h := &Step{Kind: kindHost}
	require.NoError(t, json.Unmarshal(frame["id"], &h.As))
	f := headOf([]byte(encode(frame)))
	h.Session = f.Params.SessionID
	for _, b := range f.Params.ContentBlocks {
		h.Text += b.Text
	}
	h.Do = map[string]string{"session/prompt": "run", "session/resume": "resume", "session/wait": "wait", "session/close": "closeSession", "shutdown": "close"}[method]
	if h.Do == "" || h.Do != "close" && h.Session == "" || h.Do == "run" && h.Text == "" {
		return nil
	}
	return h
}

// TestRecordedConversations plays what an official runtime of 0.2.1 wrote to
// the generated client, and says what each call must return.
func TestRecordedConversations(t *testing.T) {
	for name, expect := range map[string]string{
		"simple-prompt.jsonl": `{"runs":{"p1":{"outcome":"completed","finalText":"Hello wörld","turn":1,"joined":"Hello wörld","eventsSeen":14}},"seqContiguous":true}`,
		"tool-call.jsonl":     `{"runs":{"p1":{"outcome":"completed","turn":1,"toolResultBytes":38}},"seqContiguous":true}`,
		"two-prompts.jsonl":   `{"runs":{"pA":{"outcome":"completed","turn":1,"messageId":"194b12bc-eb23-41ab-bc1b-b5305b1aedfe"},"pB":{"outcome":"completed","turn":2}}}`,
		"resume-then-prompt.jsonl": `{"resumes":{"r1":"completed"},"runs":{"p1":{"outcome":"completed","turn":2,"firstEventSeq":15}},
			"firstLiveSeq":15,"seqContiguous":true,"eventsBeforeReply":0}`,
		"wait-with-child.jsonl": `{"runs":{"p1":{"outcome":"completed","turn":1,"finalText":"Hello wörld"}},
			"waits":{"w1":{"outcome":"completed"},"w2":{"outcome":"completed"},"w3":{"outcome":"error"}}}`,
		"wait-then-shutdown-mid-turn.jsonl": `{"runs":{"p1":{"outcome":"error","error":"connection-lost","eventsSeen":11}},"closes":{"bye":"completed"}}`,
		"working-directory.jsonl":           `{"runs":{"p1":{"outcome":"completed","turn":1}}}`,
		"errors.jsonl": `{"runs":{"p1":{"outcome":"failed","endReason":"error","turn":1,"error":{"message":"bad req","code":"INVALID_REQUEST"}},
			"b6":{"outcome":"error","error":"session-exists","sessionId":"simple","retried":false}},
			"b2":{"outcome":"error","error":"session-not-found"},"b9":{"outcome":"error","error":"unsupported"},"w":{"outcome":"completed"},"r":{"outcome":"error"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := recorded(t, name)
			e, err := parseExpect(name, []byte(expect))
			require.NoError(t, err)
			c.Expect = e
			r, err := Run(t.Context(), c, testOptions())
			require.NoError(t, err)
			assert.True(t, r.Passed, "%s\n%s", r.Line(), r.Transcript)
		})
	}
}
