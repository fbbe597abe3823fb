// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Harness is the agent-session wire: a host starts sessions of a coding agent,
// prompts them, follows what they do while it happens, stops them, and
// continues them in another process. It is JSON-RPC 2.0, one message a line,
// over standard input and output or a socket.
//
// zh: 智能体会话协议：宿主启动编码智能体的会话，向其发送提示，实时了解其进展，停止它们，并可在其他进程中继续。采用 JSON-RPC 2.0，每行一条消息，通过标准输入输出或套接字传输。
var Harness = &spec.Protocol{
	Name:        "harness",
	Server:      "runtime",
	Negotiation: Negotiation,
	Unknown:     spec.Keep,
	Types:       []spec.AnyType{spec.Type[SessionHeaderLine]()},
	Scopes:      spec.Scopes(Session),
	Capabilities: spec.List(
		CanCancel, CanClose, CanLoad, CanResume, CanWait, CanTellStatus, CanList, CanSetWorkingDirectory, SendsDeltas,
		AnswersPermissions, TakesDeltas,
	),
	Errors: spec.Errors(
		ErrParse, ErrInvalidRequest, ErrInvalidParams, ErrLimitExceeded, ErrInternal, ErrUnsupported, ErrNotInitialized,
		ErrSessionNotFound, ErrSessionClosed, ErrSessionMismatch, ErrACPClient, ErrVersionUnsupported, ErrRequestCancelled,
		ErrSessionExists, ErrSessionBusy, ErrSessionLocked, ErrSessionFenced, ErrSessionDamaged, ErrFormatUnsupported,
		ErrIdempotencyConflict, ErrOverloaded, ErrShuttingDown, ErrStoreFailed, ErrConnectionLost, ErrLagging,
	),
	Notifications: spec.Notifications(
		NotifyEvent, NotifyDelta, NotifyStatus, NotifyReplayed, NotifyClosed, NotifyLost,
		NotifySubagentStarted, NotifySubagentFinished,
	),
	Links:      spec.Links(Claim),
	Activities: spec.Activities(Turn, Life, Child),
	Methods: spec.Methods(
		Initialize, Prompt, Cancel, Close, Load, Resume, Wait, GetStatus, List,
		GetWorkingDirectory, SetWorkingDirectory, Shutdown, RequestPermission,
	),
	Machines:    spec.Machines(SessionMachine),
	Generations: spec.List(DSH01, DSH02),
	Limits: spec.List(
		LimitLine, LimitDepth, LimitRequests, LimitQueue, LimitKey, LimitClientQueue, LimitGrace, LimitDrain,
		LimitClose, LimitShutdown, LimitExit, LimitPage,
	),
	Rules: spec.List(
		RuleE1, RuleE2, RuleE3, RuleE4, RuleE5, RuleE6, RuleE7, RuleE8, RuleE9, RuleE10, RuleF1, RuleF2,
		RuleF3, RuleF4, RuleF5, RuleF6, RuleF7, RuleF8, RuleN1, RuleN2, RuleN3, RuleN4, RuleP1, RuleP2,
		RuleP3, RuleP4, RuleP5, RuleC1, RuleC2, RuleC3, RuleC4, RuleC5, RuleC6, RuleK1, RuleK2, RuleL1,
		RuleL2, RuleL3, RuleA1, RuleA2, RuleW1, RuleR1, RuleR2, RuleR3, RuleR4, RuleS1,
	),
	Allows: spec.List(
		&spec.Allow{Rule: "unused-capability", At: SendsDeltas, Reason: "clients of 0.1 and 0.2 get session.delta too, so nothing may wait for it"},
		&spec.Allow{Rule: "unused-capability", At: TakesDeltas, Reason: "a runtime may be configured to send deltas only to clients that announced it, which no method needs"},
	),
}
