// SPDX-License-Identifier: Apache-2.0

package harness

// SessionID names a session: any non-empty string the host chooses, unique in one store.
// Children get ids that the runtime makes.
//
// zh: 会话标识：由宿主自选的非空字符串，在同一存储内唯一；子会话的标识由运行时生成。
type SessionID string

// MessageID names a message. The runtime makes it (a UUID for its own messages); it is
// unique in its session and is what a prompt's receipt carries.
//
// zh: 消息标识：由运行时生成（自身消息使用 UUID），在所属会话内唯一，提示的回执所携带的就是它。
type MessageID string

// TurnID is the number of a turn. It counts from 1 in each session, without
// gaps, over all processes that continue the session; 0 means none.
//
// zh: 轮次编号：在每个会话中从 1 起连续递增，跨越所有续用该会话的进程也不间断；0 表示没有轮次。
type TurnID int64

// ToolCallID names one tool call, as the model gave it. It is unique in its step.
//
// zh: 工具调用标识：由模型给出，在所属步骤内唯一。
type ToolCallID string
