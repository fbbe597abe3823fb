// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// run is a turn's agent at work, on a goroutine of its own. Whatever it does
// to the session goes through the family's mailbox.
type run struct {
	f      *family
	t      *core.Turn
	log    store.Log
	ctx    context.Context
	cancel context.CancelFunc
	grace  *time.Timer // from the cancel on

	// What the agent says: one goroutine does, one delta at a time, and the
	// mailbox takes it while that goroutine waits.
	remark  core.Remark
	frame   deltaFrame
	refused error  // why it was not taken
	lanes   []lane // with little room left
	take    func() // takes remark: the one command for all of them
}

// run starts a turn's agent.
func (f *family) run(t *core.Turn) {
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{f: f, t: t, log: f.logOf(t.S), ctx: ctx, cancel: cancel}
	r.take = func() {
		var shown bool
		if shown, r.refused = t.Say(&r.remark, &r.frame.d); shown {
			r.lanes = f.publishDelta(&r.frame, r.lanes[:0])
		}
	}
	if f.runs == nil {
		f.runs = make(map[*core.Turn]*run)
	}
	f.runs[t] = r
	f.e.work.Add(1)
	go r.serve()
}

// stop ends the context of a turn's agent, which then has its grace.
func (f *family) stop(t *core.Turn) {
	r := f.runs[t]
	if r == nil {
		return
	}
	r.cancel()
	r.grace = time.AfterFunc(f.e.o.Bounds.Grace, func() {
		f.send(func() { t.Abandon() })
	})
}

// over ends what belongs to a turn that has ended.
func (f *family) over(t *core.Turn) {
	r := f.runs[t]
	if r == nil {
		return
	}
	if delete(f.runs, t); len(f.runs) == 0 {
		f.runs = nil
	}
	r.cancel()
	if r.grace != nil {
		r.grace.Stop()
	}
}

// serve runs the turn, and says when the agent is gone.
func (r *run) serve() {
	defer r.f.e.work.Done()
	defer r.cancel()
	r.guard(r.turn)
	r.f.do(func() {
		r.t.Returned()
		r.f.e.counts.dropped.Add(r.t.Dropped())
	})
}

// guard keeps a panic of the agent to its turn.
func (r *run) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			err := fmt.Errorf("the agent panicked: %v", v)
			r.f.e.o.Troubled(err, debug.Stack())
			r.f.do(func() { r.t.Fail(err) })
		}
	}()
	f()
}

// turn drives the agent from step to step.
func (r *run) turn() {
	root := r.t.S.Parent() == nil
	h := &history{}
	if root {
		h = r.f.e.histories.take(r.f)
	}
	h.log = r.log
	// The history is given back as soon as the turn is over: the next one may
	// begin before this goroutine ends.
	left := func(next core.Next) {
		if root && next == core.IsOver {
			r.f.e.histories.keep(r.f, h)
		}
	}
	for next := core.AnotherStep; next == core.AnotherStep; {
		s, ok := r.prepare()
		if !ok {
			return
		}
		messages, err := h.read(r.ctx)
		if err != nil && r.ctx.Err() == nil {
			r.f.do(func() { r.t.Fail(fmt.Errorf("the session's history cannot be read: %w", err)) })
			return
		}
		result, err := r.f.e.o.Agent.Step(r.ctx, &agent.Request{
			Session: s, Turn: r.t.N, Step: r.t.StepNumber(), Messages: messages,
		}, r)
		if !r.f.do(func() {
			next, h.said = r.t.Result(result, err), r.t.Said()
			left(next)
		}) {
			return
		}
		for next == core.ACall {
			if next, ok = r.call(left); !ok {
				return
			}
		}
	}
}

// prepare describes the next step's request and begins the step.
func (r *run) prepare() (s agent.Session, ok bool) {
	var origin string
	r.f.do(func() { s, origin = r.t.S.Agent, r.t.S.Origin })
	cwd, err := r.f.cwd(s.Cwd, origin)
	if err == nil && cwd != s.Cwd {
		r.f.do(func() { r.t.S.SetCwd(nil, cwd) })
		s.Cwd = cwd
	}
	var d *agent.Description
	if err == nil {
		d, err = r.f.e.o.Agent.Describe(r.ctx, s)
	}
	if !r.f.do(func() { ok = r.t.Describe(d, err) && r.t.StepStart() }) {
		return s, false
	}
	return s, ok
}

