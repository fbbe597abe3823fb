// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Session is one conversation with an agent, and its log. Its frames have one
// order; sessions do not wait for each other.
//
// zh: 与智能体的一次会话及其日志。会话内的帧有统一的顺序；会话之间互不等待。
var Session = &spec.Scope[SessionID]{
	Name: "session", Chinese: "会话", Handle: "Session",
	Queue: &spec.Queue{Limit: maxQueued, Full: ErrOverloaded},
}

// maxQueued is how many prompts may wait in one session.
const maxQueued = 64

// CanCancel is the runtime's promise to serve session/cancel.
//
// zh: 运行时承诺提供 session/cancel。
var CanCancel = &spec.Capability{Name: "session.cancel", Of: spec.Server}

// CanClose is the runtime's promise to serve session/close.
//
// zh: 运行时承诺提供 session/close。
var CanClose = &spec.Capability{Name: "session.close", Of: spec.Server}

// CanLoad is the runtime's promise to serve session/load.
//
// zh: 运行时承诺提供 session/load。
var CanLoad = &spec.Capability{Name: "session.load", Of: spec.Server}

// CanResume is the runtime's promise to serve session/resume.
//
// zh: 运行时承诺提供 session/resume。
var CanResume = &spec.Capability{Name: "session.resume", Of: spec.Server}

// CanWait is the runtime's promise to serve session/wait.
//
// zh: 运行时承诺提供 session/wait。
var CanWait = &spec.Capability{Name: "session.wait", Of: spec.Server}

// CanTellStatus is the runtime's promise to serve session/status.
//
// zh: 运行时承诺提供 session/status。
var CanTellStatus = &spec.Capability{Name: "session.status", Of: spec.Server}

// CanList is the runtime's promise to serve session/list.
//
// zh: 运行时承诺提供 session/list。
var CanList = &spec.Capability{Name: "session.list", Of: spec.Server}

// CanSetWorkingDirectory is the runtime's promise to serve
// session/working-directory/get and session/working-directory/set.
//
// zh: 运行时承诺提供 session/working-directory/get 与 session/working-directory/set。
var CanSetWorkingDirectory = &spec.Capability{Name: "session.workingDirectory", Of: spec.Server}

// SendsDeltas is the runtime's promise to send session.delta.
//
// zh: 运行时承诺发送 session.delta。
var SendsDeltas = &spec.Capability{Name: "deltas", Of: spec.Server}

// AnswersPermissions is the client's promise to answer
// session/request_permission. Without it every permission request is denied.
//
// zh: 客户端承诺应答 session/request_permission；否则所有权限请求都按拒绝处理。
var AnswersPermissions = &spec.Capability{Name: "permissions", Of: spec.Client}

// TakesDeltas is the client's request for session.delta.
//
// zh: 客户端要求接收 session.delta。
var TakesDeltas = &spec.Capability{Name: "deltas", Of: spec.Client}
