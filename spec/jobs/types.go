// SPDX-License-Identifier: Apache-2.0

package jobs

// QueueID names a queue. Queues need not be created: naming one is enough.
//
// zh: 队列的名称。队列无需创建：使用名称即可。
type QueueID string

// JobID names a job in its queue. Its client chooses it, and repeats a call
// with it.
//
// zh: 任务在其队列中的名称，由客户端选定，并据此重复调用。
type JobID string

// Lease is the right to run a job once, as the broker gave it to a worker. It is
// opaque, and no two are alike.
//
// zh: 运行一次任务的权利，由代理交给工作者。其内容不透明，且互不相同。
type Lease string

// State is where a job is before its end.
//
// zh: 任务结束之前所处的状态。
type State string

// The values of State.
const (
	// It waits for a worker.
	//
	// zh: 等待工作者。
	StateWaiting State = "waiting"

	// A worker runs it under a lease.
	//
	// zh: 某个工作者在租约下运行它。
	StateRunning State = "running"

	// It was cancelled while it ran: its worker must finish now.
	//
	// zh: 运行时被取消：其工作者应立即收尾。
	StateStopping State = "stopping"
)

// Result is how a job ended.
//
// zh: 任务如何结束。
type Result string

// The values of Result.
const (
	// Its worker completed it.
	//
	// zh: 工作者已完成。
	ResultSucceeded Result = "succeeded"

	// Its worker could not complete it.
	//
	// zh: 工作者未能完成。
	ResultFailed Result = "failed"

	// It was cancelled, before or while it ran.
	//
	// zh: 在运行之前或运行之中被取消。
	ResultCancelled Result = "cancelled"

	// Its last lease ran out.
	//
	// zh: 最后一份租约到期。
	ResultExpired Result = "expired"
)

// SubmitParams is a job.
//
// zh: 一个任务。
type SubmitParams struct {
	// The queue to submit it to.
	//
	// zh: 提交到的队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// The job's name in the queue.
	//
	// zh: 任务在队列中的名称。
	Job JobID `json:"job" length:"1..64"`

	// What is to be done, in terms that client and workers agree on.
	//
	// zh: 要做什么，用语由客户端与工作者约定。
	Task string `json:"task" length:"1..64"`

	// The job's input: bytes that the broker does not interpret.
	//
	// zh: 任务的输入：代理不解读的字节。
	Input []byte `json:"input,omitzero" length:"..65536" sensitive:"true"`

	// How many leases it may use up.
	//
	// zh: 最多可以使用几份租约。
	Attempts int64 `json:"attempts,omitzero" min:"1" max:"10" default:"3"`
}

// SubmitResult is a job's receipt.
//
// zh: 任务的回执。
type SubmitResult struct {
	// How many jobs waited before it.
	//
	// zh: 排在它之前等待的任务数。
	Ahead int64 `json:"ahead" min:"0"`

	// The same job was submitted before: this call changed nothing.
	//
	// zh: 同一任务此前已提交：本次调用没有改变任何内容。
	Again bool `json:"again,omitzero"`

	// The job's end, if it had ended when the call was repeated.
	//
	// zh: 重复调用时任务如已结束，则为任务的结束。
	Ended *Ended `json:"ended,omitempty"`
}

// CancelParams names a job.
//
// zh: 指明一个任务。
type CancelParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job" length:"1..64"`
}

// CancelResult says what a cancel found.
//
// zh: 说明取消时的情况。
type CancelResult struct {
	// What it does.
	//
	// zh: 其效果。
	Effect Effect `json:"effect"`
}

// Effect is what a cancel does.
//
// zh: 取消的效果。
type Effect string

// Closed says that no other value is sent.
func (Effect) Closed() {}

// The values of Effect.
const (
	// The job is ended, or its worker is asked to finish: `job.ended` follows.
	//
	// zh: 任务被结束，或已要求其工作者收尾：随后有 `job.ended`。
	EffectStopping Effect = "stopping"

	// The job had ended.
	//
	// zh: 任务已经结束。
	EffectOver Effect = "over"

	// There is no such job.
	//
	// zh: 没有这个任务。
	EffectUnknown Effect = "unknown"
)

// ListParams requests a page of a queue's jobs.
//
// zh: 请求队列任务的一页。
type ListParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// Where the last page ended.
	//
	// zh: 上一页结束的位置。
	Cursor string `json:"cursor,omitzero" length:"..64"`

	// How many jobs a page may have.
	//
	// zh: 一页最多有几个任务。
	Limit int64 `json:"limit,omitzero" min:"1" max:"100" default:"50"`
}

// ListResult is a page.
//
// zh: 一页。
type ListResult struct {
	// The jobs that have not ended, the oldest first.
	//
	// zh: 尚未结束的任务，最早的在前。
	Jobs []Info `json:"jobs"`

	// Where this page ended. Absent: there are no more.
	//
	// zh: 本页结束的位置；缺省表示没有更多。
	Next string `json:"next,omitzero"`
}

