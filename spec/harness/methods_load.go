// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Load resumes a stored session and sends its events again. The replay comes
// before the response, marked and in order, repair and end-seed events
// included, and ends with one session.replayed; live events follow without a
// gap or an overlap. Loading a live session replays its log and continues with
// live events; concurrent loads share one replay. A turn that was open when its
// process died is first ended as interrupted, and nothing is run again.
//
// zh: 恢复已存储的会话并重新发送其事件。重放在应答之前进行，带有标记，按顺序发送，包含修复事件与 end-seed 事件，以一个 session.replayed 结束；随后的实时事件既不间断也不重叠。载入存活会话时，先重放日志，再继续发送实时事件；并发的载入共用一次重放。进程终止时尚未结束的轮次先以 interrupted 结束，不会重新运行任何内容。
var Load = &spec.Method[LoadParams, LoadResult]{
	Name:     "session/load",
	From:     spec.Client,
	In:       spec.In(Session, func(p *LoadParams) *SessionID { return &p.SessionID }),
	Opens:    Session,
	Attaches: Session,
	Needs:    CanLoad,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[LoadResult]())),
	Repeats:  spec.Idempotent[LoadParams](),
	Runs:     spec.Shared,
	Replays: &spec.Replays[LoadParams]{
		Events: NotifyEvent,
		Marker: spec.True(func(p *SessionEventParams) any { return &p.Replay }),
		Cursor: func(p *LoadParams) any { return &p.AfterSeq },
		Ends:   NotifyReplayed,
	},
	After: []spec.Frame{frameReplay, frameReplayed},
	Fails: spec.Errors(append([]spec.AnyError{ErrUnsupported}, openErrors...)...),
	Since: "2",
	Examples: spec.List(
		spec.Ex("the whole log", LoadParams{SessionID: "order-42"}, exampleLoaded),
		spec.Ex("what came after seq 9", LoadParams{SessionID: "order-42", AfterSeq: new(int64(9))}, exampleLoaded),
		spec.Refused("another process has it", LoadParams{SessionID: "order-42"}, ErrSessionLocked),
		spec.Refused("another directory", LoadParams{SessionID: "order-42", CWD: new("/elsewhere")}, ErrSessionMismatch),
	),
}

var exampleLoaded = LoadResult{
	SessionID: "order-42", NextSeq: 15, LastTurn: 1, PendingMessageIDs: []MessageID{}, State: StateIdle, CWD: "/home/user/ws",
}

// openErrors are the ways in which a stored session cannot be opened. None of
// them creates anything.
var openErrors = []spec.AnyError{
	ErrInvalidParams, ErrNotInitialized, ErrSessionNotFound, ErrSessionExists, ErrSessionClosed, ErrSessionMismatch,
	ErrSessionLocked, ErrSessionFenced, ErrSessionDamaged, ErrFormatUnsupported, ErrShuttingDown, ErrStoreFailed,
	ErrRequestCancelled, ErrInternal,
}

// Resume makes a stored session live without sending its events again. Prompts
// that were accepted but never started stay in the inbox and run before the
// next one. Resuming a session that is live in this process succeeds; peers
// that did not negotiate get an error for it, and an empty result otherwise.
//
// zh: 恢复已存储的会话但不重新发送其事件。已受理但从未开始的提示留在收件箱中，先于下一条提示运行。恢复在本进程中已存活的会话也会成功；没有协商过的对端在这种情况下得到错误，其他情况下得到空结果。
var Resume = &spec.Method[ResumeParams, LoadResult]{
	Name:     "session/resume",
	From:     spec.Client,
	In:       spec.In(Session, func(p *ResumeParams) *SessionID { return &p.SessionID }),
	Opens:    Session,
	Attaches: Session,
	Needs:    CanResume,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[LoadResult]())),
	Repeats:  spec.Idempotent[ResumeParams](),
	Runs:     spec.Shared,
	Refusals: []spec.Refusal[ResumeParams]{{
		Member: func(p *ResumeParams) any { return &p.SessionID },
		Text:   "session/resume requires a non-empty sessionId string", First: true, Empty: true,
	}},
	Legacy: &spec.Legacy{Bare: true, Texts: []spec.LegacyText{
		{Error: ErrSessionExists, Text: "SDK session is already open or opening: {sessionId}"},
	}},
	Fails: spec.Errors(append([]spec.AnyError{ErrUnsupported}, openErrors...)...),
	Examples: spec.List(
		spec.Ex("in a new process", ResumeParams{SessionID: "order-42"}, exampleLoaded),
		spec.Refused("unknown", ResumeParams{SessionID: "nobody"}, ErrSessionNotFound),
	),
}

