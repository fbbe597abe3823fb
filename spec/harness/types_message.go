// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// ContentBlock is one piece of a message. Readers keep kinds they do not know.
//
// zh: 消息的一个组成部分；读取方保留未知的种类。
type ContentBlock struct {
	_ spec.Union `tag:"type"`

	// Text.
	//
	// zh: 文本。
	Text *TextBlock `variant:"text"`

	// The model's reasoning.
	//
	// zh: 模型的推理。
	Reasoning *ReasoningBlock `variant:"reasoning"`

	// An image, inline or stored.
	//
	// zh: 图像，内嵌或已存储。
	Image *ImageBlock `variant:"image"`

	// A stored file.
	//
	// zh: 已存储的文件。
	File *FileBlock `variant:"file"`

	// A tool call that the model requests.
	//
	// zh: 模型请求的工具调用。
	ToolCall *ToolCallBlock `variant:"tool-call"`

	// The result of a tool call, in logs and on wires of the older generation.
	//
	// zh: 工具调用的结果，见于较早世代的日志与消息。
	ToolResult *ToolResultBlock `variant:"tool-result" only:"dsh-0.1"`

	// A tool became available. Only in developer messages.
	//
	// zh: 新增了一个工具；仅出现在开发者消息中。
	ToolAddition *ToolAdditionBlock `variant:"tool-addition"`

	// A tool was removed. Only in developer messages.
	//
	// zh: 移除了一个工具；仅出现在开发者消息中。
	ToolRemoval *ToolRemovalBlock `variant:"tool-removal"`
}

// TextBlock is text.
//
// zh: 文本内容块。
type TextBlock struct {
	// The text.
	//
	// zh: 文本。
	Text string `json:"text" sensitive:"true"`
}

// ReasoningBlock is what the model thought before it answered.
//
// zh: 模型在回答之前的思考。
type ReasoningBlock struct {
	// The text.
	//
	// zh: 文本。
	Text string `json:"text" sensitive:"true"`
}

// ImageBlock is an image. A client sends it inline, as `data` and `mimeType`; the log and
// all events have it as `attachment`.
//
// zh: 图像内容块。客户端以 data 与 mimeType 内嵌发送；日志和所有事件中则以 attachment 引用。
type ImageBlock struct {
	// The image's bytes in canonical base64.
	//
	// zh: 图像字节的规范 base64 编码。
	Data *string `json:"data,omitzero" sensitive:"true"`

	// What `data` holds; it must match the bytes.
	//
	// zh: data 的媒体类型，必须与字节相符。
	MimeType MediaType `json:"mimeType,omitzero"`

	// Where the stored image is found.
	//
	// zh: 指向已存储的图像。
	Attachment *ImageAttachment `json:"attachment,omitzero"`
}

// ImageAttachment refers to a stored image.
//
// zh: 对已存储图像的引用。
type ImageAttachment struct {
	// `sha256:` and the digest of the stored bytes in hexadecimal.
	//
	// zh: `sha256:` 加上所存字节摘要的十六进制形式。
	AttachmentID string `json:"attachmentId"`

	// What the bytes are.
	//
	// zh: 字节的媒体类型。
	MediaType MediaType `json:"mediaType"`

	// Width in pixels.
	//
	// zh: 宽度，单位为像素。
	Width int64 `json:"width" min:"0"`

	// Height in pixels.
	//
	// zh: 高度，单位为像素。
	Height int64 `json:"height" min:"0"`

	// Size in bytes.
	//
	// zh: 大小，单位为字节。
	Bytes int64 `json:"bytes" min:"0"`

	// A file name for people.
	//
	// zh: 供人阅读的文件名。
	Name string `json:"name,omitzero"`

	// What the image measured before it was scaled down.
	//
	// zh: 缩小之前的尺寸。
	OriginalDimensions *Dimensions `json:"originalDimensions,omitzero"`
}

