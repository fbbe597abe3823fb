// SPDX-License-Identifier: Apache-2.0

package harness

// DeliverablesPresented shows files to the user.
//
// zh: 向用户呈交文件。
type DeliverablesPresented struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`

	// The tool call.
	//
	// zh: 工具调用标识。
	CallID ToolCallID `json:"callId"`

	// The files.
	//
	// zh: 各个文件。
	Files []Deliverable `json:"files"`
}

// Deliverable is one file that was presented.
//
// zh: 呈交的一个文件。
type Deliverable struct {
	// Its path.
	//
	// zh: 文件路径。
	Path string `json:"path"`

	// What it is.
	//
	// zh: 文件说明。
	Description string `json:"description,omitzero"`
}

// WorkspaceChanges says that a turn changed files.
//
// zh: 说明轮次更改了文件。
type WorkspaceChanges struct {
	// The turn.
	//
	// zh: 轮次编号。
	Turn TurnID `json:"turn" min:"1"`
}

// ImageOffload leaves images out of what the model reads.
//
// zh: 使部分图像不再提供给模型。
type ImageOffload struct {
	// Which ones.
	//
	// zh: 涉及的图像。
	Targets []ImageOffloadTarget `json:"targets"`
}

// ImageOffloadTarget names images of one event.
//
// zh: 某个事件中的图像。
type ImageOffloadTarget struct {
	// The event.
	//
	// zh: 事件的 seq。
	Seq int64 `json:"seq" min:"0"`

	// The images in it, from 0.
	//
	// zh: 其中图像的序号，从 0 起。
	ImageIndexes []int64 `json:"imageIndexes"`
}
