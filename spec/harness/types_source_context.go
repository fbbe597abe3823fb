// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

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

// SourceSkillCatalog is the list of available skills.
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

// SourceCompactCheckpoint is the summary that replaces older messages.
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
