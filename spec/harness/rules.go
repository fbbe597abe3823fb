// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Every event has a seq. In a session's log it is contiguous from 0 over all
// processes; on the wire it rises strictly, and what is missing is only what
// this protocol declares off the wire, what a session inherited or restored
// before it came to life, and what a client did not ask to have replayed.
//
// zh: 每个事件都有 seq。在会话日志中，它跨所有进程自 0 起连续；在传输中严格递增，缺少的只有本协议声明不传输的、会话启动之前继承或恢复的，以及客户端没有要求重放的事件。
var RuleE1 = &spec.Rule{ID: "E1"}

// All events from turn/start to turn/end carry the turn beside the event, inbox
// splices excepted. Frames for peers that did not negotiate carry it never.
//
// zh: 自 turn/start 至 turn/end 的所有事件在 event 旁携带 turn，收件箱拼接事件除外。发给未协商对端的帧从不携带。
var RuleE2 = &spec.Rule{ID: "E2"}

// A turn has one turn/start and one turn/end, and nothing of it follows its end.
//
// zh: 一个轮次恰有一个 turn/start 与一个 turn/end，结束之后不再有属于它的内容。
var RuleE3 = &spec.Rule{ID: "E3"}

// In each session the order on the wire is the order of seq.
//
// zh: 在每个会话中，事件按 seq 的次序传输。
var RuleE4 = &spec.Rule{ID: "E4"}

// An answer is written after the events that its acceptance caused: a prompt's
// after the claim, or after the insert if the session is busy; a cancel's after
// the withdrawals.
//
// zh: 应答写在其接受所引发的事件之后：prompt 在认领之后，会话忙碌时则在放入之后；cancel 在撤回之后。
var RuleE5 = &spec.Rule{ID: "E5"}

// Idle is announced only when nothing of the session's own work is open or
// waiting, or its prompts are parked by choice.
//
// zh: 仅当会话自身没有未结束或排队的工作、或其提示是主动搁置时才通报 idle。
var RuleE6 = &spec.Rule{ID: "E6"}

// Session.closed is the last frame of a session on a connection, until the
// session is attached again.
//
// zh: session.closed 是会话在一个连接上的最后一帧，直至会话再次被附着。
var RuleE7 = &spec.Rule{ID: "E7"}

// Each request is answered exactly once.
//
// zh: 每个请求恰好应答一次。
var RuleE8 = &spec.Rule{ID: "E8"}

// What an agent or tool says after its turn was settled is dropped before it
// gets a seq, and counted.
//
// zh: 智能体或工具在其轮次了结之后的输出在获得 seq 之前即被丢弃并计数。
var RuleE9 = &spec.Rule{ID: "E9"}

// No session waits for another. A slow reader never stalls a turn: what is kept
// for it is bounded, it goes on from the log, only deltas are dropped, and there
// is no deadline for writes on standard output.
//
// zh: 会话之间互不等待。慢的读取方绝不会阻滞轮次：为其保留的内容有上限，其后从日志继续，仅丢弃增量；标准输出的写入没有期限。
var RuleE10 = &spec.Rule{ID: "E10"}

// One JSON object in UTF-8 a line, ended by LF, written compactly. A reader
// takes CRLF, blanks around the object, a byte order mark at the start, and
// blank lines.
//
// zh: 每行一个 UTF-8 编码的 JSON 对象，以 LF 结束，紧凑书写。读取方容忍 CRLF、对象两侧的空白、开头的字节顺序标记以及空行。
var RuleF1 = &spec.Rule{ID: "F1"}

// A malformed line never ends the connection. It is counted and reported; a peer
// that negotiated is answered with parse-error or invalid-request, others are
// not answered.
//
// zh: 格式有误的行绝不终止连接。它会被计数并报告；对已协商的对端以 parse-error 或 invalid-request 应答，对其他对端不作应答。
var RuleF2 = &spec.Rule{ID: "F2"}

