// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// EndReason is why a turn ended, or how a prompt was settled. Readers must expect kinds
// they do not know and keep them.
//
// zh: 轮次结束的原因，或提示敲定的方式；读取方必须允许并保留未知的种类。
type EndReason struct {
	_ spec.Union `tag:"kind"`

	// The turn ended naturally.
	//
	// zh: 轮次自然结束。
	Completed *EndCompleted `variant:"completed"`

	// The turn was cancelled.
	//
	// zh: 轮次被取消。
	Aborted *EndAborted `variant:"aborted"`

	// A hook refused the input before the first step.
	//
	// zh: 钩子在第一步之前拒绝了输入。
	Blocked *EndBlocked `variant:"blocked"`

	// The turn failed.
	//
	// zh: 轮次失败。
	Error *EndError `variant:"error"`

	// An answer reached its token limit.
	//
	// zh: 回答达到 token 上限。
	MaxTokens *EndMaxTokens `variant:"max-tokens"`

	// The process died during the turn; written when the session is next loaded or
	// resumed.
	//
	// zh: 进程在轮次进行中终止；在会话下次恢复时写入。
	Interrupted *EndInterrupted `variant:"interrupted"`

	// The turn was open where a child's copied history ends. Only in the log of a forked
	// child.
	//
	// zh: 在子会话复制的历史截断处仍未结束的轮次；仅出现在分叉子会话的日志中。
	Forked *EndForked `variant:"forked"`

	// The message was taken out of the inbox before a turn consumed it. Only in a receipt,
	// never in turn/end.
	//
	// zh: 消息在被轮次取用之前已从收件箱撤回；仅出现在回执中，绝不出现在 turn/end 中。
	Withdrawn *EndWithdrawn `variant:"withdrawn" since:"2"`
}

// EndCompleted is the natural end of a turn.
//
// zh: 轮次的自然结束。
type EndCompleted struct{}

// EndAborted is the end of a cancelled turn.
//
// zh: 被取消的轮次的结束。
type EndAborted struct {
	// Who or what stopped it; the first cause wins.
	//
	// zh: 由谁停止，或为什么停止；以最先的原因为准。
	Reason AbortCause `json:"reason"`
}

// EndBlocked is the end of a turn whose input a hook refused.
//
// zh: 输入被钩子拒绝的轮次的结束。
type EndBlocked struct{}

// EndError is the end of a turn that failed.
//
// zh: 失败的轮次的结束。
type EndError struct {
	// What went wrong.
	//
	// zh: 失败的内容。
	Error Failure `json:"error"`
}

// EndMaxTokens is the end of a turn in which an answer reached its token limit.
//
// zh: 回答达到 token 上限的轮次的结束。
type EndMaxTokens struct{}

// EndInterrupted is the end that repair gives to a turn whose process died.
//
// zh: 进程终止后由修复过程补写的轮次结束。
type EndInterrupted struct{}

// EndForked is the end that a fork gives to a turn it cut.
//
// zh: 分叉时给被截断的轮次补写的结束。
type EndForked struct{}

// EndWithdrawn is how a message is settled that no turn consumed.
//
// zh: 未被任何轮次取用的消息的敲定方式。
type EndWithdrawn struct{}

// AbortCause is who or what stopped a turn.
//
// zh: 轮次由谁停止，或为什么停止。
type AbortCause struct {
	_ spec.Union `tag:"kind"`

	// A client's cancel.
	//
	// zh: 客户端的取消。
	User *CauseUser `variant:"user"`

	// The turn of the parent session ended.
	//
	// zh: 父会话的轮次已结束。
	Parent *CauseParent `variant:"parent"`

	// A hook stopped it.
	//
	// zh: 钩子使其停止。
	Hook *CauseHook `variant:"hook"`

	// The session was closed, or the runtime shut down.
	//
	// zh: 会话被关闭或运行时被关停。
	Disposed *CauseDisposed `variant:"disposed"`

	// Not recorded: an old log said only that it was cancelled.
	//
	// zh: 未作记录：旧日志只说明已被取消。
	Legacy *CauseLegacy `variant:"legacy"`
}

// CauseUser is a client's cancel.
//
// zh: 客户端的取消。
type CauseUser struct{}

// CauseParent is the end of the parent's turn.
//
// zh: 父会话轮次的结束。
type CauseParent struct{}

// CauseHook is a hook's decision.
//
// zh: 钩子的决定。
type CauseHook struct {
	// The hook's text.
	//
	// zh: 钩子给出的文字。
	Reason string `json:"reason"`
}

// CauseDisposed is a close or a shutdown.
//
// zh: 会话关闭或运行时关停。
type CauseDisposed struct{}

// CauseLegacy is a cause that an old log did not record.
//
// zh: 旧日志未记录的原因。
type CauseLegacy struct{}

// Failure is what went wrong in a turn or in a model attempt.
//
// zh: 轮次或模型尝试中的失败。
type Failure struct {
	// What happened, for people.
	//
	// zh: 供人阅读的说明。
	Message string `json:"message"`

	// A code for programs, such as RATE_LIMIT, SERVER, TIMEOUT, TRANSPORT, AUTH or
	// UNKNOWN. Other values may occur.
	//
	// zh: 供程序使用的代码，例如 RATE_LIMIT、SERVER、TIMEOUT、TRANSPORT、AUTH 或 UNKNOWN；可能出现其他取值。
	Code string `json:"code" intern:"true"`

	// The provider's HTTP status.
	//
	// zh: 提供方返回的 HTTP 状态码。
	Status *int64 `json:"status,omitzero" min:"0"`

	// How long the provider asks the caller to wait, in milliseconds.
	//
	// zh: 提供方要求等待的毫秒数。
	ProviderRetryAfterMS *float64 `json:"providerRetryAfterMs,omitzero"`

	// The provider's name for the request.
	//
	// zh: 提供方的请求标识。
	RequestID string `json:"requestId,omitzero"`
}
