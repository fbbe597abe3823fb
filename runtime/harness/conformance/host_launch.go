// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/process"
)

// launchFor is the runtime that a step works on. The first step starts it; it
// is started again only after its end and where the script expects another
// handshake: the client itself must never do that. h.mu is held.
func (h *host) launchFor(index int, step *HostStep) *launch {
	l := h.runtime
	if step.Do == "close" {
		if l != nil {
			l.closed = true
		}
		return l
	}
	if l != nil && (!h.ended(l) || !expectsHandshake(h.p.c.Steps[index+1:])) {
		return l
	}
	l = &launch{ready: make(chan struct{})}
	h.runtime = l
	h.p.link.want()
	params := initializeParams(h.p.c.Steps[index:])
	h.wg.Go(func() {
		defer close(l.ready)
		l.rt, l.err = h.launch(params)
	})
	return l
}

// awaitEnd waits, before a step that must start another runtime, until the
// client knows that the last one is over.
func (h *host) awaitEnd(ctx context.Context, index int) {
	h.mu.Lock()
	l := h.runtime
	h.mu.Unlock()
	if l == nil || h.p.exited.IsZero() && !l.closed || !expectsHandshake(h.p.c.Steps[index+1:]) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, h.p.opts.Timeout)
	defer cancel()
	select {
	case <-l.ready:
	case <-ctx.Done():
		return
	}
	if l.err == nil {
		select {
		case <-l.rt.Done():
		case <-ctx.Done():
		}
	}
}

func (h *host) ended(l *launch) bool {
	if l.closed {
		return true
	}
	select {
	case <-l.ready:
	default:
		return false
	}
	if l.err != nil {
		return true
	}
	select {
	case <-l.rt.Done():
		return true
	default:
		return false
	}
}

// expectsHandshake reports whether the next frame in the script is initialize.
func expectsHandshake(steps []Step) bool {
	for _, s := range steps {
		if s.Kind == kindC2S {
			m, _ := methodOf(s.Frame)
			return m == "initialize"
		}
	}
	return false
}

func (h *host) launch(params map[string]any) (*harnessclient.Runtime, error) {
	if h.p.subject != nil {
		o := h.options(params)
		o.Legacy = params["protocolVersion"] == nil
		return h.p.subject.connect(h.ctx, o)
	}
	argv, env := h.p.opts.Peer, []string{ControlEnv + "=" + h.p.link.path}
	if h.p.c.Script != "" {
		var err error
		if argv, err = scriptCommand(h.p.c.Script); err != nil {
			return nil, err
		}
		argv, env = append([]string{"/bin/sh", "-c", `echo $$ >>"$0" && exec "$@"`, h.p.link.tally()}, argv...), nil
	}
	if len(argv) == 0 {
		return nil, fmt.Errorf("no peer to launch: Options.Peer is empty")
	}
	return harnessclient.Launch(h.ctx, process.Command(argv[0], argv[1:]...).WithEnv(env...), h.options(params))
}

// options are the client's settings, as the script's handshake shows them.
func (h *host) options(params map[string]any) harnessclient.Options {
	o := harnessclient.Options{
		Dir: "/srv/demo", Provider: "deepseek-official", Model: "demo-model",
		HandshakeTimeout: h.p.opts.Timeout + time.Second,
		Diagnose:         h.diagnose,
		Handler: harnessclient.Handler{
			SessionEvent:  h.onEvent,
			SessionDelta:  h.onDelta,
			SessionClosed: h.onClosed,
			Unknown:       h.onUnknown,
		},
	}
	if h.p.c.Script != "" {
		// No step waits for its frames, so it is the client that gives up.
		o.HandshakeTimeout = h.p.opts.Timeout * 3 / 5
	}
	text := func(key string, into *string) {
		if s, ok := params[key].(string); ok && !variable.MatchString(s) {
			*into = s
		}
	}
	text("cwd", &o.Dir)
	text("provider", &o.Provider)
	text("model", &o.Model)
	if s, ok := params["reasoningEffort"].(string); ok {
		o.ReasoningEffort = &s
	}
	if n, ok := integer(params["maxTokens"]); ok {
		o.MaxTokens = &n
	}
	if m, ok := params["clientInfo"].(map[string]any); ok {
		info := harness.Implementation{}
		text := func(key string, into *string) { *into, _ = m[key].(string) }
		text("name", &info.Name)
		text("version", &info.Version)
		o.ClientInfo = &info
	}
	if h.asksPermission(params) {
		o.Permissions = h.onPermission
	}
	return o
}

