package harness

import "github.com/accordkit/accord/spec"

// CommandRun starts a user's command.
//
// zh: 用户命令的开始。
type CommandRun struct {
	// The command.
	//
	// zh: 命令标识。
	CommandID string `json:"commandId"`

	// Its name.
	//
	// zh: 命令名称。
	Name string `json:"name"`

	// Its arguments.
	//
	// zh: 命令参数。
	Args spec.Raw `json:"args,omitzero" sensitive:"true"`

	// `user`.
	//
	// zh: 来源，固定为 `user`。
	Source MessageSource `json:"source"`
}

// CommandDone ends a user's command.
//
// zh: 用户命令的结束。
type CommandDone struct {
	// The command.
	//
	// zh: 命令标识。
	CommandID string `json:"commandId"`

	// `success` or `error`.
	//
	// zh: 取 `success` 或 `error`。
	Kind string `json:"kind" intern:"true"`

	// What it says.
	//
	// zh: 命令输出的文字。
	Text string `json:"text,omitzero" sensitive:"true"`

	// The event it refers to.
	//
	// zh: 所涉及的事件。
	SourceEventSeq *int64 `json:"sourceEventSeq,omitzero" min:"0"`
}

// CompactionStart begins a compaction.
//
// zh: 压缩的开始。
type CompactionStart struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that asked for it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The turn it happens in; null between turns.
	//
	// zh: 所在的轮次；在轮次之间为 null。
	Turn spec.Nullable[TurnID] `json:"turn,omitzero" min:"1"`
}

// CompactionSummary is what stands for older messages.
//
// zh: 代替较早消息的摘要。
type CompactionSummary struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that asked for it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The summary.
	//
	// zh: 摘要内容。
	Summary []ContentBlock `json:"summary" sensitive:"true"`

	// The range of events it stands for.
	//
	// zh: 所代替的事件区间。
	ShadowedRange SeqRange `json:"shadowedRange"`

	// The surface events in it.
	//
	// zh: 区间内的表面事件。
	ShadowedSeqs []int64 `json:"shadowedSeqs"`

	// How many tokens they were.
	//
	// zh: 其令牌数。
	ShadowedTokenCount int64 `json:"shadowedTokenCount" min:"0"`

	// The adapter that made it.
	//
	// zh: 生成摘要的适配器。
	Provider string `json:"provider" intern:"true"`

	// The model that made it.
	//
	// zh: 生成摘要的模型。
	Model string `json:"model" intern:"true"`

	// Its token limit.
	//
	// zh: 令牌上限。
	MaxTokens *int64 `json:"maxTokens,omitzero" min:"0"`

	// What it cost.
	//
	// zh: 用量。
	Usage *Usage `json:"usage,omitzero"`

	// The model's answer as it came.
	//
	// zh: 模型的原始回答。
	RawOutput spec.Raw `json:"rawOutput,omitzero" sensitive:"true"`

	// It was asked for as a stream.
	//
	// zh: 以流式方式请求。
	LLMStreamCall bool `json:"llmStreamCall,omitzero"`
}

// SeqRange is a range of events, both ends included.
//
// zh: 事件区间，包含两端。
type SeqRange struct {
	// The first seq.
	//
	// zh: 第一个 seq。
	Start int64 `json:"start" min:"0"`

	// The last seq.
	//
	// zh: 最后一个 seq。
	End int64 `json:"end" min:"0"`
}

// CompactionPrune leaves older messages out.
//
// zh: 略去较早的消息。
type CompactionPrune struct {
	// The range of events left out.
	//
	// zh: 被略去的事件区间。
	ShadowedRange SeqRange `json:"shadowedRange"`

	// The surface events in it.
	//
	// zh: 区间内的表面事件。
	ShadowedSeqs []int64 `json:"shadowedSeqs"`

	// How many tokens they were.
	//
	// zh: 其令牌数。
	ShadowedTokenCount int64 `json:"shadowedTokenCount" min:"0"`
}

// CompactionEnd ends a compaction.
//
// zh: 压缩的结束。
type CompactionEnd struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that asked for it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The turn it happened in; null between turns.
	//
	// zh: 所在的轮次；在轮次之间为 null。
	Turn spec.Nullable[TurnID] `json:"turn,omitzero" min:"1"`

	// What went wrong. Absent: nothing.
	//
	// zh: 失败的内容；缺省表示没有失败。
	Error spec.Raw `json:"error,omitzero"`
}

