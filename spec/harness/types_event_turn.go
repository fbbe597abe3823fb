// SPDX-License-Identifier: Apache-2.0

package harness

// TurnStart begins a turn.
//
// zh: 轮次开始。
type TurnStart struct {
	// The turn's number, one above the last one's.
	//
	// zh: 轮次编号，比上一个大 1。
	Turn TurnID `json:"turn" min:"1"`
}

// TurnEnd ends a turn.
//
// zh: 轮次结束。
type TurnEnd struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// Why it ended.
	//
	// zh: 结束的原因。
	Reason EndReason `json:"reason"`

	// Names of the agents and tools that had not returned when the turn was ended without
	// them. Absent: none.
	//
	// zh: 轮次结束时尚未返回的智能体与工具的名称；缺省表示没有。
	Unfinished []string `json:"unfinished,omitzero" since:"2"`
}

// StepStart begins a step.
//
// zh: 步骤开始。
type StepStart struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn, from 1.
	//
	// zh: 轮次内的步骤，从 1 起。
	Step int64 `json:"step" min:"1"`
}

// StepEnd ends a step. No tool call of it is open.
//
// zh: 步骤结束，其工具调用均已结束。
type StepEnd struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`
}

// InboxSpliced changes one list of the inbox at a position, as a splice. With `inserted`
// it puts messages in; with `removedCount` and no `outcome` a turn takes them (the claim,
// inside that turn); with `outcome` they are withdrawn.
//
// zh: 以拼接方式在某位置更改收件箱的一个列表。带 inserted 表示放入消息；带 removedCount 而无 outcome 表示被轮次取用（认领，发生在该轮次之内）；带 outcome 表示撤回。
type InboxSpliced struct {
	// The list.
	//
	// zh: 所更改的列表。
	Target InboxTarget `json:"target" intern:"true"`

	// The position in the list at that moment, from 0.
	//
	// zh: 当时在列表中的位置，从 0 起。
	Start int64 `json:"start" min:"0"`

	// How many messages leave the list, from `start` on.
	//
	// zh: 自 start 起移出的消息数。
	RemovedCount int64 `json:"removedCount,omitzero" min:"0"`

	// The messages put in at `start`; empty if none.
	//
	// zh: 在 start 处放入的消息；没有时为空。
	Inserted []UserMessage `json:"inserted"`

	// What happened to the messages that left; absent: a turn took them.
	//
	// zh: 移出的消息的去向；缺省表示被轮次取用。
	Outcome SpliceOutcome `json:"outcome,omitzero" intern:"true"`
}

// InboxTarget is one of the inbox's two lists.
//
// zh: 收件箱的两个列表之一。
type InboxTarget string

// The values of InboxTarget.
const (
	// Messages that each begin a turn.
	//
	// zh: 每条各开始一个轮次的消息。
	InboxNextTurn InboxTarget = "next-turn"

	// Messages that the next step takes, whatever turn it belongs to.
	//
	// zh: 由下一步取用的消息，不论该步属于哪个轮次。
	InboxNextStep InboxTarget = "next-step"
)

// SpliceOutcome is what happened to messages that no turn took.
//
// zh: 未被轮次取用的消息的去向。
type SpliceOutcome string

// The values of SpliceOutcome.
const (
	// They were withdrawn.
	//
	// zh: 已被撤回。
	SpliceCanceled SpliceOutcome = "canceled"
)

// UserMessage is a message on the user's side of the conversation. The event's
// data is the message itself; inbox splices hold it too.
//
// zh: 对话中用户一侧的消息。事件的 data 即消息本身；收件箱拼接事件中也包含它。
type UserMessage struct {
	// The content.
	//
	// zh: 消息内容。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// Where it comes from.
	//
	// zh: 消息来源。
	Source MessageSource `json:"source"`

	// `user`.
	//
	// zh: 固定为 `user`。
	Role Role `json:"role" intern:"true"`

	// The message's id, the one in the prompt's receipt.
	//
	// zh: 消息标识，与提示回执中的一致。
	ID MessageID `json:"id"`
}

// SystemMessage is the system prompt.
//
// zh: 系统提示事件。
type SystemMessage struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The message.
	//
	// zh: 消息。
	Message SystemBody `json:"message"`
}

// DeveloperMessage informs the model of a change of tools.
//
// zh: 告知模型工具变更的事件。
type DeveloperMessage struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The message.
	//
	// zh: 消息。
	Message DeveloperBody `json:"message"`

	// The request/header event with the added tools; present exactly if there are some.
	//
	// zh: 含有新增工具的 request/header 事件；仅在有新增时出现。
	HeaderSeq *int64 `json:"headerSeq,omitzero" min:"0"`
}

// AssistantMessage is the model's answer of one step.
//
// zh: 模型在一步中的回答。
type AssistantMessage struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The answer.
	//
	// zh: 回答。
	Message AssistantBody `json:"message"`

	// The tokens that it used. Absent: the provider did not report them.
	//
	// zh: 用量；缺省表示提供方未说明。
	Usage *Usage `json:"usage,omitzero"`

	// The turn was stopped; the content is what had arrived until then.
	//
	// zh: 轮次被停止；内容为截至当时已收到的部分。
	Interrupted bool `json:"interrupted,omitzero"`

	// How the answer arrived, for readers that want the deltas later. May be
	// empty; absent in the older generation.
	//
	// zh: 回答的产生过程，供事后需要增量的读取方使用；可以为空，较早世代没有此成员。
	Stream []StreamRecord `json:"stream,omitzero" sensitive:"true"`
}

// AssistantAttempt is a model attempt that failed, or was stopped before
// anything visible arrived.
//
// zh: 失败的或在产生可见内容之前被停止的模型尝试。
type AssistantAttempt struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// What had arrived.
	//
	// zh: 已收到的内容。
	Stream []StreamRecord `json:"stream" sensitive:"true"`
}

// AssistantChunk is one piece of an answer, as the older generation stores and sends it.
//
// zh: 回答的一个片段，由较早世代存储并发送。
type AssistantChunk struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The piece.
	//
	// zh: 片段内容。
	Chunk StreamChunk `json:"chunk" sensitive:"true"`
}