// Dimensions is the size of an image.
//
// zh: 图像的尺寸。
type Dimensions struct {
	// Width in pixels.
	//
	// zh: 宽度，单位为像素。
	Width int64 `json:"width" min:"0"`

	// Height in pixels.
	//
	// zh: 高度，单位为像素。
	Height int64 `json:"height" min:"0"`
}

// MediaType is the format of an image.
//
// zh: 图像的格式。
type MediaType string

// The values of MediaType.
const (
	// PNG.
	//
	// zh: PNG 格式。
	MediaPNG MediaType = "image/png"

	// JPEG.
	//
	// zh: JPEG 格式。
	MediaJPEG MediaType = "image/jpeg"

	// WebP.
	//
	// zh: WebP 格式。
	MediaWebP MediaType = "image/webp"

	// GIF.
	//
	// zh: GIF 格式。
	MediaGIF MediaType = "image/gif"
)

// FileBlock is a stored file.
//
// zh: 已存储的文件内容块。
type FileBlock struct {
	// Where it is found.
	//
	// zh: 指向所存文件。
	Attachment FileAttachment `json:"attachment"`
}

// FileAttachment refers to a stored file.
//
// zh: 对已存储文件的引用。
type FileAttachment struct {
	// `sha256:` and the digest of the stored bytes in hexadecimal.
	//
	// zh: `sha256:` 加上所存字节摘要的十六进制形式。
	AttachmentID string `json:"attachmentId"`

	// Its file name.
	//
	// zh: 文件名。
	Name string `json:"name"`

	// Size in bytes.
	//
	// zh: 大小，单位为字节。
	Bytes int64 `json:"bytes" min:"0"`
}

// ToolCallBlock is a tool call that the model requests.
//
// zh: 模型请求的工具调用内容块。
type ToolCallBlock struct {
	// The call.
	//
	// zh: 调用标识。
	ID ToolCallID `json:"id"`

	// The tool.
	//
	// zh: 工具名称。
	Name string `json:"name" intern:"true"`

	// The arguments as the model wrote them: JSON text in a string, not parsed and perhaps
	// not even valid.
	//
	// zh: 模型写出的参数原文：字符串中的 JSON 文本，未经解析，甚至可能无效。
	Arguments string `json:"arguments" sensitive:"true"`
}

// ToolResultBlock is a tool's result in the older form.
//
// zh: 较早形式的工具结果内容块。
type ToolResultBlock struct {
	// The call it answers.
	//
	// zh: 所回应的调用。
	ToolCallID ToolCallID `json:"toolCallId"`

	// What the tool returned.
	//
	// zh: 工具返回的内容。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// The tool failed. Absent: not said.
	//
	// zh: 工具失败；缺省表示未说明。
	IsError *bool `json:"isError,omitzero"`
}

// ToolAdditionBlock says that a tool became available.
//
// zh: 说明新增了工具。
type ToolAdditionBlock struct {
	// The tool.
	//
	// zh: 工具名称。
	ToolName string `json:"toolName"`
}

// ToolRemovalBlock says that a tool was removed.
//
// zh: 说明移除了工具。
type ToolRemovalBlock struct {
	// The tool.
	//
	// zh: 工具名称。
	ToolName string `json:"toolName"`
}

// Role is who speaks in a message.
//
// zh: 消息的发言者。
type Role string

// The values of Role.
const (
	// The user, or the runtime on the user's side of the conversation.
	//
	// zh: 用户，或在对话中位于用户一侧的运行时。
	RoleUser Role = "user"

	// The model.
	//
	// zh: 模型。
	RoleAssistant Role = "assistant"

	// The system prompt.
	//
	// zh: 系统提示。
	RoleSystem Role = "system"

	// A tool's result.
	//
	// zh: 工具的结果。
	RoleTool Role = "tool"

	// A note about the available tools.
	//
	// zh: 关于可用工具的说明。
	RoleDeveloper Role = "developer"
)

