// SPDX-License-Identifier: Apache-2.0

package harness

// PromptParams is one user message for a session.
//
// zh: 发给会话的一条用户消息。
type PromptParams struct {
	// The session. With an unknown id it is created, a stored one is continued,
	// unless `ifMissing` or `ifStored` says otherwise.
	//
	// zh: 目标会话。未知标识会新建会话，已存储的会继续，除非 ifMissing 或 ifStored 另有要求。
	SessionID SessionID `json:"sessionId" length:"1.." intern:"true"`

	// The message's content, at least one block. A block that no model could take is
	// refused here, not in the turn.
	//
	// zh: 消息内容，至少一个内容块；任何模型都不支持的内容块会在请求时被拒绝，而不是留到轮次中失败。
	ContentBlocks []ContentBlock `json:"contentBlocks" length:"1.." sensitive:"true"`

	// The client's key for this message, 1 to 255 Unicode code points, known as long as
	// the session's log exists. Absent: each call is a new message.
	//
	// zh: 客户端为此消息指定的幂等键，长度为 1 到 255 个 Unicode 码点，在会话日志存在期间有效；缺省时每次调用都是一条新消息。
	IdempotencyKey *string `json:"idempotencyKey,omitzero" length:"1..255" since:"2"`

	// What to do if the id has a stored log and no live session.
	//
	// zh: 当标识有已存储的日志而没有存活会话时如何处理。
	IfStored IfStored `json:"ifStored,omitzero" default:"resume" since:"2"`

	// What to do if the id has neither a log nor a live session.
	//
	// zh: 当标识既无日志也无存活会话时如何处理。
	IfMissing IfMissing `json:"ifMissing,omitzero" default:"create" since:"2"`

	// When the message is taken: by a turn of its own, or by the running one at its next
	// step.
	//
	// zh: 消息何时被取用：由自己的轮次取用，或由运行中的轮次在下一步取用。
	Delivery Delivery `json:"delivery,omitzero" default:"followup" since:"2"`
}

// PromptReceipt proves that a message is durable in its session's inbox. It
// says nothing about the model's answer.
//
// zh: 证明消息已持久写入会话收件箱的回执；它不说明回答的情况。
type PromptReceipt struct {
	// The message's id, as it occurs in the inbox splices and in the user/message
	// event of its turn.
	//
	// zh: 消息标识，可在收件箱拼接事件及所属轮次的 user/message 事件中找到。
	MessageID MessageID `json:"messageId"`

	// The seq of the event that put the message into the inbox. Give it to session/wait as
	// `afterSeq`.
	//
	// zh: 将消息放入收件箱的事件的 seq；可作为 afterSeq 交给 session/wait。
	Seq *int64 `json:"seq,omitzero" min:"0" since:"2"`

	// This key was used before with the same content: the receipt is the first one's, and
	// nothing was added.
	//
	// zh: 此幂等键曾以相同内容使用过：回执即首次的回执，未新增任何内容。
	Duplicate bool `json:"duplicate,omitzero" since:"2"`

	// With `duplicate`, if the first one's work is over: how it ended.
	//
	// zh: 与 duplicate 一同出现，当首次的工作已结束时说明其结果。
	Settled *PromptSettled `json:"settled,omitzero" since:"2"`
}

// PromptSettled is how an earlier prompt ended.
//
// zh: 先前的提示如何结束。
type PromptSettled struct {
	// The turn that consumed the message. Absent: the message was withdrawn before any
	// did.
	//
	// zh: 取用该消息的轮次；缺省表示消息在被取用前已撤回。
	Turn TurnID `json:"turn,omitzero" min:"1"`

	// Why it ended; `withdrawn` for a message that no turn consumed.
	//
	// zh: 结束的原因；未被任何轮次取用的消息为 `withdrawn`。
	Reason EndReason `json:"reason"`

	// The turn's last assistant message, interrupted or not. Absent: it gave none.
	//
	// zh: 该轮次的最后一条助手消息，无论是否被中断；缺省表示没有。
	Message *AssistantBody `json:"message,omitzero"`

	// The sum of what the turn's model requests used, failed ones included. Absent: none
	// was reported.
	//
	// zh: 该轮次各次模型请求（包括失败的请求）的用量之和；缺省表示未报告用量。
	Usage *Usage `json:"usage,omitzero"`
}