// GetWorkingDirectory returns a session's working directory. It creates an
// unknown session and resumes a stored one, as a prompt does; a directory that
// no longer exists is first reset to the session's initial one.
//
// zh: 返回会话的工作目录。与提示一样，未知的会话会新建，已存储的会恢复；目录已不存在时，先重置为会话最初的目录。
var GetWorkingDirectory = &spec.Method[GetWorkingDirectoryParams, WorkingDirectoryResult]{
	Name:     "session/working-directory/get",
	From:     spec.Client,
	In:       spec.In(Session, func(p *GetWorkingDirectoryParams) *SessionID { return &p.SessionID }),
	Opens:    Session,
	Attaches: Session,
	Needs:    CanSetWorkingDirectory,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[WorkingDirectoryResult]())),
	Repeats:  spec.Idempotent[GetWorkingDirectoryParams](),
	Runs:     spec.Serial,
	Refusals: []spec.Refusal[GetWorkingDirectoryParams]{{
		Member: func(p *GetWorkingDirectoryParams) any { return &p.SessionID },
		Text:   "working-directory requests require a non-empty sessionId", First: true, Empty: true,
	}},
	Fails: spec.Errors(append([]spec.AnyError{ErrUnsupported}, openErrors...)...),
	Examples: spec.List(spec.Ex("where", GetWorkingDirectoryParams{SessionID: "order-42"},
		WorkingDirectoryResult{CWD: "/home/user/ws"})),
}

// SetWorkingDirectory changes a session's working directory, relative to the
// current one. A change is recorded as an event, and as a notice for the model
// that the next step takes; setting the same directory has no effect.
//
// zh: 更改会话的工作目录，相对于当前目录。更改会产生一个事件以及供模型在下一步取用的通知；设为同一目录则没有任何效果。
var SetWorkingDirectory = &spec.Method[SetWorkingDirectoryParams, WorkingDirectoryResult]{
	Name:     "session/working-directory/set",
	From:     spec.Client,
	In:       spec.In(Session, func(p *SetWorkingDirectoryParams) *SessionID { return &p.SessionID }),
	Opens:    Session,
	Attaches: Session,
	Needs:    CanSetWorkingDirectory,
	Accepts:  spec.Durable,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[WorkingDirectoryResult]())),
	Repeats:  spec.Idempotent[SetWorkingDirectoryParams](),
	Runs:     spec.Serial,
	After:    []spec.Frame{frameWorkingDirectory, frameInserted},
	Refusals: []spec.Refusal[SetWorkingDirectoryParams]{
		{
			Member: func(p *SetWorkingDirectoryParams) any { return &p.SessionID },
			Text:   "working-directory requests require a non-empty sessionId", First: true, Empty: true,
		},
		{
			Member: func(p *SetWorkingDirectoryParams) any { return &p.Path },
			Text:   "working-directory set requires a path string", Blank: "working-directory: cd must not be empty", First: true, Empty: true,
		},
	},
	Legacy: &spec.Legacy{Texts: []spec.LegacyText{
		{Error: ErrInvalidParams, Text: `working-directory: directory does not exist: "{path}"`},
	}},
	Fails: spec.Errors(append([]spec.AnyError{ErrUnsupported}, openErrors...)...),
	Examples: spec.List(spec.Ex("below", SetWorkingDirectoryParams{SessionID: "order-42", Path: "sub"},
		WorkingDirectoryResult{CWD: "/home/user/ws/sub"})),
}
