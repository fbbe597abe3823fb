// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Negotiation is how the two sides agree: by initialize. The answer is the
// highest version at or below the one asked for; none in common, and 1 and
// below, are an error. Who names no version is of a generation that does not
// negotiate, and is served as dsh-0.2. The checks come in this order: a client of
// the Agent Client Protocol, a version of a wrong type, a version without a
// match, then the other params.
//
// zh: 双方通过 initialize 协商。应答为不高于所请求的最高版本；没有共同版本、或请求 1 及以下时为错误。未指明版本者属于不做协商的世代，按 dsh-0.2 提供服务。检查次序为：Agent Client Protocol 的客户端、类型有误的版本、无法匹配的版本，然后是其他参数。
var Negotiation = &spec.Negotiation[InitializeParams, InitializeResult]{
	Method:      Initialize,
	Versions:    []int{2},
	Asked:       func(p *InitializeParams) any { return &p.ProtocolVersion },
	Answered:    func(r *InitializeResult) any { return &r.ProtocolVersion },
	Offers:      func(p *InitializeParams) any { return &p.Capabilities },
	Announces:   func(r *InitializeResult) any { return &r.Capabilities },
	Unsupported: ErrVersionUnsupported,
	Before:      ErrNotInitialized,
	Without:     DSH02,
}

const (
	legacyCode    = -32603
	legacyUnknown = "unknown DeepSeek Harness SDK runtime method: {method}"
)

// DSH01 is DeepSeek Harness 0.1.x: initialize, prompt and shutdown. Its answers
// stream as durable assistant/chunk events. It cannot be told from dsh-0.2 at
// the handshake.
//
// zh: DeepSeek Harness 0.1.x：initialize、prompt 与 shutdown。其回答以持久的 assistant/chunk 事件流出。握手时无法与 dsh-0.2 区分。
var DSH01 = &spec.Generation{
	Name:    "dsh-0.1",
	Unknown: legacyUnknown,
	Code:    legacyCode,
	Lacks: spec.Methods(
		Cancel, Close, Load, Resume, Wait, GetStatus, List, GetWorkingDirectory, SetWorkingDirectory, RequestPermission,
	),
	Differs: []*spec.Differs{DiffersNewerEvents, DiffersInitializeFirst},
}

// DSH02 is DeepSeek Harness 0.2.x: it adds resume, wait, the working directory,
// reasoning effort and inline images, and streams nothing. Whether a peer is of
// this generation is found out by asking once for what dsh-0.1 lacks.
//
// zh: DeepSeek Harness 0.2.x：增加 resume、wait、工作目录、思考强度与内嵌图像，且不流式发送任何内容。对端是否属于此世代，需就 dsh-0.1 所缺者询问一次方可得知。
var DSH02 = &spec.Generation{
	Name:    "dsh-0.2",
	Unknown: legacyUnknown,
	Code:    legacyCode,
	Lacks:   spec.Methods(Cancel, Close, Load, GetStatus, List, RequestPermission),
	Differs: []*spec.Differs{
		DiffersStoredContinues, DiffersContentRefused, DiffersDeltas, DiffersHeldPrompts, DiffersQueueGoesOn,
		DiffersErrorData, DiffersMoreMethods, DiffersWaitCutShort, DiffersEndOfInput, DiffersLineLimit,
	},
}

// A client of 0.1 is served as one of 0.2, since nothing tells them apart:
// answers come as one assistant/message with its stream, and tool results have
// role tool. Its official SDK reads both.
//
// zh: 0.1 的客户端按 0.2 提供服务，因为二者无从区分：回答以带有 stream 的单个 assistant/message 给出，工具结果的角色为 tool。其官方 SDK 两者都能读取。
var DiffersNewerEvents = &spec.Differs{ID: "newer-events"}

// A call before initialize is refused. 0.1 served it with settings that nobody
// had chosen; its official SDK always initializes.
//
// zh: initialize 之前的调用会被拒绝。0.1 会以无人选择的设置提供服务；其官方 SDK 总是先初始化。
var DiffersInitializeFirst = &spec.Differs{ID: "initialize-first"}

