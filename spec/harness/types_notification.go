// SPDX-License-Identifier: Apache-2.0

package harness

// SessionEventParams carries one durable event of a session.
//
// zh: 携带会话的一个持久事件。
type SessionEventParams struct {
	// The session whose log the event is in.
	//
	// zh: 事件所在日志的会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The event, as it is stored.
	//
	// zh: 事件，与存储内容一致。
	Event Event `json:"event"`

	// The turn the event belongs to, from turn/start to turn/end; inbox splices have none.
	// Absent in frames for peers that did not negotiate.
	//
	// zh: 事件所属的轮次，从 turn/start 到 turn/end；收件箱拼接事件没有此成员。发给没有协商过的对端的帧中没有此成员。
	Turn TurnID `json:"turn,omitzero" min:"1" since:"2"`

	// The event is a stored one that session/load sends again.
	//
	// zh: 该事件是 session/load 重放的已存储事件。
	Replay bool `json:"replay,omitzero" since:"2"`
}

// SessionDelta is a piece of an answer while the model produces it: live, not durable,
// without a seq. The whole text always comes in assistant/message.
//
// zh: 模型生成回答时的一个片段：实时、不持久、没有 seq；完整文本总会在 assistant/message 中给出。
type SessionDelta struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The turn that produces it; none comes after that turn's end.
	//
	// zh: 产生它的轮次；该轮次结束之后不会再有。
	Turn TurnID `json:"turn" min:"1"`

	// The step of the turn, from 1.
	//
	// zh: 轮次内的步骤，从 1 起。
	Step int64 `json:"step" min:"1"`

	// The model attempt in the step, from 1: a retry starts again.
	//
	// zh: 步骤内的模型尝试，从 1 起；重试时重新开始。
	Attempt int64 `json:"attempt" min:"1"`

	// Counts the deltas of the attempt from 0, given when produced.
	//
	// zh: 该次尝试内增量的序号，从 0 起，在产生时给出。
	N int64 `json:"n" min:"0"`

	// The content block it belongs to.
	//
	// zh: 所属内容块的序号。
	Index int64 `json:"index" min:"0"`

	// What kind of block.
	//
	// zh: 内容块的种类。
	Kind DeltaKind `json:"kind" intern:"true"`

	// More text, for `text` and `reasoning`.
	//
	// zh: `text` 与 `reasoning` 的后续文本。
	Text string `json:"text,omitzero" sensitive:"true"`

	// More of a tool call's arguments, a piece of JSON text.
	//
	// zh: 工具调用参数的后续部分，是 JSON 文本的一段。
	Arguments string `json:"arguments,omitzero" sensitive:"true"`

	// The tool call, for `tool-call`.
	//
	// zh: `tool-call` 所属的工具调用。
	ToolCallID ToolCallID `json:"toolCallId,omitzero"`

	// The tool's name, with the first piece of a call.
	//
	// zh: 工具名称，随调用的第一个片段给出。
	Name string `json:"name,omitzero" intern:"true"`

	// How many deltas this frame holds, if more than one; the next n is n + merged.
	//
	// zh: 此帧合并的增量数，多于一个时给出；下一个 n 为 n + merged。
	Merged int64 `json:"merged,omitzero" min:"2"`
}

// DeltaKind is the kind of block that a delta belongs to.
//
// zh: 增量所属内容块的种类。
type DeltaKind string

// The values of DeltaKind.
const (
	// Text of the answer.
	//
	// zh: 回答的文本。
	DeltaText DeltaKind = "text"

	// Text of the model's reasoning.
	//
	// zh: 模型推理的文本。
	DeltaReasoning DeltaKind = "reasoning"

	// Arguments of a tool call.
	//
	// zh: 工具调用的参数。
	DeltaToolCall DeltaKind = "tool-call"
)

// SessionStatusParams announces that a session began or stopped being busy. A
// session for which nothing was announced is idle.
//
// zh: 通报会话开始或不再忙碌；从未通报过的会话是空闲的。
type SessionStatusParams struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// What it is now.
	//
	// zh: 当前状态。
	Status Status `json:"status" intern:"true"`
}