// cwd finds the working directory: one that is gone is reset to the first one.
func (f *family) cwd(cwd, origin string) (string, error) {
	if cwd == "" {
		return "", nil
	}
	if _, err := f.e.o.Dirs.Find(cwd); err == nil {
		return cwd, nil
	}
	if _, err := f.e.o.Dirs.Find(origin); err == nil {
		return origin, nil
	}
	return "", errNoDir(cwd)
}

// call runs the step's next tool call.
func (r *run) call(left func(core.Next)) (next core.Next, ok bool) {
	var c *agent.Call
	if !r.f.do(func() { c = r.t.NextCall() }) || c == nil {
		return core.IsOver, false
	}
	out, err := r.f.e.o.Agent.Tool(r.ctx, c, &host{r: r})
	ok = r.f.do(func() {
		next = r.t.CallDone(out, err)
		left(next)
	})
	return next, ok
}

// The agent.Stream of a step.

func (r *run) Text(delta string) error {
	r.remark.Kind, r.remark.Text = harness.DeltaText, delta
	return r.say()
}

func (r *run) Reasoning(delta string) error {
	r.remark.Kind, r.remark.Text = harness.DeltaReasoning, delta
	return r.say()
}

func (r *run) Call(id harness.ToolCallID, name string) error {
	r.remark = core.Remark{Kind: harness.DeltaToolCall, Begins: true, ID: id, Name: name}
	return r.say()
}

func (r *run) Arguments(delta string) error {
	r.remark.Kind, r.remark.Text = harness.DeltaToolCall, delta
	return r.say()
}

func (r *run) Break() error {
	ok := false
	if !r.f.do(func() { ok = r.t.Break() }) || !ok {
		return agent.ErrSettled
	}
	return nil
}

// Retry waits here, and not in the mailbox.
func (r *run) Retry(ctx context.Context, why agent.Retry) error {
	ok := false
	if !r.f.do(func() { ok = r.t.Retry(why) }) || !ok {
		return agent.ErrSettled
	}
	timer := time.NewTimer(why.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	if !r.f.do(func() { ok = r.t.Again() }) || !ok {
		return agent.ErrSettled
	}
	return nil
}

// say takes the delta in remark and shows it. Then it waits a little for readers that
// are behind and do take: here and not in the mailbox, which must not wait.
func (r *run) say() error {
	r.refused, r.lanes = nil, r.lanes[:0]
	alive := r.f.do(r.take)
	r.remark.Text, r.remark.Begins, r.remark.ID, r.remark.Name = "", false, "", ""
	if !alive {
		r.f.e.counts.dropped.Add(1)
		return agent.ErrSettled
	}
	for _, l := range r.lanes {
		l.Room()
	}
	return r.refused
}

// follow has the agent do what a turn left, after what earlier turns left.
func (f *family) follow(s *core.Session, turn harness.TurnID) {
	follower, ok := f.e.o.Agent.(agent.Follower)
	if !ok {
		return
	}
	if f.follows == nil {
		f.follows = make(map[*core.Session]*following)
	}
	w := f.follows[s]
	if w == nil {
		w = &following{}
		w.ctx, w.cancel = context.WithCancel(context.Background())
		f.follows[s] = w
	}
	before, mine := w.last, make(chan struct{})
	w.last = mine
	as := s.Agent
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		defer close(mine)
		if before != nil {
			<-before
		}
		func() {
			defer func() {
				if v := recover(); v != nil {
					f.e.o.Troubled(fmt.Errorf("the agent panicked after turn %d: %v", turn, v), debug.Stack())
				}
			}()
			follower.AfterTurn(w.ctx, as, turn)
		}()
		f.send(func() {
			s.Followed(turn)
			if w.last == mine {
				w.cancel()
				if delete(f.follows, s); len(f.follows) == 0 {
					f.follows = nil
				}
			}
		})
	}()
}

// following is the after-work of one session.
type following struct {
	ctx    context.Context
	cancel context.CancelFunc
	last   chan struct{}
}
