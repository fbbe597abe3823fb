// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
)

// on has a request do its work on a session's family. A client may give the
// request up until then.
func (c *client) on(id harness.SessionID, t *ticket, create bool, w work) {
	t.id, t.create, t.work = id, create, w
	t.abandonable()
	c.e.post(t)
}

// opened runs a command on a session that is brought to life for it. fresh
// says that it just was.
func (c *client) opened(id harness.SessionID, t *ticket, o opening, run func(f *family, s *core.Session, fresh bool)) {
	if c.e.isDown() {
		t.fail(errShuttingDown())
		return
	}
	c.on(id, t, true, &errand{func(f *family) {
		if f.id != id {
			t.fail(errOwned(id)) // a child: its parent's session owns it
			return
		}
		fresh := f.core == nil
		if err := f.open(o); err != nil {
			t.fail(err)
			return
		}
		if f.close != nil {
			f.answer(t, nil, f.refusal())
			return
		}
		run(f, f.core.Root, fresh)
	}, func() { t.fail(errClosing(id)) }})
}

// refusal is why a family that closes takes no command.
func (f *family) refusal() error {
	if f.close.down {
		return errShuttingDown()
	}
	return errClosing(f.id)
}

// prompt is session/prompt.
func (c *client) prompt(t *ticket, p *harness.PromptParams) {
	if err := checkContent(p.ContentBlocks); err != nil {
		t.fail(err)
		return
	}
	if longest := c.e.o.longest(); t.req != nil && len(t.req.Raw) > longest {
		t.fail(errTooLong(longest))
		return
	}
	prompt := &core.Prompt{
		To: t, Steer: p.Delivery == harness.DeliverySteer, Client: c,
		Hold: !c.negotiated() && !c.e.o.TakeAll && p.Delivery != harness.DeliverySteer,
	}
	if p.IdempotencyKey != nil {
		prompt.Key, prompt.Fingerprint = *p.IdempotencyKey, fingerprint(p.ContentBlocks)
	}
	blocks := p.ContentBlocks
	o := c.opening(p.IfStored != harness.IfStoredFail, p.IfMissing != harness.IfMissingFail)
	c.opened(p.SessionID, t, o, func(f *family, s *core.Session, _ bool) {
		content, err := stored(blocks, f.e.keepImage)
		if err != nil {
			f.answer(t, nil, storeError(f.id, err))
			return
		}
		prompt.Content = content
		f.attach(c)
		s.Prompt(prompt)
		if s.Held(prompt) {
			t.onCancel(func(err error) {
				f.send(func() {
					if s.Forget(prompt) {
						f.answer(t, nil, err)
					}
				})
			})
		}
	})
}

// cancel is session/cancel.
func (c *client) cancel(t *ticket, p *harness.CancelParams) {
	w := &cancelling{}
	w.To, w.Queue = t, p.Queue
	w.Background, w.Settled = p.Background == harness.BackgroundCancel, p.WaitFor == harness.WaitForSettled
	if p.MessageID != nil {
		w.HasMessage, w.Message = true, *p.MessageID
	}
	if p.IdempotencyKey != nil {
		w.HasKey, w.Key = true, *p.IdempotencyKey
	}
	if p.Turn != nil {
		w.HasTurn, w.Turn = true, *p.Turn
	}
	c.on(p.SessionID, t, false, w)
}

// cancelling is the work of session/cancel.
type cancelling struct{ core.Cancel }

func (w *cancelling) on(f *family, t *ticket) {
	s := f.session(t.id)
	if s == nil {
		w.absent(t)
		return
	}
	s.Cancel(&w.Cancel)
	if w.Settled {
		t.onCancel(func(error) { f.send(func() { s.AcceptedOnly(t) }) })
	}
}

func (w *cancelling) absent(t *ticket) {
	t.reply(&harness.CancelResult{Effect: harness.EffectUnknown, Withdrawn: []harness.MessageID{}})
}

// session is a live session of the family, nil if there is none with the id.
func (f *family) session(id harness.SessionID) *core.Session {
	if f.core == nil {
		return nil
	}
	return f.core.Session(id)
}

// closeSession is session/close.
func (c *client) closeSession(t *ticket, p *harness.CloseParams) {
	id, settled, active := p.SessionID, p.WaitFor != harness.WaitForAccepted, p.OnActive
	closed := func() { t.reply(&harness.CloseResult{}) }
	c.on(id, t, false, &errand{func(f *family) {
		switch {
		case f.core == nil:
			closed()
			return
		case f.id != id:
			t.fail(&harness.SessionBusyError{Message: fmt.Sprintf("session %q belongs to its parent, which closes it", id), SessionID: id})
			return
		}
		root := f.core.Root
		if f.close == nil && active == harness.OnActiveReject && root.Busy() {
			f.answer(t, nil, root.BusyError())
			return
		}
		closing := f.beginClose(false, active == harness.OnActiveDrain, f.e.o.Bounds.Close)
		if !settled {
			f.answer(t, &harness.CloseResult{Closed: true}, nil)
			return
		}
		if !closing.join(t) {
			closed()
			return
		}
		t.onCancel(func(error) {
			if closing.forget(t) {
				t.reply(&harness.CloseResult{Closed: true})
			}
		})
	}, closed})
}

