// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Initialize opens a connection: it sets what sessions start with, and
// negotiates the protocol's version. A second call replaces working directory,
// provider, model, effort and token limit for sessions created later, if all
// its members are valid; it cannot change version or capabilities.
//
// zh: 打开连接：设定会话的初始设置并协商协议版本。再次调用时，如果所有成员有效，则为之后创建的会话替换工作目录、提供方、模型、思考强度与 token 上限；版本与能力不可更改。
var Initialize = &spec.Method[InitializeParams, InitializeResult]{
	Name:     "initialize",
	From:     spec.Client,
	Accepts:  spec.Done,
	Deferred: true, // what is sent right behind it must find it done
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[InitializeResult]())),
	Repeats:  spec.Idempotent[InitializeParams](),
	Runs:     spec.Serial,
	Before:   true,
	Prechecks: []spec.Precheck[InitializeParams]{{
		If: []spec.CondOf[InitializeParams]{
			spec.Present(func(p *InitializeParams) any { return &p.ProtocolVersion }),
			spec.Absent(func(p *InitializeParams) any { return &p.Provider }),
			spec.Absent(func(p *InitializeParams) any { return &p.Model }),
		},
		Error: ErrACPClient,
	}},
	Refusals: []spec.Refusal[InitializeParams]{
		{Member: func(p *InitializeParams) any { return &p.CWD }, Text: `The "paths[0]" argument must be of type string. Received undefined`},
		{Member: func(p *InitializeParams) any { return &p.ReasoningEffort }, Text: "initialize reasoningEffort must be a non-empty string", Empty: true},
		{Member: func(p *InitializeParams) any { return &p.MaxTokens }, Text: "initialize maxTokens must be a positive safe integer"},
		{Member: func(p *InitializeParams) any { return &p.Provider }, Text: `no adapter registered for provider "undefined"`},
		{Member: func(p *InitializeParams) any { return &p.Model }, Text: `adapter returned invalid exact model metadata for provider "{provider}" model "undefined"`},
	},
	Legacy: &spec.Legacy{Texts: []spec.LegacyText{
		{Error: ErrInvalidParams, Text: `no adapter registered for provider "{provider}"`},
		{Error: ErrInvalidParams, Text: `adapter returned invalid exact model metadata for provider "{provider}" model "{model}"`},
		{Error: ErrInvalidParams, Text: `provider "{provider}" model "{model}" does not support reasoning effort "{reasoningEffort}"`},
	}},
	Fails: spec.Errors(ErrInvalidParams, ErrACPClient, ErrVersionUnsupported, ErrShuttingDown, ErrInternal),
	Examples: spec.List(
		spec.Ex("version 2", InitializeParams{
			CWD: "/home/user/ws", Provider: "deepseek-official", Model: "deepseek-v4-flash", ProtocolVersion: new(int64(2)),
			ClientInfo:   &Implementation{Name: "example", Version: "1.0.0"},
			Capabilities: &ClientCapabilities{Permissions: true, Deltas: true},
		}, InitializeResult{
			ServerInfo: Implementation{Name: "accord", Version: "0.1.0"}, ProtocolVersion: new(int64(2)),
			Capabilities: &RuntimeCapabilities{Session: &SessionCapabilities{
				Cancel: true, Close: true, Load: true, Resume: true, Wait: true, Status: true, List: true, WorkingDirectory: true,
			}, Deltas: true},
		}),
		spec.Ex("a client that does not negotiate",
			InitializeParams{CWD: "/home/user/ws", Provider: "deepseek-official", Model: "deepseek-v4-flash"},
			InitializeResult{ServerInfo: Implementation{Name: "deepseek-harness-sdk-runtime", Version: "0.0.1"}}),
		spec.Refused("a version that is too old",
			InitializeParams{CWD: "/home/user/ws", Provider: "demo", Model: "demo", ProtocolVersion: new(int64(1))}, ErrVersionUnsupported),
	),
}

// Shutdown ends the runtime. It closes all sessions at once within 0.8 s and
// responds, and the process exits with 0 within 0.5 s. A client that negotiated
// gets each turn's end and session.closed before the response; others get no
// further frame of a session. The end of standard input and SIGTERM do the same
// without a response, and exit with 0; SIGINT exits with 130. Repeated calls
// get the same response.
//
// zh: 结束运行时。在 0.8 秒内同时关闭所有会话并应答，进程随后在 0.5 秒内以 0 退出。协商过的客户端在应答之前收到各轮次的结束与 session.closed；其他客户端不再收到会话的任何帧。标准输入结束与 SIGTERM 效果相同但没有应答，以 0 退出；SIGINT 以 130 退出。重复调用得到同样的应答。
var Shutdown = &spec.Method[spec.None, spec.None]{
	Name:     "shutdown",
	From:     spec.Client,
	Accepts:  spec.Done,
	Deferred: true, // after the last frame of every session
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())),
	Repeats:  spec.Idempotent[spec.None](),
	Runs:     spec.Shared,
	Before:   true,
	Shutdown: true,
	After:    []spec.Frame{frameTurnEnd, frameClosed},
	Fails:    spec.Errors(ErrInternal),
	Examples: spec.List(spec.Ex("the end", spec.None{}, spec.None{})),
}
