// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Negotiation takes place in initialize. The result is the highest supported
// version at or below the requested one; having none in common, or requesting 1
// or below, is an error. A peer that names no version belongs to a generation
// that does not negotiate, and is served as dsh-0.2. The checks come in this
// order: a client of the Agent Client Protocol, a version of a wrong type, a
// version without a match, then the other params.
//
// zh: 双方通过 initialize 协商。结果是不高于所请求版本的最高受支持版本；没有共同版本，或请求的版本为 1 及以下，均为错误。没有指明版本的对端属于不协商的世代，按 dsh-0.2 提供服务。检查顺序为：Agent Client Protocol 的客户端、类型有误的版本、无法匹配的版本，然后是其他参数。
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
// stream as durable assistant/chunk events. It cannot be distinguished from
// dsh-0.2 at the handshake.
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
// reasoning effort and inline images, and streams nothing. A client finds out
// whether a peer is of this generation by calling once a method that dsh-0.1
// lacks.
//
// zh: DeepSeek Harness 0.2.x：增加 resume、wait、工作目录、思考强度与内嵌图像，且不流式发送任何内容。客户端调用一次 dsh-0.1 没有的方法，就能判断对端是否属于此世代。
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

// A client of 0.1 is served as one of 0.2, since the two cannot be
// distinguished: answers come as one assistant/message with its stream, and
// tool results have role tool. Its official SDK reads both.
//
// zh: 0.1 的客户端按 0.2 提供服务，因为两者无法区分：回答以带有 stream 的单个 assistant/message 给出，工具结果的角色为 tool。其官方 SDK 两者都能读取。
var DiffersNewerEvents = &spec.Differs{ID: "newer-events"}

// A call before initialize is refused. 0.1 served it with settings that no
// client had chosen; its official SDK always initializes.
//
// zh: initialize 之前的调用会被拒绝。0.1 会按客户端未曾选择的设置提供服务；其官方 SDK 总是先初始化。
var DiffersInitializeFirst = &spec.Differs{ID: "initialize-first"}

// A prompt or a working-directory call on a stored id continues that session.
// DSH refuses it, and its SDKs, which prompt by id alone, cannot continue in a
// new process.
//
// zh: 向已存储的会话发送提示或调用工作目录方法时，会继续该会话。DSH 会拒绝，而它的 SDK 只凭标识发送提示，因此无法在新进程中继续。
var DiffersStoredContinues = &spec.Differs{ID: "stored-continues"}

// Content that no model could take, and an empty session id, are refused with
// an error response and create nothing. DSH accepts them, creates the session
// and fails the turn, or fails with a JavaScript error text.
//
// zh: 任何模型都不支持的内容以及空的会话标识，会直接以错误应答拒绝，不创建任何内容。DSH 会受理并创建会话，然后让轮次失败，或以 JavaScript 的错误文本报错。
var DiffersContentRefused = &spec.Differs{ID: "content-refused"}

// Session.delta is sent. 0.2 streams nothing, so a user sees no text until it is
// whole; its official SDKs hand notifications they do not know to their
// callbacks.
//
// zh: 会发送 session.delta。0.2 不流式发送任何内容，用户在文本完整之前看不到它；其官方 SDK 会将不认识的通知交给回调。
var DiffersDeltas = &spec.Differs{ID: "deltas"}

// A prompt to a busy session is held, in order, and accepted after the running
// turn has ended and the session is idle. The official SDKs end a run at the
// first idle after its receipt, so two runs on one session get the right
// answers only if the two prompts are never accepted at once. It can be
// switched off.
//
// zh: 发给忙碌会话的提示会按顺序保留，等运行中的轮次结束、会话空闲之后才受理。官方 SDK 在回执之后遇到第一个 idle 就结束一次运行，因此同一会话上的两条提示不能同时受理，否则两次运行会拿错回答。此行为可以关闭。
var DiffersHeldPrompts = &spec.Differs{ID: "held-prompts"}

// After a failed turn the queue continues. DSH parks it until another prompt
// comes, so that a prompt behind a failing one is never answered; a failure is
// one turn's outcome.
//
// zh: 轮次失败之后队列继续。DSH 会将其搁置到下一条提示到来，排在失败轮次之后的提示因此得不到回答；而失败只是单个轮次的结局。
var DiffersQueueGoesOn = &spec.Differs{ID: "queue-goes-on"}

// Errors keep DSH's code and text and carry structured data in addition, so
// that a program need not parse texts.
//
// zh: 错误保留 DSH 的代码与文本，并另附结构化的 data，程序无需解析文本。
var DiffersErrorData = &spec.Differs{ID: "error-data"}

// Every method is served, cancel and close included, so that an official SDK's
// raw request can do what its API lacks.
//
// zh: 提供全部方法，包括 cancel 与 close；官方 SDK 可以用原始请求完成其 API 没有提供的操作。
var DiffersMoreMethods = &spec.Differs{ID: "more-methods"}

// A wait that a shutdown or a close cuts short is an error. DSH responds with
// success, which then proves nothing.
//
// zh: 因关停或关闭而提前结束的 wait 是错误。DSH 以成功应答，这样的应答不能证明任何事。
var DiffersWaitCutShort = &spec.Differs{ID: "wait-cut-short"}

// At the end of standard input and at SIGTERM the running turn is closed in the
// log, with the text it had. DSH leaves it open and loses the text.
//
// zh: 标准输入结束与收到 SIGTERM 时，运行中的轮次连同已有的文本会写入日志并正常收尾。DSH 会让它停留在未结束的状态，并丢失文本。
var DiffersEndOfInput = &spec.Differs{ID: "end-of-input"}

// A line has a limit of 64 MiB, and nesting one of 64 levels. DSH has none and
// can be made to run out of memory.
//
// zh: 行有 64 MiB 的限制，嵌套有 64 层的限制。DSH 没有限制，可能因此耗尽内存。
var DiffersLineLimit = &spec.Differs{ID: "line-limit"}
