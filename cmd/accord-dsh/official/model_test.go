// SPDX-License-Identifier: Apache-2.0

package official

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// model is a model server on loopback for the official runtime: it speaks the
// Messages-style stream that the runtime's adapter expects, and answers
// according to the last prompt:
//
//	reply TEXT              says TEXT, a delta a word
//	bash COMMAND            thinks, calls the tool bash, then says "tool said: …"
//	delegate COMMAND        starts a background subagent that gets COMMAND
//	slow                    says a word every 20 ms until the runtime hangs up
//	refuse MESSAGE          HTTP 400 with MESSAGE
//
// Anything else is answered by its own last line.
type model struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	hung     chan struct{} // one value for each slow answer that has begun
}

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{hung: make(chan struct{}, 64)}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.CloseClientConnections)
	t.Cleanup(m.Close)
	return m
}

type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct {
			Role    string  `json:"role"`
			Content []block `json:"content"`
		} `json:"messages"`
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/v1/messages") {
		http.NotFound(w, r)
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	m.requests++
	id := fmt.Sprintf("call_%d", m.requests)
	m.mu.Unlock()
	a := &answer{w: w}
	last := body.Messages[len(body.Messages)-1].Content
	for _, b := range last {
		if b.Type == "tool_result" {
			a.say("tool said: " + textOf(b.Content))
			return
		}
	}
	command, rest, _ := strings.Cut(prompt(last), " ")
	switch command {
	case "reply":
		a.say(rest)
	case "bash":
		a.call(id, "bash", map[string]any{"command": rest, "description": "asked for"})
	case "delegate":
		a.call(id, "subagent", map[string]any{"prompt": rest, "description": "child job", "run_in_background": true})
	case "slow":
		m.hung <- struct{}{}
		a.slowly(r)
	case "refuse":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": rest}})
	default:
		a.say(prompt(last))
	}
}

// prompt returns the text block that a person (or a parent) wrote last: what the
// runtime adds of its own is left out.
func prompt(blocks []block) string {
	text := ""
	for _, b := range blocks {
		if b.Type == "text" && !slices.ContainsFunc(added, func(p string) bool { return strings.HasPrefix(b.Text, p) }) {
			text = b.Text
		}
	}
	return text
}

// added is the beginnings of texts that the runtime adds to a prompt.
var added = []string{"Current runtime context", "Your parent agent id", "<"}

// textOf returns a tool result's text, whichever of its two shapes it has.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []block
	_ = json.Unmarshal(content, &blocks)
	var b strings.Builder
	for _, c := range blocks {
		b.WriteString(c.Text)
	}
	return b.String()
}

// answer writes one streamed message.
type answer struct{ w http.ResponseWriter }

func (a *answer) event(e map[string]any) {
	data, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(a.w, "event: %s\ndata: %s\n\n", e["type"], data)
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (a *answer) begin() {
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.event(map[string]any{"type": "message_start", "message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 11, "output_tokens": 1},
	}})
}

func (a *answer) end(reason string) {
	a.event(map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 7}})
	a.event(map[string]any{"type": "message_stop"})
}

func (a *answer) text(i int, s string) {
	a.event(map[string]any{"type": "content_block_delta", "index": i, "delta": map[string]any{"type": "text_delta", "text": s}})
}

func (a *answer) say(text string) {
	a.begin()
	a.event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
	for _, word := range strings.SplitAfter(text, " ") {
		a.text(0, word)
	}
	a.event(map[string]any{"type": "content_block_stop", "index": 0})
	a.end("end_turn")
}

func (a *answer) call(id, name string, input map[string]any) {
	arguments, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	a.begin()
	a.event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{}}})
	a.event(map[string]any{"type": "content_block_delta", "index": 0, "delta": map[string]any{"type": "input_json_delta", "partial_json": string(arguments)}})
	a.event(map[string]any{"type": "content_block_stop", "index": 0})
	a.end("tool_use")
}

func (a *answer) slowly(r *http.Request) {
	a.begin()
	a.event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 0; n < 1500; n++ {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			a.text(0, fmt.Sprintf("w%d ", n))
		}
	}
}