// HookInvoked is the call of a hook.
//
// zh: 钩子的调用。
type HookInvoked struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// Where in the turn.
	//
	// zh: 在轮次中的位置。
	Point string `json:"point" intern:"true"`

	// `claude-code` or `codex`.
	//
	// zh: 取 `claude-code` 或 `codex`。
	Dialect string `json:"dialect" intern:"true"`

	// What it matches.
	//
	// zh: 匹配的内容。
	Matcher string `json:"matcher,omitzero"`

	// The hook.
	//
	// zh: 钩子标识。
	HandlerID string `json:"handlerId"`
}

// HookResult is what a hook answered.
//
// zh: 钩子的返回。
type HookResult struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// Where in the turn.
	//
	// zh: 在轮次中的位置。
	Point string `json:"point" intern:"true"`

	// The hook.
	//
	// zh: 钩子标识。
	HandlerID string `json:"handlerId"`

	// What it decided.
	//
	// zh: 钩子的决定。
	Decision spec.Raw `json:"decision"`

	// Its exit code.
	//
	// zh: 退出码。
	ExitCode *int64 `json:"exitCode,omitzero" min:"-1"`

	// The start of what it wrote on standard error.
	//
	// zh: 其标准错误输出的开头部分。
	StderrSummary string `json:"stderrSummary,omitzero" sensitive:"true"`

	// How long it took, in milliseconds.
	//
	// zh: 耗时，单位为毫秒。
	DurationMS float64 `json:"durationMs"`
}

// SubagentCatalog records a child session in its parent's log.
//
// zh: 在父会话日志中登记子会话。
type SubagentCatalog struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`

	// The child.
	//
	// zh: 子会话。
	ChildID SessionID `json:"childId"`

	// When it was created, in milliseconds since 1970 UTC.
	//
	// zh: 创建时间，自 1970 年 UTC 起的毫秒数。
	ChildCreatedAt int64 `json:"childCreatedAt" min:"0"`

	// `one-shot`, `continuable`, `external` or `unknown`.
	//
	// zh: 取 `one-shot`、`continuable`、`external` 或 `unknown`。
	Mode string `json:"mode" intern:"true"`

	// Its task in one line.
	//
	// zh: 任务的一行描述。
	Label string `json:"label" sensitive:"true"`
}

// SubagentDescriptor says in a child's own log what it is.
//
// zh: 在子会话自身的日志中说明其性质。
type SubagentDescriptor struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`

	// `one-shot` or `continuable`.
	//
	// zh: 取 `one-shot` 或 `continuable`。
	Mode string `json:"mode" intern:"true"`

	// How it was made, `spawn` or `fork`.
	//
	// zh: 产生方式，`spawn` 或 `fork`。
	Provider string `json:"provider" intern:"true"`

	// Its task in one line.
	//
	// zh: 任务的一行描述。
	Label string `json:"label" sensitive:"true"`

	// Its adapter.
	//
	// zh: 所用的适配器。
	AgentProvider string `json:"agentProvider,omitzero"`

	// Its model.
	//
	// zh: 所用的模型。
	AgentModel string `json:"agentModel,omitzero"`

	// How much its model is to think.
	//
	// zh: 其模型的思考强度。
	AgentReasoningEffort string `json:"agentReasoningEffort,omitzero"`

	// Its persona.
	//
	// zh: 其角色设定。
	Persona string `json:"persona,omitzero"`

	// The tools it may use. Absent: all.
	//
	// zh: 可使用的工具；缺省表示全部。
	ToolFilter *ToolFilter `json:"toolFilter,omitzero"`
}

// ToolFilter is a choice of tools.
//
// zh: 对工具的取舍。
type ToolFilter struct {
	// Only these.
	//
	// zh: 仅允许这些。
	Allow []string `json:"allow,omitzero"`

	// Not these.
	//
	// zh: 不允许这些。
	Deny []string `json:"deny,omitzero"`
}

// SubagentModelSelectionPolicy names the models that children may use.
//
// zh: 子会话可使用的模型。
type SubagentModelSelectionPolicy struct {
	// The models.
	//
	// zh: 各个模型。
	AllowedModels []ModelRoute `json:"allowedModels"`
}