// A prompt or a working-directory call on a stored id continues that session.
// DSH refuses it, and its SDKs, which prompt by id alone, cannot go on in a new
// process.
//
// zh: 对已存储标识的提示或工作目录调用会继续该会话。DSH 会拒绝，而其仅凭标识发送提示的 SDK 因此无法在新进程中继续。
var DiffersStoredContinues = &spec.Differs{ID: "stored-continues"}

// Content that no model could take, and an empty session id, are refused at the
// request and create nothing. DSH accepts them, creates the session and fails
// the turn, or fails with a text of its JavaScript.
//
// zh: 任何模型都无法接受的内容以及空的会话标识在请求处即被拒绝，且不创建任何内容。DSH 会接受并创建会话，然后使轮次失败，或以其 JavaScript 的文本报错。
var DiffersContentRefused = &spec.Differs{ID: "content-refused"}

// Session.delta is sent. 0.2 streams nothing, so a user sees no text until it is
// whole; its official SDKs hand notifications they do not know to their
// callbacks.
//
// zh: 会发送 session.delta。0.2 不流式发送任何内容，用户在文本完整之前看不到它；其官方 SDK 会将不认识的通知交给回调。
var DiffersDeltas = &spec.Differs{ID: "deltas"}

// A prompt to a busy session is held, in order, and accepted after the running
// turn's idle edge. The official SDKs end a run at the first idle after its
// receipt, so two runs on one session get their own answers only if they are
// never both accepted. It can be switched off.
//
// zh: 发给忙碌会话的提示会按次序保留，在运行中轮次的 idle 之后才被接受。官方 SDK 在回执之后的首个 idle 处结束一次运行，因此同一会话上的两次运行只有在从不同时被接受时才能各得其应答。此行为可以关闭。
var DiffersHeldPrompts = &spec.Differs{ID: "held-prompts"}

// After a failed turn the queue goes on. DSH parks it until another prompt
// comes, so that a prompt behind a failing one is never answered; a failure is
// one turn's outcome.
//
// zh: 轮次失败之后队列继续。DSH 会将其搁置到下一条提示为止，使得失败者之后的提示得不到回答；失败只是一个轮次的结果。
var DiffersQueueGoesOn = &spec.Differs{ID: "queue-goes-on"}

// Errors keep DSH's code and text and carry our data beside them, so that a
// program need not read texts.
//
// zh: 错误保留 DSH 的代码与文本，并附带我们的 data，使程序无需解析文本。
var DiffersErrorData = &spec.Differs{ID: "error-data"}

// Every method is served, cancel and close too, by which an official SDK's raw
// request can do what its API lacks.
//
// zh: 提供全部方法，包括 cancel 与 close；官方 SDK 可借其原始请求完成其 API 所缺的操作。
var DiffersMoreMethods = &spec.Differs{ID: "more-methods"}

// A wait that a shutdown or a close cuts short is an error. DSH answers with
// success, which then proves nothing.
//
// zh: 被关停或关闭中断的 wait 为错误。DSH 以成功应答，因而不能证明任何事。
var DiffersWaitCutShort = &spec.Differs{ID: "wait-cut-short"}

// At the end of standard input and at SIGTERM the running turn is closed in the
// log, with the text it had. DSH leaves it open and loses the text.
//
// zh: 标准输入结束与收到 SIGTERM 时，运行中的轮次连同已有文本在日志中收尾。DSH 会任其未结束并丢失文本。
var DiffersEndOfInput = &spec.Differs{ID: "end-of-input"}

// A line has a limit of 64 MiB, and nesting one of 64 levels. DSH has none and
// can be made to run out of memory.
//
// zh: 行有 64 MiB 的限制，嵌套有 64 层的限制。DSH 没有限制，可能因此耗尽内存。
var DiffersLineLimit = &spec.Differs{ID: "line-limit"}