// Member names match by exact case, and unknown members are kept or ignored,
// never refused. A name that stands twice in one object, at any depth, is
// invalid-request with id null; from a peer that did not negotiate the last one
// counts.
//
// zh: 成员名称按大小写精确匹配，未知成员保留或忽略，从不拒绝。同一对象中任意深度出现的重复名称为 invalid-request，id 为 null；来自未协商对端时以最后一个为准。
var RuleF3 = &spec.Rule{ID: "F3"}

// An id is echoed with its exact text. A number with an exponent, or with a
// fraction other than .0, is invalid-request from a peer that negotiated.
//
// zh: id 以原文回显。带指数或带 .0 以外小数部分的数字，来自已协商对端时为 invalid-request。
var RuleF4 = &spec.Rule{ID: "F4"}

// A batch, an empty one too, is answered with one invalid-request with id null.
//
// zh: 批量请求（包括空的）以一个 id 为 null 的 invalid-request 应答。
var RuleF5 = &spec.Rule{ID: "F5"}

// Standard output carries frames only. The runtime moves it away at its start,
// so that a stray print cannot reach it.
//
// zh: 标准输出仅承载帧。运行时在启动时将其移开，使偶然的打印无法触及。
var RuleF6 = &spec.Rule{ID: "F6"}

// A $/cancel_request {requestId}, from either side in version 2, abandons a
// pending request, which is answered with request-cancelled. It never undoes
// what was accepted; an accepted cancel or close that waits to be settled is
// answered at once, as if acceptance had been asked for.
//
// zh: $/cancel_request {requestId} 在版本 2 中可由任一方发送，放弃一个未决请求，该请求以 request-cancelled 应答。它绝不撤销已接受的内容；已接受且等待了结的 cancel 或 close 会立即应答，如同只要求接受一样。
var RuleF7 = &spec.Rule{ID: "F7"}

// The member _meta and all names that begin with an underscore are left to
// hosts.
//
// zh: 成员 _meta 以及所有以下划线开头的名称留给宿主使用。
var RuleF8 = &spec.Rule{ID: "F8"}

// Until a successful initialize a peer counts as one that did not negotiate,
// save for version-unsupported, acp-client and a protocolVersion of a wrong
// type. Shutdown works before it, unknown methods get their own answer, and
// everything else is not-initialized.
//
// zh: 在 initialize 成功之前，对端视为未协商，version-unsupported、acp-client 以及类型有误的 protocolVersion 除外。此前 shutdown 可用，未知方法得到其自身的应答，其余均为 not-initialized。
var RuleN1 = &spec.Rule{ID: "N1"}

// To a peer that did not negotiate the runtime sends no request and no turn
// beside an event, answers with the texts of its generation under one code, and
// serves every method.
//
// zh: 对未协商的对端，运行时不发送请求，不在事件旁携带 turn，以其世代的文本与统一代码应答错误，并提供全部方法。
var RuleN2 = &spec.Rule{ID: "N2"}

// A client refuses what a negotiated runtime did not announce before it sends
// it. A runtime that did not negotiate is asked once for whatever is beyond the
// oldest generation, and its unknown-method text becomes the same error,
// remembered.
//
// zh: 对已协商运行时未声明的能力，客户端在发送之前即拒绝。对未协商的运行时，凡超出最早世代者询问一次，其未知方法文本转为同样的错误并被记住。
var RuleN3 = &spec.Rule{ID: "N3"}

// Live text comes from session.delta, from assistant/chunk events or, late, from
// the stream of an assistant/message; a client presents the three as one.
//
// zh: 实时文本来自 session.delta、assistant/chunk 事件，或事后来自 assistant/message 的 stream；客户端将三者呈现为一。
var RuleN4 = &spec.Rule{ID: "N4"}

// The same key with the same content, contentBlocks as sent in canonical JSON,
// gives the first receipt again, over restarts too, because the log is the
// memory.
//
// zh: 同一幂等键与相同内容（contentBlocks 按发送时的规范 JSON）再次得到首次的回执，跨重启亦然，因为由日志负责记住。
var RuleP1 = &spec.Rule{ID: "P1"}

// Never is a second log created under an id that has one.
//
// zh: 绝不在已有日志的标识下创建第二个日志。
var RuleP2 = &spec.Rule{ID: "P2"}