// CancelParams names what is to stop. Without `messageId`, `idempotencyKey` and
// `turn` it is the whole session; those that are given must name the same
// target.
//
// zh: 指明要停止什么。messageId、idempotencyKey 与 turn 均未给出时指整个会话；同时给出多个时必须指向同一对象。
type CancelParams struct {
	// The session. An unknown id is not an error: the effect is `unknown`.
	//
	// zh: 目标会话。未知标识不是错误：effect 为 `unknown`。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// Stop only this message: withdraw it if it waits, stop its turn if that runs.
	//
	// zh: 仅停止这条消息：仍在排队则撤回，正在运行则停止其轮次。
	MessageID *MessageID `json:"messageId,omitzero"`

	// Stop only the message that was sent with this key.
	//
	// zh: 仅停止以此幂等键发送的消息。
	IdempotencyKey *string `json:"idempotencyKey,omitzero" length:"1..255"`

	// Stop only this turn.
	//
	// zh: 仅停止这个轮次。
	Turn *TurnID `json:"turn,omitzero" min:"0"`

	// What happens to the prompts that wait. Absent: `drop` for the whole session,
	// `continue` for a named target.
	//
	// zh: 排队中的提示如何处理。缺省时：针对整个会话为 `drop`，针对指明的目标为 `continue`。
	Queue QueuePolicy `json:"queue,omitzero" default:"drop; messageId: continue; idempotencyKey: continue; turn: continue"`

	// What happens to background children. Those that the turn awaits end with it
	// in any case.
	//
	// zh: 后台子会话如何处理；轮次正在等待的子会话总是随轮次结束。
	Background BackgroundPolicy `json:"background,omitzero" default:"keep"`

	// When the response is sent: at once, or after the turn's end.
	//
	// zh: 何时应答：立即，或在轮次结束之后。
	WaitFor WaitFor `json:"waitFor,omitzero" default:"accepted"`
}

// CancelResult says what the cancel affected.
//
// zh: 说明取消作用到了什么。
type CancelResult struct {
	// False only for the effects `stale` and `unknown`.
	//
	// zh: 仅当 effect 为 `stale` 或 `unknown` 时为 false。
	Cancelled bool `json:"cancelled"`

	// What the cancel found and did.
	//
	// zh: 取消时的情形与所做的处理。
	Effect Effect `json:"effect"`

	// The turn that is stopping, or was stopped.
	//
	// zh: 正在停止或已停止的轮次。
	Turn TurnID `json:"turn,omitzero" min:"1"`

	// The queued messages that were taken out of the inbox, in their order there.
	//
	// zh: 从收件箱撤回的排队消息，按其在收件箱中的顺序排列。
	Withdrawn []MessageID `json:"withdrawn"`
}

// CloseParams ends a session's life in this process; its log stays.
//
// zh: 结束会话在本进程中的生命周期；其日志保留。
type CloseParams struct {
	// The session. An id that is not live is not an error: the answer is `closed:
	// false`.
	//
	// zh: 目标会话。未存活的标识不是错误：应答为 `closed: false`。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// What to do if a turn is open or prompts wait.
	//
	// zh: 有轮次未结束或有提示排队时如何处理。
	OnActive OnActive `json:"onActive,omitzero" default:"cancel"`

	// When the response is sent: when no new work is admitted any more, or after
	// session.closed.
	//
	// zh: 何时应答：在不再接纳新工作之时，或在 session.closed 之后。
	WaitFor WaitFor `json:"waitFor,omitzero" default:"settled"`
}

