// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Event is one durable event of a session's log. Readers keep types they do not know; a
// log that has one without `ignorable` is refused when it is loaded.
//
// zh: 会话日志中的一个持久事件。读取方保留未知类型；若日志含有未知类型且未标记 ignorable，载入时会被拒绝。
type Event struct {
	_ spec.Union `tag:"type" content:"data"`

	// The event's place in the log: contiguous from 0 over all processes that write the
	// session.
	//
	// zh: 事件在日志中的位置：从 0 起连续，跨越所有写入该会话的进程。
	Seq int64 `json:"seq" min:"0"`

	// When it was written, in milliseconds since 1970 UTC. Not monotonic; old and repaired
	// logs may have negative ones.
	//
	// zh: 写入时间，自 1970 年 UTC 起的毫秒数；不保证单调，旧日志或修复过的日志中可能为负。
	Time int64 `json:"time" min:"-9007199254740991"`

	// A turn begins.
	//
	// zh: 轮次开始。
	TurnStart *TurnStart `variant:"turn/start"`

	// A turn is over; nothing of it follows.
	//
	// zh: 轮次结束，之后不再有属于它的事件。
	TurnEnd *TurnEnd `variant:"turn/end"`

	// A step of a turn begins: one model request and its tools.
	//
	// zh: 轮次中的一步开始：一次模型请求及其工具。
	StepStart *StepStart `variant:"step/start"`

	// A step is over.
	//
	// zh: 步骤结束。
	StepEnd *StepEnd `variant:"step/end"`

	// The inbox changed: messages were put in, taken by a turn, or withdrawn.
	//
	// zh: 收件箱变更：消息被放入、被轮次取用或被撤回。
	InboxSpliced *InboxSpliced `variant:"agent/inbox/spliced"`

	// The system prompt. The first surface event of a session, replaced when the prompt
	// changes.
	//
	// zh: 系统提示。会话的第一个表面事件，提示变更时被替换。
	SystemMessage *SystemMessage `variant:"system/message"`

	// A note to the model about tools that were added or removed.
	//
	// zh: 告知模型工具增减的说明。
	DeveloperMessage *DeveloperMessage `variant:"developer/message"`

	// A message entered the conversation: a prompt that its turn took, or a note
	// of the runtime.
	//
	// zh: 一条消息进入对话：被轮次取用的提示，或运行时的说明。
	UserMessage *UserMessage `variant:"user/message"`

	// The model's answer of one step, whole.
	//
	// zh: 模型在一步中的完整回答。
	AssistantMessage *AssistantMessage `variant:"assistant/message"`

	// A model attempt that gave no answer.
	//
	// zh: 未产生回答的模型尝试。
	AssistantAttempt *AssistantAttempt `variant:"assistant/attempt"`

	// A tool call starts.
	//
	// zh: 工具调用开始。
	ToolCall *ToolCallEvent `variant:"tool/call"`

	// A tool call is over.
	//
	// zh: 工具调用结束。
	ToolResult *ToolResultEvent `variant:"tool/result"`

	// A program that the model wrote starts a tool call.
	//
	// zh: 模型编写的程序发起一次工具调用。
	PTCDispatchStart *PTCDispatchStart `variant:"tool/ptc-dispatch-start"`

	// Such a tool call is over.
	//
	// zh: 该工具调用结束。
	PTCDispatch *PTCDispatch `variant:"tool/ptc-dispatch"`

	// What model requests look like from now on.
	//
	// zh: 此后模型请求的内容与设置。
	RequestHeader *RequestHeader `variant:"request/header"`

	// Which model answers, and how much it can read.
	//
	// zh: 由哪个模型回答以及其上下文容量。
	RequestContext *RequestContext `variant:"request/context"`

	// A failed attempt will be repeated.
	//
	// zh: 失败的尝试将被重试。
	LLMRetry *LLMRetry `variant:"llm/retry"`

	// The repetition begins.
	//
	// zh: 重试开始。
	LLMRetryStarted *LLMRetryStarted `variant:"llm/retry-started"`

	// The session's title; the last one counts.
	//
	// zh: 会话标题，以最后一个为准。
	SessionTitle *SessionTitle `variant:"session/title"`

	// A model was requested to generate a title.
	//
	// zh: 请求模型生成标题。
	SessionTitleLLMRequest *SessionTitleLLMRequest `variant:"session/title-llm-request"`

	// What follows was written after the session was resumed, or after the part
	// that a fork inherited. Sent in a replay only.
	//
	// zh: 此后的内容是在会话恢复之后、或在分叉继承的部分之后写入的；仅在重放中发送。
	SessionEndSeed *SessionEndSeed `variant:"session/end-seed" off:"wire"`

	// The working directory changed.
	//
	// zh: 工作目录变更。
	WorkingDirectoryChange *WorkingDirectoryChange `variant:"working-directory/change"`

	// Another model was chosen.
	//
	// zh: 选择了其他模型。
	ModelSelection *ModelSelection `variant:"model/selection"`

	// An agent preset was chosen.
	//
	// zh: 选择了智能体预设。
	AgentPresetSelected *AgentPresetSelected `variant:"agent-preset/selected"`

	// A permission preset was chosen.
	//
	// zh: 选择了权限预设。
	PermissionPreset *PermissionPreset `variant:"permission/preset"`

	// The sandbox's mode.
	//
	// zh: 沙箱模式。
	SandboxMode *SandboxMode `variant:"sandbox/mode"`

	// Whether tool calls need a permission.
	//
	// zh: 工具调用是否需要权限。
	ApprovalPolicy *ApprovalPolicy `variant:"approval/policy"`

	// A permission was requested.
	//
	// zh: 请求了权限。
	ApprovalAsked *ApprovalAsked `variant:"approval/asked"`

	// The permission was decided.
	//
	// zh: 权限请求已有决定。
	ApprovalDecided *ApprovalDecided `variant:"approval/decided"`

	// Plan mode was switched.
	//
	// zh: 计划模式已切换。
	PlanMode *PlanMode `variant:"plan/mode"`

	// The to-do list, whole.
	//
	// zh: 完整的待办列表。
	TodoWrite *TodoWrite `variant:"todo/write"`

	// A goal changed.
	//
	// zh: 目标变更。
	GoalChange *GoalChange `variant:"goal/change"`

	// A schedule changed or fell due.
	//
	// zh: 计划任务变更或到期。
	ScheduleChange *ScheduleChange `variant:"schedule/change"`

	// A user's command starts.
	//
	// zh: 用户命令开始执行。
	CommandRun *CommandRun `variant:"command/run"`

	// The command is over.
	//
	// zh: 命令执行结束。
	CommandDone *CommandDone `variant:"command/done"`

	// Older messages are about to be summarized.
	//
	// zh: 即将压缩较早的消息。
	CompactionStart *CompactionStart `variant:"compaction/start"`

	// The summary, followed by the message that replaces them.
	//
	// zh: 摘要，其后是取代它们的消息。
	CompactionSummary *CompactionSummary `variant:"compaction/summary"`

	// Older messages were left out without a summary.
	//
	// zh: 较早的消息未经摘要即被略去。
	CompactionPrune *CompactionPrune `variant:"compaction/prune"`

	// Compaction is over.
	//
	// zh: 压缩结束。
	CompactionEnd *CompactionEnd `variant:"compaction/end"`

	// A hook was called.
	//
	// zh: 调用了钩子。
	HookInvoked *HookInvoked `variant:"hook/invoked"`

	// The hook answered.
	//
	// zh: 钩子已返回。
	HookResult *HookResult `variant:"hook/result"`

	// A job began; it may outlive its tool call.
	//
	// zh: 开始了一个可能比工具调用更长久的作业。
	JobRegistered *JobRegistered `variant:"job/registered"`

	// The job is over.
	//
	// zh: 作业结束。
	JobSettled *JobSettled `variant:"job/settled"`

	// A child session, in its parent's log.
	//
	// zh: 父会话日志中对子会话的登记。
	SubagentCatalog *SubagentCatalog `variant:"subagent/catalog"`

	// What a child session is, in its own log. Sent in a replay only.
	//
	// zh: 子会话自身日志中的说明；仅在重放中发送。
	SubagentDescriptor *SubagentDescriptor `variant:"subagent/descriptor" off:"wire"`

	// The models that children may use.
	//
	// zh: 子会话可使用的模型。
	SubagentModelSelectionPolicy *SubagentModelSelectionPolicy `variant:"subagent/model-selection-policy"`

	// A member of a team. Experimental.
	//
	// zh: 团队成员，实验性。
	TeamMember *TeamMember `variant:"team/member"`

	// A task of a team. Experimental.
	//
	// zh: 团队任务，实验性。
	TeamTask *TeamTask `variant:"team/task"`

	// A team message waits. Experimental.
	//
	// zh: 团队消息等待投递，实验性。
	TeamMessageQueued *TeamMessageQueued `variant:"team/message/queued"`

	// A team message was delivered. Experimental.
	//
	// zh: 团队消息已投递，实验性。
	TeamMessageDelivered *TeamMessageDelivered `variant:"team/message/delivered"`

	// A workflow begins.
	//
	// zh: 工作流开始。
	WorkflowRunStart *WorkflowRunStart `variant:"tool-workflow/run-start"`

	// An agent of a workflow begins.
	//
	// zh: 工作流中的一个智能体开始。
	WorkflowAgentStart *WorkflowAgentStart `variant:"tool-workflow/agent-start"`

	// An agent of a workflow is over.
	//
	// zh: 工作流中的一个智能体结束。
	WorkflowAgentEnd *WorkflowAgentEnd `variant:"tool-workflow/agent-end"`

	// A workflow is over.
	//
	// zh: 工作流结束。
	WorkflowRunEnd *WorkflowRunEnd `variant:"tool-workflow/run-end"`

	// Files were presented to the user.
	//
	// zh: 向用户呈交了文件。
	DeliverablesPresented *DeliverablesPresented `variant:"deliverables/presented"`

	// A turn changed files of the workspace.
	//
	// zh: 轮次更改了工作区中的文件。
	WorkspaceChanges *WorkspaceChanges `variant:"workspace/changes"`

	// Images were left out of what the model reads.
	//
	// zh: 部分图像不再提供给模型。
	ImageOffload *ImageOffload `variant:"image/offload"`

	// The user's feedback on the session.
	//
	// zh: 用户对会话的反馈。
	FeedbackRecord *FeedbackRecord `variant:"feedback/record"`

	// The user's rating of a message.
	//
	// zh: 用户对消息的评价。
	FeedbackMessagePut *FeedbackMessagePut `variant:"feedback/message-put"`

	// A rating was taken back.
	//
	// zh: 评价被撤销。
	FeedbackMessageDelete *FeedbackMessageDelete `variant:"feedback/message-delete"`

	// The model's provider received the log up to a seq.
	//
	// zh: 模型提供方已接收直到某个 seq 的日志。
	DeliveryAccepted *DeliveryAccepted `variant:"session-log-deepseek/delivery-accepted"`

	// A web search was sent to the provider.
	//
	// zh: 向提供方发送了网页搜索请求。
	WebSearchLLMRequest *WebSearchLLMRequest `variant:"web/deepseek-search-llm-request"`

	// A durable piece of the answer: how the older generation streams.
	//
	// zh: 回答的一个片段，持久存储：较早世代的流式方式。
	AssistantChunk *AssistantChunk `variant:"assistant/chunk" only:"dsh-0.1"`

	// The older name of tool/ptc-dispatch-start.
	//
	// zh: tool/ptc-dispatch-start 的旧名。
	CodeDispatchStart *CodeDispatchStart `variant:"tool/code-dispatch-start" only:"dsh-0.1"`

	// The older name of tool/ptc-dispatch.
	//
	// zh: tool/ptc-dispatch 的旧名。
	CodeDispatch *CodeDispatch `variant:"tool/code-dispatch" only:"dsh-0.1"`

	// Earlier events this one was made from, only on surface events. An empty list is kept
	// as it was read.
	//
	// zh: 此事件所依据的较早事件，仅见于表面事件；空列表按读取时原样保留。
	SourceEventSeqs []int64 `json:"sourceEventSeqs,omitzero"`

	// How the event changes the conversation that the model sees: `"append"`, or
	// an object with `op: replace` and the seqs of the range it replaces. Present
	// exactly on surface events: the system, developer, user and assistant
	// messages and tool results.
	//
	// zh: 事件如何改变模型所见的对话：`"append"`，或带有 `op: replace` 及被替换区间 seq 的对象。仅且必须出现在表面事件上：系统、开发者、用户、助手消息与工具结果。
	SurfaceOp spec.Raw `json:"surfaceOp,omitzero"`

	// A reader that does not know the type may skip it.
	//
	// zh: 不认识此类型的读取方可以略过它。
	Ignorable bool `json:"ignorable,omitzero"`
}