// AssistantBody is a message of the model.
//
// zh: 模型的消息。
type AssistantBody struct {
	// `assistant`.
	//
	// zh: 固定为 `assistant`。
	Role Role `json:"role" intern:"true"`

	// Text, reasoning and tool calls, in the model's order.
	//
	// zh: 文本、推理与工具调用，按模型给出的顺序排列。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// `model`.
	//
	// zh: 来源，固定为 `model`。
	Source MessageSource `json:"source"`

	// The message's id.
	//
	// zh: 消息标识。
	ID MessageID `json:"id"`
}

// SystemBody is a system prompt.
//
// zh: 系统提示消息。
type SystemBody struct {
	// `system`.
	//
	// zh: 固定为 `system`。
	Role Role `json:"role" intern:"true"`

	// One text block, or none.
	//
	// zh: 一个文本块，或没有。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// `system-prompt`.
	//
	// zh: 来源，固定为 `system-prompt`。
	Source MessageSource `json:"source"`

	// The message's id.
	//
	// zh: 消息标识。
	ID MessageID `json:"id"`
}

// DeveloperBody is a note about tools.
//
// zh: 关于工具的说明消息。
type DeveloperBody struct {
	// `tool-registry`.
	//
	// zh: 来源，固定为 `tool-registry`。
	Source MessageSource `json:"source"`

	// Tool additions and removals.
	//
	// zh: 工具的新增与移除。
	Content []ContentBlock `json:"content"`

	// `developer`.
	//
	// zh: 固定为 `developer`。
	Role Role `json:"role" intern:"true"`

	// The message's id.
	//
	// zh: 消息标识。
	ID MessageID `json:"id"`
}

// ToolBody is a tool's result. The older generation wrote role `user` and one tool-result
// block instead of `toolCallId` and `isError`.
//
// zh: 工具结果消息。较早世代使用 `user` 角色和一个 tool-result 块，而不是 toolCallId 与 isError。
type ToolBody struct {
	// `tool`.
	//
	// zh: 固定为 `tool`。
	Role Role `json:"role" intern:"true"`

	// `tool`, with the call.
	//
	// zh: 来源，固定为 `tool`，并带有调用标识。
	Source MessageSource `json:"source"`

	// The call it answers.
	//
	// zh: 所回应的调用。
	ToolCallID ToolCallID `json:"toolCallId,omitzero"`

	// What the tool returned.
	//
	// zh: 工具返回的内容。
	Content []ContentBlock `json:"content" sensitive:"true"`

	// The tool failed. Absent: not said.
	//
	// zh: 工具失败；缺省表示未说明。
	IsError *bool `json:"isError,omitzero"`

	// The message's id.
	//
	// zh: 消息标识。
	ID MessageID `json:"id"`
}

// Usage is the token usage of one model answer.
//
// zh: 一次模型回答的 token 用量。
type Usage struct {
	// Input that was not read from the cache.
	//
	// zh: 未命中缓存的输入 token 数。
	InputTokens int64 `json:"inputTokens" min:"0"`

	// Output, reasoning included.
	//
	// zh: 输出 token 数，含推理。
	OutputTokens int64 `json:"outputTokens" min:"0"`

	// Input read from the cache.
	//
	// zh: 从缓存读取的输入 token 数。
	CacheReadTokens *int64 `json:"cacheReadTokens,omitzero" min:"0"`

	// Input written to the cache.
	//
	// zh: 写入缓存的输入 token 数。
	CacheWriteTokens *int64 `json:"cacheWriteTokens,omitzero" min:"0"`

	// The part of the output that was reasoning.
	//
	// zh: 输出中用于推理的部分。
	ReasoningTokens *int64 `json:"reasoningTokens,omitzero" min:"0"`

	// Sum over all of it.
	//
	// zh: 总 token 数。
	TotalTokens *int64 `json:"totalTokens,omitzero" min:"0"`
}
