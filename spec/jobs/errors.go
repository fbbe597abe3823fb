// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// ErrParams answers params of a wrong shape or value. Nothing was changed.
//
// zh: 参数的形状或取值有误。未作任何改变。
var ErrParams = &spec.Error[ParamsData]{Kind: "bad-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}

// ParamsData says what was wrong.
//
// zh: 说明何处有误。
type ParamsData struct {
	// The member's path in the params; empty for the params themselves.
	//
	// zh: 成员在参数中的路径；指参数整体时为空。
	Path string `json:"path"`
}

// ErrMethod answers a method that there is not.
//
// zh: 所调用的方法不存在。
var ErrMethod = &spec.Error[MethodData]{Kind: "no-such-method", Code: -32601, Retry: spec.Never, Fault: spec.MethodFault}

// MethodData says which.
//
// zh: 说明是哪个方法。
type MethodData struct {
	// The method that was asked for.
	//
	// zh: 所请求的方法。
	Method string `json:"method"`
}

// ErrDiffers answers a submit of a job whose name another job has. Nothing was
// changed.
//
// zh: submit 的名称已被其他任务占用。未作任何改变。
var ErrDiffers = &spec.Error[spec.None]{
	Kind: "job-differs", Code: 1, Retry: spec.Never,
	Says: "another job has this name: choose a new one",
}

// ErrFull answers when as many jobs wait as may.
//
// zh: 等待的任务已达上限。
var ErrFull = &spec.Error[FullData]{Kind: "queue-full", Code: 2, Retry: spec.After}

// FullData says when it is worth asking again.
//
// zh: 说明何时值得再次请求。
type FullData struct {
	// After how many milliseconds.
	//
	// zh: 多少毫秒之后。
	RetryAfterMS int64 `json:"retryAfterMs" min:"0"`
}

// ErrLeaseLost answers a worker whose lease has run out. Whatever the worker did
// counts for nothing: the job is over, or another worker's.
//
// zh: 工作者的租约已到期。其所做的一切均不作数：任务已结束，或已归其他工作者。
var ErrLeaseLost = &spec.Error[spec.None]{
	Kind: "lease-lost", Code: 3, Retry: spec.Never,
	Says: "the lease is over: stop the job, somebody else may have it",
}

// ErrGone is what a client finds when its connection ends before an answer or an
// end came. Jobs that were accepted go on without it.
//
// zh: 连接在应答或结束到来之前断开时客户端得到的错误。已接受的任务不受影响。
var ErrGone = &spec.Error[spec.None]{Kind: "gone", Code: 10, Retry: spec.SameKey, Fault: spec.ConnectionFault, At: spec.Client}

// ErrBehind is what a client finds that did not take a queue's messages in time.
//
// zh: 客户端未及时取走队列的消息。
var ErrBehind = &spec.Error[spec.None]{Kind: "behind", Code: 11, Retry: spec.Reload, Fault: spec.LagFault, At: spec.Client}
