// SPDX-License-Identifier: Apache-2.0

package harness

// InvalidParamsData says which member was wrong.
//
// zh: 说明哪个成员有误。
type InvalidParamsData struct {
	// The member's path in the params, such as `contentBlocks[0].text`; empty for the
	// params themselves.
	//
	// zh: 成员在参数中的路径，例如 `contentBlocks[0].text`；指参数整体时为空。
	Path string `json:"path"`
}

// LimitExceededData says which limit a frame exceeded.
//
// zh: 说明帧超出了哪个限制。
type LimitExceededData struct {
	// The limit's name: `line` or `depth`.
	//
	// zh: 限制的名称：`line` 或 `depth`。
	Limit string `json:"limit"`

	// The limit in its unit: bytes or levels.
	//
	// zh: 限制的数值，单位为字节或层。
	Value int64 `json:"value" min:"0"`
}

// UnsupportedData says what is not served.
//
// zh: 说明不提供什么。
type UnsupportedData struct {
	// The method that was called.
	//
	// zh: 所请求的方法。
	Method string `json:"method"`

	// The capability that is missing, such as `session.cancel`. Absent: the method is not
	// known at all.
	//
	// zh: 缺少的能力，例如 `session.cancel`；缺省表示完全不认识该方法。
	Capability string `json:"capability,omitzero"`
}

// SessionMismatchData says what the session has.
//
// zh: 说明会话的实际情况。
type SessionMismatchData struct {
	// The stored working directory.
	//
	// zh: 已存储的工作目录。
	CWD string `json:"cwd"`
}

// VersionUnsupportedData says which versions can be requested.
//
// zh: 说明可以请求哪些版本。
type VersionUnsupportedData struct {
	// The version that was requested.
	//
	// zh: 所请求的版本。
	Requested int64 `json:"requested" min:"-9007199254740991"`

	// The supported versions.
	//
	// zh: 所支持的版本。
	Supported []int64 `json:"supported"`
}

// SessionBusyData says what is still open.
//
// zh: 说明尚未结束的工作。
type SessionBusyData struct {
	// The open turn. Absent: only prompts wait, or a parent owns the session.
	//
	// zh: 未结束的轮次；缺省表示仅有提示排队，或会话由父会话拥有。
	Turn TurnID `json:"turn,omitzero" min:"1"`

	// How many prompts wait, parked ones not counted.
	//
	// zh: 排队的提示数，不含被搁置的。
	Queued int64 `json:"queued" min:"0"`
}

// SessionLockedData says who holds the session.
//
// zh: 说明会话由谁持有。
type SessionLockedData struct {
	// The process that holds it. Absent: not known.
	//
	// zh: 持有会话的进程；缺省表示未知。
	Owner *Owner `json:"owner,omitzero"`
}

// SessionFencedData says who took the session over.
//
// zh: 说明会话被谁接管。
type SessionFencedData struct {
	// The process that took it over. Absent: not known.
	//
	// zh: 接管会话的进程；缺省表示未知。
	Owner *Owner `json:"owner,omitzero"`
}

// SessionDamagedData says where a log is damaged.
//
// zh: 说明日志在何处损坏。
type SessionDamagedData struct {
	// The log, in the store's own terms.
	//
	// zh: 日志所在位置，含义由存储决定。
	Path string `json:"path,omitzero"`

	// The damaged row, counted from 1 without the header. Absent: the header itself, or
	// not known.
	//
	// zh: 损坏的行，从 1 起计，不含首行；缺省表示首行自身或未知。
	Line int64 `json:"line,omitzero" min:"0"`

	// The seq that was expected there.
	//
	// zh: 该处应有的 seq。
	ExpectedSeq *int64 `json:"expectedSeq,omitzero" min:"0"`

	// The seq that was found there.
	//
	// zh: 该处实际的 seq。
	GotSeq *int64 `json:"gotSeq,omitzero" min:"0"`

	// What is wrong, for people.
	//
	// zh: 供人阅读的损坏说明。
	Reason string `json:"reason"`
}

// FormatUnsupportedData says which part of a log is too new.
//
// zh: 说明日志的哪一部分过新。
type FormatUnsupportedData struct {
	// The log's format.
	//
	// zh: 日志的格式版本。
	Version int64 `json:"version" min:"0"`

	// The newest format that can be read.
	//
	// zh: 所能读取的最新格式。
	Supported int64 `json:"supported" min:"0"`

	// An event type that is not known and may not be ignored. Absent: the format itself is
	// too new.
	//
	// zh: 未知且不可忽略的事件类型；缺省表示格式本身过新。
	EventType string `json:"eventType,omitzero"`

	// That event's seq.
	//
	// zh: 该事件的 seq。
	Seq *int64 `json:"seq,omitzero" min:"0"`

	// The log, in the store's own terms.
	//
	// zh: 日志所在位置，含义由存储决定。
	Path string `json:"path,omitzero"`
}

// IdempotencyConflictData names the message that has the key.
//
// zh: 指出已使用该幂等键的消息。
type IdempotencyConflictData struct {
	// The message that was first sent with the key.
	//
	// zh: 首次以该幂等键发送的消息。
	MessageID MessageID `json:"messageId"`
}

// OverloadedData says when to try again.
//
// zh: 说明何时重试。
type OverloadedData struct {
	// Milliseconds to wait.
	//
	// zh: 应等待的毫秒数。
	RetryAfterMS int64 `json:"retryAfterMs" min:"0"`
}

// ConnectionLostData says how the other side ended.
//
// zh: 说明对端是如何断开的。
type ConnectionLostData struct {
	// The exit code of a runtime that was a child process.
	//
	// zh: 作为子进程的运行时的退出码。
	ExitCode *int64 `json:"exitCode,omitzero" min:"0"`

	// The signal that ended it.
	//
	// zh: 终止它的信号。
	Signal string `json:"signal,omitzero"`

	// The last lines that it wrote on standard error.
	//
	// zh: 其标准错误输出的最后几行。
	Stderr string `json:"stderr,omitzero" sensitive:"true"`
}

// LaggingData says from where to load again.
//
// zh: 说明应从何处重新载入。
type LaggingData struct {
	// The last event that was handed out, -1 if none was: give it to session/load.
	//
	// zh: 最后交付的事件的 seq，没有时为 -1；交给 session/load 使用。
	AfterSeq int64 `json:"afterSeq" min:"-1"`
}
