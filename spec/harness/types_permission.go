// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// RequestPermissionParams asks the client whether a tool call may run. The shape is that
// of the Agent Client Protocol.
//
// zh: 询问客户端是否允许执行工具调用；形状与 Agent Client Protocol 一致。
type RequestPermissionParams struct {
	// The session.
	//
	// zh: 所属会话。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The turn that waits for the answer.
	//
	// zh: 等待应答的轮次。
	Turn TurnID `json:"turn" min:"1"`

	// What is to be run.
	//
	// zh: 将要执行的工具调用。
	ToolCall PermissionToolCall `json:"toolCall"`

	// The options to choose from, in the order in which to show them.
	//
	// zh: 可选项，按展示顺序排列。
	Options []PermissionOption `json:"options" length:"1.."`

	// When the request is withdrawn and counts as denied, in milliseconds since
	// 1970 UTC. Absent: it is pending until it is answered or its turn ends.
	//
	// zh: 请求被撤回并视为拒绝的时间，自 1970 年 UTC 起的毫秒数；缺省时一直保留到得到应答或轮次结束。
	ExpiresAt *int64 `json:"expiresAt,omitzero" min:"0"`
}

// PermissionToolCall is the tool call that needs a permission.
//
// zh: 请求权限的工具调用。
type PermissionToolCall struct {
	// The call.
	//
	// zh: 调用标识。
	ToolCallID ToolCallID `json:"toolCallId"`

	// What the call does, in one line for people.
	//
	// zh: 调用的作用，一行供人阅读的文字。
	Title string `json:"title"`

	// The kind of tool in the terms of the Agent Client Protocol: read, edit, execute and
	// so on.
	//
	// zh: 工具种类，用语同 Agent Client Protocol：read、edit、execute 等。
	Kind string `json:"kind,omitzero"`

	// How far the call is, `pending` as a rule.
	//
	// zh: 调用的进展，通常为 `pending`。
	Status string `json:"status,omitzero"`

	// The call's arguments, parsed.
	//
	// zh: 解析后的调用参数。
	RawInput spec.Raw `json:"rawInput,omitzero" sensitive:"true"`

	// What the call would do, as content that a client can show.
	//
	// zh: 调用将产生的内容，供客户端展示。
	Content spec.Raw `json:"content,omitzero" sensitive:"true"`

	// Files that the call touches.
	//
	// zh: 调用涉及的文件。
	Locations spec.Raw `json:"locations,omitzero"`
}

// PermissionOption is one option to choose.
//
// zh: 一个可选项。
type PermissionOption struct {
	// The id by which the response names the option.
	//
	// zh: 应答中引用该选项的标识。
	OptionID string `json:"optionId"`

	// Its text for people.
	//
	// zh: 供人阅读的文字。
	Name string `json:"name"`

	// What choosing it means.
	//
	// zh: 选择它的含义。
	Kind PermissionKind `json:"kind"`
}

// PermissionKind is what an option means.
//
// zh: 选项的含义。
type PermissionKind string

// The values of PermissionKind.
const (
	// Run this call.
	//
	// zh: 允许执行本次调用。
	PermissionAllowOnce PermissionKind = "allow_once"

	// Run this call and do not ask again for similar ones.
	//
	// zh: 允许执行，且同类调用不再询问。
	PermissionAllowAlways PermissionKind = "allow_always"

	// Do not run this call.
	//
	// zh: 不执行本次调用。
	PermissionRejectOnce PermissionKind = "reject_once"

	// Run neither this call nor similar ones.
	//
	// zh: 不执行本次及同类调用。
	PermissionRejectAlways PermissionKind = "reject_always"
)

// RequestPermissionResult is the client's answer.
//
// zh: 客户端的应答。
type RequestPermissionResult struct {
	// What was chosen.
	//
	// zh: 选择的结果。
	Outcome PermissionOutcome `json:"outcome"`
}

// PermissionOutcome is the outcome of a permission request.
//
// zh: 权限请求的结局。
type PermissionOutcome struct {
	_ spec.Union `tag:"outcome"`

	// An option was chosen.
	//
	// zh: 选择了某个选项。
	Selected *PermissionSelected `variant:"selected"`

	// No option was chosen: it counts as denied.
	//
	// zh: 没有作出选择：视为拒绝。
	Cancelled *PermissionCancelled `variant:"cancelled"`
}

// PermissionSelected is a choice.
//
// zh: 一次选择。
type PermissionSelected struct {
	// The option. An id that was not offered counts as denied.
	//
	// zh: 所选的选项；未提供过的标识视为拒绝。
	OptionID string `json:"optionId"`
}

// PermissionCancelled is no choice.
//
// zh: 未作选择。
type PermissionCancelled struct{}
