// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// SessionTitle is a title of the session.
//
// zh: 会话的标题。
type SessionTitle struct {
	// The title.
	//
	// zh: 标题。
	Title string `json:"title" sensitive:"true"`

	// The user/message events it was made from; empty exactly if the user gave it.
	//
	// zh: 所依据的 user/message 事件；仅当由用户给出时为空。
	MessageSeqs []int64 `json:"messageSeqs"`

	// Who made it.
	//
	// zh: 标题的来源。
	Source TitleSource `json:"source"`
}

// TitleSource is who made a title.
//
// zh: 标题的来源。
type TitleSource struct {
	_ spec.Union `tag:"kind"`

	// The first words of the first prompt.
	//
	// zh: 首条提示的前几个词。
	Fallback *TitleFallback `variant:"fallback"`

	// A model.
	//
	// zh: 模型。
	Provider *TitleProvider `variant:"provider"`

	// The user.
	//
	// zh: 用户。
	User *TitleUser `variant:"user"`
}

// TitleFallback is the first words of the first prompt.
//
// zh: 首条提示的前几个词。
type TitleFallback struct{}

// TitleProvider is a model that made a title.
//
// zh: 生成标题的模型。
type TitleProvider struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model,omitzero"`
}

// TitleUser is the user who gave a title.
//
// zh: 给出标题的用户。
type TitleUser struct{}

// SessionEndSeed parts what was inherited or restored from what follows.
//
// zh: 将继承或恢复的内容与之后的内容分开。
type SessionEndSeed struct {
	// What precedes was copied from the parent's log.
	//
	// zh: 之前的内容复制自父会话的日志。
	Inherited bool `json:"inherited,omitzero"`
}

// WorkingDirectoryChange is a new working directory.
//
// zh: 新的工作目录。
type WorkingDirectoryChange struct {
	// The directory, an absolute path.
	//
	// zh: 目录的绝对路径。
	CWD string `json:"cwd"`
}

// ModelSelection is the choice of a model.
//
// zh: 对模型的选择。
type ModelSelection struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model" intern:"true"`

	// The reasoning effort.
	//
	// zh: 思考强度。
	ReasoningEffort string `json:"reasoningEffort,omitzero"`
}

// AgentPresetSelected is the choice of an agent preset.
//
// zh: 对智能体预设的选择。
type AgentPresetSelected struct {
	// The preset.
	//
	// zh: 预设名称。
	AgentPreset string `json:"agentPreset"`
}

// PermissionPreset is the choice of a permission preset.
//
// zh: 对权限预设的选择。
type PermissionPreset struct {
	// The preset, `workspace-write` say.
	//
	// zh: 预设名称，例如 `workspace-write`。
	Preset string `json:"preset"`
}

// SandboxMode is what tools may touch.
//
// zh: 工具可访问的范围。
type SandboxMode struct {
	// `read-only`, `workspace-write` or `danger-full-access`.
	//
	// zh: 取 `read-only`、`workspace-write` 或 `danger-full-access`。
	Mode string `json:"mode" intern:"true"`

	// `delegation`, if a parent session set it.
	//
	// zh: 由父会话设定时为 `delegation`。
	Source string `json:"source,omitzero" intern:"true"`
}

// ApprovalPolicy is whether tool calls need a permission.
//
// zh: 工具调用是否需要权限。
type ApprovalPolicy struct {
	// `ask` or `never`.
	//
	// zh: 取 `ask` 或 `never`。
	Policy string `json:"policy" intern:"true"`

	// `delegation`, if a parent session set it.
	//
	// zh: 由父会话设定时为 `delegation`。
	Source string `json:"source,omitzero" intern:"true"`
}

// ApprovalAsked is a permission request.
//
// zh: 一次权限请求。
type ApprovalAsked struct {
	// The question.
	//
	// zh: 权限请求标识。
	ID string `json:"id"`

	// The tool.
	//
	// zh: 工具名称。
	ToolName string `json:"toolName" intern:"true"`

	// The call.
	//
	// zh: 调用标识。
	CallID ToolCallID `json:"callId,omitzero"`

	// Why it is requested.
	//
	// zh: 请求的理由。
	Reason string `json:"reason,omitzero"`
}

// ApprovalDecided is the decision on a permission request.
//
// zh: 权限请求的决定。
type ApprovalDecided struct {
	// The question.
	//
	// zh: 权限请求标识。
	ID string `json:"id"`

	// The answer.
	//
	// zh: 结果。
	Outcome ApprovalOutcome `json:"outcome" intern:"true"`
}

// ApprovalOutcome is how a permission was decided; all but the first deny.
//
// zh: 权限的决定；除第一个之外都是拒绝。
type ApprovalOutcome string

// The values of ApprovalOutcome.
const (
	// The call may run.
	//
	// zh: 允许执行本次调用。
	ApprovalAllowedOnce ApprovalOutcome = "allowed-once"

	// The user, or the policy, said no.
	//
	// zh: 用户或策略拒绝。
	ApprovalRejected ApprovalOutcome = "rejected"

	// The request was withdrawn.
	//
	// zh: 请求被撤回。
	ApprovalCancelled ApprovalOutcome = "cancelled"

	// No client could be asked.
	//
	// zh: 没有可以询问的客户端。
	ApprovalUnavailable ApprovalOutcome = "unavailable"
)

// PlanMode switches plan mode.
//
// zh: 切换计划模式。
type PlanMode struct {
	// It is on.
	//
	// zh: 是否开启。
	Active bool `json:"active"`
}

// TodoWrite is the to-do list, whole.
//
// zh: 完整的待办列表。
type TodoWrite struct {
	// The entries.
	//
	// zh: 各个条目。
	Todos []Todo `json:"todos"`
}