// CloseResult says whether there was anything to close, and how it went.
//
// zh: 说明是否有会话可关闭以及关闭的结果。
type CloseResult struct {
	// False if no such session was live.
	//
	// zh: 没有这样的存活会话时为 false。
	Closed bool `json:"closed"`

	// How the close went. Absent when not closed, or when the answer came at acceptance.
	//
	// zh: 关闭的结果；未关闭或在受理时就已应答的情况下缺省。
	Outcome CloseOutcome `json:"outcome,omitzero"`

	// The steps that did not end within their bounds. Absent: all did.
	//
	// zh: 未在时限内结束的步骤；缺省表示全部按时结束。
	Unfinished []CloseStep `json:"unfinished,omitzero"`
}

// LoadParams resumes a stored session and replays its events.
//
// zh: 恢复已存储的会话并重放其事件。
type LoadParams struct {
	// The session.
	//
	// zh: 目标会话。
	SessionID SessionID `json:"sessionId" length:"1.." intern:"true"`

	// The working directory the caller expects. One that differs from the stored
	// one is a session-mismatch; absent: not compared.
	//
	// zh: 调用方预期的工作目录。与存储的不同即为 session-mismatch；缺省则不比较。
	CWD *string `json:"cwd,omitzero"`

	// Replay only events with a greater seq: the last one the caller has. Absent: all
	// events.
	//
	// zh: 仅重放 seq 大于此值的事件，即调用方已有的最后一个；缺省时重放全部。
	AfterSeq *int64 `json:"afterSeq,omitzero" min:"-1"`
}

// ResumeParams resumes a stored session without a replay.
//
// zh: 恢复已存储的会话但不重放。
type ResumeParams struct {
	// The session.
	//
	// zh: 目标会话。
	SessionID SessionID `json:"sessionId" length:"1.." intern:"true"`

	// The working directory the caller expects, as in session/load.
	//
	// zh: 调用方预期的工作目录，与 session/load 相同。
	CWD *string `json:"cwd,omitzero" since:"2"`
}

// LoadResult is the state of a session just after it was resumed.
// session/resume returns it too; peers that did not negotiate get an empty
// object there.
//
// zh: 会话恢复后的状况；session/resume 也以此应答，但没有协商过的对端在那里得到空对象。
type LoadResult struct {
	// The session.
	//
	// zh: 目标会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The seq of the next event: everything below is stored.
	//
	// zh: 下一个事件的 seq：小于它的都已存储。
	NextSeq int64 `json:"nextSeq" min:"0"`

	// The number of the last turn, 0 if there was none.
	//
	// zh: 最后一个轮次的编号；没有轮次时为 0。
	LastTurn TurnID `json:"lastTurn" min:"0"`

	// Messages that were accepted but never started. They run before the next prompt.
	//
	// zh: 已受理但从未开始的消息；它们会先于下一条提示运行。
	PendingMessageIDs []MessageID `json:"pendingMessageIds"`

	// What the session is doing now.
	//
	// zh: 会话当前的状态。
	State State `json:"state"`

	// The session's working directory, an absolute path; empty if it has none.
	//
	// zh: 会话的工作目录（绝对路径）；没有时为空字符串。
	CWD string `json:"cwd"`
}

// WaitParams waits until a session has nothing more to do.
//
// zh: 等待会话不再有任何工作。
type WaitParams struct {
	// The session; it must be live.
	//
	// zh: 目标会话，必须存活。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The session does not count as idle before an event with this seq exists and
	// was handed over: a receipt's seq. Absent: no such condition.
	//
	// zh: 在此 seq 的事件出现并交付之前不算空闲，取自回执的 seq；缺省则无此下限。
	AfterSeq *int64 `json:"afterSeq,omitzero" min:"0" since:"2"`

	// Milliseconds after which the result is `idle: false`. Absent: no limit.
	//
	// zh: 超过这么多毫秒后以 `idle: false` 应答；缺省则不限。
	TimeoutMS *int64 `json:"timeoutMs,omitzero" min:"0" since:"2"`
}