// Prompts run one turn each, in order; parked ones run before a new one, also
// after the session was closed and opened again. A failed turn does not park
// what is behind it.
//
// zh: 提示按次序各占一个轮次；被搁置的先于新的运行，会话关闭后重新打开亦然。轮次失败不会搁置其后的提示。
var RuleP3 = &spec.Rule{ID: "P3"}

// A steered message is taken by the running turn at its next step, and one that
// is left at the last step forces one more. With no turn it starts one; after a
// cancel was latched it becomes a followup.
//
// zh: 转向消息由运行中的轮次在下一步取用，在最后一步仍未取用时会迫使多走一步。没有轮次时自行开始一个；取消锁定之后则变为 followup。
var RuleP4 = &spec.Rule{ID: "P4"}

// A held prompt of a peer that did not negotiate is not accepted yet: cancel
// does not see it, close and shutdown answer it with their error, and it counts
// in the queue's limit.
//
// zh: 为未协商的对端保留的提示尚未被接受：取消看不到它，关闭与关停以各自的错误应答它，它计入队列上限。
var RuleP5 = &spec.Rule{ID: "P5"}

// A cancel that names a message, a key or a turn touches only that; without one
// it means the whole session. A target that was never seen is stale, targets
// that disagree are invalid-params.
//
// zh: 指明消息、幂等键或轮次的取消仅触及所指；未指明则针对整个会话。从未出现过的目标为 stale，互相矛盾的目标为 invalid-params。
var RuleC1 = &spec.Rule{ID: "C1"}

// Settled is not quiescent. What has not returned within the grace is abandoned:
// the runtime writes the interrupted message, step/end and turn/end itself, and
// status, wait and close show it until it returns.
//
// zh: 了结不等于静止。在宽限内未返回者即被放弃：运行时自行写入被打断的消息、step/end 与 turn/end，在其返回之前 status、wait 与 close 都会显示它。
var RuleC2 = &spec.Rule{ID: "C2"}

// Text that was streamed before a turn was stopped is kept as an interrupted
// assistant message; a half-streamed tool call is dropped, and with nothing
// visible nothing is kept.
//
// zh: 轮次被停止之前已流出的文本保留为被打断的助手消息；流到一半的工具调用被丢弃，没有可见内容时不保留任何内容。
var RuleC3 = &spec.Rule{ID: "C3"}

// Children that the turn awaits end with it. Background children go on, unless
// the cancel says otherwise, and end at close.
//
// zh: 轮次正在等待的子会话随其结束。后台子会话继续，除非取消另有说明，并在关闭时结束。
var RuleC4 = &spec.Rule{ID: "C4"}

// A turn that waits for a permission and is cancelled goes idle at its end, and
// the question is withdrawn; an answer that comes later does nothing.
//
// zh: 正在等待权限的轮次被取消时在其结束处转为 idle，询问被撤回；之后到来的回答不起作用。
var RuleC5 = &spec.Rule{ID: "C5"}

// A cancel that waits to be settled when a close starts is answered stopped,
// after turn/end and before session.closed.
//
// zh: 关闭开始时仍在等待了结的取消以 stopped 应答，在 turn/end 之后、session.closed 之前。
var RuleC6 = &spec.Rule{ID: "C6"}

// A close runs once, apart from the context of whoever asked. It waits for a
// creation or load in flight, and drops the session's record before it disposes
// of it.
//
// zh: 关闭只执行一次，独立于请求方的上下文。它等待进行中的创建或载入，并在处置会话之前先移除其记录。
var RuleK1 = &spec.Rule{ID: "K1"}

// A turn that a close or a shutdown ends is aborted with cause disposed, unless
// a cancel came first.
//
// zh: 由关闭或关停结束的轮次为原因 disposed 的 aborted，除非先有取消。
var RuleK2 = &spec.Rule{ID: "K2"}

