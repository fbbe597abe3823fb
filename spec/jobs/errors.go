// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// ErrParams reports params of a wrong shape or value. Nothing was changed.
//
// zh: 参数的形状或取值有误。未作任何改变。
var ErrParams = &spec.Error[ParamsData]{Kind: "bad-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}

// ParamsData says what was wrong.
//
// zh: 说明哪个成员有误。
type ParamsData struct {
	// The member's path in the params; empty for the params themselves.
	//
	// zh: 成员在参数中的路径；指参数整体时为空。
	Path string `json:"path"`
}

// ErrMethod reports a method that does not exist.
//
// zh: 所调用的方法不存在。
var ErrMethod = &spec.Error[MethodData]{Kind: "no-such-method", Code: -32601, Retry: spec.Never, Fault: spec.MethodFault}

// MethodData says which.
//
// zh: 说明是哪个方法。
type MethodData struct {
	// The method that was called.
	//
	// zh: 所请求的方法。
	Method string `json:"method"`
}

// ErrDiffers reports a submit of a job whose name another job has. Nothing was
// changed.
//
// zh: submit 使用的任务名称已属于另一个任务。未作任何改变。
var ErrDiffers = &spec.Error[spec.None]{
	Kind: "job-differs", Code: 1, Retry: spec.Never,
	Says: "another job has this name: choose a new one",
}

// ErrFull reports that the queue's limit of waiting jobs is reached.
//
// zh: 等待的任务已达上限。
var ErrFull = &spec.Error[FullData]{Kind: "queue-full", Code: 2, Retry: spec.After}

// FullData says when to try again.
//
// zh: 说明何时可以重试。
type FullData struct {
	// After how many milliseconds.
	//
	// zh: 多少毫秒之后。
	RetryAfterMS int64 `json:"retryAfterMs" min:"0"`
}

// ErrLeaseLost reports that a worker's lease has run out. The worker's result
// does not count: the job has ended, or another worker has it.
//
// zh: 工作者的租约已到期。它的结果无效：任务已结束，或已交给其他工作者。
var ErrLeaseLost = &spec.Error[spec.None]{
	Kind: "lease-lost", Code: 3, Retry: spec.Never,
	Says: "the lease is over: stop the job, somebody else may have it",
}

// ErrGone is found by a client when its connection ends before the response or
// the end has come. Accepted jobs continue.
//
// zh: 连接在应答或结束到来之前断开时客户端得到的错误。已受理的任务继续进行。
var ErrGone = &spec.Error[spec.None]{Kind: "gone", Code: 10, Retry: spec.SameKey, Fault: spec.ConnectionFault, At: spec.Client}

// ErrBehind is found by a client that did not take a queue's messages in time.
//
// zh: 客户端未及时取走队列的消息。
var ErrBehind = &spec.Error[spec.None]{Kind: "behind", Code: 11, Retry: spec.Reload, Fault: spec.LagFault, At: spec.Client}
