// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// end takes the family out of the engine and notifies its subscribers that it is
// closed, or that it was lost.
func (f *family) end(lost *harness.SessionLost) {
	f.e.remove(f)
	for _, r := range f.runs {
		r.cancel()
		if r.grace != nil {
			r.grace.Stop()
		}
	}
	for s, end := range f.ends {
		end <- agent.ChildEnd{ID: s.Agent.ID, Reason: &harness.EndAborted{Reason: &harness.CauseDisposed{}}}
	}
	for _, w := range f.asks {
		w.end()
	}
	f.endFollows()
	f.runs, f.ends, f.asks = nil, nil, nil
	c := f.close
	if c == nil {
		c = &closing{f: f}
		c.result.Unfinished = []harness.CloseStep{harness.CloseFlush}
	}
	if lost == nil {
		c.notify(f.subs)
	} else {
		note := frameOf(harness.NotificationSessionLost, lost)
		for _, s := range f.subs {
			if s.c.negotiated() {
				s.lane.Frame(note)
			}
		}
		_, callers, _ := c.settle(harness.CloseFlush)
		for _, t := range callers {
			f.answer(t, nil, f.lost)
		}
	}
	for _, s := range f.subs {
		s.c.left(f)
		s.lane.Close()
	}
	f.subs = nil
	for _, k := range f.checks {
		close(k.done)
	}
	f.checks = nil
	f.e.histories.keep(f, nil)
	waiting, _ := f.box.kill(true)
	for _, c := range waiting {
		c.gone()
	}
}

// abort ends a family whose log was lost: it can do no more work.
func (f *family) abort(err error) {
	root := f.core.Root
	refusal := func(harness.SessionID) error { return err }
	f.refuseWaits(refusal)
	root.Refuse(false, err)
	root.RefusePending(err)
	f.dropAnswers(err)
	logs := map[harness.SessionID]store.Log{f.id: f.log}
	for s, l := range f.logs {
		logs[s.Agent.ID] = l
	}
	f.logs = nil
	var lost *harness.SessionLost
	if fenced := (*harness.SessionFencedError)(nil); errors.As(err, &fenced) {
		lost = &harness.SessionLost{SessionID: f.id, Reason: harness.LostMoved}
	}
	f.end(lost)
	f.e.work.Add(1)
	go func() {
		defer f.e.work.Done()
		for id, l := range logs {
			f.e.release(id, l)
		}
	}()
}

// dropAnswers refuses what the state still holds for later.
func (f *family) dropAnswers(err error) {
	for _, o := range f.core.Take() {
		if a, ok := o.(*core.Answer); ok {
			f.answer(a.To.(*ticket), nil, err)
		}
	}
	f.core.Done()
}
