// SPDX-License-Identifier: Apache-2.0

package harness

// SessionHeaderLine is the first line of a session's log, in format 0 and in format 4. Its
// set of members is closed: readers refuse others.
//
// zh: 会话日志的首行，用于格式 0 与格式 4；成员集合是封闭的，读取方拒绝其他成员。
type SessionHeaderLine struct {
	// `session`.
	//
	// zh: 固定为 `session`。
	Type string `json:"type"`

	// The format: 0 or 4 here; a higher one is format-unsupported.
	//
	// zh: 格式版本：此处为 0 或 4；更高的版本为 format-unsupported。
	Version int64 `json:"version" min:"0"`

	// The session; its folder must have the same name.
	//
	// zh: 会话标识，必须与所在目录名一致。
	ID SessionID `json:"id"`

	// When it was created, in milliseconds since 1970 UTC.
	//
	// zh: 创建时间，自 1970 年 UTC 起的毫秒数。
	CreatedAt int64 `json:"createdAt" min:"0"`

	// Its first working directory, an absolute path. Absent: it has none.
	//
	// zh: 最初的工作目录（绝对路径）；缺省表示没有。
	CWD *string `json:"cwd,omitzero"`

	// The session that started it. Absent: a root session.
	//
	// zh: 启动它的会话；缺省表示根会话。
	ParentSession *SessionID `json:"parentSession,omitzero"`

	// How many events it inherited, in format 0 and 1.
	//
	// zh: 继承的事件数，用于格式 0 与 1。
	SeedLength *int64 `json:"seedLength,omitzero" min:"0"`

	// Whether it inherited events; required from format 2 on.
	//
	// zh: 是否继承了事件；自格式 2 起必填。
	IsSeeded *bool `json:"isSeeded,omitzero"`

	// `subagent`, for a session that an agent started.
	//
	// zh: 由智能体启动的会话为 `subagent`。
	Origin string `json:"origin,omitzero"`

	// How many sessions are above it; 0 for a root session, and always written.
	//
	// zh: 上方有多少层会话；根会话为 0，且始终写出。
	DelegationDepth int64 `json:"delegationDepth" min:"0"`

	// The preset that the agent was created with.
	//
	// zh: 创建智能体时使用的预设。
	AgentPreset string `json:"agentPreset,omitzero"`
}
