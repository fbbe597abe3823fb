// SPDX-License-Identifier: Apache-2.0

package harness

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

	// Its model's reasoning effort.
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

// TeamMember is a member of a team. Its shape is not final; all members but the
// version are kept as read.
//
// zh: 团队成员；形状未定，除版本外的成员按读取时原样保留。
type TeamMember struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamTask is a task of a team. Its shape is not final; all members but the
// version are kept as read.
//
// zh: 团队任务；形状未定，除版本外的成员按读取时原样保留。
type TeamTask struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamMessageQueued is a team message that waits. Its shape is not final; all
// members but the version are kept as read.
//
// zh: 等待投递的团队消息；形状未定，除版本外的成员按读取时原样保留。
type TeamMessageQueued struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}

// TeamMessageDelivered is a team message that was delivered. Its shape is not
// final; all members but the version are kept as read.
//
// zh: 已投递的团队消息；形状未定，除版本外的成员按读取时原样保留。
type TeamMessageDelivered struct {
	// The form of this record.
	//
	// zh: 此记录的格式版本。
	Version int64 `json:"version" min:"0"`
}
