// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

const (
	graceMS = 1000
	drainMS = 5000
)

// LimitLine is the longest line that is read, in either direction, its newline
// not counted. It is configurable. A longer line is skipped and answered with
// an error, or reported if it may be a response; the connection continues.
//
// zh: 任一方向上可读取的最长的行，不计换行符。可以设定。更长的行会被跳过，并以错误应答；如果它可能是应答，则只报告。连接继续。
var LimitLine = &spec.Limit{Name: "line", Value: 64 << 20, Unit: "bytes", Error: ErrLimitExceeded}

// LimitDepth is how deeply arrays and objects may be nested.
//
// zh: 数组与对象允许的嵌套层数。
var LimitDepth = &spec.Limit{Name: "depth", Value: 64, Unit: "levels", Error: ErrLimitExceeded}

// LimitRequests is how many requests of one connection may be pending at once.
//
// zh: 一个连接上可同时等待应答的请求数。
var LimitRequests = &spec.Limit{Name: "requests", Value: 16384, Unit: "count", Error: ErrOverloaded}

// LimitQueue is how many prompts may wait in one session, held ones of peers
// that did not negotiate included.
//
// zh: 一个会话中可排队的提示数，包含为没有协商过的对端保留的提示。
var LimitQueue = &spec.Limit{Name: "queue", Value: maxQueued, Unit: "count", Error: ErrOverloaded}

// LimitKey is the longest idempotency key, in Unicode code points; the shortest
// is 1.
//
// zh: 幂等键的最大长度，以 Unicode 码点计；最短为 1。
var LimitKey = &spec.Limit{Name: "key", Value: 255, Unit: "count", Error: ErrInvalidParams}

// LimitClientQueue is how much a client keeps for one session whose handler is
// behind. Past it deltas are merged, then dropped and counted; if events alone
// exceed it, that session's handles fail, and other sessions continue.
//
// zh: 处理函数落后时，客户端为一个会话保留的数据量。超出后，增量先合并，再丢弃并计数；仅事件就已超出时，该会话的句柄失败，其他会话继续。
var LimitClientQueue = &spec.Limit{Name: "client-queue", Value: 8 << 20, Unit: "bytes", Error: ErrLagging}

// LimitGrace is how long an agent or tool may take to return after its turn was
// cancelled. Then it is abandoned and the turn ends without it. It is
// configurable.
//
// zh: 轮次被取消后，留给智能体或工具返回的时间。超时未返回的会被放弃，轮次不等其返回即结束。可以设定。
var LimitGrace = &spec.Limit{Name: "grace", Value: graceMS, Unit: "ms"}

// LimitDrain is how long a close waits for after-work, and for commands that
// were admitted.
//
// zh: 关闭时等待后续工作以及已接纳命令的时间。
var LimitDrain = &spec.Limit{Name: "drain", Value: drainMS, Unit: "ms"}

// LimitClose is the deadline of a whole close.
//
// zh: 整个关闭过程的期限。
var LimitClose = &spec.Limit{Name: "close", Value: 10000, Unit: "ms"}

// LimitShutdown is the deadline under which a shutdown, an end of standard
// input or a SIGTERM closes all sessions; after the latter two it covers
// unwritten output too.
//
// zh: 关停、标准输入结束或 SIGTERM 时关闭所有会话的期限；后两者还包括尚未写出的输出。
var LimitShutdown = &spec.Limit{Name: "shutdown", Value: 800, Unit: "ms"}

// LimitExit is how long after the answer to a shutdown the process may live.
//
// zh: 应答关停之后，进程最多还能运行的时间。
var LimitExit = &spec.Limit{Name: "exit", Value: 500, Unit: "ms"}

// LimitPage is the most sessions in one page of session/list.
//
// zh: session/list 每页最多的会话数。
var LimitPage = &spec.Limit{Name: "page", Value: 1000, Unit: "count", Error: ErrInvalidParams}
