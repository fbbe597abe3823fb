// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// MessageSource is where a message comes from. The set is open: readers keep kinds they do
// not know.
//
// zh: 消息的来源。此集合是开放的：读取方保留未知的种类。
type MessageSource struct {
	_ spec.Union `tag:"kind"`

	// A client's prompt.
	//
	// zh: 客户端的提示。
	User *SourceUser `variant:"user"`

	// A model's answer.
	//
	// zh: 模型的回答。
	Model *SourceModel `variant:"model"`

	// A tool's result.
	//
	// zh: 工具的结果。
	Tool *SourceTool `variant:"tool"`

	// The system prompt.
	//
	// zh: 系统提示。
	SystemPrompt *SourceSystemPrompt `variant:"system-prompt"`

	// A snapshot of the environment.
	//
	// zh: 运行环境的快照。
	RuntimeContext *SourceRuntimeContext `variant:"runtime-context"`

	// The working directory was changed.
	//
	// zh: 工作目录已更改。
	WorkingDirectory *SourceWorkingDirectory `variant:"working-directory"`

	// A child session ended.
	//
	// zh: 子会话已结束。
	SubagentSettled *SourceSubagentSettled `variant:"subagent-settled"`

	// The list of tools changed.
	//
	// zh: 工具列表已变更。
	ToolRegistry *SourceToolRegistry `variant:"tool-registry"`

	// The user decided on a permission.
	//
	// zh: 用户就权限作出了决定。
	UserApproval *SourceUserApproval `variant:"user-approval"`

	// Another model was chosen.
	//
	// zh: 选择了其他模型。
	ModelSelection *SourceModelSelection `variant:"model-selection"`

	// Plan mode was switched.
	//
	// zh: 计划模式已切换。
	PlanMode *SourcePlanMode `variant:"plan-mode"`

	// Work on a goal continues.
	//
	// zh: 继续推进目标。
	Goal *SourceGoal `variant:"goal"`

	// The goal tool.
	//
	// zh: 目标工具。
	ToolGoal *SourceToolGoal `variant:"tool-goal"`

	// A background job ended.
	//
	// zh: 后台作业已结束。
	ToolJobs *SourceToolJobs `variant:"tool-jobs"`

	// A schedule fell due.
	//
	// zh: 计划任务到期。
	Schedule *SourceSchedule `variant:"schedule"`

	// Instructions for the agent, from files.
	//
	// zh: 来自文件的智能体指令。
	AgentInstructions *SourceAgentInstructions `variant:"agent-instructions"`

	// The available skills.
	//
	// zh: 可用的技能。
	SkillCatalog *SourceSkillCatalog `variant:"skill-catalog"`

	// A skill was called.
	//
	// zh: 调用了技能。
	SkillInvocation *SourceSkillInvocation `variant:"skill-invocation"`

	// Another session is referred to.
	//
	// zh: 引用了其他会话。
	SessionReference *SourceSessionReference `variant:"session-reference"`

	// Another session sent it.
	//
	// zh: 由其他会话发送。
	AgentMessage *SourceAgentMessage `variant:"agent-message"`

	// The user's late answer to a question.
	//
	// zh: 用户对提问的迟到回答。
	UserQuestionReply *SourceUserQuestionReply `variant:"user-question-reply"`

	// The summary that replaces older messages.
	//
	// zh: 代替较早消息的摘要。
	CompactCheckpoint *SourceCompactCheckpoint `variant:"compact-checkpoint"`

	// A note of the basic compaction.
	//
	// zh: 基本压缩的说明。
	CompactBasic *SourceCompactBasic `variant:"compact-basic"`

	// A note of programmatic tool calling.
	//
	// zh: 程序化工具调用的说明。
	PTCMode *SourcePTCMode `variant:"ptc-mode"`

	// A reminder about a repeated tool call.
	//
	// zh: 对重复工具调用的提醒。
	RepeatToolReminder *SourceRepeatToolReminder `variant:"repeat-tool-reminder"`

	// The host that runs the agent.
	//
	// zh: 运行智能体的宿主。
	CordisHostRunner *SourceCordisHostRunner `variant:"cordis-host-runner"`

	// The title's model request.
	//
	// zh: 生成标题的模型请求。
	SessionTitleLLM *SourceSessionTitleLLM `variant:"dsh-session-title-llm"`

	// A coordinator, in older logs.
	//
	// zh: 协调者，见于旧日志。
	Coordinator *SourceCoordinator `variant:"coordinator" only:"dsh-0.1"`

	// A child's report, in older logs.
	//
	// zh: 子会话的报告，见于旧日志。
	SubagentReport *SourceSubagentReport `variant:"subagent-report" only:"dsh-0.1"`

	// A message in a team, in older logs.
	//
	// zh: 团队消息，见于旧日志。
	TeamMessage *SourceTeamMessage `variant:"team-message" only:"dsh-0.1"`

	// A plug-in, in older logs; the current format refuses this kind.
	//
	// zh: 插件，见于旧日志；现行格式拒绝此种类。
	Plugin *SourcePlugin `variant:"plugin" only:"dsh-0.1"`
}

