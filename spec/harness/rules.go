// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Every event has a seq. In a session's log it is contiguous from 0 over all
// processes; on the wire it rises strictly, and what is missing is only what
// this protocol declares off the wire, what a session inherited or restored
// before it started, and what a client did not ask to have replayed.
//
// zh: 每个事件都有 seq。在会话日志中，它跨所有进程自 0 起连续；在传输中严格递增，缺少的只有本协议声明不传输的、会话启动之前继承或恢复的，以及客户端没有要求重放的事件。
var RuleE1 = &spec.Rule{ID: "E1"}

// All events from turn/start to turn/end carry the turn next to the event,
// except inbox splices. Frames for peers that did not negotiate never carry it.
//
// zh: 从 turn/start 到 turn/end 的所有事件都与 event 并列携带 turn，收件箱拼接事件除外。发给没有协商过的对端的帧从不携带。
var RuleE2 = &spec.Rule{ID: "E2"}

// A turn has one turn/start and one turn/end, and nothing of it follows its end.
//
// zh: 一个轮次恰有一个 turn/start 与一个 turn/end，结束之后不再有属于它的内容。
var RuleE3 = &spec.Rule{ID: "E3"}

// In each session the order on the wire is the order of seq.
//
// zh: 在每个会话中，事件按 seq 的顺序传输。
var RuleE4 = &spec.Rule{ID: "E4"}

// A response is written after the events that its acceptance caused: a prompt's
// after the claim, or after the insert if the session is busy; a cancel's after
// the withdrawals.
//
// zh: 应答在其受理引发的事件之后写出：prompt 在认领之后，会话忙碌时则在放入之后；cancel 在撤回之后。
var RuleE5 = &spec.Rule{ID: "E5"}

// Idle is announced only when nothing of the session's own work is open or
// waiting, or its prompts are parked by choice.
//
// zh: 仅当会话自身没有未结束或排队的工作、或其提示是主动搁置时才通报 idle。
var RuleE6 = &spec.Rule{ID: "E6"}

// Session.closed is the last frame of a session on a connection, until the
// session is attached again.
//
// zh: session.closed 是会话在一个连接上的最后一帧，直到会话再次接入。
var RuleE7 = &spec.Rule{ID: "E7"}

// Each request is answered exactly once.
//
// zh: 每个请求恰好应答一次。
var RuleE8 = &spec.Rule{ID: "E8"}

// Output that an agent or tool produces after its turn was settled is dropped
// before it gets a seq, and counted.
//
// zh: 智能体或工具在其轮次敲定之后产生的输出，在获得 seq 之前就被丢弃并计数。
var RuleE9 = &spec.Rule{ID: "E9"}

// No session waits for another. A slow reader never stalls a turn: what is kept
// for it is bounded, the rest is read from the log later, only deltas are
// dropped, and writes to standard output have no deadline.
//
// zh: 会话之间互不等待。读取较慢的一方绝不会拖住轮次：为其保留的内容有上限，其余的稍后从日志读取，只丢弃增量；写标准输出没有期限。
var RuleE10 = &spec.Rule{ID: "E10"}

// One JSON object in UTF-8 a line, ended by LF, written compactly. A reader
// takes CRLF, blanks around the object, a byte order mark at the start, and
// blank lines.
//
// zh: 每行一个 UTF-8 编码的 JSON 对象，以 LF 结束，紧凑书写。读取方允许 CRLF、对象两侧的空白、开头的字节顺序标记以及空行。
var RuleF1 = &spec.Rule{ID: "F1"}

// A malformed line never ends the connection. It is counted and reported; a peer
// that negotiated is answered with parse-error or invalid-request, others are
// not answered.
//
// zh: 格式有误的行绝不会断开连接。它会被计数并报告；对协商过的对端以 parse-error 或 invalid-request 应答，对其他对端不作应答。
var RuleF2 = &spec.Rule{ID: "F2"}

