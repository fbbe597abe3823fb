// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
)

// host is the embedding program: it drives the client under test and keeps
// everything that the client hands out.
type host struct {
	p    *player
	ctx  context.Context // of all actions; ends when the case is cleaned up
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex // guards what follows
	actions []*action
	named   map[string]*action
	runtime *launch // the current one; nil before the first action
	slow    map[string]time.Duration

	heard     int           // deltas that the handler has finished with
	moved     chan struct{} // closed and replaced when a handler has finished
	events    []seenEvent
	deltas    map[string]int // deltas that the handler has finished with, by session
	unknown   []rawNote
	receipts  [][]byte
	diagnoses []string
	closed    map[string]string
	leaks     []string
	inbox     map[string]*inbox
}

// launch is one runtime that the host has started, or is starting.
type launch struct {
	ready  chan struct{} // closed when rt or err is set
	rt     *harnessclient.Runtime
	err    error
	closed bool // by a close step
}

func newHost(p *player) *host {
	h := &host{
		p: p, moved: make(chan struct{}), named: map[string]*action{}, slow: map[string]time.Duration{}, deltas: map[string]int{},
		closed: map[string]string{}, inbox: map[string]*inbox{},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// begin starts a host step. It returns as soon as the step has sent its first
// frame, or will not for now: a script's frames then come in the order of its
// host steps, though none is awaited.
func (h *host) begin(ctx context.Context, index int, s *Step) error {
	step := s.Host
	a := &action{
		name: step.As, do: step.Do, session: step.Session, line: s.Line, step: step,
		done: make(chan struct{}), taken: make(chan struct{}),
	}
	h.catchUp(ctx, step.Do == "close")
	h.awaitEnd(ctx, index)
	h.mu.Lock()
	if a.name == "" {
		a.name = fmt.Sprintf("%s at line %d", step.Do, s.Line)
	}
	if h.named[a.name] != nil {
		h.mu.Unlock()
		return fmt.Errorf("a second host step named %q", a.name)
	}
	var target *action
	if step.Run != "" {
		target = h.named[step.Run]
		if target == nil {
			h.mu.Unlock()
			return fmt.Errorf("%s names the run %q, which no earlier step began", step.Do, step.Run)
		}
		a.session = target.session
	}
	if step.SlowHandlerMs > 0 {
		h.slow[step.Session] = time.Duration(step.SlowHandlerMs) * time.Millisecond
	}
	h.actions = append(h.actions, a)
	h.named[a.name] = a
	l := h.launchFor(index, step)
	h.mu.Unlock()

	h.p.note("## ", []byte(s.text))
	before := h.p.link.count(a.frames())
	a.started = time.Now()
	actx, cancel := context.WithCancel(h.ctx)
	a.cancel = cancel
	h.wg.Go(func() {
		defer cancel()
		defer a.end()
		h.act(actx, a, l, target)
	})
	h.untilSent(ctx, a, before)
	return nil
}

// How long a step waits for its client to hand out one more of the messages
// that were written before it: a host acts on what it has seen. The end of the
// runtime waits longer, for what the client has not read by then is lost.
const (
	catchUpGrace = 250 * time.Millisecond
	closeGrace   = 2 * time.Second
)

func (h *host) catchUp(ctx context.Context, closing bool) {
	grace := catchUpGrace
	if closing {
		grace = closeGrace
	}
	events, deltas := h.p.handedOutBy()
	if closing {
		deltas = 0 // one that is late is dropped
	}
	for {
		h.mu.Lock()
		caughtUp, moved := len(h.events) >= events && h.heard >= deltas, h.moved
		h.mu.Unlock()
		if caughtUp {
			return
		}
		t := time.NewTimer(grace)
		select {
		case <-moved:
			t.Stop()
		case <-t.C:
			return
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

// move wakes what waits for the handlers. h.mu is held.
func (h *host) move() {
	close(h.moved)
	h.moved = make(chan struct{})
}

// orderGrace is how long a step is given to send its frame before the script
// continues: a step that waits for something (a launch, an acceptance) sends
// later, and the script says when.
const orderGrace = 150 * time.Millisecond

func (h *host) untilSent(ctx context.Context, a *action, before int) {
	ctx, cancel := context.WithTimeout(ctx, orderGrace)
	defer cancel()
	go func() {
		select {
		case <-a.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	launching := h.p.link.count(func(m, _ string) bool { return m == "initialize" })
	// That nothing came within the grace is no error.
	_ = h.p.link.await(ctx, func() bool {
		if len(h.p.link.counted(a.frames())) > before {
			return true
		}
		// A first step begins with the handshake.
		return len(h.p.link.counted(func(m, _ string) bool { return m == "initialize" })) > launching
	})
}

// frames returns which frames are an action's first.
func (a *action) frames() func(method, session string) bool {
	methods := map[string][]string{
		"run": {"session/prompt"}, "cancel": {"session/cancel"}, "interruptAndPrompt": {"session/cancel", "session/prompt"},
		"resume": {"session/resume", "session/load"}, "load": {"session/load"}, "closeSession": {"session/close"},
		"wait": {"session/wait"}, "status": {"session/status"}, "list": {"session/list"}, "close": {"shutdown"},
		"getWorkingDirectory": {"session/working-directory/get"}, "setWorkingDirectory": {"session/working-directory/set"},
	}[a.do]
	if a.do == "call" {
		methods = []string{a.step.Method}
	}
	return func(method, session string) bool {
		return slices.Contains(methods, method) && (session == a.session || session == "")
	}
}

// ladderTime is how long the client takes at most to end a runtime that does
// not go: longer than a script gives its actions otherwise.
const ladderTime = 10 * time.Second

// ends reports whether a runtime is to end that may not go: by a step that is
// not over yet, or because the handshake with a runtime of the case's own fails.
func (h *host) ends() bool {
	return h.p.c.Script != "" || slices.ContainsFunc(h.all(), func(a *action) bool { return a.do == "close" && !a.over() })
}

// settle gives the actions their time to end.
func (h *host) settle(ctx context.Context, within time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for _, a := range h.all() {
		select {
		case <-a.done:
		case <-ctx.Done():
			return
		}
	}
}

// cleanUp ends what is left: the calls, the runtime, the handlers.
func (h *host) cleanUp() {
	h.stop()
	h.mu.Lock()
	l := h.runtime
	h.mu.Unlock()
	if l != nil {
		<-l.ready
		if l.rt != nil {
			if p := l.rt.Process(); p != nil {
				p.Kill()
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_ = l.rt.Close(ctx)
			cancel()
		}
	}
	h.wg.Wait()
}

// group is the process group of the last runtime; 0 if there is none.
func (h *host) group() int {
	l := h.current()
	if l == nil || l.rt.Process() == nil {
		return 0
	}
	return l.rt.Process().PID()
}

// current is the last launch, once it has a runtime; else nil.
func (h *host) current() *launch {
	h.mu.Lock()
	l := h.runtime
	h.mu.Unlock()
	if l == nil || !isClosed(l.ready) || l.rt == nil {
		return nil
	}
	return l
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (h *host) all() []*action {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.actions)
}

func (h *host) eventsHandedOut() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.events)
}

// pendingMessages are the messages that wait in the inboxes of all sessions.
func (h *host) pendingMessages() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ids []string
	for _, s := range sortedKeys(h.inbox) {
		ids = append(ids, h.inbox[s].pending()...)
	}
	return ids
}

// pendingErrors says what went wrong at the host meanwhile, which is often why
// a frame does not come.
func (h *host) pendingErrors() string {
	var b strings.Builder
	for _, a := range h.all() {
		a.mu.Lock()
		if a.err != nil {
			fmt.Fprintf(&b, "; %s ended with %s: %s", a.name, a.err.kind, short(a.err.message))
		}
		a.mu.Unlock()
	}
	return b.String()
}

// inbox is a session's two queues, folded from its splices as the embedding
// program would.
type inbox struct{ lists map[string][]string }

func (b *inbox) splice(target string, start, removed int64, inserted []string) {
	l := b.lists[target]
	start = max(0, min(start, int64(len(l))))
	end := max(start, min(start+removed, int64(len(l))))
	b.lists[target] = slices.Concat(l[:start], inserted, l[end:])
}

func (b *inbox) pending() []string {
	return slices.Concat(b.lists["next-step"], b.lists["next-turn"])
}

// initializeParams are the params that the script expects of the next
// handshake, which say how the host must set up the client.
func initializeParams(steps []Step) map[string]any {
	for _, s := range steps {
		if s.Kind != kindC2S {
			continue
		}
		if m, _ := methodOf(s.Frame); m != "initialize" {
			continue
		}
		v, err := decode(s.Frame)
		if err != nil {
			return nil
		}
		frame, _ := v.(map[string]any)
		params, _ := frame["params"].(map[string]any)
		return params
	}
	return nil
}

// nextFrame is the next frame that the script expects of the client after a
// step, of one method; nil if there is none before the next host step of the
// same kind.
func nextFrame(steps []Step, method string) map[string]any {
	for _, s := range steps {
		if s.Kind != kindC2S {
			continue
		}
		if m, _ := methodOf(s.Frame); m != method {
			continue
		}
		var f struct {
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(s.Frame, &f) != nil || f.Params == nil {
			return map[string]any{}
		}
		v, err := decode(f.Params)
		if err != nil {
			return nil
		}
		params, _ := v.(map[string]any)
		return params
	}
	return nil
}