// SourceUser is a client's prompt.
//
// zh: 客户端的提示。
type SourceUser struct {
	// The key that the prompt came with; the log records it.
	//
	// zh: 提示所带的幂等键；由日志记录。
	IdempotencyKey string `json:"idempotencyKey,omitzero" since:"2"`

	// A digest of the content as it was sent, with `idempotencyKey`.
	//
	// zh: 内容原样的摘要，与 idempotencyKey 一同出现。
	Fingerprint string `json:"fingerprint,omitzero" since:"2"`

	// The web gateway's request id.
	//
	// zh: 网页网关的请求标识。
	RPCID spec.Raw `json:"rpcId,omitzero"`

	// The web client's time zone.
	//
	// zh: 网页客户端的时区。
	ClientTimeZone string `json:"clientTimeZone,omitzero"`
}

// SourceModel is a model's answer.
//
// zh: 模型的回答。
type SourceModel struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model" intern:"true"`

	// What the adapter needs to continue from this answer, opaque.
	//
	// zh: 适配器据此回答继续所需的状态，内容不透明。
	ReplayState spec.Raw `json:"replayState,omitzero"`
}

// SourceTool is a tool's result.
//
// zh: 工具的结果。
type SourceTool struct {
	// The call.
	//
	// zh: 调用标识。
	CallID ToolCallID `json:"callId"`
}

// SourceSystemPrompt is the system prompt.
//
// zh: 系统提示。
type SourceSystemPrompt struct{}

// SourceRuntimeContext is a snapshot of the environment.
//
// zh: 运行环境的快照。
type SourceRuntimeContext struct {
	// `snapshot`.
	//
	// zh: 固定为 `snapshot`。
	Form string `json:"form,omitzero" intern:"true"`

	// The parts of the snapshot.
	//
	// zh: 快照的各部分。
	Sections []ContextSection `json:"sections,omitzero"`
}

// ContextSection is one part of a snapshot.
//
// zh: 快照的一个部分。
type ContextSection struct {
	// Its name, such as `working-directory:current`.
	//
	// zh: 名称，例如 `working-directory:current`。
	Name string `json:"name" intern:"true"`

	// Its text.
	//
	// zh: 文本。
	Text string `json:"text" sensitive:"true"`
}

// SourceWorkingDirectory is the notice of a changed working directory.
//
// zh: 工作目录变更的通知。
type SourceWorkingDirectory struct {
	// The form of the notice.
	//
	// zh: 通知的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The notice in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceSubagentSettled is the notice that a child session ended.
//
// zh: 子会话结束的通知。
type SourceSubagentSettled struct {
	// `notice`.
	//
	// zh: 固定为 `notice`。
	Form string `json:"form,omitzero" intern:"true"`

	// The notice in one line, at most 120 characters.
	//
	// zh: 一行摘要，最多 120 个字符。
	Summary string `json:"summary,omitzero"`

	// The child.
	//
	// zh: 子会话。
	SenderSessionID SessionID `json:"senderSessionId,omitzero" intern:"true"`
}

// SourceToolRegistry is a change of the list of tools.
//
// zh: 工具列表的变更。
type SourceToolRegistry struct{}
