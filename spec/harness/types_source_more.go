package harness

import "github.com/accordkit/accord/spec"

// SourceUserApproval is the user's decision on a permission.
//
// zh: 用户对权限的决定。
type SourceUserApproval struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceModelSelection is the choice of another model.
//
// zh: 对其他模型的选择。
type SourceModelSelection struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourcePlanMode is a switch of plan mode.
//
// zh: 计划模式的切换。
type SourcePlanMode struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceGoal is a round of work on a goal.
//
// zh: 推进目标的一轮工作。
type SourceGoal struct {
	// The goal.
	//
	// zh: 目标标识。
	GoalID string `json:"goalId,omitzero"`

	// The goal's revision.
	//
	// zh: 目标的修订号。
	Revision *int64 `json:"revision,omitzero" min:"0"`

	// The round.
	//
	// zh: 轮数。
	Round *int64 `json:"round,omitzero" min:"0"`

	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceToolGoal is a message of the goal tool.
//
// zh: 目标工具的消息。
type SourceToolGoal struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceToolJobs is the notice that a background job came to its end.
//
// zh: 后台作业结束的通知。
type SourceToolJobs struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceSchedule is a schedule that fell due.
//
// zh: 到期的计划任务。
type SourceSchedule struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceAgentInstructions is instructions for the agent, from files.
//
// zh: 来自文件的智能体指令。
type SourceAgentInstructions struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The instructions it starts from.
	//
	// zh: 作为起点的指令。
	Baseline spec.Raw `json:"baseline,omitzero"`

	// What the baseline was read from.
	//
	// zh: 起点指令的出处。
	BaselineIdentity spec.Raw `json:"baselineIdentity,omitzero"`

	// What differs from the baseline.
	//
	// zh: 相对于起点的变更。
	Changes spec.Raw `json:"changes,omitzero"`
}

// SourceSkillCatalog is the list of skills at hand.
//
// zh: 可用技能的清单。
type SourceSkillCatalog struct {
	// `catalog`.
	//
	// zh: 固定为 `catalog`。
	Form string `json:"form,omitzero" intern:"true"`

	// Whether it changes an earlier list.
	//
	// zh: 是否更新先前的清单。
	Update spec.Raw `json:"update,omitzero"`

	// The skills.
	//
	// zh: 各个技能。
	Entries spec.Raw `json:"entries,omitzero"`
}

// SourceSkillInvocation is the call of a skill.
//
// zh: 技能的调用。
type SourceSkillInvocation struct {
	// The skill.
	//
	// zh: 技能名称。
	Name string `json:"name,omitzero"`

	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`
}

// SourceSessionReference is a reference to another session.
//
// zh: 对其他会话的引用。
type SourceSessionReference struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceAgentMessage is a message from another session.
//
// zh: 来自其他会话的消息。
type SourceAgentMessage struct {
	// `relay`.
	//
	// zh: 固定为 `relay`。
	Form string `json:"form,omitzero" intern:"true"`

	// Who sent it.
	//
	// zh: 发送者。
	SenderSessionID SessionID `json:"senderSessionId,omitzero" intern:"true"`
}

// SourceUserQuestionReply is the user's late answer to a question.
//
// zh: 用户对提问的迟到回答。
type SourceUserQuestionReply struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceCompactCheckpoint is the summary that stands for older messages.
//
// zh: 代替较早消息的摘要。
type SourceCompactCheckpoint struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The compaction that made it.
	//
	// zh: 产生它的压缩。
	CompactionID string `json:"compactionId,omitzero"`
}

// SourceCompactBasic is a note of the basic compaction.
//
// zh: 基本压缩的说明。
type SourceCompactBasic struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourcePTCMode is a note of programmatic tool calling.
//
// zh: 程序化工具调用的说明。
type SourcePTCMode struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceRepeatToolReminder is a reminder about a repeated tool call.
//
// zh: 对重复工具调用的提醒。
type SourceRepeatToolReminder struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceCordisHostRunner is the host that runs the agent.
//
// zh: 运行智能体的宿主。
type SourceCordisHostRunner struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceSessionTitleLLM is the title's model request.
//
// zh: 生成标题的模型请求。
type SourceSessionTitleLLM struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceCoordinator is a coordinator, in older logs.
//
// zh: 协调者，见于旧日志。
type SourceCoordinator struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourceSubagentReport is a child's report, in older logs.
//
// zh: 子会话的报告，见于旧日志。
type SourceSubagentReport struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`

	// The child.
	//
	// zh: 子会话。
	SenderSessionID SessionID `json:"senderSessionId,omitzero" intern:"true"`
}

// SourceTeamMessage is a message in a team, in older logs.
//
// zh: 团队消息，见于旧日志。
type SourceTeamMessage struct {
	// The form of the message.
	//
	// zh: 消息的形式。
	Form string `json:"form,omitzero" intern:"true"`

	// The message in one line.
	//
	// zh: 一行摘要。
	Summary string `json:"summary,omitzero"`
}

// SourcePlugin is a plug-in, in older logs.
//
// zh: 插件，见于旧日志。
type SourcePlugin struct {
	// The plug-in's name.
	//
	// zh: 插件名称。
	Plugin string `json:"plugin" intern:"true"`

	// `instructions`, `catalog`, `snapshot`, `notice`, `relay` or `recall`.
	//
	// zh: 取 `instructions`、`catalog`、`snapshot`、`notice`、`relay` 或 `recall`。
	Form string `json:"form,omitzero" intern:"true"`

	// The parts of a snapshot.
	//
	// zh: 快照的各部分。
	Sections []ContextSection `json:"sections,omitzero"`

	// A notice in one line, at most 120 characters.
	//
	// zh: 通知的一行摘要，最多 120 个字符。
	Summary string `json:"summary,omitzero"`

	// The compaction that made it.
	//
	// zh: 产生它的压缩。
	CompactionID string `json:"compactionId,omitzero"`
}