// Todo is one entry of the to-do list.
//
// zh: 待办列表的一个条目。
type Todo struct {
	// What is to be done.
	//
	// zh: 待办内容。
	Content string `json:"content" sensitive:"true"`

	// How far it is.
	//
	// zh: 进展状态。
	Status TodoStatus `json:"status" intern:"true"`
}

// TodoStatus is how far an entry of the to-do list is.
//
// zh: 待办条目的进展。
type TodoStatus string

// The values of TodoStatus.
const (
	// Not begun.
	//
	// zh: 尚未开始。
	TodoPending TodoStatus = "pending"

	// Begun.
	//
	// zh: 进行中。
	TodoInProgress TodoStatus = "in_progress"

	// Done.
	//
	// zh: 已完成。
	TodoCompleted TodoStatus = "completed"
)

// GoalChange is a change of the session's goal.
//
// zh: 会话目标的变更。
type GoalChange struct {
	// `goal/change`.
	//
	// zh: 固定为 `goal/change`。
	Kind string `json:"kind"`

	// 1.
	//
	// zh: 固定为 1。
	Version int64 `json:"version" min:"0"`

	// `create`, `edit`, `pause`, `resume`, `complete`, `block` or `clear`.
	//
	// zh: 取 `create`、`edit`、`pause`、`resume`、`complete`、`block` 或 `clear`。
	Operation string `json:"operation" intern:"true"`

	// The goal; absent with `clear`.
	//
	// zh: 目标；操作为 `clear` 时缺省。
	Goal *Goal `json:"goal,omitzero"`

	// How many rounds were begun.
	//
	// zh: 已开始的轮数。
	RoundsStarted *int64 `json:"roundsStarted,omitzero" min:"0"`

	// When it was made, in milliseconds since 1970 UTC.
	//
	// zh: 创建时间，自 1970 年 UTC 起的毫秒数。
	CreatedAt *int64 `json:"createdAt,omitzero" min:"0"`

	// When it changed, in milliseconds since 1970 UTC.
	//
	// zh: 变更时间，自 1970 年 UTC 起的毫秒数。
	UpdatedAt *int64 `json:"updatedAt,omitzero" min:"0"`

	// The goal that was cleared.
	//
	// zh: 被清除的目标。
	Cleared spec.Raw `json:"cleared,omitzero"`

	// When it was cleared, in milliseconds since 1970 UTC.
	//
	// zh: 清除时间，自 1970 年 UTC 起的毫秒数。
	ClearedAt *int64 `json:"clearedAt,omitzero" min:"0"`
}

// Goal is what a session works towards on its own.
//
// zh: 会话自主推进的目标。
type Goal struct {
	// The goal.
	//
	// zh: 目标标识。
	ID string `json:"id"`

	// Counts its changes.
	//
	// zh: 修订号。
	Revision int64 `json:"revision" min:"0"`

	// What is to be reached.
	//
	// zh: 要达成的内容。
	Objective string `json:"objective" sensitive:"true"`

	// `active`, `paused`, `blocked` or `complete`.
	//
	// zh: 取 `active`、`paused`、`blocked` 或 `complete`。
	Phase string `json:"phase" intern:"true"`

	// Why it is blocked.
	//
	// zh: 受阻的原因。
	BlockedReason *GoalBlock `json:"blockedReason,omitzero"`

	// How many rounds it may take.
	//
	// zh: 允许的最多轮数。
	MaxGoalRounds int64 `json:"maxGoalRounds" min:"0"`
}

// GoalBlock is why a goal is blocked.
//
// zh: 目标受阻的原因。
type GoalBlock struct {
	// A code for programs.
	//
	// zh: 供程序使用的代码。
	Code string `json:"code"`

	// The reason, for people.
	//
	// zh: 供人阅读的原因。
	Message string `json:"message"`
}

// ScheduleChange makes, deletes or fires a schedule.
//
// zh: 创建、删除或触发计划任务。
type ScheduleChange struct {
	// 1.
	//
	// zh: 固定为 1。
	Version int64 `json:"version" min:"0"`

	// `create`, `delete` or `dispatch`.
	//
	// zh: 取 `create`、`delete` 或 `dispatch`。
	Operation string `json:"operation" intern:"true"`

	// The schedule, with `create`.
	//
	// zh: 计划任务，操作为 `create` 时给出。
	Schedule *Schedule `json:"schedule,omitzero"`

	// The schedule, with `delete` and `dispatch`.
	//
	// zh: 计划任务标识，操作为 `delete` 与 `dispatch` 时给出。
	ID string `json:"id,omitzero"`

	// When its prompt was accepted, with `dispatch`.
	//
	// zh: 其提示被受理的时间，操作为 `dispatch` 时给出。
	AcceptedAt spec.Raw `json:"acceptedAt,omitzero"`
}

// Schedule is a prompt for later.
//
// zh: 留待之后的提示。
type Schedule struct {
	// The schedule.
	//
	// zh: 计划任务标识。
	ID string `json:"id"`

	// `after`, `at` or `every`.
	//
	// zh: 取 `after`、`at` 或 `every`。
	Kind string `json:"kind" intern:"true"`

	// Seconds to wait, with `after`.
	//
	// zh: 等待的秒数，种类为 `after` 时给出。
	AfterSeconds *float64 `json:"afterSeconds,omitzero"`

	// Seconds between two prompts, with `every`.
	//
	// zh: 两次之间的秒数，种类为 `every` 时给出。
	EverySeconds *float64 `json:"everySeconds,omitzero"`

	// The prompt that is then sent.
	//
	// zh: 到时发出的内容。
	Prompt spec.Raw `json:"prompt" sensitive:"true"`

	// When it is due.
	//
	// zh: 到期时间。
	ScheduledAt spec.Raw `json:"scheduledAt"`
}
