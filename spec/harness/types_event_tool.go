// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// ToolCallEvent starts a tool call.
//
// zh: 工具调用的开始。
type ToolCallEvent struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The call, as the model named it.
	//
	// zh: 调用标识，由模型给出。
	CallID ToolCallID `json:"callId"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments as the model wrote them, JSON text in a string.
	//
	// zh: 模型写出的参数原文，为字符串中的 JSON 文本。
	Arguments string `json:"arguments" sensitive:"true"`
}

// ToolResultEvent ends a tool call.
//
// zh: 工具调用的结束。
type ToolResultEvent struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The result, as the model sees it.
	//
	// zh: 模型所见的结果。
	Message ToolBody `json:"message"`

	// What went wrong, for programs. Only on results with isError.
	//
	// zh: 供程序使用的失败说明；仅见于 isError 的结果。
	Error *ToolError `json:"error,omitzero"`

	// What the tool provides to user interfaces, in a shape of its own.
	//
	// zh: 工具提供给用户界面的信息，形状由工具自定。
	Meta spec.Raw `json:"meta,omitzero" sensitive:"true"`
}

// ToolError says why a tool call failed.
//
// zh: 工具调用失败的原因。
type ToolError struct {
	// The kind of error, such as AbortError.
	//
	// zh: 错误种类，例如 AbortError。
	Name string `json:"name"`

	// A code for programs: ABORTED, ABORTED_BEFORE_DISPATCH, UNKNOWN_TOOL,
	// INVALID_ARGS, TOOL_TIMEOUT, TOOL_NOT_STARTED, TOOL_OUTCOME_UNKNOWN or
	// another.
	//
	// zh: 供程序使用的代码：ABORTED、ABORTED_BEFORE_DISPATCH、UNKNOWN_TOOL、INVALID_ARGS、TOOL_TIMEOUT、TOOL_NOT_STARTED、TOOL_OUTCOME_UNKNOWN 或其他。
	Code string `json:"code" intern:"true"`
}

// PTCDispatchStart starts a tool call that a program of the model makes.
//
// zh: 由模型的程序发起的工具调用的开始。
type PTCDispatchStart struct {
	// The outermost tool call.
	//
	// zh: 最外层的工具调用。
	RootCallID ToolCallID `json:"rootCallId"`

	// The tool call whose program makes it.
	//
	// zh: 其程序发起该调用的工具调用。
	ParentCallID ToolCallID `json:"parentCallId"`

	// The call itself.
	//
	// zh: 该调用本身。
	SubCallID ToolCallID `json:"subCallId"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments.
	//
	// zh: 调用参数。
	Arguments spec.Raw `json:"arguments" sensitive:"true"`
}

// PTCDispatch ends a tool call that a program of the model made.
//
// zh: 由模型的程序发起的工具调用的结束。
type PTCDispatch struct {
	// The outermost tool call.
	//
	// zh: 最外层的工具调用。
	RootCallID ToolCallID `json:"rootCallId"`

	// The tool call whose program made it.
	//
	// zh: 其程序发起该调用的工具调用。
	ParentCallID ToolCallID `json:"parentCallId"`

	// The call itself.
	//
	// zh: 该调用本身。
	SubCallID ToolCallID `json:"subCallId"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments.
	//
	// zh: 调用参数。
	Arguments spec.Raw `json:"arguments" sensitive:"true"`

	// The tool failed.
	//
	// zh: 工具失败。
	IsError bool `json:"isError"`

	// What went wrong, for programs.
	//
	// zh: 供程序使用的失败说明。
	Error *ToolError `json:"error,omitzero"`

	// What the tool returned.
	//
	// zh: 工具返回的内容。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// What the tool provides to user interfaces.
	//
	// zh: 工具提供给用户界面的信息。
	Meta spec.Raw `json:"meta,omitzero" sensitive:"true"`
}

// CodeDispatchStart is tool/ptc-dispatch-start in the older generation.
//
// zh: 较早世代中的 tool/ptc-dispatch-start。
type CodeDispatchStart struct {
	// The outermost tool call.
	//
	// zh: 最外层的工具调用。
	RootCallID ToolCallID `json:"rootCallId"`

	// The tool call whose program makes it.
	//
	// zh: 其程序发起该调用的工具调用。
	ParentCallID ToolCallID `json:"parentCallId"`

	// The call itself: the parent's id, `:code:` and a number.
	//
	// zh: 该调用本身：父调用标识加 `:code:` 与序号。
	SubCallID ToolCallID `json:"subCallId"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments.
	//
	// zh: 调用参数。
	Arguments spec.Raw `json:"arguments" sensitive:"true"`
}

