// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// NotifyReport reports a worker's progress to the broker, and renews its lease.
// Under a lease that ran out it has no effect.
//
// zh: 向代理报告工作者的进度，并续租。租约到期后不起作用。
var NotifyReport = &spec.Notification[Report]{
	Name:     "queue.report",
	From:     spec.Client,
	In:       spec.In(Queue, func(p *Report) *QueueID { return &p.Queue }),
	Examples: spec.List(spec.Shown("half done", Report{Queue: "mail", Lease: "l-7", Done: 50, Total: new(int64(100)), Note: "sending"})),
}

// NotifyChanged reports that a job waits, runs or is to stop. For the worker
// that runs it, stopping means to finish now, and waiting that the lease ran
// out.
//
// zh: 说明任务在等待、运行或应停止。对运行它的工作者而言，stopping 意味着立即收尾，waiting 意味着租约已到期。
var NotifyChanged = &spec.Notification[Changed]{
	Name: "job.changed",
	From: spec.Server,
	In:   spec.In(Queue, func(p *Changed) *QueueID { return &p.Queue }),
	Examples: spec.List(
		spec.Shown("a worker took it", Changed{Queue: "mail", Job: "welcome-42", State: StateRunning, Attempt: 1}),
		spec.Shown("its lease ran out", Changed{Queue: "mail", Job: "welcome-42", State: StateWaiting, Attempt: 1}),
	),
}

// NotifyProgress reports a job's progress. A slow reader gets the latest one.
//
// zh: 说明任务的进度。读取较慢的一方只得到最新的进度。
var NotifyProgress = &spec.Notification[Progress]{
	Name: "job.progress",
	From: spec.Server,
	In:   spec.In(Queue, func(p *Progress) *QueueID { return &p.Queue }),
	Live: &spec.Live[Progress]{
		Same: spec.List[spec.Member[Progress]](
			func(p *Progress) any { return &p.Job },
			func(p *Progress) any { return &p.Attempt },
		),
		Last: spec.List[spec.Member[Progress]](
			func(p *Progress) any { return &p.Done },
			func(p *Progress) any { return &p.Total },
			func(p *Progress) any { return &p.Note },
		),
	},
	Examples: spec.List(
		spec.Shown("half done", Progress{Queue: "mail", Job: "welcome-42", Attempt: 1, Done: 50, Total: new(int64(100)), Note: "sending"}),
	),
}

// NotifyEnded is a job's end, the last notification about it.
//
// zh: 任务的结束，是关于它的最后一个通知。
var NotifyEnded = &spec.Notification[Ended]{
	Name: "job.ended",
	From: spec.Server,
	In:   spec.In(Queue, func(p *Ended) *QueueID { return &p.Queue }),
	Examples: spec.List(
		spec.Shown("done", Ended{Queue: "mail", Job: "welcome-42", Result: ResultSucceeded, Output: []byte("250 OK")}),
		spec.Shown("not done", Ended{Queue: "mail", Job: "welcome-43", Result: ResultFailed, Message: "no such mailbox"}),
	),
}

var (
	frameEnded   = spec.On(NotifyEnded, spec.Key(func(p *Ended) *JobID { return &p.Job }))
	frameWaiting = spec.On(NotifyChanged,
		spec.Key(func(p *Changed) *JobID { return &p.Job }),
		spec.Where(spec.Is(func(p *Changed) any { return &p.State }, StateWaiting)))
)

// Job is one job, from its submit to its end.
//
// zh: 一个任务，从提交到结束。
var Job = &spec.Activity[JobID]{
	Name: "job", Chinese: "任务", In: Queue,
	Ends:     frameEnded,
	Outcomes: []*spec.Outcome{JobSucceeded, JobFailed, JobCancelled, JobExpired, JobOther, JobLost},
	Carries: spec.List(
		spec.Bears(NotifyChanged, func(p *Changed) *JobID { return &p.Job }),
		spec.Bears(NotifyProgress, func(p *Progress) *JobID { return &p.Job }),
	),
}

func result(p *Ended) any { return &p.Result }

// JobSucceeded is a job that was completed.
//
// zh: 任务已完成。
var JobSucceeded = &spec.Outcome{Name: "succeeded", When: spec.Is(result, ResultSucceeded), OK: true}

// JobFailed is a job that could not be completed.
//
// zh: 任务未能完成。
var JobFailed = &spec.Outcome{Name: "failed", When: spec.Is(result, ResultFailed)}

// JobCancelled is a job that was cancelled.
//
// zh: 任务被取消。
var JobCancelled = &spec.Outcome{Name: "cancelled", When: spec.Is(result, ResultCancelled)}

// JobExpired is a job that used up its leases.
//
// zh: 任务用尽了租约。
var JobExpired = &spec.Outcome{Name: "expired", When: spec.Is(result, ResultExpired)}

// JobOther is a job that ended in a way that this client does not know.
//
// zh: 任务以本客户端不认识的方式结束。
var JobOther = &spec.Outcome{Name: "other", Other: true}

// JobLost is a job whose end had not come when the connection was lost. It
// continues; repeating the same submit finds it again.
//
// zh: 连接断开时尚未收到结束的任务。它仍在继续；重复同样的 submit 可以再次找到它。
var JobLost = &spec.Outcome{Name: "lost", Lost: true}