// Member names match by exact case, and unknown members are kept or ignored,
// never refused. A name that occurs twice in one object, at any depth, is
// invalid-request with id null; from a peer that did not negotiate the last one
// counts.
//
// zh: 成员名称按大小写精确匹配，未知成员保留或忽略，从不拒绝。同一对象中任意深度出现的重复名称为 invalid-request，id 为 null；来自没有协商过的对端时以最后一个为准。
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

// Standard output carries frames only. The runtime redirects it at its start,
// so that a stray print cannot reach it.
//
// zh: 标准输出只承载帧。运行时在启动时将其重定向，意外的打印不会混入其中。
var RuleF6 = &spec.Rule{ID: "F6"}

// A $/cancel_request {requestId}, from either side in version 2, abandons a
// pending request, which is answered with request-cancelled. It never undoes
// what was accepted; an accepted cancel or close that waits for settlement is
// answered at once, as if only acceptance had been requested.
//
// zh: $/cancel_request {requestId} 在版本 2 中可由任一方发送，放弃一个尚未应答的请求，该请求以 request-cancelled 应答。它绝不撤销已受理的工作；已受理、正等待敲定的 cancel 或 close 会立即应答，如同只要求受理一样。
var RuleF7 = &spec.Rule{ID: "F7"}

// The member _meta and all names that begin with an underscore are reserved for
// hosts.
//
// zh: 成员 _meta 以及所有以下划线开头的名称留给宿主使用。
var RuleF8 = &spec.Rule{ID: "F8"}

// Until a successful initialize a peer counts as one that did not negotiate,
// except for version-unsupported, acp-client and a protocolVersion of a wrong
// type. Shutdown works before it, unknown methods get their own answer, and
// everything else is not-initialized.
//
// zh: 在 initialize 成功之前，对端视为没有协商，version-unsupported、acp-client 以及类型有误的 protocolVersion 除外。在此之前 shutdown 可用，未知方法得到其自身的应答，其他调用均为 not-initialized。
var RuleN1 = &spec.Rule{ID: "N1"}

// To a peer that did not negotiate the runtime sends no request and no turn
// next to an event, reports errors with the texts of the peer's generation
// under one code, and serves every method.
//
// zh: 对没有协商过的对端，运行时不发送请求，不随事件携带 turn，以对端世代的文本和统一的代码报告错误，并提供全部方法。
var RuleN2 = &spec.Rule{ID: "N2"}

// A client refuses a call that a negotiated runtime did not announce before it
// sends it. To a runtime that did not negotiate it sends each method beyond the
// oldest generation once; the unknown-method text becomes the same error, which
// is remembered.
//
// zh: 对于协商过的运行时没有声明的能力，客户端在发送之前就拒绝调用。对于没有协商过的运行时，超出最早世代的每个方法只尝试调用一次；其未知方法文本会转换为同样的错误，并被记住。
var RuleN3 = &spec.Rule{ID: "N3"}

// Live text comes from session.delta, from assistant/chunk events or, late, from
// the stream of an assistant/message; a client presents the three as one.
//
// zh: 实时文本来自 session.delta、assistant/chunk 事件，或事后来自 assistant/message 的 stream；客户端以统一的形式呈现三者。
var RuleN4 = &spec.Rule{ID: "N4"}

// The same key with the same content, contentBlocks as sent in canonical JSON,
// returns the first receipt again, also after a restart that the log survived,
// because the log records it. If the work is over, the receipt says how it ended,
// with the turn's last answer and its usage.
//
// zh: 同一幂等键与相同内容（contentBlocks 按发送时的规范 JSON）会再次得到首次的回执，只要日志未丢失，重启之后也是如此，因为日志记录了它。若工作已结束，回执还会说明其结果，并附该轮次的最后回答与用量。
var RuleP1 = &spec.Rule{ID: "P1"}

// A second log is never created under an id that has one.
//
// zh: 绝不在已有日志的标识下创建第二个日志。
var RuleP2 = &spec.Rule{ID: "P2"}

// Prompts run one turn each, in order; parked ones run before a new one, also
// after the session was closed and opened again. A failed turn does not park
// what is behind it.
//
// zh: 提示按顺序运行，每条一个轮次；被搁置的提示先于新提示运行，会话关闭后重新打开也是如此。轮次失败不会搁置其后的提示。
var RuleP3 = &spec.Rule{ID: "P3"}

