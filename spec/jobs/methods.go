// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// Submit puts a job into a queue. The job is stored before the response is
// sent, and some worker will run it, under several leases in turn if necessary.
// A client that needs no response may send it as a notification, and then gets
// no frames of the queue.
//
// zh: 将任务放入队列。应答之前任务已存储；之后由某个工作者运行，必要时先后使用多份租约。不需要应答的客户端可以作为通知发送，此时不会收到队列的帧。
var Submit = &spec.Method[SubmitParams, SubmitResult]{
	Name:       "queue/submit",
	From:       spec.Client,
	In:         spec.In(Queue, func(p *SubmitParams) *QueueID { return &p.Queue }),
	AlsoNotify: true,
	Attaches:   Queue,
	Accepts:    spec.Durable,
	Deferred:   true,
	Settles: spec.Cases(
		spec.When(spec.Present(func(r *SubmitResult) any { return &r.Ended }),
			spec.EndTold(Job, func(r *SubmitResult) any { return &r.Ended })),
		spec.Otherwise(spec.EndChosen[SubmitResult](Job, func(p *SubmitParams) *JobID { return &p.Job })),
	),
	Repeats: spec.Keyed[SubmitParams, SubmitResult]{
		By:    func(p *SubmitParams) any { return &p.Job },
		Scope: Queue, Window: "life of the queue",
		Fingerprint: spec.List[spec.Member[SubmitParams]](
			func(p *SubmitParams) any { return &p.Task },
			func(p *SubmitParams) any { return &p.Input },
		),
		Conflict: ErrDiffers,
		Marker:   func(r *SubmitResult) any { return &r.Again },
	},
	Runs:  spec.Serial,
	Fails: spec.Errors(ErrParams, ErrDiffers, ErrFull),
	Examples: spec.List(
		spec.Ex("a job with input", SubmitParams{Queue: "mail", Job: "welcome-42", Task: "send", Input: []byte("To: Ada")}, SubmitResult{Ahead: 3}),
		spec.Ex("once more, when it is over", SubmitParams{Queue: "mail", Job: "welcome-42", Task: "send", Input: []byte("To: Ada")},
			SubmitResult{Again: true, Ended: &Ended{Queue: "mail", Job: "welcome-42", Result: ResultSucceeded, Output: []byte("250 OK")}}),
		spec.Refused("the name is taken", SubmitParams{Queue: "mail", Job: "welcome-42", Task: "print"}, ErrDiffers),
	),
}

// Cancel ends a job. A waiting job ends at once. The worker of a running job is
// notified and has 2 seconds to finish it: no worker can prevent its end.
//
// zh: 结束任务。等待中的任务立即结束；运行中的任务会通知其工作者，并给它 2 秒收尾：任何工作者都无法阻止任务结束。
var Cancel = &spec.Method[CancelParams, CancelResult]{
	Name:       "queue/cancel",
	From:       spec.Client,
	In:         spec.In(Queue, func(p *CancelParams) *QueueID { return &p.Queue }),
	AlsoNotify: true,
	Accepts:    spec.Admitted,
	Deferred:   true,
	Cancels:    Job,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *CancelResult) any { return &r.Effect }, EffectStopping),
			spec.EndChosen[CancelResult](Job, func(p *CancelParams) *JobID { return &p.Job })),
		spec.Otherwise(spec.AtResponse[CancelResult]()),
	),
	Repeats: spec.Idempotent[CancelParams](),
	Runs:    spec.Serial,
	Fails:   spec.Errors(ErrParams),
	Examples: spec.List(
		spec.Ex("one that runs", CancelParams{Queue: "mail", Job: "welcome-42"}, CancelResult{Effect: EffectStopping}),
		spec.Ex("one that is over", CancelParams{Queue: "mail", Job: "welcome-41"}, CancelResult{Effect: EffectOver}),
	),
}

