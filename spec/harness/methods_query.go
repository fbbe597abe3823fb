// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Wait waits until a session is at rest: no turn is open, no prompt waits that
// is not parked, background children and the turns that their notices start are
// over, after-work is joined, nothing abandoned still runs, and every event up
// to the answer's seq was handed to this connection's writer. A receipt's seq,
// given as afterSeq, rules out a rest seen before that prompt. A timeout is an
// answer, not an error. A failed turn is no error either: look at its turn/end.
//
// zh: 等待会话静止：没有未结束的轮次，没有未被搁置的排队提示，后台子会话及其通知引发的轮次均已结束，后续工作已完成，没有仍在运行的被放弃的工作，且直到应答中 seq 的事件都已交给本连接的写入方。将回执的 seq 作为 afterSeq 给出，可排除在该提示之前看到的静止。超时是应答而不是错误；轮次失败同样不是错误，请查看其 turn/end。
var Wait = &spec.Method[WaitParams, WaitResult]{
	Name:     "session/wait",
	From:     spec.Client,
	In:       spec.In(Session, func(p *WaitParams) *SessionID { return &p.SessionID }),
	Needs:    CanWait,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[WaitResult]())),
	Repeats:  spec.ReadOnly[WaitParams](),
	Runs:     spec.Shared,
	Refusals: []spec.Refusal[WaitParams]{{
		Member: func(p *WaitParams) any { return &p.SessionID },
		Text:   "session/wait requires a sessionId string", First: true,
	}},
	Legacy: &spec.Legacy{Bare: true, Texts: []spec.LegacyText{
		{Error: ErrSessionNotFound, Text: "unknown SDK session: {sessionId}"},
	}},
	Fails: spec.Errors(ErrInvalidParams, ErrNotInitialized, ErrUnsupported, ErrSessionNotFound, ErrSessionClosed, ErrSessionFenced, ErrShuttingDown, ErrRequestCancelled, ErrInternal),
	Examples: spec.List(
		spec.Ex("at rest", WaitParams{SessionID: "order-42", AfterSeq: new(int64(0))}, WaitResult{Idle: true, Seq: 13, Queued: 0}),
		spec.Ex("not in time", WaitParams{SessionID: "order-42", TimeoutMS: new(int64(500))},
			WaitResult{Idle: false, Seq: 8, Queued: 0, Running: []Work{{Kind: WorkTurn, ID: "1"}}}),
		spec.Refused("not live", WaitParams{SessionID: "nobody"}, ErrSessionNotFound),
	),
}

// GetStatus tells what a session is doing. It never loads one: an id that is
// only in the store is `stored`.
//
// zh: 返回会话的状态。它从不载入会话：仅在存储中的标识为 `stored`。
var GetStatus = &spec.Method[StatusParams, StatusResult]{
	Name:     "session/status",
	From:     spec.Client,
	In:       spec.In(Session, func(p *StatusParams) *SessionID { return &p.SessionID }),
	Needs:    CanTellStatus,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[StatusResult]())),
	Repeats:  spec.ReadOnly[StatusParams](),
	Runs:     spec.Shared,
	Fails:    spec.Errors(ErrInvalidParams, ErrNotInitialized, ErrUnsupported, ErrSessionNotFound, ErrSessionDamaged, ErrFormatUnsupported, ErrShuttingDown, ErrStoreFailed, ErrRequestCancelled, ErrInternal),
	Since:    "2",
	Examples: spec.List(
		spec.Ex("busy, one prompt behind", StatusParams{SessionID: "order-42"}, StatusResult{
			State: StateRunning, Turn: 2, Queue: []QueuedMessage{{MessageID: "1c3b7c0e-52a8-4f0c-9d4f-0b7b0a5b3c11"}},
			Background: []Work{}, NextSeq: 21,
		}),
		spec.Ex("held by another process", StatusParams{SessionID: "order-43"}, StatusResult{
			State: StateStored, Queue: []QueuedMessage{}, Background: []Work{}, NextSeq: 15, Owner: &Owner{PID: 4711, Host: "build-7"},
		}),
	),
}

