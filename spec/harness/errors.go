// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// ErrParse reports a line that is not JSON. Peers that did not negotiate get no
// answer to such a line.
//
// zh: 收到的行不是 JSON。没有协商过的对端不会收到应答。
var ErrParse = &spec.Error[spec.None]{Kind: "parse-error", Code: -32700, Retry: spec.Never, Fault: spec.ParseFault}

// ErrInvalidRequest reports JSON that is not a request: a batch, an id of a
// wrong kind, a duplicate key. The id of the response is null unless the
// request's was read.
//
// zh: 收到的 JSON 不是请求：批量请求、种类不对的 id、重复的键。读不到请求的 id 时，应答的 id 为 null。
var ErrInvalidRequest = &spec.Error[spec.None]{Kind: "invalid-request", Code: -32600, Retry: spec.Never, Fault: spec.RequestFault}

// ErrInvalidParams reports params of a wrong shape or value, or targets of a
// cancel that disagree. Nothing was changed.
//
// zh: 参数的形状或取值有误，或取消的目标互相矛盾。未作任何改变。
var ErrInvalidParams = &spec.Error[InvalidParamsData]{Kind: "invalid-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}

// ErrLimitExceeded reports a line that is too long or nested too deeply.
// Reading continues after it.
//
// zh: 行过长或嵌套过深；之后继续读取。
var ErrLimitExceeded = &spec.Error[LimitExceededData]{Kind: "limit-exceeded", Code: -32600, Retry: spec.Never, Fault: spec.LimitFault}

// ErrInternal reports that the runtime itself failed. Whether the call took
// effect is not known: repeat it with the same key.
//
// zh: 运行时自身出错。无法确定调用是否生效：请以同一幂等键重试。
var ErrInternal = &spec.Error[spec.None]{Kind: "internal", Code: -32603, Retry: spec.SameKey, Fault: spec.InternalFault}

// ErrUnsupported reports a method that is not served. A client that knows the
// runtime's capabilities refuses such a call itself and names the capability.
//
// zh: 不提供所调用的方法。知道运行时能力的客户端会自行拒绝此类调用，并指出缺少哪项能力。
var ErrUnsupported = &spec.Error[UnsupportedData]{
	Kind: "unsupported", Code: -32601, Retry: spec.Never, Fault: spec.MethodFault,
	Legacy: []string{"unknown DeepSeek Harness SDK runtime method: {method}"},
}

// ErrSessionNotFound reports a session that has no log and is not live, or one
// that is only stored where a live one is required.
//
// zh: 会话既没有日志也未存活，或者操作要求会话存活，而它只在存储中。
var ErrSessionNotFound = &spec.Error[spec.None]{
	Kind: "session-not-found", Code: -32002, Retry: spec.Never,
	Legacy: []string{`session "{sessionId}" not found`},
}

// ErrSessionClosed reports a session that is being closed. Once it is closed it
// can be loaded or resumed.
//
// zh: 会话正在关闭。关闭完成后可以载入或恢复。
var ErrSessionClosed = &spec.Error[spec.None]{Kind: "session-closed", Code: -32002, Retry: spec.After}

// ErrSessionMismatch reports that a stored session has a working directory
// other than the caller expects. Nothing was created.
//
// zh: 已存储会话的工作目录与调用方预期不符。未创建任何内容。
var ErrSessionMismatch = &spec.Error[SessionMismatchData]{Kind: "session-mismatch", Code: -32602, Retry: spec.Never}

// ErrACPClient reports an initialize that has a protocolVersion but neither
// provider nor model: it comes from a client of the Agent Client Protocol,
// whose version numbers mean something else.
//
// zh: initialize 带有 protocolVersion，却没有 provider 与 model：它来自 Agent Client Protocol 的客户端，其版本号含义不同。
var ErrACPClient = &spec.Error[spec.None]{
	Kind: "acp-client", Code: -32602, Retry: spec.Never,
	Says: "this runtime does not speak the Agent Client Protocol: call initialize with provider and model, or start an ACP agent instead",
}

// ErrVersionUnsupported reports that client and runtime have no version in
// common.
//
// zh: initialize 时双方没有共同支持的版本。
var ErrVersionUnsupported = &spec.Error[VersionUnsupportedData]{
	Kind: "version-unsupported", Code: -32022, Retry: spec.Never,
	Says: "version {requested} is not served: ask for {supported}, or for none",
}

// ErrRequestCancelled reports a request that was abandoned with
// $/cancel_request. For prompt, cancel and close it means that they were not
// accepted.
//
// zh: 请求已被 $/cancel_request 放弃。对 prompt、cancel 与 close 而言，表示请求未被受理。
var ErrRequestCancelled = &spec.Error[spec.None]{Kind: "request-cancelled", Code: -32800, Retry: spec.SameKey, Fault: spec.CancelFault}

// ErrSessionExists reports that an id is taken: a prompt with `ifStored: fail`
// on a stored session, or a call on a child that its parent owns.
//
// zh: 标识已被占用：以 `ifStored: fail` 向已存储的会话发送提示，或调用了由父会话拥有的子会话。
var ErrSessionExists = &spec.Error[spec.None]{
	Kind: "session-exists", Code: 1001, Retry: spec.Never,
	Legacy: []string{`session "{sessionId}" already exists`},
}

// ErrSessionBusy reports a close with `onActive: reject` while a turn is open
// or prompts wait, or a close of a child that its parent owns. Nothing was
// changed.
//
// zh: 有轮次未结束或提示排队时以 `onActive: reject` 关闭，或关闭父会话所拥有的子会话。未作任何改变。
var ErrSessionBusy = &spec.Error[SessionBusyData]{Kind: "session-busy", Code: 1002, Retry: spec.After}

// ErrSessionLocked reports that another process holds the session. Nothing was
// created.
//
// zh: 会话由其他进程持有。未创建任何内容。
var ErrSessionLocked = &spec.Error[SessionLockedData]{
	Kind: "session-locked", Code: 1003, Retry: spec.After,
	Legacy: []string{`session "{sessionId}" is already owned by an active write handle`},
}

// ErrSessionFenced reports that another process took the session over while
// this one still held it; session.lost is sent to all its connections.
//
// zh: 本进程仍持有会话时被其他进程接管；session.lost 会通知其所有连接。
var ErrSessionFenced = &spec.Error[SessionFencedData]{Kind: "session-fenced", Code: 1004, Retry: spec.Reload}

// ErrSessionDamaged reports that a session's log cannot be read. Other sessions
// are not affected, and the log is not changed.
//
// zh: 会话日志无法读取。其他会话不受影响，日志不作改动。
var ErrSessionDamaged = &spec.Error[SessionDamagedData]{
	Kind: "session-damaged", Code: 1005, Retry: spec.Never,
	Legacy: []string{`session "{sessionId}": stored log is corrupt: Error: {reason} (raw log: {path})`},
}

// ErrFormatUnsupported reports that a session's log was written by a newer
// program. The log is not changed.
//
// zh: 会话日志由更新的程序写入。日志不作改动。
var ErrFormatUnsupported = &spec.Error[FormatUnsupportedData]{
	Kind: "format-unsupported", Code: 1006, Retry: spec.Never,
	Legacy: []string{
		`session "{sessionId}" uses log format v{version}, but this harness reads only v{supported}: the log was written by a newer harness — upgrade the harness to open it (raw log: {path})`,
		`session "{sessionId}" contains event type "{eventType}" (seq {seq}) unknown to this harness and not marked ignorable; refusing to interpret the log — it was likely written by a newer harness (raw log: {path})`,
	},
}

// ErrIdempotencyConflict reports a prompt whose key was used before with
// different content. Nothing was added.
//
// zh: 提示的幂等键曾用于其他内容。未新增任何内容。
var ErrIdempotencyConflict = &spec.Error[IdempotencyConflictData]{Kind: "idempotency-conflict", Code: 1007, Retry: spec.Never}

// ErrOverloaded reports that the session's queue is full. Nothing was added and
// nothing is lost.
//
// zh: 会话的队列已满。未新增任何内容，也不会丢失任何内容。
var ErrOverloaded = &spec.Error[OverloadedData]{Kind: "overloaded", Code: 1008, Retry: spec.After, Fault: spec.OverloadFault}

// ErrShuttingDown reports that the runtime is shutting down. Another process
// can serve the session.
//
// zh: 运行时正在关停。其他进程可以继续提供该会话。
var ErrShuttingDown = &spec.Error[spec.None]{
	Kind: "shutting-down", Code: 1009, Retry: spec.After,
	Legacy: []string{"SDK server is shutting down"},
}

// ErrStoreFailed reports that the store could not be written or read. Whether
// the call took effect is not known: repeat it with the same key.
//
// zh: 存储读写失败。无法确定调用是否生效：请以同一幂等键重试。
var ErrStoreFailed = &spec.Error[spec.None]{Kind: "store-failed", Code: 1010, Retry: spec.SameKey}

// ErrNotInitialized reports a call before a successful initialize, other than
// shutdown and unknown methods.
//
// zh: 请求在成功的 initialize 之前到来，shutdown 与未知方法除外。
var ErrNotInitialized = &spec.Error[spec.None]{
	Kind: "not-initialized", Code: -32603, Retry: spec.After,
	Says:   "the connection has not begun: call initialize first",
	Legacy: []string{"SDK server is not initialized"},
}

// ErrConnectionLost is found by a client when the connection ends before the
// response or the end has come. Accepted work may continue, or be gone with the
// runtime's process: its log and its keys last as long as the runtime announced
// (see durability in the capabilities). Load the session to see what became of
// the work; if it is not found, a repeated call runs again from the beginning.
//
// zh: 连接在应答或结束到来之前断开时客户端得到的错误。已受理的工作可能仍在继续，也可能已随运行时的进程消失：日志与幂等键能保存多久，以运行时的声明为准（见能力中的 durability）。请载入会话以查明工作的结果；若会话不存在，重复的调用将从头再次执行。
var ErrConnectionLost = &spec.Error[ConnectionLostData]{Kind: "connection-lost", Code: 1101, Retry: spec.Reload, Fault: spec.ConnectionFault, At: spec.Client}

// ErrLagging is found by a client when its own queue for a session overflowed
// because the host did not take the events. The session continues; load it
// again.
//
// zh: 宿主没有及时取走事件，客户端为该会话设置的队列溢出时得到的错误。会话仍在继续；请重新载入。
var ErrLagging = &spec.Error[LaggingData]{Kind: "lagging", Code: 1102, Retry: spec.Reload, Fault: spec.LagFault, At: spec.Client}