// load is session/load.
func (c *client) load(t *ticket, p *harness.LoadParams) {
	after := int64(-1)
	if p.AfterSeq != nil {
		after = *p.AfterSeq
	}
	cwd := p.CWD
	c.opened(p.SessionID, t, c.opening(true, false), func(f *family, s *core.Session, _ bool) {
		if err := f.matches(s, cwd); err != nil {
			f.answer(t, nil, err)
			return
		}
		sub := f.attach(c)
		if sub != nil && !sub.replays(after) {
			sub.loading = after
			sub.lane.Replay(&replay{f: f, id: f.id, log: f.log, turns: s.Turns()}, after+1, s.Next()-1)
			sub.lane.Frame(frameOf(harness.NotificationSessionReplayed, &harness.SessionReplayed{SessionID: f.id, NextSeq: s.Next()}))
		}
		f.answer(t, s.Loaded(), nil)
	})
}

// resume is session/resume.
func (c *client) resume(t *ticket, p *harness.ResumeParams) {
	cwd := p.CWD
	c.opened(p.SessionID, t, c.opening(true, false), func(f *family, s *core.Session, fresh bool) {
		if !c.negotiated() && !fresh {
			f.answer(t, nil, errExists(f.id))
			return
		}
		if err := f.matches(s, cwd); err != nil {
			f.answer(t, nil, err)
			return
		}
		if f.attach(c) != nil && fresh && f.child != "" {
			f.publish(harness.NotificationSubagentStarted, &harness.SubagentStarted{ParentSessionID: harness.SessionID(f.child), ChildSessionID: f.id})
		}
		f.answer(t, s.Loaded(), nil)
	})
}

// matches compares the directory that a caller expects with the session's.
func (f *family) matches(s *core.Session, cwd *string) error {
	if cwd == nil || *cwd == s.Agent.Cwd || *cwd == s.Origin {
		return nil
	}
	if abs, err := filepath.Abs(*cwd); err == nil && (abs == s.Agent.Cwd || abs == s.Origin) {
		return nil
	}
	return &harness.SessionMismatchError{
		Message:   fmt.Sprintf("session %q has another working directory", f.id),
		SessionID: f.id, CWD: s.Agent.Cwd,
	}
}

// wait is session/wait.
func (c *client) wait(t *ticket, p *harness.WaitParams) {
	if c.e.isDown() {
		t.fail(errShuttingDown())
		return
	}
	id, after, timeout := p.SessionID, int64(-1), p.TimeoutMS
	if p.AfterSeq != nil {
		after = *p.AfterSeq
	}
	missing := func() { t.fail(errNotFound(id)) }
	c.on(id, t, false, &errand{func(f *family) {
		s := f.session(id)
		switch {
		case s == nil:
			missing()
		case f.close != nil:
			f.answer(t, nil, f.refusal())
		default:
			f.await(t, s, after, timeout)
		}
	}, missing})
}

// status is session/status.
func (c *client) status(t *ticket, p *harness.StatusParams) { c.on(p.SessionID, t, false, looking{}) }

// looking is the work of session/status.
type looking struct{}

func (w looking) on(f *family, t *ticket) {
	if s := f.session(t.id); s != nil {
		f.answer(t, s.Status(), nil)
		return
	}
	w.absent(t)
}

func (looking) absent(t *ticket) {
	t.req.Go(func(ctx context.Context) {
		info, err := t.c.e.o.Store.Stat(ctx, string(t.id))
		if err != nil {
			t.fail(storeError(t.id, err))
			return
		}
		t.reply(&harness.StatusResult{
			State: harness.StateStored, Queue: []harness.QueuedMessage{}, Background: []harness.Work{},
			NextSeq: info.Next, Owner: owner(info.Owner),
		})
	})
}

// getCwd is session/working-directory/get.
func (c *client) getCwd(t *ticket, p *harness.GetWorkingDirectoryParams) {
	c.opened(p.SessionID, t, c.opening(true, true), func(f *family, s *core.Session, _ bool) {
		f.attach(c)
		cwd, err := f.cwd(s.Agent.Cwd, s.Origin)
		if err != nil {
			f.answer(t, nil, &harness.InvalidParamsError{Message: err.Error(), Legacy: err.Error(), SessionID: f.id})
			return
		}
		s.SetCwd(t, cwd)
	})
}

// setCwd is session/working-directory/set.
func (c *client) setCwd(t *ticket, p *harness.SetWorkingDirectoryParams) {
	path := p.Path
	c.opened(p.SessionID, t, c.opening(true, true), func(f *family, s *core.Session, _ bool) {
		f.attach(c)
		full := path
		if !filepath.IsAbs(full) {
			full = filepath.Join(s.Agent.Cwd, full)
		}
		dir, err := f.e.o.Dirs.Find(full)
		if err != nil {
			f.answer(t, nil, &harness.InvalidParamsError{
				Message: fmt.Sprintf("there is no directory %q", path), Legacy: errNoDir(path).Error(),
				SessionID: f.id, Path: "path",
			})
			return
		}
		s.SetCwd(t, dir)
	})
}
