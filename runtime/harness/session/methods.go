// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
)

// server is a client's methods as the generated dispatch calls them: on the
// reading goroutine, in the order of the wire.
type server struct{ c *client }

// opened runs a request on a session that is opened for it, if it is not live.
// fresh reports whether it was.
func (c *client) opened(t *ticket, o opening, run func(f *family, s *core.Session, fresh bool)) {
	if !c.admits(t) {
		return
	}
	t.create = true
	t.work = func(f *family) {
		fresh := f.core == nil
		if f.opens(t, o) {
			run(f, f.core.Root, fresh)
		}
	}
	c.e.post(t)
}

// admits refuses a request that came after the runtime began to shut down, and
// reports whether it did not.
func (c *client) admits(t *ticket) bool {
	if c.e.isDown() {
		t.fail(errShuttingDown())
		return false
	}
	return true
}

// opens brings the session to life for a request, if it is not alive. It answers
// the request and returns false if the session cannot serve it.
func (f *family) opens(t *ticket, o opening) bool {
	if f.id != t.id {
		t.fail(errOwned(t.id)) // a child: its parent's session owns it
		return false
	}
	if err := f.open(o); err != nil {
		t.fail(err)
		return false
	}
	if f.close != nil {
		f.answer(t, nil, f.refusal())
		return false
	}
	return true
}

// refusal returns why a family that closes takes no command.
func (f *family) refusal() error {
	if f.close.down {
		return errShuttingDown()
	}
	return errClosing(f.id)
}

// session returns a live session of the family, nil if there is none with the
// id. f may be nil.
func (f *family) session(id harness.SessionID) *core.Session {
	if f == nil || f.core == nil {
		return nil
	}
	return f.core.Session(id)
}

// cancelling is a session/cancel.
type cancelling struct {
	typed[*harness.CancelResult, harnessserver.Call[*harness.CancelResult]]
	core.Cancel
}

// SessionCancel implements harnessserver.Server.
func (s server) SessionCancel(call harnessserver.Call[*harness.CancelResult], p *harness.CancelParams) {
	w := new(cancelling)
	w.init(s.c, call.Request, p.SessionID, call)
	w.quick = true
	w.To, w.Queue = &w.ticket, p.Queue
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
	s.c.e.post(w)
}

func (w *cancelling) gone() { w.c.e.post(w) }

func (w *cancelling) run(f *family) {
	if !w.begins() {
		return
	}
	s := f.session(w.id)
	if s == nil {
		w.ticket.reply(&harness.CancelResult{Effect: harness.EffectUnknown, Withdrawn: []harness.MessageID{}})
		return
	}
	s.Cancel(&w.Cancel)
	if w.Settled {
		w.onCancel(func() { f.send(func() { s.AcceptedOnly(&w.ticket) }) })
	}
}

// SessionClose implements harnessserver.Server.
func (s server) SessionClose(call harnessserver.Call[*harness.CloseResult], p *harness.CloseParams) {
	t := newTicket(s.c, call.Request, p.SessionID, call)
	settled, active := p.WaitFor != harness.WaitForAccepted, p.OnActive
	t.work = func(f *family) {
		switch {
		case f == nil || f.core == nil:
			t.reply(&harness.CloseResult{})
			return
		case f.id != t.id:
			t.fail(&harness.SessionBusyError{Message: fmt.Sprintf("session %q belongs to its parent, which closes it", t.id), SessionID: t.id})
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
			t.reply(&harness.CloseResult{})
			return
		}
		t.onCancel(func() {
			if closing.forget(t) {
				t.reply(&harness.CloseResult{Closed: true})
			}
		})
	}
	s.c.e.post(t)
}

// SessionLoad implements harnessserver.Server.
func (s server) SessionLoad(call harnessserver.Call[*harness.LoadResult], p *harness.LoadParams) {
	c, t := s.c, newTicket(s.c, call.Request, p.SessionID, call)
	after, cwd := int64(-1), p.CWD
	if p.AfterSeq != nil {
		after = *p.AfterSeq
	}
	c.opened(t, c.opening(true, false), func(f *family, s *core.Session, _ bool) {
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

// SessionResume implements harnessserver.Server.
func (s server) SessionResume(call harnessserver.Call[*harness.LoadResult], p *harness.ResumeParams) {
	c, t, cwd := s.c, newTicket(s.c, call.Request, p.SessionID, call), p.CWD
	c.opened(t, c.opening(true, false), func(f *family, s *core.Session, fresh bool) {
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

// SessionWait implements harnessserver.Server.
func (s server) SessionWait(call harnessserver.Call[*harness.WaitResult], p *harness.WaitParams) {
	t := newTicket(s.c, call.Request, p.SessionID, call)
	if !s.c.admits(t) {
		return
	}
	after, timeout := int64(-1), p.TimeoutMS
	if p.AfterSeq != nil {
		after = *p.AfterSeq
	}
	t.quick = true
	t.work = func(f *family) {
		s := f.session(t.id)
		switch {
		case s == nil:
			t.fail(errNotFound(t.id))
		case f.close != nil:
			f.answer(t, nil, f.refusal())
		default:
			f.await(t, s, after, timeout)
		}
	}
	s.c.e.post(t)
}

// SessionStatus implements harnessserver.Server.
func (s server) SessionStatus(call harnessserver.Call[*harness.StatusResult], p *harness.StatusParams) {
	t := newTicket(s.c, call.Request, p.SessionID, call)
	t.quick = true
	t.work = func(f *family) {
		if s := f.session(t.id); s != nil {
			f.answer(t, s.Status(), nil)
			return
		}
		t.read(func(ctx context.Context) (codec.Appender, error) {
			info, err := t.c.e.o.Store.Stat(ctx, string(t.id))
			if err != nil {
				return nil, storeError(t.id, err)
			}
			return &harness.StatusResult{
				State: harness.StateStored, Queue: []harness.QueuedMessage{}, Background: []harness.Work{},
				NextSeq: info.Next, Owner: owner(info.Owner),
			}, nil
		})
	}
	s.c.e.post(t)
}

// SessionWorkingDirectoryGet implements harnessserver.Server.
func (s server) SessionWorkingDirectoryGet(call harnessserver.Call[*harness.WorkingDirectoryResult], p *harness.GetWorkingDirectoryParams) {
	c, t := s.c, newTicket(s.c, call.Request, p.SessionID, call)
	c.opened(t, c.opening(true, true), func(f *family, s *core.Session, _ bool) {
		f.attach(c)
		cwd, err := f.cwd(s.Agent.Cwd, s.Origin)
		if err != nil {
			f.answer(t, nil, &harness.InvalidParamsError{Message: err.Error(), Legacy: err.Error(), SessionID: f.id})
			return
		}
		s.SetCwd(t, cwd)
	})
}

// SessionWorkingDirectorySet implements harnessserver.Server.
func (s server) SessionWorkingDirectorySet(call harnessserver.Call[*harness.WorkingDirectoryResult], p *harness.SetWorkingDirectoryParams) {
	c, t, path := s.c, newTicket(s.c, call.Request, p.SessionID, call), p.Path
	c.opened(t, c.opening(true, true), func(f *family, s *core.Session, _ bool) {
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
