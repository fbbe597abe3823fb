// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// StreamRecord is one entry of the stream that an assistant/message or
// assistant/attempt keeps: how the answer arrived, with times.
//
// zh: assistant/message 或 assistant/attempt 所保留的流的一条记录：回答产生的过程及时间。
type StreamRecord struct {
	_ spec.Union `tag:"type"`

	// One chunk that is not a delta.
	//
	// zh: 一个非增量的数据块。
	Chunk *ChunkRecord `variant:"chunk"`

	// A run of text deltas of one block.
	//
	// zh: 同一内容块的一串文本增量。
	Text *TextChunks `variant:"text-chunks"`

	// A run of reasoning deltas of one block.
	//
	// zh: 同一内容块的一串推理增量。
	Reasoning *ReasoningChunks `variant:"reasoning-chunks"`

	// A run of argument deltas of one tool call.
	//
	// zh: 同一工具调用的一串参数增量。
	ToolCall *ToolCallChunks `variant:"tool-call-chunks"`
}

// ChunkRecord is one chunk with its time.
//
// zh: 一个数据块及其时间。
type ChunkRecord struct {
	// When it arrived, in milliseconds since 1970 UTC.
	//
	// zh: 到达时间，自 1970 年 UTC 起的毫秒数。
	Time int64 `json:"time" min:"-9007199254740991"`

	// The chunk.
	//
	// zh: 数据块。
	Chunk StreamChunk `json:"chunk"`
}

// TextChunks is a run of text deltas.
//
// zh: 一串文本增量。
type TextChunks struct {
	// When the first arrived, in milliseconds since 1970 UTC.
	//
	// zh: 首个到达的时间，自 1970 年 UTC 起的毫秒数。
	Time0 int64 `json:"time0" min:"-9007199254740991"`

	// The content block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// Milliseconds between neighbours, one fewer than there are deltas; may be negative.
	//
	// zh: 相邻增量之间的毫秒数，比增量少一个；可以为负。
	DT []int64 `json:"dt"`

	// The deltas.
	//
	// zh: 各个增量。
	Texts []string `json:"texts" sensitive:"true"`
}

// ReasoningChunks is a run of reasoning deltas.
//
// zh: 一串推理增量。
type ReasoningChunks struct {
	// When the first arrived, in milliseconds since 1970 UTC.
	//
	// zh: 首个到达的时间，自 1970 年 UTC 起的毫秒数。
	Time0 int64 `json:"time0" min:"-9007199254740991"`

	// The content block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// Milliseconds between neighbours, one fewer than there are deltas; may be negative.
	//
	// zh: 相邻增量之间的毫秒数，比增量少一个；可以为负。
	DT []int64 `json:"dt"`

	// The deltas.
	//
	// zh: 各个增量。
	Texts []string `json:"texts" sensitive:"true"`
}

// ToolCallChunks is a run of argument deltas. A new run begins when the name
// appears or disappears.
//
// zh: 一串参数增量；名称出现或消失时另起一串。
type ToolCallChunks struct {
	// When the first arrived, in milliseconds since 1970 UTC.
	//
	// zh: 首个到达的时间，自 1970 年 UTC 起的毫秒数。
	Time0 int64 `json:"time0" min:"-9007199254740991"`

	// The content block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// Milliseconds between neighbours, one fewer than there are deltas; may be negative.
	//
	// zh: 相邻增量之间的毫秒数，比增量少一个；可以为负。
	DT []int64 `json:"dt"`

	// The call.
	//
	// zh: 调用标识。
	ID ToolCallID `json:"id"`

	// The tool's name, where the deltas had it.
	//
	// zh: 工具名称，仅当增量带有名称时给出。
	Name string `json:"name,omitzero"`

	// The deltas.
	//
	// zh: 各个增量。
	Args []string `json:"args" sensitive:"true"`
}

// StreamChunk is one piece of a model's answer as the adapter gave it.
//
// zh: 适配器给出的模型回答的一个数据块。
type StreamChunk struct {
	_ spec.Union `tag:"type"`

	// A content block begins.
	//
	// zh: 内容块开始。
	BlockStart *BlockStartChunk `variant:"block-start"`

	// More text.
	//
	// zh: 后续文本。
	TextDelta *TextDeltaChunk `variant:"text-delta"`

	// More reasoning.
	//
	// zh: 后续推理。
	ReasoningDelta *ReasoningDeltaChunk `variant:"reasoning-delta"`

	// More of a tool call's arguments.
	//
	// zh: 工具调用参数的后续部分。
	ToolCallDelta *ToolCallDeltaChunk `variant:"tool-call-delta"`

	// A content block is complete.
	//
	// zh: 内容块完成。
	BlockEnd *BlockEndChunk `variant:"block-end"`

	// The tokens that the answer used.
	//
	// zh: 回答的用量。
	Usage *UsageChunk `variant:"usage"`

	// The attempt is over; the last chunk, and absent after a cancel.
	//
	// zh: 尝试结束；为最后一个数据块，被取消时没有。
	Finish *FinishChunk `variant:"finish"`
}

