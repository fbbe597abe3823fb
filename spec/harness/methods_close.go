// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Close ends a session's life in this process: no new work is admitted, what
// runs is stopped, and what the session owns is released, step by step and
// within 10 s in total. A step that hangs is named, and the rest still run. A
// close runs once, independently of its caller: all callers during it get the
// same result, and later callers `closed: false`. The log stays: close neither
// deletes nor resets, and queued prompts wait in the inbox for the next load.
// While the session closes, prompt, working directory, load and resume are
// answered with session-closed.
//
// zh: 结束会话在本进程中的生命周期：不再接纳新工作，停止正在运行的工作，并在 10 秒的总期限内逐步释放会话所拥有的资源。未按时结束的步骤会在结果中列出，其余步骤照常执行。关闭只执行一次，且不受调用方影响：执行期间的所有调用方得到同样的结果，之后的调用得到 `closed: false`。日志保留：关闭既不删除也不重置，排队的提示留在收件箱中等待下次载入。关闭期间，prompt、工作目录、load 与 resume 以 session-closed 应答。
var Close = &spec.Method[CloseParams, CloseResult]{
	Name:      "session/close",
	From:      spec.Client,
	In:        spec.In(Session, func(p *CloseParams) *SessionID { return &p.SessionID }),
	Closes:    Session,
	Needs:     CanClose,
	Accepts:   spec.Admitted,
	AnswersAt: func(p *CloseParams) any { return &p.WaitFor },
	Deferred:  true,
	Cancels:   Life,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *CloseResult) any { return &r.Closed }, "false"), spec.AtResponse[CloseResult]()),
		spec.When(spec.Present(func(r *CloseResult) any { return &r.Outcome }), spec.AtResponse[CloseResult]()),
		spec.Otherwise(
			spec.ByFrame[CloseResult](frameClosed, LifeClosed.Name),
			spec.ByFrame[CloseResult](frameLost, LifeLost.Name),
		),
	),
	Repeats: spec.Idempotent[CloseParams](),
	Runs:    spec.Serial,
	After:   []spec.Frame{frameTurnEnd, frameClosed},
	Steps: []*spec.Step{
		StepRefuse, StepDrain, StepCancel, StepAfterWork, StepChildren, StepPermissions, StepCommands, StepJoin, StepRelease, StepFlush,
	},
	Fails: spec.Errors(ErrInvalidParams, ErrNotInitialized, ErrUnsupported, ErrSessionBusy, ErrShuttingDown, ErrStoreFailed, ErrRequestCancelled, ErrInternal),
	Since: "2",
	Examples: spec.List(
		spec.Ex("clean", CloseParams{SessionID: "order-42"}, CloseResult{Closed: true, Outcome: CloseClean}),
		spec.Ex("at acceptance", CloseParams{SessionID: "order-42", WaitFor: WaitForAccepted}, CloseResult{Closed: true}),
		spec.Ex("a tool did not return", CloseParams{SessionID: "order-42"},
			CloseResult{Closed: true, Outcome: CloseForced, Unfinished: []CloseStep{CloseJoin}}),
		spec.Ex("not live", CloseParams{SessionID: "order-42"}, CloseResult{Closed: false}),
		spec.Refused("only if at rest", CloseParams{SessionID: "order-42", OnActive: OnActiveReject}, ErrSessionBusy),
	),
}

// StepRefuse stops admitting work: from then on calls on the session fail with
// session-closed.
//
// zh: 停止接纳：此后对会话的调用以 session-closed 应答。
var StepRefuse = &spec.Step{Name: string(CloseRefuse)}

// StepDrain waits, with `onActive: drain`, for the running turn and the queue, up
// to the total deadline.
//
// zh: `onActive: drain` 时等待运行中的轮次与队列完成，直至总期限。
var StepDrain = &spec.Step{Name: string(CloseDrain)}

// StepCancel latches the running turn's cancellation, with cause disposed.
//
// zh: 使运行中轮次的取消生效，原因为 disposed。
var StepCancel = &spec.Step{Name: string(CloseCancel)}

// StepAfterWork lets the after-work of finished turns end, concurrently with
// the other steps and on a context that the cancellation does not reach.
//
// zh: 在取消影响不到的上下文中完成已结束轮次的后续工作，与其他步骤同时进行。
var StepAfterWork = &spec.Step{Name: string(CloseAfterWork), BoundMS: drainMS, Beside: true}

// StepChildren stops child sessions, background ones too.
//
// zh: 停止子会话，包括后台子会话。
var StepChildren = &spec.Step{Name: string(CloseChildren), BoundMS: 1000}

// StepPermissions denies the permission requests that are still pending, so
// that nothing waits for their answers.
//
// zh: 拒绝仍未应答的权限请求，使得没有工作再等待它们。
var StepPermissions = &spec.Step{Name: string(ClosePermissions)}

// StepCommands lets the commands that were admitted before the close end.
//
// zh: 让关闭之前已接纳的命令执行完毕。
var StepCommands = &spec.Step{Name: string(CloseCommands), BoundMS: drainMS}

// StepJoin waits for the turn's agent and tools: one second to return on their
// own, one more second after they were forced.
//
// zh: 等待轮次的智能体与工具：先给一秒自行返回，强制停止后再等一秒。
var StepJoin = &spec.Step{Name: string(CloseJoin), BoundMS: 2 * graceMS}

// StepRelease releases what the session owns, and nothing that it only borrows.
//
// zh: 释放会话拥有的资源；借用的资源不受影响。
var StepRelease = &spec.Step{Name: string(CloseRelease), BoundMS: 1000}

// StepFlush writes the log out and gives up its ownership.
//
// zh: 写出日志并放弃其所有权。
var StepFlush = &spec.Step{Name: string(CloseFlush), BoundMS: 1000}
