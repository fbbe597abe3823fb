// SPDX-License-Identifier: Apache-2.0

package harness

// InitializeParams opens a connection and says what new sessions start with.
//
// zh: 打开连接的参数，并说明新会话的初始设置。
type InitializeParams struct {
	// Working directory of sessions created later, resolved against the runtime's own
	// directory if relative. It need not exist: a turn in a missing directory ends in an
	// error.
	//
	// zh: 之后创建的会话的工作目录；相对路径按运行时自身目录解析。目录可以不存在，但在缺失的目录中运行的轮次会以错误结束。
	CWD string `json:"cwd"`

	// Name of the model adapter, such as `deepseek-official` or `demo`.
	//
	// zh: 模型适配器的名称，例如 `deepseek-official` 或 `demo`。
	Provider string `json:"provider"`

	// Model name in the adapter's own terms.
	//
	// zh: 模型名称，含义由适配器决定。
	Model string `json:"model"`

	// The reasoning effort, one of the adapter's own levels (`low`, `medium`,
	// `high`, say). Absent: the adapter's default.
	//
	// zh: 模型的思考强度，取适配器自己的级别之一（例如 `low`、`medium`、`high`）；缺省时由适配器决定。
	ReasoningEffort *string `json:"reasoningEffort,omitzero" length:"1.."`

	// Upper bound of the tokens of one model answer. Absent: the adapter's default; 0 is
	// refused, not ignored.
	//
	// zh: 单次模型回答的 token 上限。缺省时由适配器决定；0 会被拒绝，而不是被忽略。
	MaxTokens *int64 `json:"maxTokens,omitzero" min:"1"`

	// The highest protocol version the client speaks. Absent: the client is of a
	// generation that does not negotiate.
	//
	// zh: 客户端支持的最高协议版本；缺省表示客户端属于不做协商的世代。
	ProtocolVersion *int64 `json:"protocolVersion,omitzero" min:"-9007199254740991" since:"2"`

	// Name and version of the client, for logs.
	//
	// zh: 客户端的名称与版本，供日志使用。
	ClientInfo *Implementation `json:"clientInfo,omitzero" since:"2"`

	// What the client can be asked to do. Absent: nothing.
	//
	// zh: 可以请求客户端完成的能力；缺省表示没有。
	Capabilities *ClientCapabilities `json:"capabilities,omitzero" since:"2"`
}

// Implementation is the name and version of one side's program.
//
// zh: 一方程序的名称与版本。
type Implementation struct {
	// Name of the program.
	//
	// zh: 程序名称。
	Name string `json:"name"`

	// Version of the program, in its own scheme.
	//
	// zh: 程序版本，格式由程序自定。
	Version string `json:"version"`
}

// ClientCapabilities is what a client announces; what is absent it cannot do.
//
// zh: 客户端声明的能力；未列出即不具备。
type ClientCapabilities struct {
	// The client answers session/request_permission. Without it every such request
	// is denied.
	//
	// zh: 客户端能够应答 session/request_permission；否则此类请求一律按拒绝处理。
	Permissions bool `json:"permissions,omitzero" since:"2"`

	// The client wants session.delta. It matters only to a runtime that sends
	// deltas to clients that requested them.
	//
	// zh: 客户端希望接收 session.delta；仅当运行时只向提出要求的客户端发送增量时才起作用。
	Deltas bool `json:"deltas,omitzero" since:"2"`
}

// InitializeResult says who serves, and what was agreed.
//
// zh: 说明由谁提供服务以及协商的结果。
type InitializeResult struct {
	// Name and version of the runtime.
	//
	// zh: 运行时的名称与版本。
	ServerInfo Implementation `json:"serverInfo"`

	// The version in force from now on. Absent: the runtime did not negotiate.
	//
	// zh: 自此生效的协议版本；缺省表示运行时未做协商。
	ProtocolVersion *int64 `json:"protocolVersion,omitzero" min:"1" since:"2"`

	// What the runtime can do. Absent: nothing is announced.
	//
	// zh: 运行时具备的能力；缺省表示未作任何声明。
	Capabilities *RuntimeCapabilities `json:"capabilities,omitzero" since:"2"`
}

// RuntimeCapabilities is what a runtime announces; what is absent it lacks.
//
// zh: 运行时声明的能力；未列出即不具备。
type RuntimeCapabilities struct {
	// The methods on sessions, beyond session/prompt, that the runtime serves.
	//
	// zh: 除 session/prompt 之外，运行时提供的会话方法。
	Session *SessionCapabilities `json:"session,omitzero" since:"2"`

	// The runtime sends session.delta.
	//
	// zh: 运行时会发送 session.delta。
	Deltas bool `json:"deltas,omitzero" since:"2"`

	// What the runtime's store survives, and with it whatever a durable answer proves.
	// Absent: nothing; what was accepted is gone with the process.
	//
	// zh: 运行时的存储能够经受什么，因而也是持久应答所证明内容的保存范围。缺省表示都不能经受：已受理的内容随进程消失。
	Durability Durability `json:"durability,omitzero" since:"2"`
}

// SessionCapabilities has one switch for each method on sessions.
//
// zh: 每个会话方法对应一个开关。
type SessionCapabilities struct {
	// session/cancel is served.
	//
	// zh: 提供 session/cancel。
	Cancel bool `json:"cancel,omitzero" since:"2"`

	// session/close is served.
	//
	// zh: 提供 session/close。
	Close bool `json:"close,omitzero" since:"2"`

	// session/load is served.
	//
	// zh: 提供 session/load。
	Load bool `json:"load,omitzero" since:"2"`

	// session/resume is served.
	//
	// zh: 提供 session/resume。
	Resume bool `json:"resume,omitzero" since:"2"`

	// session/wait is served.
	//
	// zh: 提供 session/wait。
	Wait bool `json:"wait,omitzero" since:"2"`

	// session/status is served.
	//
	// zh: 提供 session/status。
	Status bool `json:"status,omitzero" since:"2"`

	// session/list is served.
	//
	// zh: 提供 session/list。
	List bool `json:"list,omitzero" since:"2"`

	// session/working-directory/get and session/working-directory/set are served.
	//
	// zh: 提供 session/working-directory/get 与 session/working-directory/set。
	WorkingDirectory bool `json:"workingDirectory,omitzero" since:"2"`
}