// WaitResult reports whether the session became idle. Peers that did not
// negotiate get an empty object.
//
// zh: 说明会话是否已空闲；没有协商过的对端得到空对象。
type WaitResult struct {
	// True if nothing is open or waiting and all events up to `seq` were handed to this
	// connection. False only after the timeout.
	//
	// zh: 没有未结束或排队的工作、且直到 seq 的事件都已交给本连接时为 true；仅在超时后为 false。
	Idle bool `json:"idle" since:"2"`

	// The last event's seq at that moment, -1 if there is none.
	//
	// zh: 得出结论时最后一个事件的 seq；没有事件时为 -1。
	Seq int64 `json:"seq" min:"-1" since:"2"`

	// How many prompts wait, parked ones included.
	//
	// zh: 排队的提示数，含被搁置的。
	Queued int64 `json:"queued" min:"0" since:"2"`

	// What still runs, if not idle.
	//
	// zh: 未空闲时仍在运行的工作。
	Running []Work `json:"running,omitzero" since:"2"`
}

// StatusParams requests what a session is doing. It loads nothing.
//
// zh: 查询会话的状态，不会载入任何会话。
type StatusParams struct {
	// The session.
	//
	// zh: 目标会话。
	SessionID SessionID `json:"sessionId" intern:"true"`
}

// StatusResult is the state of a session at one moment.
//
// zh: 会话在某一时刻的状况。
type StatusResult struct {
	// What the session is doing; `stored` if it is only in the store.
	//
	// zh: 会话的状态；仅存在于存储中时为 `stored`。
	State State `json:"state"`

	// The open turn. Absent: none is.
	//
	// zh: 未结束的轮次；缺省表示没有。
	Turn TurnID `json:"turn,omitzero" min:"1"`

	// The messages that wait, in the order in which they will be taken.
	//
	// zh: 排队的消息，按将被取用的顺序排列。
	Queue []QueuedMessage `json:"queue"`

	// Children, after-work and abandoned work that continue concurrently with the
	// turn.
	//
	// zh: 在轮次之外继续进行的子会话、后续工作与被放弃的工作。
	Background []Work `json:"background"`

	// The seq of the next event.
	//
	// zh: 下一个事件的 seq。
	NextSeq int64 `json:"nextSeq" min:"0"`

	// Who holds the session, if it is another process.
	//
	// zh: 当会话由其他进程持有时，说明持有者。
	Owner *Owner `json:"owner,omitzero"`
}

// QueuedMessage is one message that waits in the inbox.
//
// zh: 收件箱中等待的一条消息。
type QueuedMessage struct {
	// The message.
	//
	// zh: 消息标识。
	MessageID MessageID `json:"messageId"`

	// It waits for the next prompt, not for the running turn's end.
	//
	// zh: 它等待的是下一条提示，而不是当前轮次的结束。
	Parked bool `json:"parked"`
}

// Work is one thing that a session is still doing.
//
// zh: 会话仍在进行的一项工作。
type Work struct {
	// What kind of thing.
	//
	// zh: 工作的种类。
	Kind WorkKind `json:"kind"`

	// Its id: a turn's number in decimal, a message's, a child session's or a job's id, or
	// the name of an agent or tool that was abandoned.
	//
	// zh: 工作的标识：十进制的轮次编号、消息标识、子会话或作业标识，或被放弃的智能体或工具的名称。
	ID string `json:"id"`
}

// Owner is the process that holds a session.
//
// zh: 持有会话的进程。
type Owner struct {
	// Its process id on `host`. Absent: not known.
	//
	// zh: 其在 host 上的进程号；缺省表示未知。
	PID int64 `json:"pid,omitzero" min:"0"`

	// The machine's name. Absent: not known.
	//
	// zh: 主机名；缺省表示未知。
	Host string `json:"host,omitzero"`
}

