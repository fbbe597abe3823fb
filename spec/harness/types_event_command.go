// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// CommandRun starts a user's command.
//
// zh: 用户命令的开始。
type CommandRun struct {
	// The command.
	//
	// zh: 命令标识。
	CommandID string `json:"commandId"`

	// Its name.
	//
	// zh: 命令名称。
	Name string `json:"name"`

	// Its arguments.
	//
	// zh: 命令参数。
	Args spec.Raw `json:"args,omitzero" sensitive:"true"`

	// `user`.
	//
	// zh: 来源，固定为 `user`。
	Source MessageSource `json:"source"`
}

// CommandDone ends a user's command.
//
// zh: 用户命令的结束。
type CommandDone struct {
	// The command.
	//
	// zh: 命令标识。
	CommandID string `json:"commandId"`

	// `success` or `error`.
	//
	// zh: 取 `success` 或 `error`。
	Kind string `json:"kind" intern:"true"`

	// What it printed.
	//
	// zh: 命令输出的文字。
	Text string `json:"text,omitzero" sensitive:"true"`

	// The event it refers to.
	//
	// zh: 所涉及的事件。
	SourceEventSeq *int64 `json:"sourceEventSeq,omitzero" min:"0"`
}

// HookInvoked is the call of a hook.
//
// zh: 钩子的调用。
type HookInvoked struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// Where in the turn.
	//
	// zh: 在轮次中的位置。
	Point string `json:"point" intern:"true"`

	// `claude-code` or `codex`.
	//
	// zh: 取 `claude-code` 或 `codex`。
	Dialect string `json:"dialect" intern:"true"`

	// What it matches.
	//
	// zh: 匹配的内容。
	Matcher string `json:"matcher,omitzero"`

	// The hook.
	//
	// zh: 钩子标识。
	HandlerID string `json:"handlerId"`
}

// HookResult is what a hook answered.
//
// zh: 钩子的返回。
type HookResult struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// Where in the turn.
	//
	// zh: 在轮次中的位置。
	Point string `json:"point" intern:"true"`

	// The hook.
	//
	// zh: 钩子标识。
	HandlerID string `json:"handlerId"`

	// What it decided.
	//
	// zh: 钩子的决定。
	Decision spec.Raw `json:"decision"`

	// Its exit code.
	//
	// zh: 退出码。
	ExitCode *int64 `json:"exitCode,omitzero" min:"-1"`

	// The start of what it wrote on standard error.
	//
	// zh: 其标准错误输出的开头部分。
	StderrSummary string `json:"stderrSummary,omitzero" sensitive:"true"`

	// How long it took, in milliseconds.
	//
	// zh: 耗时，单位为毫秒。
	DurationMS float64 `json:"durationMs"`
}