// Info is a job in a list.
//
// zh: 列表中的任务。
type Info struct {
	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`

	// What is to be done.
	//
	// zh: 要做什么。
	Task string `json:"task"`

	// Where it is.
	//
	// zh: 所处的状态。
	State State `json:"state"`

	// How many leases it has used.
	//
	// zh: 已用过几份租约。
	Attempt int64 `json:"attempt" min:"0"`
}

// WorkParams offers to run jobs.
//
// zh: 申报可以运行的任务数。
type WorkParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// How many more.
	//
	// zh: 再运行几个。
	Slots int64 `json:"slots" min:"1" max:"64"`
}

// WorkResult says how many slots are offered.
//
// zh: 说明已申报多少名额。
type WorkResult struct {
	// How many jobs the worker may now be asked to run.
	//
	// zh: 工作者现在可被请求运行的任务数。
	Slots int64 `json:"slots" min:"0"`
}

// RunParams is a job for a worker.
//
// zh: 交给工作者的任务。
type RunParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`

	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`

	// The right to run it.
	//
	// zh: 运行它的权利。
	Lease Lease `json:"lease"`

	// How long the lease is valid without a report of the worker, in milliseconds.
	//
	// zh: 工作者不报告时租约的有效期，单位为毫秒。
	LeaseMS int64 `json:"leaseMs" min:"1"`

	// Which of its leases this is.
	//
	// zh: 这是第几份租约。
	Attempt int64 `json:"attempt" min:"1"`

	// What is to be done.
	//
	// zh: 要做什么。
	Task string `json:"task"`

	// The job's input.
	//
	// zh: 任务的输入。
	Input []byte `json:"input,omitzero" sensitive:"true"`
}

// RunResult is a worker's answer.
//
// zh: 工作者的应答。
type RunResult struct {
	// The worker runs it. If not, the lease is given back and the slot is used.
	//
	// zh: 工作者将运行它。否则租约退回，名额已用。
	Accepted bool `json:"accepted"`
}

// FinishParams is the end of a worker's work.
//
// zh: 工作者工作的结束。
type FinishParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// The lease under which the job was run.
	//
	// zh: 运行该任务所用的租约。
	Lease Lease `json:"lease" length:"1..64"`

	// How the job ended.
	//
	// zh: 任务如何结束。
	Result Result `json:"result"`

	// The job's output.
	//
	// zh: 任务的输出。
	Output []byte `json:"output,omitzero" length:"..65536" sensitive:"true"`

	// Why it failed, for people.
	//
	// zh: 失败的原因，供人阅读。
	Message string `json:"message,omitzero" length:"..1024"`
}

// Report is a worker's progress.
//
// zh: 工作者的进度。
type Report struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue" length:"1..64"`

	// The lease under which the job is run.
	//
	// zh: 运行该任务所用的租约。
	Lease Lease `json:"lease" length:"1..64"`

	// How much is done, in the task's own unit.
	//
	// zh: 已完成多少，单位由任务自定。
	Done int64 `json:"done" min:"0"`

	// How much there is to do. Absent: not known.
	//
	// zh: 总共多少；缺省表示未知。
	Total *int64 `json:"total,omitempty" min:"0"`

	// What is being done, for people.
	//
	// zh: 正在做什么，供人阅读。
	Note string `json:"note,omitzero" length:"..256"`
}

// Changed reports a new state of a job.
//
// zh: 说明任务的状态已改变。
type Changed struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`

	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`

	// Where it is now.
	//
	// zh: 现在的状态。
	State State `json:"state"`

	// How many leases it has used.
	//
	// zh: 已用过几份租约。
	Attempt int64 `json:"attempt" min:"0"`
}

// Progress is a job's progress.
//
// zh: 任务的进度。
type Progress struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`

	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`

	// Under which of its leases.
	//
	// zh: 在第几份租约之下。
	Attempt int64 `json:"attempt" min:"1"`

	// How much is done, in the task's own unit.
	//
	// zh: 已完成多少，单位由任务自定。
	Done int64 `json:"done" min:"0"`

	// How much there is to do. Absent: not known.
	//
	// zh: 总共多少；缺省表示未知。
	Total *int64 `json:"total,omitempty" min:"0"`

	// What is being done, for people.
	//
	// zh: 正在做什么，供人阅读。
	Note string `json:"note,omitzero"`
}

// Ended is a job's end.
//
// zh: 任务的结束。
type Ended struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`

	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`

	// How it ended.
	//
	// zh: 如何结束。
	Result Result `json:"result"`

	// The job's output.
	//
	// zh: 任务的输出。
	Output []byte `json:"output,omitzero" sensitive:"true"`

	// Why it failed, for people.
	//
	// zh: 失败的原因，供人阅读。
	Message string `json:"message,omitzero"`
}
