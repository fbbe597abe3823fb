// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// RequestHeader is what model requests look like from now on. It is written
// with the first request, after the session was resumed, and on each change.
//
// zh: 此后模型请求的内容与设置；随首次请求、会话恢复之后以及每次变更时写入。
type RequestHeader struct {
	// The settings.
	//
	// zh: 各项设置。
	Header RequestHeaderBody `json:"header"`

	// Why it was written.
	//
	// zh: 写入的原因。
	Reason HeaderReason `json:"reason" intern:"true"`

	// A new series of requests begins: nothing before it can be reused by the provider's
	// cache.
	//
	// zh: 开始新的请求序列：之前的内容无法再由提供方缓存复用。
	StartsSeries bool `json:"startsSeries,omitzero"`
}

// HeaderReason is why a request header was written.
//
// zh: 写入请求头的原因。
type HeaderReason string

// The values of HeaderReason.
const (
	// The first request.
	//
	// zh: 首次请求。
	HeaderInitial HeaderReason = "initial"

	// The first request after the session was resumed.
	//
	// zh: 会话恢复后的首次请求。
	HeaderResume HeaderReason = "resume"

	// Something changed.
	//
	// zh: 设置有变更。
	HeaderChange HeaderReason = "change"

	// A new series begins.
	//
	// zh: 开始新的序列。
	HeaderSeries HeaderReason = "series"
)

// RequestHeaderBody is the settings of model requests.
//
// zh: 模型请求的设置。
type RequestHeaderBody struct {
	// The model and its parameters.
	//
	// zh: 模型及其参数。
	Config RequestConfig `json:"config"`

	// Which parameters the adapter chose by itself. Absent: none.
	//
	// zh: 哪些参数由适配器自行选定；缺省表示没有。
	AdapterDefaults *AdapterDefaults `json:"adapterDefaults,omitzero"`

	// The system prompt, in the older generation; refused now.
	//
	// zh: 系统提示，仅见于较早世代；现行格式拒绝。
	System *string `json:"system,omitzero" sensitive:"true"`

	// The tools the model may call. Absent: none.
	//
	// zh: 模型可调用的工具；缺省表示没有。
	Tools []ToolDefinition `json:"tools,omitzero"`
}

// RequestConfig is the model and its parameters.
//
// zh: 模型及其参数。
type RequestConfig struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model" intern:"true"`

	// Upper bound of the tokens of one answer.
	//
	// zh: 单次回答的 token 上限。
	MaxTokens *int64 `json:"maxTokens,omitzero" min:"0"`

	// The reasoning effort.
	//
	// zh: 模型的思考强度。
	ReasoningEffort string `json:"reasoningEffort,omitzero" intern:"true"`

	// Sampling temperature.
	//
	// zh: 采样温度。
	Temperature *float64 `json:"temperature,omitzero"`

	// Texts at which the answer stops.
	//
	// zh: 使回答停止的文本。
	Stop []string `json:"stop,omitzero"`
}

// AdapterDefaults names the parameters that the adapter chose by itself.
//
// zh: 由适配器自行选定的参数。
type AdapterDefaults struct {
	// It chose the reasoning effort.
	//
	// zh: 选定了思考强度。
	ReasoningEffort bool `json:"reasoningEffort,omitzero"`

	// It chose the token limit.
	//
	// zh: 选定了 token 上限。
	MaxTokens bool `json:"maxTokens,omitzero"`
}

// ToolDefinition is one tool as the model sees it.
//
// zh: 模型所见的一个工具。
type ToolDefinition struct {
	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// What it does, for the model.
	//
	// zh: 供模型阅读的作用说明。
	Description string `json:"description"`

	// JSON Schema of its arguments.
	//
	// zh: 其参数的 JSON Schema。
	Parameters spec.Raw `json:"parameters"`

	// The model learns of it only when it is needed.
	//
	// zh: 仅在需要时才告知模型。
	DeferLoading bool `json:"deferLoading,omitzero"`
}

// RequestContext says which model answers.
//
// zh: 说明由哪个模型回答。
type RequestContext struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model" intern:"true"`

	// How many tokens it can read.
	//
	// zh: 可读取的 token 数。
	ContextWindow *int64 `json:"contextWindow,omitzero" min:"0"`

	// How a changed system prompt reaches the model: `in-history`.
	//
	// zh: 变更的系统提示如何传达给模型：`in-history`。
	SystemPromptUpdate string `json:"systemPromptUpdate,omitzero"`
}

