// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// FeedbackRecord is the user's feedback on the session.
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
