// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Wait waits until a session is idle: no turn is open, no prompt waits except
// parked ones, background children and the turns that their notices start have
// ended, after-work is done, no abandoned work still runs, and every event up
// to the result's seq was handed to this connection's writer. A receipt's seq,
// given as afterSeq, rules out an idle state from before that prompt. A timeout
// is a result, not an error. A failed turn is not an error either: see its
// turn/end.
//
// zh: 等待会话空闲：没有未结束的轮次，除被搁置的之外没有排队的提示，后台子会话及其通知引发的轮次均已结束，后续工作已完成，被放弃的工作都已返回，且直到结果中 seq 的事件都已交给本连接的写入方。把回执的 seq 作为 afterSeq 传入，可以排除该提示之前的空闲状态。超时是结果，不是错误；轮次失败同样不是错误，请查看其 turn/end。
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

// GetStatus returns what a session is doing. It never loads one: a session that
// is only in the store is `stored`.
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

// List returns the sessions of the store, page by page, the last changed first.
// What cannot be read is reported separately and never fails the list.
//
// zh: 分页列出存储中的会话，最近变更的在前。无法读取的内容另行报告，不会导致列举失败。
var List = &spec.Method[ListParams, ListResult]{
	Name:     "session/list",
	From:     spec.Client,
	Needs:    CanList,
	Accepts:  spec.Done,
	Deferred: true,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[ListResult]())),
	Repeats:  spec.ReadOnly[ListParams](),
	Runs:     spec.Shared,
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
// only to clients that announced the capability; without any, the permission is
// denied. The runtime withdraws it with $/cancel_request when its turn ends,
// when its time is up, or when another client has answered; a lost connection
// counts as a denial.
//
// zh: 询问客户端是否允许执行工具调用。只发给声明了该能力的客户端；没有这样的客户端时，按拒绝处理。轮次结束、期限已到或另一个客户端已应答时，运行时以 $/cancel_request 撤回请求；连接断开视为拒绝。
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