// List returns the jobs of a queue that have not ended.
//
// zh: 列出队列中尚未结束的任务。
var List = &spec.Method[ListParams, ListResult]{
	Name:    "queue/list",
	From:    spec.Client,
	In:      spec.In(Queue, func(p *ListParams) *QueueID { return &p.Queue }),
	Accepts: spec.Done,
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[ListResult]())),
	Repeats: spec.ReadOnly[ListParams](),
	Runs:    spec.Quick,
	Pages: &spec.Pages[ListParams, ListResult]{
		Cursor: func(p *ListParams) any { return &p.Cursor },
		Next:   func(r *ListResult) any { return &r.Next },
		Items:  func(r *ListResult) any { return &r.Jobs },
	},
	Fails: spec.Errors(ErrParams),
	Examples: spec.List(
		spec.Ex("one page", ListParams{Queue: "mail", Limit: 1},
			ListResult{Jobs: []Info{{Job: "welcome-42", Task: "send", State: StateRunning, Attempt: 1}}, Next: "welcome-42"}),
	),
}

// Work offers to run jobs: for each slot the broker may ask once. Slots add up,
// so a call whose response was lost must not be repeated.
//
// zh: 申报可以运行的任务数：每个名额，代理可以请求一次。名额会累加，因此应答丢失的调用不得重复。
var Work = &spec.Method[WorkParams, WorkResult]{
	Name:     "queue/work",
	From:     spec.Client,
	In:       spec.In(Queue, func(p *WorkParams) *QueueID { return &p.Queue }),
	Attaches: Queue,
	Accepts:  spec.Done,
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[WorkResult]())),
	Repeats:  spec.Unsafe[WorkParams](),
	Runs:     spec.Serial,
	Fails:    spec.Errors(ErrParams),
	Examples: spec.List(spec.Ex("two more", WorkParams{Queue: "mail", Slots: 2}, WorkResult{Slots: 3})),
}

// Finish ends a worker's work on a job, and the job with it. A lease that ran
// out ends nothing. The lease that ended the job may end it again, with the
// same effect.
//
// zh: 结束工作者对任务的工作，任务随之结束。到期的租约不能结束任何任务。结束了任务的租约可以再次结束它，效果相同。
var Finish = &spec.Method[FinishParams, spec.None]{
	Name:     "queue/finish",
	From:     spec.Client,
	In:       spec.In(Queue, func(p *FinishParams) *QueueID { return &p.Queue }),
	Accepts:  spec.Durable,
	Deferred: true, // after the job's end
	Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())),
	Repeats:  spec.Idempotent[FinishParams](),
	Runs:     spec.Serial,
	Fences:   []spec.Fence[FinishParams]{{Member: func(p *FinishParams) any { return &p.Lease }, Fails: ErrLeaseLost}},
	After:    []spec.Frame{frameEnded},
	Fails:    spec.Errors(ErrParams, ErrLeaseLost),
	Examples: spec.List(
		spec.Ex("done", FinishParams{Queue: "mail", Lease: "l-7", Result: ResultSucceeded, Output: []byte("250 OK")}, spec.None{}),
		spec.Refused("too late", FinishParams{Queue: "mail", Lease: "l-6", Result: ResultSucceeded}, ErrLeaseLost),
	),
}

// Run asks a worker to run a job. The response says whether it will; the work
// is over when the worker finishes it under the same lease, or when the lease
// runs out before that.
//
// zh: 请求工作者运行任务。应答说明工作者是否运行它；工作者以同一租约收尾，或租约在此之前到期，工作就结束。
var Run = &spec.Method[RunParams, RunResult]{
	Name:    "job/run",
	From:    spec.Server,
	In:      spec.In(Queue, func(p *RunParams) *QueueID { return &p.Queue }),
	Accepts: spec.Admitted,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *RunResult) any { return &r.Accepted }, "false"), spec.AtResponse[RunResult]()),
		spec.Otherwise(
			spec.ByCall[RunResult](Finish, func(p *RunParams) *Lease { return &p.Lease }, func(p *FinishParams) *Lease { return &p.Lease }),
			spec.ByFrame[RunResult](frameWaiting, "given back"),
			spec.ByFrame[RunResult](frameEnded, "ended"),
		),
	),
	Repeats:  spec.Unsafe[RunParams](),
	Runs:     spec.Shared,
	AbsentAs: &RunResult{Accepted: false},
	Fails:    spec.Errors(ErrParams, ErrMethod),
	Examples: spec.List(
		spec.Ex("accepted", RunParams{Queue: "mail", Job: "welcome-42", Lease: "l-7", LeaseMS: leaseMS, Attempt: 1, Task: "send", Input: []byte("To: Ada")},
			RunResult{Accepted: true}),
	),
}