// asksPermission reports whether the script's runtime asks for permissions, or
// its client says that it answers them.
func (h *host) asksPermission(params map[string]any) bool {
	if c, ok := params["capabilities"].(map[string]any); ok && c["permissions"] == true {
		return true
	}
	for _, s := range h.p.c.Steps {
		if m, _ := methodOf(s.Frame); s.Kind == kindS2C && m == "session/request_permission" {
			return true
		}
	}
	return false
}

// onPermission answers as the script says that the client does.
func (h *host) onPermission(_ context.Context, p *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
	var ask struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			SessionID string `json:"sessionId"`
			ToolCall  struct {
				ToolCallID string `json:"toolCallId"`
			} `json:"toolCall"`
		} `json:"params"`
	}
	for i, s := range h.p.c.Steps {
		if s.Kind != kindS2C || s.Frame == nil || json.Unmarshal(s.Frame, &ask) != nil || ask.Method != "session/request_permission" {
			continue
		}
		if ask.Params.SessionID != string(p.SessionID) || ask.Params.ToolCall.ToolCallID != string(p.ToolCall.ToolCallID) {
			continue
		}
		for _, later := range h.p.c.Steps[i+1:] {
			var answer struct {
				ID     json.RawMessage `json:"id"`
				Result json.RawMessage `json:"result"`
			}
			if later.Kind != kindC2S || json.Unmarshal(later.Frame, &answer) != nil || string(answer.ID) != string(ask.ID) || answer.Result == nil {
				continue
			}
			r := &harness.RequestPermissionResult{}
			if err := r.UnmarshalJSON(answer.Result); err != nil {
				return nil, fmt.Errorf("the script's answer to a permission cannot be read: %w", err)
			}
			return r, nil
		}
	}
	return nil, fmt.Errorf("the script has no answer to this permission")
}

func (h *host) diagnose(d jsonrpc.Diagnostic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.diagnoses = append(h.diagnoses, fmt.Sprint(d.Kind))
}

// onEvent is the host's handler of durable events.
func (h *host) onEvent(ctx context.Context, p *harness.SessionEventParams) {
	h.slowly(ctx, string(p.SessionID))
	e := eventOf(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.Replay {
		h.leaks = append(h.leaks, fmt.Sprintf("the stored event %d of %s was handed to the live handler", e.seq, e.session))
	}
	h.note(p, e)
}

// note keeps an event and folds it into the inbox. h.mu is held.
func (h *host) note(p *harness.SessionEventParams, e seenEvent) {
	defer h.move()
	h.events = append(h.events, e)
	if splice, ok := p.Event.Data.(*harness.InboxSpliced); ok {
		b := h.inbox[e.session]
		if b == nil {
			b = &inbox{lists: map[string][]string{}}
			h.inbox[e.session] = b
		}
		var ids []string
		for _, m := range splice.Inserted {
			ids = append(ids, string(m.ID))
		}
		b.splice(string(splice.Target), splice.Start, splice.RemovedCount, ids)
	}
}

// onReplay is the host's handler of stored events.
func (h *host) onReplay(_ context.Context, p *harness.SessionEventParams) {
	e := eventOf(p)
	e.replay = true
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note(p, e)
}

func eventOf(p *harness.SessionEventParams) seenEvent {
	e := seenEvent{
		session: string(p.SessionID), seq: p.Event.Seq, kind: p.Event.Type(), replay: p.Replay,
		params: p.AppendJSON(nil), at: time.Now(),
	}
	switch e.kind {
	case "agent/inbox/spliced", "tool/result", "turn/end": // those that are looked into
		e.text = p.Event.AppendJSON(nil)
	}
	return e
}

func (h *host) onDelta(ctx context.Context, d *harness.SessionDelta) {
	h.slowly(ctx, string(d.SessionID))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deltas[string(d.SessionID)]++
	h.heard++
	h.move()
}

// slowly is what a step's slowHandlerMs asks for.
func (h *host) slowly(ctx context.Context, session string) {
	h.mu.Lock()
	d := h.slow[session]
	h.mu.Unlock()
	if d > 0 {
		_ = sleep(ctx, int(d.Milliseconds()))
	}
}

func (h *host) onClosed(_ context.Context, c *harness.SessionClosed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed[string(c.SessionID)] = string(c.Outcome)
}

func (h *host) onUnknown(method string, params codec.Raw) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unknown = append(h.unknown, rawNote{method: method, params: append([]byte(nil), params...)})
}