// SessionReplayed ends a replay, also one without any event.
//
// zh: 标志重放结束，即使没有任何事件。
type SessionReplayed struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The seq of the first live event.
	//
	// zh: 第一个实时事件的 seq。
	NextSeq int64 `json:"nextSeq" min:"0"`
}

// SessionClosed is the last frame of a session on a connection.
//
// zh: 会话在一个连接上的最后一帧。
type SessionClosed struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// How the close went.
	//
	// zh: 关闭的结果。
	Outcome CloseOutcome `json:"outcome"`

	// The steps that did not end within their bounds. Absent: all did.
	//
	// zh: 未在时限内结束的步骤；缺省表示全部按时结束。
	Unfinished []CloseStep `json:"unfinished,omitzero"`
}

// SessionLost reports that this process no longer owns a session; no further
// frame of it follows.
//
// zh: 说明本进程不再拥有该会话；之后不会再有它的任何帧。
type SessionLost struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// Why.
	//
	// zh: 原因。
	Reason LostReason `json:"reason"`
}

// LostReason is why a process lost a session.
//
// zh: 进程失去会话的原因。
type LostReason string

// The values of LostReason.
const (
	// Another process has taken the session over.
	//
	// zh: 会话已由其他进程接管。
	LostMoved LostReason = "moved"
)

// SubagentStarted reports that a child session has started.
//
// zh: 说明子会话已启动。
type SubagentStarted struct {
	// The session that started it.
	//
	// zh: 启动它的会话。
	ParentSessionID SessionID `json:"parentSessionId" intern:"true"`

	// The child.
	//
	// zh: 子会话。
	ChildSessionID SessionID `json:"childSessionId" intern:"true"`
}

// SubagentFinished reports that one run of a child session has ended. A child
// that is continued finishes again.
//
// zh: 说明子会话的一次运行已结束；被续用的子会话会再次结束。
type SubagentFinished struct {
	// How the child was made, `spawn` or `fork` say.
	//
	// zh: 子会话的产生方式，例如 `spawn` 或 `fork`。
	Provider string `json:"provider" intern:"true"`

	// The same as `childSessionId`.
	//
	// zh: 与 childSessionId 相同。
	AgentID SessionID `json:"agentId" intern:"true"`

	// The session that delegated the work.
	//
	// zh: 委派工作的会话。
	ParentSessionID SessionID `json:"parentSessionId" intern:"true"`

	// The child.
	//
	// zh: 子会话。
	ChildSessionID SessionID `json:"childSessionId" intern:"true"`

	// Whether it went well.
	//
	// zh: 是否成功。
	Status SubagentStatus `json:"status" intern:"true"`

	// Why the child's last turn ended.
	//
	// zh: 子会话最后一个轮次结束的原因。
	StopReason SubagentStop `json:"stopReason" intern:"true"`

	// Content of the child's last answer, all kinds of blocks. Absent: it gave none.
	//
	// zh: 子会话最后一次回答的内容，含所有种类的内容块；缺省表示没有回答。
	LastAssistantMessage []ContentBlock `json:"lastAssistantMessage,omitzero" sensitive:"true"`
}

// SubagentStatus is whether a child's run went well.
//
// zh: 子会话的运行是否成功。
type SubagentStatus string

// The values of SubagentStatus.
const (
	// It completed.
	//
	// zh: 已完成。
	SubagentOK SubagentStatus = "ok"

	// It did not.
	//
	// zh: 未完成。
	SubagentError SubagentStatus = "error"
)

// SubagentStop is why a child's last turn ended. Other values may occur.
//
// zh: 子会话最后一个轮次结束的原因；可能出现其他取值。
type SubagentStop string

// The values of SubagentStop.
const (
	// It ended naturally.
	//
	// zh: 自然结束。
	SubagentCompleted SubagentStop = "completed"

	// It was cancelled.
	//
	// zh: 被取消。
	SubagentAborted SubagentStop = "aborted"

	// It failed.
	//
	// zh: 失败。
	SubagentFailed SubagentStop = "error"

	// An answer reached the token limit.
	//
	// zh: 回答达到 token 上限。
	SubagentMaxTokens SubagentStop = "max-tokens"

	// The model refused.
	//
	// zh: 模型拒绝回答。
	SubagentRefusal SubagentStop = "refusal"
)