// TeamMember is a member of a team. Its shape is not settled; all members but the version
// are kept as read.
//
// zh: 团队成员；形状未定，除版本外的成员按读取时原样保留。
type TeamMember struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamTask is a task of a team. Its shape is not settled; all members but the version are
// kept as read.
//
// zh: 团队任务；形状未定，除版本外的成员按读取时原样保留。
type TeamTask struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamMessageQueued is a team message that waits. Its shape is not settled; all members
// but the version are kept as read.
//
// zh: 等待投递的团队消息；形状未定，除版本外的成员按读取时原样保留。
type TeamMessageQueued struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamMessageDelivered is a team message that was delivered. Its shape is not settled; all
// members but the version are kept as read.
//
// zh: 已投递的团队消息；形状未定，除版本外的成员按读取时原样保留。
type TeamMessageDelivered struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// DeliverablesPresented shows files to the user.
//
// zh: 向用户呈交文件。
type DeliverablesPresented struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The tool call.
	//
	// zh: 工具调用标识。
	CallID ToolCallID `json:"callId"`

	// The files.
	//
	// zh: 各个文件。
	Files []Deliverable `json:"files"`
}

// Deliverable is one file that was presented.
//
// zh: 呈交的一个文件。
type Deliverable struct {
	// Its path.
	//
	// zh: 文件路径。
	Path string `json:"path"`

	// What it is.
	//
	// zh: 文件说明。
	Description string `json:"description,omitzero"`
}

// WorkspaceChanges says that a turn changed files.
//
// zh: 说明轮次更改了文件。
type WorkspaceChanges struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`
}

// ImageOffload leaves images out of what the model reads.
//
// zh: 使部分图像不再提供给模型。
type ImageOffload struct {
	// Which ones.
	//
	// zh: 涉及的图像。
	Targets []ImageOffloadTarget `json:"targets"`
}

// ImageOffloadTarget names images of one event.
//
// zh: 某个事件中的图像。
type ImageOffloadTarget struct {
	// The event.
	//
	// zh: 事件的 seq。
	Seq int64 `json:"seq" min:"0"`

	// The images in it, from 0.
	//
	// zh: 其中图像的序号，从 0 起。
	ImageIndexes []int64 `json:"imageIndexes"`
}

// FeedbackRecord is the user's remark on the session.
//
// zh: 用户对会话的反馈。
type FeedbackRecord struct {
	// What the user wrote.
	//
	// zh: 用户所写的文字。
	Text string `json:"text,omitzero" sensitive:"true"`

	// What it is about.
	//
	// zh: 反馈的类别。
	Category string `json:"category,omitzero"`
}

// FeedbackMessagePut is the user's rating of a message.
//
// zh: 用户对消息的评价。
type FeedbackMessagePut struct {
	// The session.
	//
	// zh: 会话标识。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The rating.
	//
	// zh: 评价内容。
	Item FeedbackItem `json:"item"`
}

// FeedbackItem is one rating.
//
// zh: 一条评价。
type FeedbackItem struct {
	// The message.
	//
	// zh: 消息标识。
	MessageID MessageID `json:"messageId"`

	// The rating.
	//
	// zh: 评分。
	Rating spec.Raw `json:"rating"`

	// Counts its changes.
	//
	// zh: 修订号。
	Version int64 `json:"version" min:"0"`

	// When it was made, in milliseconds since 1970 UTC.
	//
	// zh: 创建时间，自 1970 年 UTC 起的毫秒数。
	CreatedAt int64 `json:"createdAt" min:"0"`

	// When it changed, in milliseconds since 1970 UTC.
	//
	// zh: 变更时间，自 1970 年 UTC 起的毫秒数。
	UpdatedAt int64 `json:"updatedAt" min:"0"`

	// The user's note.
	//
	// zh: 用户的附注。
	Note string `json:"note,omitzero" sensitive:"true"`
}

// FeedbackMessageDelete takes a rating back.
//
// zh: 撤销评价。
type FeedbackMessageDelete struct {
	// The session.
	//
	// zh: 会话标识。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The message.
	//
	// zh: 消息标识。
	MessageID MessageID `json:"messageId"`
}