// CodeDispatch is tool/ptc-dispatch in the older generation.
//
// zh: 较早世代中的 tool/ptc-dispatch。
type CodeDispatch struct {
	// The outermost tool call.
	//
	// zh: 最外层的工具调用。
	RootCallID ToolCallID `json:"rootCallId"`

	// The tool call whose program made it.
	//
	// zh: 其程序发起该调用的工具调用。
	ParentCallID ToolCallID `json:"parentCallId"`

	// The call itself.
	//
	// zh: 该调用本身。
	SubCallID ToolCallID `json:"subCallId"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments.
	//
	// zh: 调用参数。
	Arguments spec.Raw `json:"arguments" sensitive:"true"`

	// The tool failed.
	//
	// zh: 工具失败。
	IsError bool `json:"isError"`

	// What the tool returned.
	//
	// zh: 工具返回的内容。
	Content []ContentBlock `json:"content" sensitive:"true"`
}

// JobRegistered begins a job, a shell command say, that may outlive its tool call.
//
// zh: 作业的开始，例如可能比工具调用更长久的 shell 命令。
type JobRegistered struct {
	// The job.
	//
	// zh: 作业标识。
	JobID string `json:"jobId"`

	// Who owns it, `tool` as a rule.
	//
	// zh: 作业的所有者，通常为 `tool`。
	Owner string `json:"owner" intern:"true"`

	// What kind of job, `bash` say.
	//
	// zh: 作业种类，例如 `bash`。
	Kind string `json:"kind" intern:"true"`

	// The job in one line.
	//
	// zh: 作业的一行描述。
	Label string `json:"label" sensitive:"true"`

	// When it began, in milliseconds since 1970 UTC.
	//
	// zh: 开始时间，自 1970 年 UTC 起的毫秒数。
	StartedAt int64 `json:"startedAt" min:"0"`

	// The tool call it belongs to.
	//
	// zh: 所属的工具调用。
	ToolCall *JobToolCall `json:"toolCall,omitzero"`
}

// JobToolCall is the tool call that began a job.
//
// zh: 开始作业的工具调用。
type JobToolCall struct {
	// The call.
	//
	// zh: 调用标识。
	CallID ToolCallID `json:"callId"`

	// The outermost call.
	//
	// zh: 最外层的调用。
	RootCallID ToolCallID `json:"rootCallId"`
}

// JobSettled ends a job.
//
// zh: 作业的结束。
type JobSettled struct {
	// The job.
	//
	// zh: 作业标识。
	JobID string `json:"jobId"`

	// Who owns it.
	//
	// zh: 作业的所有者。
	Owner string `json:"owner" intern:"true"`

	// What kind of job.
	//
	// zh: 作业种类。
	Kind string `json:"kind" intern:"true"`

	// The job in one line.
	//
	// zh: 作业的一行描述。
	Label string `json:"label" sensitive:"true"`

	// When it began, in milliseconds since 1970 UTC.
	//
	// zh: 开始时间，自 1970 年 UTC 起的毫秒数。
	StartedAt int64 `json:"startedAt" min:"0"`

	// The tool call it belongs to.
	//
	// zh: 所属的工具调用。
	ToolCall *JobToolCall `json:"toolCall,omitzero"`

	// When it ended, in milliseconds since 1970 UTC.
	//
	// zh: 结束时间，自 1970 年 UTC 起的毫秒数。
	FinishedAt int64 `json:"finishedAt" min:"0"`

	// How it ended, `completed` say.
	//
	// zh: 结束的状态，例如 `completed`。
	Status string `json:"status" intern:"true"`

	// Who ended it, `producer` if the job itself did.
	//
	// zh: 由谁结束；作业自行结束时为 `producer`。
	Cause string `json:"cause" intern:"true"`

	// The job itself reported it.
	//
	// zh: 由作业自身报告。
	ProducerReported *bool `json:"producerReported,omitzero"`

	// More, for people: `exit code: 0`.
	//
	// zh: 供人阅读的补充说明，例如 `exit code: 0`。
	Detail string `json:"detail,omitzero" sensitive:"true"`
}

// WorkflowRunStart begins a workflow.
//
// zh: 工作流的开始。
type WorkflowRunStart struct {
	// The run.
	//
	// zh: 运行标识。
	RunID string `json:"runId"`

	// The workflow.
	//
	// zh: 工作流名称。
	Name string `json:"name"`
}

// WorkflowAgentStart begins an agent of a workflow.
//
// zh: 工作流中智能体的开始。
type WorkflowAgentStart struct {
	// The run.
	//
	// zh: 运行标识。
	RunID string `json:"runId"`

	// The agent's number in the run.
	//
	// zh: 智能体在此次运行中的序号。
	Seq int64 `json:"seq" min:"0"`

	// The agent in one line.
	//
	// zh: 智能体的一行描述。
	Label string `json:"label"`

	// The phase of the workflow.
	//
	// zh: 工作流的阶段。
	Phase string `json:"phase,omitzero"`

	// The agent's session.
	//
	// zh: 智能体的会话。
	ChildID SessionID `json:"childId"`
}

// WorkflowAgentEnd ends an agent of a workflow.
//
// zh: 工作流中智能体的结束。
type WorkflowAgentEnd struct {
	// The run.
	//
	// zh: 运行标识。
	RunID string `json:"runId"`

	// The agent's number in the run.
	//
	// zh: 智能体在此次运行中的序号。
	Seq int64 `json:"seq" min:"0"`

	// `completed`, `failed` or `cancelled`.
	//
	// zh: 取 `completed`、`failed` 或 `cancelled`。
	Outcome string `json:"outcome" intern:"true"`
}

// WorkflowRunEnd ends a workflow.
//
// zh: 工作流的结束。
type WorkflowRunEnd struct {
	// The run.
	//
	// zh: 运行标识。
	RunID string `json:"runId"`

	// `completed`, `cancelled` or `error`.
	//
	// zh: 取 `completed`、`cancelled` 或 `error`。
	StopReason string `json:"stopReason" intern:"true"`
}