// LLMRetry says that a failed attempt will be repeated.
//
// zh: 说明失败的尝试将被重试。
type LLMRetry struct {
	// The series of repetitions.
	//
	// zh: 重试系列的标识。
	RetryID string `json:"retryId"`

	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// `normal`, or `always` for a policy without a limit.
	//
	// zh: `normal`，或没有次数上限的 `always`。
	Mode string `json:"mode" intern:"true"`

	// The policy, in a form that can be compared.
	//
	// zh: 可供比较的策略标识。
	PolicyKey string `json:"policyKey"`

	// Which repetition it is, from 1.
	//
	// zh: 第几次重试，从 1 起。
	Retry int64 `json:"retry" min:"1"`

	// How many there will be at most; absent with mode `always`.
	//
	// zh: 最多重试的次数；模式为 `always` 时缺省。
	MaxRetries *int64 `json:"maxRetries,omitzero" min:"0"`

	// How long it waits before, in milliseconds with fractions.
	//
	// zh: 重试前等待的毫秒数，可带小数。
	DelayMS float64 `json:"delayMs"`

	// What went wrong.
	//
	// zh: 失败的内容。
	Failure Failure `json:"failure"`
}

// LLMRetryStarted begins a repetition.
//
// zh: 一次重试的开始。
type LLMRetryStarted struct {
	// The series of repetitions.
	//
	// zh: 重试系列的标识。
	RetryID string `json:"retryId"`

	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The step in the turn.
	//
	// zh: 轮次内的步骤。
	Step int64 `json:"step" min:"1"`

	// Which repetition it is, from 1.
	//
	// zh: 第几次重试，从 1 起。
	Retry int64 `json:"retry" min:"1"`
}

// DeliveryAccepted says that the provider took the session's log.
//
// zh: 说明提供方已接收会话日志。
type DeliveryAccepted struct {
	// The session.
	//
	// zh: 会话标识。
	SessionID SessionID `json:"sessionId" intern:"true"`

	// The log's format.
	//
	// zh: 日志格式版本。
	SessionFormatVersion int64 `json:"sessionFormatVersion" min:"0"`

	// The last event it has.
	//
	// zh: 对方已有的最后一个事件。
	ThroughSeq int64 `json:"throughSeq" min:"0"`
}

// WebSearchLLMRequest is a web search that was sent to the provider.
//
// zh: 发给提供方的网页搜索请求。
type WebSearchLLMRequest struct {
	// Where it was sent.
	//
	// zh: 发送的地址。
	Endpoint string `json:"endpoint"`

	// The version of the provider's interface.
	//
	// zh: 提供方接口的版本。
	APIVersion string `json:"apiVersion"`

	// The request.
	//
	// zh: 请求内容。
	Body spec.Raw `json:"body" sensitive:"true"`
}

// SessionTitleLLMRequest is a request for a title.
//
// zh: 生成标题的请求。
type SessionTitleLLMRequest struct {
	// Who makes titles.
	//
	// zh: 标题的生成者。
	TitleProvider string `json:"titleProvider"`

	// The user messages it is made from.
	//
	// zh: 所依据的用户消息事件。
	MessageSeqs []int64 `json:"messageSeqs"`

	// The model that is requested.
	//
	// zh: 所请求的模型。
	Route ModelRoute `json:"route"`

	// The system prompt.
	//
	// zh: 系统提示。
	System string `json:"system" sensitive:"true"`

	// The messages.
	//
	// zh: 各条消息。
	Messages spec.Raw `json:"messages" sensitive:"true"`

	// Upper bound of the tokens.
	//
	// zh: token 上限。
	MaxTokens int64 `json:"maxTokens" min:"0"`

	// The reasoning effort.
	//
	// zh: 模型的思考强度。
	ReasoningEffort string `json:"reasoningEffort,omitzero"`
}

// ModelRoute is a model with its adapter.
//
// zh: 模型及其适配器。
type ModelRoute struct {
	// The adapter.
	//
	// zh: 适配器。
	Provider string `json:"provider" intern:"true"`

	// The model.
	//
	// zh: 模型。
	Model string `json:"model" intern:"true"`
}
