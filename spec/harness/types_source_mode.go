// SPDX-License-Identifier: Apache-2.0

package harness

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

// SourceToolJobs is the notice that a background job ended.
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