// BlockStartChunk begins a content block.
//
// zh: 内容块的开始。
type BlockStartChunk struct {
	// The block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// What kind of block.
	//
	// zh: 内容块的种类。
	BlockType BlockType `json:"blockType" intern:"true"`
}

// BlockType is the kind of a block that begins.
//
// zh: 开始的内容块的种类。
type BlockType string

// The values of BlockType.
const (
	// Text.
	//
	// zh: 文本。
	BlockText BlockType = "text"

	// Reasoning.
	//
	// zh: 推理。
	BlockReasoning BlockType = "reasoning"

	// A tool call.
	//
	// zh: 工具调用。
	BlockToolCall BlockType = "tool-call"
)

// TextDeltaChunk is more text.
//
// zh: 后续文本。
type TextDeltaChunk struct {
	// The block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// The text.
	//
	// zh: 文本。
	Text string `json:"text" sensitive:"true"`
}

// ReasoningDeltaChunk is more reasoning.
//
// zh: 后续推理。
type ReasoningDeltaChunk struct {
	// The block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// The text.
	//
	// zh: 文本。
	Text string `json:"text" sensitive:"true"`
}

// ToolCallDeltaChunk is more of a tool call's arguments.
//
// zh: 工具调用参数的后续部分。
type ToolCallDeltaChunk struct {
	// The block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// The call.
	//
	// zh: 调用标识。
	ID ToolCallID `json:"id"`

	// The tool's name, on the first delta at least.
	//
	// zh: 工具名称，至少出现在第一个增量中。
	Name string `json:"name,omitzero" intern:"true"`

	// A piece of JSON text, empty on the first delta as a rule.
	//
	// zh: JSON 文本的一段，通常第一个增量为空。
	ArgumentsDelta string `json:"argumentsDelta" sensitive:"true"`
}

// BlockEndChunk is a complete content block.
//
// zh: 完整的内容块。
type BlockEndChunk struct {
	// The block.
	//
	// zh: 内容块的序号。
	Index int64 `json:"index" min:"0"`

	// The whole block.
	//
	// zh: 整个内容块。
	Block ContentBlock `json:"block" sensitive:"true"`
}

// UsageChunk is the token usage of an answer; it comes before finish.
//
// zh: 回答的用量，在 finish 之前给出。
type UsageChunk struct {
	// The tokens.
	//
	// zh: token 用量。
	Usage Usage `json:"usage"`
}

// FinishChunk ends an attempt.
//
// zh: 尝试的结束。
type FinishChunk struct {
	// Why the model stopped.
	//
	// zh: 模型停止的原因。
	Reason FinishReason `json:"reason"`

	// What the adapter needs to continue from this answer, opaque.
	//
	// zh: 适配器据此回答继续所需的状态，内容不透明。
	ReplayState spec.Raw `json:"replayState,omitzero"`
}

// FinishReason is why a model attempt stopped.
//
// zh: 模型尝试停止的原因。
type FinishReason struct {
	_ spec.Union `tag:"kind"`

	// The answer is complete.
	//
	// zh: 回答完整。
	Stop *FinishStop `variant:"stop"`

	// The model waits for tools.
	//
	// zh: 模型等待工具。
	ToolCalls *FinishToolCalls `variant:"tool-calls"`

	// The token limit was reached; tool calls of this answer are dropped.
	//
	// zh: 达到 token 上限；此回答中的工具调用被丢弃。
	MaxTokens *FinishMaxTokens `variant:"max-tokens"`

	// The request was aborted.
	//
	// zh: 请求被中止。
	Aborted *FinishAborted `variant:"aborted"`

	// The request failed.
	//
	// zh: 请求失败。
	Error *FinishError `variant:"error"`
}

// FinishStop is a complete answer.
//
// zh: 完整的回答。
type FinishStop struct{}

// FinishToolCalls is an answer that waits for tools.
//
// zh: 等待工具的回答。
type FinishToolCalls struct{}

// FinishMaxTokens is an answer that reached its token limit.
//
// zh: 达到 token 上限的回答。
type FinishMaxTokens struct{}

// FinishAborted is a request that was aborted.
//
// zh: 被中止的请求。
type FinishAborted struct {
	// What was recorded.
	//
	// zh: 所记录的内容。
	Failure Failure `json:"failure"`
}

// FinishError is a request that failed.
//
// zh: 失败的请求。
type FinishError struct {
	// What went wrong.
	//
	// zh: 失败的内容。
	Failure Failure `json:"failure"`
}
