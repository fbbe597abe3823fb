// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// family is a root session and its live descendants, with all that belongs to
// them in addition to the pure state: logs, subscribers, agents at work.
type family struct {
	e   *Engine
	id  harness.SessionID
	box mailbox

	// state is the root's, as an index of states, for listings: they must not
	// wait for a mailbox whose store is slow.
	state atomic.Int32

	adopted map[harness.SessionID]struct{} // ids of live children; guarded by the engine's mu

	// What follows is the mailbox's: only commands touch it.
	core    *core.Family // nil: the session is not open
	log     store.Log    // the root's
	child   string       // id of the root's parent, which has long ended; empty: none
	logs    map[*core.Session]store.Log
	subs    []*subscription
	runs    map[*core.Turn]*run
	asks    map[*core.Ask]*asking
	ends    map[*core.Session]chan agent.ChildEnd
	waits   map[*core.Session]*waits
	checks  []*check
	follows map[*core.Session]*following
	places  *journal // nil: the root alone, and a place is a seq
	close   *closing
	pending int // requests that read the store
	lost    error
	drainer func() // drain, made once
}

// states are what a session may be doing; the first is that of one that is not
// open.
var states = [...]harness.State{
	harness.StateStored, harness.StateIdle, harness.StateRunning, harness.StateRequiresAction, harness.StateStopping, harness.StateClosing,
}

func newFamily(e *Engine, id harness.SessionID) *family {
	f := &family{e: e, id: id}
	f.drainer = f.drain
	return f
}

// start starts a goroutine that runs commands. The caller owns the mailbox's
// right to run them, and gives it away.
func (f *family) start() {
	f.e.work.Add(1)
	go f.drainer()
}

// send makes a change in the order of the mailbox. It does not wait for it.
func (f *family) send(c change) {
	if _, start, _ := f.box.put(c, 0); start {
		f.start()
	}
}

// do makes a change and returns when it was made and committed. It returns
// false if the family has ended, and the change is never made. A command must
// not call it.
func (f *family) do(c change) bool {
	claimed, dead := f.box.claim()
	switch {
	case dead:
		return false
	case claimed:
		c()
		f.commit()
		if f.box.release() {
			f.start()
		}
		return true
	}
	a := &awaited{change: c, done: make(chan bool, 1)}
	taken, start, _ := f.box.put(a, 0)
	if start {
		f.start()
	}
	return taken && <-a.done
}

// now runs a request that needs neither the store nor an agent on the calling
// goroutine, if no command runs or waits. What the request decided may need
// them: then a goroutine commits it. now reports whether it ran the request.
func (f *family) now(r request) bool {
	if claimed, _ := f.box.claim(); !claimed {
		return false
	}
	r.run(f)
	if f.core != nil && !core.OnlyAnswers(f.core.Take()) {
		f.start()
		return true
	}
	f.commit()
	if f.box.release() {
		f.start()
	}
	return true
}

// drain commits what was decided and runs commands until none is left.
func (f *family) drain() {
	defer f.e.work.Done()
	if f.core != nil {
		f.commit()
	}
	for c := f.box.next(); c != nil; c = f.box.next() {
		c.run(f)
		f.commit()
		if a, ok := c.(*awaited); ok {
			a.done <- true
		}
	}
}

// commit makes what a command decided happen: it stores all of it, then
// publishes it in order.
func (f *family) commit() {
	for f.core != nil {
		outs := f.core.Take()
		if len(outs) == 0 {
			break
		}
		f.showState()
		var err error
		for s, records := range f.records(outs) {
			log := f.logOf(s)
			if log == nil {
				err = errors.New("the session's log is closed")
				break
			}
			ctx, cancel := f.e.storeContext()
			err = log.Append(ctx, records[0].Seq-1, records...)
			if cancel(); err != nil {
				break
			}
		}
		if err != nil {
			f.fail(outs, err)
			break
		}
		for _, o := range outs {
			f.perform(o)
		}
		f.core.Done()
	}
	f.look()
	if f.core == nil && f.close == nil {
		// Nothing was opened: the id must not stay taken.
		f.e.mu.Lock()
		if _, ended := f.box.kill(false); ended && f.e.families[f.id] == f {
			delete(f.e.families, f.id)
		}
		f.e.mu.Unlock()
	}
}

// showState shows the root's state to listings.
func (f *family) showState() {
	f.state.Store(int32(slices.Index(states[:], f.core.Root.State())))
}

// records yields the rows of a round as their logs store them: neighbours of one
// session together. The slice is valid until the next iteration.
func (f *family) records(outs []core.Out) iter.Seq2[*core.Session, []store.Record] {
	return func(yield func(*core.Session, []store.Record) bool) {
		var of *core.Session
		var records []store.Record
		for _, o := range outs {
			r, ok := o.(*core.Row)
			if !ok {
				continue
			}
			if r.S != of && len(records) > 0 {
				if !yield(of, records) {
					return
				}
				records = records[:0]
			}
			of = r.S
			records = append(records, store.Record{Seq: r.Seq, Data: f.core.Data(r)})
		}
		if len(records) > 0 {
			yield(of, records)
		}
	}
}

// storeContext bounds one call of the store.
func (e *Engine) storeContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), e.o.Bounds.Store)
}

func (f *family) logOf(s *core.Session) store.Log {
	if s == f.core.Root {
		return f.log
	}
	return f.logs[s]
}

// perform does one output.
func (f *family) perform(o core.Out) {
	switch o := o.(type) {
	case *core.Row:
		f.publishRow(o)
	case *core.Status:
		f.publishStatus(o.S.Agent.ID, o.Was, o.Status)
	case *core.Started:
		f.publish(harness.NotificationSubagentStarted, &o.SubagentStarted)
	case *core.Finished:
		f.publish(harness.NotificationSubagentFinished, &o.SubagentFinished)
	case *core.Answer:
		f.answer(o.To.(*ticket), o.Result, o.Err)
	case *core.Lookup:
		f.lookup(o)
	case *core.Run:
		f.run(o.T)
	case *core.Stop:
		f.stop(o.T)
	case *core.Over:
		f.over(o.T)
		if o.Abandoned {
			f.e.counts.abandoned.Add(1)
		}
	case *core.Follow:
		f.follow(o.S, o.Turn)
	case *core.Question:
		f.question(o.A)
	case *core.Decided:
		f.decided(o.A)
	case *core.Settled:
		f.settled(o.S)
	}
}

// answer answers a request, in the order of what its connection gets from the
// family (rule E5).
func (f *family) answer(t *ticket, result codec.Appender, err error) {
	if s := f.subscriptionOf(t.c); s != nil {
		t.via(s.lane)
	}
	if err != nil {
		t.fail(err)
		return
	}
	t.reply(result)
}

// fail ends a family whose log cannot be written: what was decided did not
// happen. Its agents are stopped, its requests refused, its subscribers notified.
func (f *family) fail(outs []core.Out, err error) {
	f.lost = storeError(f.id, err)
	f.e.counts.lost.Add(1)
	for _, o := range outs {
		if a, ok := o.(*core.Answer); ok {
			f.answer(a.To.(*ticket), nil, f.lost)
		}
	}
	f.core.Done()
	f.abort(f.lost)
}
