// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/process"
)

// host is the embedding program: it drives the client under test and notes
// everything that the client hands out.
type host struct {
	p    *player
	rec  *record
	ctx  context.Context // of all actions; ends when the case is cleaned up
	stop context.CancelFunc
	wg   sync.WaitGroup

	runtime atomic.Pointer[launch] // the current one; nil before the first action
	slow    map[string]int         // ms that the handlers of a session take; guarded by rec.mu
}

// launch is one runtime that the host has started, or is starting.
type launch struct {
	started time.Time
	ready   chan struct{} // closed when rt or err is set
	rt      *harnessclient.Runtime
	err     error
	closed  bool // by a close step
}

func newHost(p *player) *host {
	h := &host{p: p, rec: p.rec, slow: map[string]int{}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// begin starts a host step. It returns as soon as the step has sent its first
// frame, or will not for now: a script's frames then come in the order of its
// host steps, though none is awaited.
func (h *host) begin(ctx context.Context, i int, s *Step) error {
	if s.Do == "close" {
		h.catchUp(ctx, closeGrace, wholeEvent) // a delta that is late is dropped
	} else {
		h.catchUp(ctx, catchUpGrace, whole)
		h.listen(ctx)
	}
	a := newAction(s)
	var target *action
	if s.Run != "" {
		if target = h.rec.named(s.Run); target == nil {
			return fmt.Errorf("%s names the run %q, which no earlier step began", s.Do, s.Run)
		}
		a.session = target.session
	}
	if h.rec.named(a.name) != nil {
		return fmt.Errorf("a second host step named %q", a.name)
	}
	l := h.runtimeFor(ctx, i, s)
	h.rec.add(acted, []byte(s.text), nil)
	actx, cancel := context.WithCancel(h.ctx)
	a.stop = cancel
	h.rec.do(func() {
		h.rec.actions = append(h.rec.actions, a)
		a.started, a.begun = time.Now(), len(h.rec.moments)
		if s.SlowHandlerMs > 0 {
			h.slow[s.Session] = s.SlowHandlerMs
		}
	})
	h.wg.Go(func() {
		defer cancel()
		h.act(actx, a, l, target)
		h.rec.end(a)
	})
	// A step that waits for something (a launch, an acceptance) sends later, and the
	// script says when: that nothing came within the grace is no error.
	ctx, done := context.WithTimeout(ctx, orderGrace)
	defer done()
	_ = h.rec.await(ctx, func() bool { return !a.ended.IsZero() || h.rec.sentBy(a) || h.rec.sentSince(a.begun, "initialize", "") })
	return nil
}

// How long a step waits for its client to hand out one more of the messages
// that were written before it: a host acts on what it has seen. The end of the
// runtime waits longer, for what the client has not read by then is lost. Then the
// step is given its time to send its frame.
const (
	catchUpGrace = 250 * time.Millisecond
	closeGrace   = 2 * time.Second
	orderGrace   = 150 * time.Millisecond
)

func (h *host) catchUp(ctx context.Context, grace time.Duration, messages func(*moment) bool) {
	for r, heard := h.rec, -1; ; {
		withheld := 0
		if rt := h.client(); rt != nil {
			withheld = int(rt.Counters().Scopes.Withheld)
		}
		if withheld > 0 {
			messages = whole // what is withheld may be of any kind
		}
		now := r.count(handed, messages) + withheld
		if now == heard || now >= r.count(written, messages) {
			return
		}
		heard = now
		ctx, cancel := context.WithTimeout(ctx, grace)
		_ = r.await(ctx, func() bool { return len(r.of(handed, messages))+withheld > heard }) // what is withheld is seen above
		cancel()
	}
}

// listen waits, as catchUp does, until the runs that were answered know it, and their
// streams have given the text that the handler was given.
func (h *host) listen(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, catchUpGrace)
	defer cancel()
	h.rec.mu.Lock()
	answered := slices.DeleteFunc(slices.Clone(h.rec.actions), func(a *action) bool { return !h.rec.answered(a) || isClosed(a.done) })
	h.rec.mu.Unlock()
	turns := map[*action]int64{}
	for _, a := range answered {
		if turn := a.awaitTurn(ctx); turn != nil {
			key, _ := turn.Taken()
			turns[a] = int64(key)
		}
	}
	_ = h.rec.await(ctx, func() bool {
		for a, turn := range turns {
			if a.ended.IsZero() && len(a.heard) < len(h.rec.of(handed, func(m *moment) bool {
				return m.Method == "session.delta" && m.Params.SessionID == a.session && m.Params.Turn == turn && m.Params.Kind == string(harness.DeltaText)
			})) {
				return false
			}
		}
		return true
	})
}

// answered reports whether the runtime has answered a run's prompt. r.mu is held.
func (r *record) answered(a *action) bool {
	prompts := r.of(sent, func(m *moment) bool { return m.prompts(a.Text) && m.Params.SessionID == a.session })
	return a.isRun() && len(prompts) > 0 && len(r.of(written, func(m *moment) bool {
		return m.Method == "" && string(m.ID) == string(prompts[len(prompts)-1].ID)
	})) > 0
}

// runtimeFor is the runtime that a step works on. The first step starts it; it
// is started again only after its end and where the script expects another
// handshake: the client itself must never do that.
func (h *host) runtimeFor(ctx context.Context, i int, s *Step) *launch {
	l := h.runtime.Load()
	if s.Do == "close" {
		if l != nil {
			l.closed = true
		}
		return l
	}
	params, next := h.p.handshake(i + 1)
	if l != nil && (!next || !h.over(l)) {
		return l
	}
	if l != nil { // The client must know of the end.
		ctx, cancel := context.WithTimeout(ctx, h.p.opts.Timeout)
		defer cancel()
		if wait(ctx, l.ready) && l.err == nil {
			wait(ctx, l.rt.Done())
		}
	}
	l = &launch{ready: make(chan struct{}), started: time.Now()}
	h.runtime.Store(l)
	h.rec.do(func() { h.p.link.wanted++ })
	h.wg.Go(func() {
		defer close(l.ready)
		l.rt, l.err = h.launch(params)
	})
	return l
}

func (h *host) over(l *launch) bool {
	h.rec.mu.Lock()
	exited := h.rec.exited
	h.rec.mu.Unlock()
	return l.closed || exited.After(l.started) || isClosed(l.ready) && (l.err != nil || isClosed(l.rt.Done()))
}

// handshake are the params that the script expects of the next handshake, which say
// how the host must set up the client, and whether that is the client's next frame.
func (p *player) handshake(from int) (params map[string]any, next bool) {
	next = true
	for _, s := range p.c.Steps[from:] {
		if s.Kind == kindC2S && headOf(s.Frame).Method == "initialize" {
			var frame struct{ Params map[string]any }
			_ = json.Unmarshal(s.Frame, &frame) // it was read before
			return frame.Params, next
		}
		next = next && s.Kind != kindC2S
	}
	return nil, false
}

func (h *host) launch(params map[string]any) (*harnessclient.Runtime, error) {
	o := harnessclient.Options{
		Dir: "/srv/demo", Provider: "deepseek-official", Model: "demo-model",
		HandshakeTimeout: h.p.opts.Timeout + time.Second,
		Diagnose:         h.diagnose,
		Handler: harnessclient.Handler{
			SessionEvent: h.onEvent,
			SessionDelta: func(ctx context.Context, d *harness.SessionDelta) {
				h.slowly(ctx, d.SessionID)
				h.rec.handOut("session.delta", d, nil)
			},
			SessionStatus: func(_ context.Context, s *harness.SessionStatusParams) { h.rec.handOut("session.status", s, nil) },
			SessionClosed: func(_ context.Context, c *harness.SessionClosed) { h.rec.handOut("session.closed", c, c) },
			SubagentStarted: func(ctx context.Context, s *harness.SubagentStarted) {
				h.slowly(ctx, s.ChildSessionID)
				h.rec.handOut("subagent.started", s, nil)
			},
			SubagentFinished: func(ctx context.Context, s *harness.SubagentFinished) {
				h.slowly(ctx, s.ChildSessionID)
				h.rec.handOut("subagent.finished", s, nil)
			},
			Unknown: func(method string, params codec.Raw) { h.rec.handOut(method, params, strange(slices.Clone(params))) },
		},
	}
	for key, into := range map[string]*string{"cwd": &o.Dir, "provider": &o.Provider, "model": &o.Model} {
		if s, ok := params[key].(string); ok && !variable.MatchString(s) {
			*into = s
		}
	}
	if h.p.subject != nil {
		o.Legacy = params["protocolVersion"] == nil
		return h.p.subject.connect(h.ctx, o)
	}
	if len(h.p.opts.Peer) == 0 {
		return nil, errors.New("no peer to launch: Options.Peer is empty")
	}
	cmd := process.Command(h.p.opts.Peer[0], h.p.opts.Peer[1:]...).WithEnv(ControlEnv + "=" + h.p.link.path)
	if h.p.c.Script != "" {
		// No step waits for its frames, so it is the client that gives up.
		o.HandshakeTimeout = h.p.opts.Timeout * 3 / 5
		cmd = process.Command("/bin/sh", "-c", launchScript, h.p.link.tally(), h.p.c.Script)
	}
	// A ladder that is not as it must be fails the case, see checkGiven.
	cmd.Ladder, _ = ladderOf(h.p.c.Expect.tree["given"])
	if broken := h.p.opts.broken.ladder; broken != nil {
		broken(cmd)
	}
	return harnessclient.Launch(h.ctx, cmd, o)
}

// launchScript is how fake-runtime.sh is started, with the process's id noted: by itself
// when it may be, else by the interpreter that its first line names.
const launchScript = `echo $$ >>"$0"
test -x "$1" && exec "$1"
i=$(sed -n '1s/^#!//p' "$1")
exec ${i:-/bin/sh} "$1"`

func (h *host) diagnose(d jsonrpc.Diagnostic) {
	h.rec.do(func() { h.rec.diagnoses = append(h.rec.diagnoses, d.Kind.String()) })
}

// strange is the payload of a notification that the client did not know.
type strange []byte

// onEvent is the host's handler of durable events.
func (h *host) onEvent(ctx context.Context, p *harness.SessionEventParams) {
	h.slowly(ctx, p.SessionID)
	h.rec.handOut("session.event", p, p)
	if p.Replay {
		h.rec.do(func() {
			h.rec.leaks = append(h.rec.leaks, fmt.Sprintf("the stored event %d of %s was handed to the live handler", p.Event.Seq, p.SessionID))
		})
	}
}

// onReplay is the host's handler of stored events.
func (h *host) onReplay(_ context.Context, p *harness.SessionEventParams) {
	h.rec.handOut("session.event", p, p)
}

// slowly is what a step's slowHandlerMs asks for.
func (h *host) slowly(ctx context.Context, session harness.SessionID) {
	h.rec.mu.Lock()
	ms := h.slow[string(session)]
	h.rec.mu.Unlock()
	if ms > 0 {
		_ = sleep(ctx, ms)
	}
}

// ladderTime is how long the client takes at most to end a runtime that does
// not go: longer than a script gives its actions otherwise.
const ladderTime = 10 * time.Second

// settle gives the actions their time to end: more if a runtime is to end that may
// not go, by a close step or because the handshake with a runtime of the case's own
// fails.
func (h *host) settle(ctx context.Context, within time.Duration) {
	h.rec.mu.Lock()
	actions := slices.Clone(h.rec.actions)
	h.rec.mu.Unlock()
	if h.p.c.Script != "" || slices.ContainsFunc(actions, func(a *action) bool { return a.Do == "close" && !isClosed(a.done) }) {
		within = max(within, ladderTime)
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for _, a := range actions {
		wait(ctx, a.done)
	}
}

// cleanUp ends what is left: the calls, the runtime, the handlers.
func (h *host) cleanUp() {
	h.stop()
	if l := h.runtime.Load(); l != nil {
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

// client is the last runtime's, once there is one; else nil.
func (h *host) client() *harnessclient.Runtime {
	l := h.runtime.Load()
	if l == nil || !isClosed(l.ready) {
		return nil
	}
	return l.rt
}

// errors says what went wrong at the host meanwhile, which is often why
// a frame does not come.
func (h *host) errors() string {
	h.rec.mu.Lock()
	defer h.rec.mu.Unlock()
	var b strings.Builder
	for _, a := range h.rec.actions {
		if a.err != nil {
			fmt.Fprintf(&b, "; %s ended with %s: %s", a.name, a.tree["error"], short(a.err.Error()))
		}
	}
	return b.String()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// wait waits for a channel to be closed, and reports whether it was before ctx ended.
func wait(ctx context.Context, c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}
