// SPDX-License-Identifier: Apache-2.0

package harness

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