// ListParams requests one page of the sessions of the store.
//
// zh: 查询存储中会话的一页。
type ListParams struct {
	// Only sessions of this working directory. Absent: all.
	//
	// zh: 仅列出此工作目录的会话；缺省时列出全部。
	CWD *string `json:"cwd,omitzero"`

	// `nextCursor` of the page before. Absent: the first page.
	//
	// zh: 上一页的 nextCursor；缺省表示第一页。
	Cursor *string `json:"cursor,omitzero"`

	// The most sessions in one page.
	//
	// zh: 每页最多的会话数。
	Limit *int64 `json:"limit,omitzero" min:"1" max:"1000" default:"100"`
}

// ListResult is one page of sessions, the last changed first.
//
// zh: 会话列表的一页，最近变更的在前。
type ListResult struct {
	// The sessions of this page.
	//
	// zh: 本页的会话。
	Sessions []SessionInfo `json:"sessions"`

	// Asks for the next page. Absent: this is the last.
	//
	// zh: 用于查询下一页；缺省表示这是最后一页。
	NextCursor *string `json:"nextCursor,omitzero"`

	// What is in the store but could not be read; it never fails the listing.
	//
	// zh: 存储中无法读取的内容；它不会导致列举失败。
	Skipped []SkippedLog `json:"skipped"`
}

// SessionInfo is one session in a listing.
//
// zh: 列表中的一个会话。
type SessionInfo struct {
	// The session.
	//
	// zh: 会话标识。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// Its working directory, an absolute path; empty if it has none.
	//
	// zh: 工作目录（绝对路径）；没有时为空字符串。
	CWD string `json:"cwd"`

	// Its last title. Absent: it has none, or it is not known without reading the log.
	//
	// zh: 最近的标题；缺省表示没有标题，或不读日志无法得知。
	Title string `json:"title,omitzero"`

	// When its log last changed, in milliseconds since 1970 UTC. Absent: not known.
	//
	// zh: 日志最近一次变更的时间，自 1970 年 UTC 起的毫秒数；缺省表示未知。
	UpdatedAt *int64 `json:"updatedAt,omitzero" min:"0"`

	// What the session is doing, `stored` if it is not live here.
	//
	// zh: 会话的状态；在本进程中未存活时为 `stored`。
	State State `json:"state"`
}

// SkippedLog is one place in the store that a listing skipped.
//
// zh: 列举时跳过的一处存储内容。
type SkippedLog struct {
	// Where it is, relative to the store's root if it has one.
	//
	// zh: 所在位置；存储有根目录时相对于该目录。
	Path string `json:"path"`

	// Why it was skipped, for people.
	//
	// zh: 跳过的原因，供人阅读。
	Reason string `json:"reason"`
}

// GetWorkingDirectoryParams requests a session's working directory.
//
// zh: 查询会话的工作目录。
type GetWorkingDirectoryParams struct {
	// The session. With an unknown id it is created; a stored one is resumed.
	//
	// zh: 目标会话。未知标识会新建，已存储的会恢复。
	SessionID SessionID `json:"sessionId" length:"1.." intern:"true"`
}

// SetWorkingDirectoryParams changes a session's working directory.
//
// zh: 更改会话的工作目录。
type SetWorkingDirectoryParams struct {
	// The session. With an unknown id it is created; a stored one is resumed.
	//
	// zh: 目标会话。未知标识会新建，已存储的会恢复。
	SessionID SessionID `json:"sessionId" length:"1.." intern:"true"`

	// The directory, absolute or relative to the current one. It must exist; `~`
	// has no special meaning.
	//
	// zh: 目标目录，绝对路径或相对于当前目录；必须存在，`~` 没有特殊含义。
	Path string `json:"path" length:"1.."`
}

// WorkingDirectoryResult is the working directory in force.
//
// zh: 当前生效的工作目录。
type WorkingDirectoryResult struct {
	// The directory, an absolute path in canonical form.
	//
	// zh: 规范化的绝对路径。
	CWD string `json:"cwd"`
}