// A steered message is taken by the running turn at its next step; one that is
// left after the last step forces one more. Without a running turn it starts
// one; after a cancel was latched it becomes a followup.
//
// zh: 引导消息由运行中的轮次在下一步取用；到最后一步仍未取用时，会再增加一步。没有运行中的轮次时，它自己开始一个轮次；取消生效之后则变为 followup。
var RuleP4 = &spec.Rule{ID: "P4"}

// A held prompt of a peer that did not negotiate is not accepted yet: cancel
// does not affect it, close and shutdown answer it with their error, and it
// counts against the queue's limit.
//
// zh: 为没有协商过的对端保留的提示尚未受理：取消对它不起作用，关闭与关停以各自的错误应答它，它计入队列上限。
var RuleP5 = &spec.Rule{ID: "P5"}

// A cancel that names a message, a key or a turn affects only that; without one
// it affects the whole session. A target that was never seen is stale, targets
// that disagree are invalid-params.
//
// zh: 指明了消息、幂等键或轮次的取消只作用于该目标；没有指明时作用于整个会话。从未出现过的目标为 stale，互相矛盾的目标为 invalid-params。
var RuleC1 = &spec.Rule{ID: "C1"}

// Settled is not quiescent. An agent or tool that has not returned within the
// grace period is abandoned: the runtime writes the interrupted message,
// step/end and turn/end itself, and status, wait and close show it until it
// returns.
//
// zh: 敲定不等于空闲。在宽限时间内没有返回的智能体或工具会被放弃：运行时自行写入被中断的消息、step/end 与 turn/end；在它返回之前，status、wait 与 close 都会显示它。
var RuleC2 = &spec.Rule{ID: "C2"}

// Text that was streamed before a turn was stopped is kept as an interrupted
// assistant message; a half-streamed tool call is dropped, and with nothing
// visible nothing is kept.
//
// zh: 轮次被停止之前已流式输出的文本保留为被中断的助手消息；只输出了一半的工具调用会被丢弃，没有可见内容时不保留任何内容。
var RuleC3 = &spec.Rule{ID: "C3"}

// Children that the turn awaits end with it. Background children continue,
// unless the cancel says otherwise, and end at close.
//
// zh: 轮次正在等待的子会话随其结束。后台子会话继续运行，除非取消另有要求；它们在关闭时结束。
var RuleC4 = &spec.Rule{ID: "C4"}

// A turn that waits for a permission and is cancelled leaves the session idle
// at its end, and the permission request is withdrawn; a later response has no
// effect.
//
// zh: 正在等待权限的轮次被取消时，会话在轮次结束时转为 idle，权限请求被撤回；之后到来的应答不起作用。
var RuleC5 = &spec.Rule{ID: "C5"}

// A cancel that waits for settlement when a close starts is answered stopped,
// after turn/end and before session.closed.
//
// zh: 关闭开始时仍在等待敲定的取消以 stopped 应答，在 turn/end 之后、session.closed 之前。
var RuleC6 = &spec.Rule{ID: "C6"}

// A close runs once, independently of its caller's context. It waits for a
// creation or load in progress, and removes the session's record before it
// disposes of the session.
//
// zh: 关闭只执行一次，不受调用方上下文的影响。它等待进行中的创建或载入完成，并在释放会话之前先移除其记录。
var RuleK1 = &spec.Rule{ID: "K1"}

// A turn that a close or a shutdown ends is aborted with cause disposed, unless
// a cancel came first.
//
// zh: 由关闭或关停结束的轮次是原因为 disposed 的 aborted，除非取消在先。
var RuleK2 = &spec.Rule{ID: "K2"}

// Replayed events go to the caller only, never to live listeners, turn handles
// or usage totals. Concurrent loads on one connection share one replay and one
// session.replayed, and all their responses follow it.
//
// zh: 重放的事件只交给调用方，绝不会交给实时监听方、轮次句柄或用量统计。同一连接上的并发载入共用一次重放与一个 session.replayed，它们的应答都在其后。
var RuleL1 = &spec.Rule{ID: "L1"}

