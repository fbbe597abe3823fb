package harness

import (
	"context"
	"iter"

	"github.com/accordkit/accord/runtime/contract/track"
)

var (
	methodInitialize    = track.Method{Name: "initialize", Common: true, Repeats: track.Idempotent}
	methodPrompt        = track.Method{Name: "session/prompt", Common: true, Repeats: track.Keyed}
	methodCancel        = track.Method{Name: "session/cancel", Needs: "session.cancel", Repeats: track.Idempotent}
	methodClose         = track.Method{Name: "session/close", Needs: "session.close", Repeats: track.Idempotent}
	methodLoad          = track.Method{Name: "session/load", Needs: "session.load", Repeats: track.Idempotent}
	methodResume        = track.Method{Name: "session/resume", Needs: "session.resume", Repeats: track.Idempotent}
	methodWait          = track.Method{Name: "session/wait", Needs: "session.wait", Repeats: track.ReadOnly}
	methodStatus        = track.Method{Name: "session/status", Needs: "session.status", Repeats: track.ReadOnly}
	methodList          = track.Method{Name: "session/list", Needs: "session.list", Repeats: track.ReadOnly}
	methodGetWorkingDir = track.Method{Name: "session/working-directory/get", Needs: "session.workingDirectory", Repeats: track.Idempotent}
	methodSetWorkingDir = track.Method{Name: "session/working-directory/set", Needs: "session.workingDirectory", Repeats: track.Idempotent}
	methodShutdown      = track.Method{Name: "shutdown", Common: true, Repeats: track.Idempotent}
)

// Session is the handle of one session on one connection.
type Session struct {
	rt     *Runtime
	id     SessionID
	loaded *LoadResult
}

// ID is the session's id.
func (s *Session) ID() SessionID { return s.id }

// Loaded is what Load or Resume answered; nil of a handle from elsewhere.
func (s *Session) Loaded() *LoadResult { return s.loaded }

// Prompt puts one user message into the session's inbox.
func (s *Session) Prompt(ctx context.Context, content []ContentBlock, more ...PromptParams) (*Turn, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p := track.Optional(more)
	p.SessionID, p.ContentBlocks = s.id, content
	t := &Turn{session: s, Receipt: new(PromptReceipt)}
	err := s.rt.client.Caller.Call(ctx, &methodPrompt, track.Exchange{
		Params: p, Keyed: p.IdempotencyKey != nil, In: scope,
		Read: t.Receipt.DecodeJSON,
		Accept: func() error {
			if r := t.Receipt; r.Settled != nil {
				t.run = scope.Ended(settledBefore(r.Settled))
			} else {
				t.run = scope.Follow(r.MessageID)
			}
			return nil
		},
		Undo: func() { t.undo() },
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Cancel stops the running turn.
func (s *Session) Cancel(ctx context.Context, more ...CancelParams) (*Cancellation, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p := track.Optional(more)
	p.SessionID = s.id
	c := &Cancellation{Result: new(CancelResult)}
	err := s.rt.client.Caller.Call(ctx, &methodCancel, track.Exchange{
		Params: p, In: scope, Read: c.Result.DecodeJSON,
		Accept: func() error {
			switch c.Result.Effect {
			case EffectStopping, EffectAlreadyStopping:
				c.run = scope.Watch(c.Result.Turn)
			default:
				c.run = scope.Ended(nil)
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends the session.
func (s *Session) Close(ctx context.Context, more ...CloseParams) (*CloseResult, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p, r := track.Optional(more), new(CloseResult)
	p.SessionID = s.id
	err := s.rt.client.Caller.Call(ctx, &methodClose, track.Exchange{Params: p, In: scope, Read: r.DecodeJSON})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// WaitIdle waits until nothing runs.
func (s *Session) WaitIdle(ctx context.Context, more ...WaitParams) (*WaitResult, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p, r := track.Optional(more), new(WaitResult)
	p.SessionID = s.id
	err := s.rt.client.Caller.Call(ctx, &methodWait, track.Exchange{Params: p, In: scope, Read: r.DecodeJSON})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Status tells what the session does.
func (s *Session) Status(ctx context.Context) (*StatusResult, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p, r := &StatusParams{SessionID: s.id}, new(StatusResult)
	err := s.rt.client.Caller.Call(ctx, &methodStatus, track.Exchange{Params: p, In: scope, Read: r.DecodeJSON})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// GetWorkingDirectory tells the session's working directory.
func (s *Session) GetWorkingDirectory(ctx context.Context) (*WorkingDirectoryResult, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p, r := &GetWorkingDirectoryParams{SessionID: s.id}, new(WorkingDirectoryResult)
	err := s.rt.client.Caller.Call(ctx, &methodGetWorkingDir, track.Exchange{Params: p, In: scope, Read: r.DecodeJSON})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// SetWorkingDirectory changes the session's working directory.
func (s *Session) SetWorkingDirectory(ctx context.Context, path string) (*WorkingDirectoryResult, error) {
	scope := s.rt.sessions.Enter(s.id)
	defer scope.Arrived()
	p, r := &SetWorkingDirectoryParams{SessionID: s.id, Path: path}, new(WorkingDirectoryResult)
	err := s.rt.client.Caller.Call(ctx, &methodSetWorkingDir, track.Exchange{Params: p, In: scope, Read: r.DecodeJSON})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Load brings a stored session back and replays its events.
func (rt *Runtime) Load(ctx context.Context, id SessionID, replay func(context.Context, *SessionEventParams), more ...LoadParams) (*Session, error) {
	scope := rt.sessions.Enter(id)
	defer scope.Arrived()
	p, s := track.Optional(more), &Session{rt: rt, id: id, loaded: new(LoadResult)}
	p.SessionID = id
	var again *track.Replay
	if replay != nil {
		again = scope.Replay(func(ctx context.Context, it *track.Item) { replay(ctx, it.Note.(*SessionEventParams)) })
	}
	err := rt.client.Caller.Call(ctx, &methodLoad, track.Exchange{
		Params: p, In: scope, Read: s.loaded.DecodeJSON,
		Accept: func() error { return rt.attached(scope, id, s.loaded) },
	})
	if replay != nil {
		if behind := scope.EndReplay(again); err == nil {
			err = behind
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Resume brings a stored session back without its history.
func (rt *Runtime) Resume(ctx context.Context, id SessionID, more ...ResumeParams) (*Session, error) {
	scope := rt.sessions.Enter(id)
	defer scope.Arrived()
	p, s := track.Optional(more), &Session{rt: rt, id: id, loaded: new(LoadResult)}
	p.SessionID = id
	err := rt.client.Caller.Call(ctx, &methodResume, track.Exchange{
		Params: p, In: scope, Read: s.loaded.DecodeJSON,
		Accept: func() error { return rt.attached(scope, id, s.loaded) },
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// List lists stored and live sessions, page after page.
func (rt *Runtime) List(ctx context.Context, more ...ListParams) iter.Seq2[*SessionInfo, error] {
	p := track.Optional(more)
	return track.Pages(func() ([]SessionInfo, bool, error) {
		r := new(ListResult)
		err := rt.client.Caller.Call(ctx, &methodList, track.Exchange{Params: p, Read: r.DecodeJSON})
		p.Cursor = r.NextCursor
		return r.Sessions, r.NextCursor != nil, err
	})
}

// Shutdown closes all sessions and ends the runtime's process.
func (rt *Runtime) Shutdown(ctx context.Context) error {
	return rt.client.Caller.Call(ctx, &methodShutdown, track.Exchange{})
}
