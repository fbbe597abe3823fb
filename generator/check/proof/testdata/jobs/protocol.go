package jobs

import "github.com/accordkit/accord/spec"

// ErrClosed says that the queue takes no more jobs.
//
// zh: 队列不再接收任务。
var ErrClosed = &spec.Error[spec.None]{Kind: "closed", Code: 1001, Retry: spec.Never}

// Queue is where jobs wait.
//
// zh: 任务等待之处。
var Queue = &spec.Scope[QueueID]{Name: "queue"}

// NotifyDone is the end of a job that the worker had.
//
// zh: 工作者所持任务的结束。
var NotifyDone = &spec.Notification[Over]{
	Name: "job.done", From: spec.Server, In: spec.In(Queue, func(p *Over) *QueueID { return &p.Queue }),
}

// NotifyDropped is the end of a job that the worker never had.
//
// zh: 工作者从未取得的任务的结束。
var NotifyDropped = &spec.Notification[Over]{
	Name: "job.dropped", From: spec.Server, In: spec.In(Queue, func(p *Over) *QueueID { return &p.Queue }),
}

// NotifyGone is the last frame of a queue.
//
// zh: 队列的最后一帧。
var NotifyGone = &spec.Notification[Gone]{
	Name: "queue.gone", From: spec.Server, In: spec.In(Queue, func(p *Gone) *QueueID { return &p.Queue }),
}

var (
	frameDone    = spec.On(NotifyDone, spec.Key(func(p *Over) *JobID { return &p.Job }))
	frameDropped = spec.On(NotifyDropped)
	frameGone    = spec.On(NotifyGone, spec.Key(func(p *Gone) *QueueID { return &p.Queue }))
)

// Work is the worker's work on one job.
//
// zh: 工作者对一个任务的处理。
var Work = &spec.Activity[JobID]{Name: "work", In: Queue, Ends: frameDone}

// Life is a queue's life.
//
// zh: 队列的生命。
var Life = &spec.Activity[QueueID]{Name: "life", In: Queue, Ends: frameGone}

// Submit puts a job into a queue.
//
// zh: 将任务放入队列。
var Submit = &spec.Method[SubmitParams, Job]{
	Name: "job/submit", From: spec.Client, In: spec.In(Queue, func(p *SubmitParams) *QueueID { return &p.Queue }),
	Accepts: spec.Durable, Runs: spec.Serial, Repeats: spec.Unsafe[SubmitParams](), Fails: spec.Errors(ErrClosed),
	Settles: spec.Cases(spec.Otherwise(
		spec.EndOf(Work, func(r *Job) *JobID { return &r.Job }),
		spec.ByFrame[Job](frameDropped, "dropped"),
		spec.ByFrame[Job](frameGone, "gone"),
	)),
}

// Stop stops a job.
//
// zh: 停止任务。
var Stop = &spec.Method[StopParams, Stopped]{
	Name: "job/stop", From: spec.Client, In: spec.In(Queue, func(p *StopParams) *QueueID { return &p.Queue }),
	Accepts: spec.Admitted, Runs: spec.Serial, Repeats: spec.Idempotent[StopParams](), Cancels: Work,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *Stopped) any { return &r.Effect }, Stopping), spec.EndOf(Work, func(r *Stopped) *JobID { return &r.Job })),
		spec.Otherwise(spec.AtResponse[Stopped]()),
	),
	Fences: []spec.Fence[StopParams]{{
		Member: func(p *StopParams) any { return &p.Job },
		Stale:  spec.Is(func(r *Stopped) any { return &r.Effect }, Stale),
	}},
}

// Close closes a queue.
//
// zh: 关闭队列。
var Close = &spec.Method[ShutParams, Shut]{
	Name: "queue/close", From: spec.Client, In: spec.In(Queue, func(p *ShutParams) *QueueID { return &p.Queue }),
	Accepts: spec.Admitted, Runs: spec.Serial, Repeats: spec.Idempotent[ShutParams](), Closes: Queue, Cancels: Life,
	Settles: spec.Cases(
		spec.When(spec.True(func(r *Shut) any { return &r.Closed }), spec.ByFrame[Shut](frameGone, "gone")),
		spec.Otherwise(spec.AtResponse[Shut]()),
	),
}

// Jobs is a queue of jobs.
//
// zh: 任务队列。
var Jobs = &spec.Protocol{
	Name: "jobs", Unknown: spec.Keep,
	Errors: spec.Errors(ErrClosed), Scopes: spec.Scopes(Queue),
	Notifications: spec.Notifications(NotifyDone, NotifyDropped, NotifyGone),
	Activities:    spec.Activities(Work, Life),
	Methods:       spec.Methods(Submit, Stop, Close),
	Machines:      spec.Machines(Machine),
}

// Variables are the package's declarations, by name.
func Variables() map[string]any {
	return map[string]any{
		"ErrClosed": ErrClosed, "Queue": Queue, "NotifyDone": NotifyDone, "NotifyDropped": NotifyDropped, "NotifyGone": NotifyGone,
		"Work": Work, "Life": Life, "Submit": Submit, "Stop": Stop, "Close": Close, "Jobs": Jobs, "Machine": Machine,
	}
}