// An open turn of a process that died is ended as interrupted before anything
// else happens; its tool calls get results, and nothing is run again.
//
// zh: 进程终止时尚未结束的轮次首先以 interrupted 结束，其工具调用都会补上结果，不会重新运行任何内容。
var RuleL2 = &spec.Rule{ID: "L2"}

// The end-seed event that a reopening writes is in the log and in replays, and
// never live on the wire.
//
// zh: 重新打开时写入的 end-seed 事件存在于日志与重放中，从不作为实时事件传输。
var RuleL3 = &spec.Rule{ID: "L3"}

// A connection gets a session's frames, its children's included, from its first
// prompt, load, resume or working-directory call on it until session.closed. A
// lost socket connection denies its pending permission requests and stops
// nothing; on standard input and output the end of input is a shutdown.
//
// zh: 连接从它对会话的首次 prompt、load、resume 或工作目录调用开始，到 session.closed 为止，接收该会话及其子会话的帧。套接字断开时只拒绝尚未应答的权限请求，不停止任何工作；使用标准输入输出时，输入结束就是关停。
var RuleA1 = &spec.Rule{ID: "A1"}

// A child can be cancelled and waited for by its id. Prompt and resume of a
// live child are session-exists and close is session-busy, because its parent
// owns it; a finished child is a stored session like any other.
//
// zh: 子会话可凭其标识取消与等待。对存活子会话的 prompt 与 resume 为 session-exists，close 为 session-busy，因为它由父会话拥有；已结束的子会话与其他已存储的会话无异。
var RuleA2 = &spec.Rule{ID: "A2"}

// A wait that is pending when a close starts is answered with session-closed,
// one that a shutdown cuts short with shutting-down. Until afterSeq is reached
// the session does not count as idle, and only the timeout ends the wait.
//
// zh: 关闭开始时尚未应答的 wait 以 session-closed 应答，因关停而提前结束的以 shutting-down 应答。到达 afterSeq 之前会话不算空闲，只有超时能结束等待。
var RuleW1 = &spec.Rule{ID: "W1"}

// A run is its receipt's message, the turn that took it, and that turn's end.
// The ends of other turns, of child sessions and of other sessions do not end
// it, and no caller gets another's answer.
//
// zh: 一次运行由其回执的消息、取用它的轮次以及该轮次的结束构成。其他轮次、子会话及其他会话的结束都不会结束它，任何调用方都不会得到别人的回答。
var RuleR1 = &spec.Rule{ID: "R1"}

// A caller whose context ends while its prompt is in flight returns at once;
// the client cancels the prompt as soon as it learns that it was accepted.
//
// zh: 调用方的上下文在提示发送途中结束时，调用立即返回；客户端得知提示已受理后，会立刻取消它。
var RuleR2 = &spec.Rule{ID: "R2"}

// Events of one session are handed out in order and one at a time, a response
// never before the events that preceded it. A slow handler delays only its own
// session; a call made with a handler's own context returns at once.
//
// zh: 同一会话的事件按顺序逐个交付，应答绝不会早于它之前的事件。缓慢的处理函数只会延误它自己的会话；在处理函数中用其上下文发起的调用会立即返回。
var RuleR3 = &spec.Rule{ID: "R3"}

// A client repeats a call only where this protocol permits it, and with the
// same key.
//
// zh: 客户端仅在本协议允许之处重复调用，且使用同一幂等键。
var RuleR4 = &spec.Rule{ID: "R4"}

// A client owns the process it started: its process group, shutdown, then end
// of input, then terminate, then kill, each with a bound, without waiting for a
// pipe that a grandchild holds, and while draining standard error.
//
// zh: 客户端拥有它启动的进程：包括整个进程组；先 shutdown，再结束输入，再终止，最后强制结束，每步都有时限；不等待被孙进程占用的管道，并持续读取标准错误。
var RuleS1 = &spec.Rule{ID: "S1"}