// List tells which sessions the store knows, page by page, the last changed
// first. What cannot be read is reported beside them and never fails the list.
//
// zh: 分页列出存储中的会话，最近变更的在前。无法读取的内容一并报告，不会使列举失败。
var List = &spec.Method[ListParams, ListResult]{
	Name:    "session/list",
	From:    spec.Client,
	Needs:   CanList,
	Accepts: spec.Done,
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[ListResult]())),
	Repeats: spec.ReadOnly[ListParams](),
	Runs:    spec.Shared,
	Pages: &spec.Pages[ListParams, ListResult]{
		Cursor: func(p *ListParams) any { return &p.Cursor },
		Next:   func(r *ListResult) any { return &r.NextCursor },
		Items:  func(r *ListResult) any { return &r.Sessions },
	},
	Fails: spec.Errors(ErrInvalidParams, ErrNotInitialized, ErrUnsupported, ErrShuttingDown, ErrStoreFailed, ErrRequestCancelled, ErrInternal),
	Since: "2",
	Examples: spec.List(
		spec.Ex("one page", ListParams{CWD: new("/home/user/ws"), Limit: new(int64(2))}, ListResult{
			Sessions: []SessionInfo{
				{SessionID: "order-42", CWD: "/home/user/ws", Title: "hello", UpdatedAt: new(int64(exampleTime)), State: StateIdle},
				{SessionID: "order-41", CWD: "/home/user/ws", State: StateStored},
			},
			NextCursor: new("order-41"), Skipped: []SkippedLog{},
		}),
		spec.Ex("with a damaged neighbour", ListParams{}, ListResult{
			Sessions: []SessionInfo{},
			Skipped:  []SkippedLog{{Path: "--home-user-ws--/order-40", Reason: "first line is not a session header"}},
		}),
	),
}

// RequestPermission asks the client whether a tool call may run. It is sent
// only to clients that announced the capability; with none, the answer is
// denial. The runtime withdraws it with $/cancel_request when its turn ends,
// when its time is up, or when another client answered; a lost connection
// denies what it was asked.
//
// zh: 询问客户端是否允许执行工具调用。仅发给声明了该能力的客户端；没有这样的客户端时按拒绝处理。轮次结束、期限已到或另一客户端已回答时，运行时以 $/cancel_request 将其撤回；连接断开视为拒绝其所受询问。
var RequestPermission = &spec.Method[RequestPermissionParams, RequestPermissionResult]{
	Name:     "session/request_permission",
	From:     spec.Server,
	In:       spec.In(Session, func(p *RequestPermissionParams) *SessionID { return &p.SessionID }),
	Needs:    AnswersPermissions,
	Accepts:  spec.Done,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[RequestPermissionResult]())),
	Repeats:  spec.Unsafe[RequestPermissionParams](),
	Runs:     spec.Shared,
	AbsentAs: &RequestPermissionResult{Outcome: PermissionOutcome{Cancelled: &PermissionCancelled{}}},
	Fails:    spec.Errors(ErrInvalidParams, ErrUnsupported, ErrRequestCancelled, ErrInternal),
	Since:    "2",
	Examples: spec.List(
		spec.Ex("allowed once", RequestPermissionParams{
			SessionID: "order-42", Turn: 1,
			ToolCall: PermissionToolCall{ToolCallID: "call_1", Title: "bash: rm -r build", Kind: "execute"},
			Options: []PermissionOption{
				{OptionID: "allow", Name: "Allow once", Kind: PermissionAllowOnce},
				{OptionID: "reject", Name: "Reject", Kind: PermissionRejectOnce},
			},
		}, RequestPermissionResult{Outcome: PermissionOutcome{Selected: &PermissionSelected{OptionID: "allow"}}}),
	),
}
