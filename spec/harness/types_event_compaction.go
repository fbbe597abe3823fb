// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// CompactionStart begins a compaction.
//
// zh: 压缩的开始。
type CompactionStart struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that requested it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The turn it happens in; null between turns.
	//
	// zh: 所在的轮次；在轮次之间为 null。
	Turn spec.Nullable[TurnID] `json:"turn,omitzero" min:"1"`
}

// CompactionSummary is the summary that replaces older messages.
//
// zh: 代替较早消息的摘要。
type CompactionSummary struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that requested it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The summary.
	//
	// zh: 摘要内容。
	Summary []ContentBlock `json:"summary" sensitive:"true"`

	// The range of events that it replaces.
	//
	// zh: 所代替的事件区间。
	ShadowedRange SeqRange `json:"shadowedRange"`

	// The surface events in it.
	//
	// zh: 区间内的表面事件。
	ShadowedSeqs []int64 `json:"shadowedSeqs"`

	// How many tokens they were.
	//
	// zh: 其 token 数。
	ShadowedTokenCount int64 `json:"shadowedTokenCount" min:"0"`

	// The adapter that made it.
	//
	// zh: 生成摘要的适配器。
	Provider string `json:"provider" intern:"true"`

	// The model that made it.
	//
	// zh: 生成摘要的模型。
	Model string `json:"model" intern:"true"`

	// Its token limit.
	//
	// zh: token 上限。
	MaxTokens *int64 `json:"maxTokens,omitzero" min:"0"`

	// The tokens that it used.
	//
	// zh: 用量。
	Usage *Usage `json:"usage,omitzero"`

	// The model's answer as it arrived.
	//
	// zh: 模型的原始回答。
	RawOutput spec.Raw `json:"rawOutput,omitzero" sensitive:"true"`

	// It was requested as a stream.
	//
	// zh: 以流式方式请求。
	LLMStreamCall bool `json:"llmStreamCall,omitzero"`
}

// SeqRange is a range of events, both ends included.
//
// zh: 事件区间，包含两端。
type SeqRange struct {
	// The first seq.
	//
	// zh: 第一个 seq。
	Start int64 `json:"start" min:"0"`

	// The last seq.
	//
	// zh: 最后一个 seq。
	End int64 `json:"end" min:"0"`
}

// CompactionPrune leaves older messages out.
//
// zh: 略去较早的消息。
type CompactionPrune struct {
	// The range of events left out.
	//
	// zh: 被略去的事件区间。
	ShadowedRange SeqRange `json:"shadowedRange"`

	// The surface events in it.
	//
	// zh: 区间内的表面事件。
	ShadowedSeqs []int64 `json:"shadowedSeqs"`

	// How many tokens they were.
	//
	// zh: 其 token 数。
	ShadowedTokenCount int64 `json:"shadowedTokenCount" min:"0"`
}

// CompactionEnd ends a compaction.
//
// zh: 压缩的结束。
type CompactionEnd struct {
	// The compaction.
	//
	// zh: 压缩标识。
	CompactionID string `json:"compactionId"`

	// The command that requested it.
	//
	// zh: 发起它的命令。
	SourceCommandID string `json:"sourceCommandId,omitzero"`

	// The turn it happened in; null between turns.
	//
	// zh: 所在的轮次；在轮次之间为 null。
	Turn spec.Nullable[TurnID] `json:"turn,omitzero" min:"1"`

	// What went wrong. Absent: nothing.
	//
	// zh: 失败的内容；缺省表示没有失败。
	Error spec.Raw `json:"error,omitzero"`
}