// Replayed events go to the caller alone, never to live listeners, turn handles
// or usage totals. Concurrent loads on one connection share one replay and one
// session.replayed, and all their answers follow it.
//
// zh: 重放的事件只交给调用方，绝不交给实时监听者、轮次句柄或用量统计。同一连接上的并发载入共用一次重放与一个 session.replayed，其应答均在其后。
var RuleL1 = &spec.Rule{ID: "L1"}

// An open turn of a process that died is closed as interrupted before anything
// else, its tool calls balanced and nothing run again.
//
// zh: 已终止进程的未结束轮次首先以 interrupted 结束，其工具调用均补足结果，不重新运行任何内容。
var RuleL2 = &spec.Rule{ID: "L2"}

// The end-seed event that a reopening writes is in the log and in replays, and
// never live on the wire.
//
// zh: 重新打开时写入的 end-seed 事件存在于日志与重放中，从不作为实时事件传输。
var RuleL3 = &spec.Rule{ID: "L3"}

// A connection gets a session's frames, its children's included, from its first
// prompt, load, resume or working-directory call on it until session.closed. A
// lost socket denies its pending permissions and stops nothing; on standard
// input and output the end of input is a shutdown.
//
// zh: 连接自其对会话的首次 prompt、load、resume 或工作目录调用起，至 session.closed 止，接收该会话及其子会话的帧。套接字断开只拒绝其未决的权限询问，不停止任何工作；在标准输入输出上，输入结束即为关停。
var RuleA1 = &spec.Rule{ID: "A1"}

// A child can be cancelled and waited for by its id. Prompt and resume of a live
// child are session-exists and close is session-busy, since its parent owns it;
// a finished child is a stored session like any other.
//
// zh: 子会话可凭其标识取消与等待。对活动子会话的 prompt 与 resume 为 session-exists，close 为 session-busy，因为它由父会话拥有；已结束的子会话与其他已存储的会话无异。
var RuleA2 = &spec.Rule{ID: "A2"}

// A wait that is pending when a close starts is answered with session- closed,
// one that a shutdown cuts short with shutting-down. While afterSeq is not
// reached the session is not idle, and only the timeout ends the wait.
//
// zh: 关闭开始时未决的 wait 以 session-closed 应答，被关停中断的以 shutting-down 应答。在到达 afterSeq 之前会话不算空闲，仅超时可结束等待。
var RuleW1 = &spec.Rule{ID: "W1"}

// A run is its receipt's message, the turn that took it, and that turn's end.
// Ends of other turns, of child sessions and of strangers do not end it, and no
// caller gets another's answer.
//
// zh: 一次运行由其回执的消息、取用它的轮次以及该轮次的结束构成。其他轮次、子会话及他人的结束都不会结束它，任何调用方都不会得到他人的应答。
var RuleR1 = &spec.Rule{ID: "R1"}

// A caller whose context ends while its prompt is in flight is released at once;
// the client still cancels the prompt as soon as it learns that it was accepted.
//
// zh: 上下文在提示发送途中结束的调用方立即获释；客户端一旦得知提示已被接受，仍会将其取消。
var RuleR2 = &spec.Rule{ID: "R2"}

// Events of one session are handed out in order and one at a time, an answer
// never before the events that preceded it. A slow handler delays only its own
// session; a call made with a handler's own context is answered at once.
//
// zh: 同一会话的事件按次序逐个交付，应答绝不先于其前的事件。慢的处理程序只延误其自身的会话；以处理程序自身的上下文发起的调用立即得到应答。
var RuleR3 = &spec.Rule{ID: "R3"}

// A client repeats a call only where this protocol says that it may, and with
// the same key.
//
// zh: 客户端仅在本协议允许之处重复调用，且使用同一幂等键。
var RuleR4 = &spec.Rule{ID: "R4"}

// A client owns the process it started: its process group, shutdown, then end of
// input, then terminate, then kill, each with a bound, without waiting for a
// pipe that a grandchild holds, and with standard error drained.
//
// zh: 客户端拥有其所启动的进程：进程组；先 shutdown，再结束输入，再终止，最后强杀，每步有时限；不等待被孙进程占用的管道；并持续读取标准错误。
var RuleS1 = &spec.Rule{ID: "S1"}
