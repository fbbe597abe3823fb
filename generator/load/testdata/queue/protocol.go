package queue

import "github.com/accordkit/accord/spec"

// Full says that the queue is full.
//
// zh: 队列已满。
var Full = &spec.Error[FullData]{Kind: "full", Code: 1001, Retry: spec.After}

// Conflict says that the key was used for something else.
//
// zh: 键已用于其他内容。
var Conflict = &spec.Error[spec.None]{Kind: "conflict", Code: 1002, Retry: spec.Never}

// Queue is where jobs wait.
//
// zh: 队列。
var Queue = &spec.Scope[QueueID]{Name: "queue", Queue: &spec.Queue{Limit: 64, Full: Full}}

// Events tell what happens.
//
// zh: 事件通知。
var Events = &spec.Notification[EventParams]{
	Name: "queue.event",
	From: spec.Server,
	In:   spec.In(Queue, func(p *EventParams) *QueueID { return &p.Queue }),
	Seq:  func(p *EventParams) any { return &p.Event.Seq },
	Examples: spec.List(
		spec.Shown("ended", EventParams{Queue: "q", Event: Event{Seq: 3, Ended: &Ended{Job: "j", OK: true}}}),
	),
}

var started = spec.On(Events,
	spec.Variant(func(p *EventParams) any { return &p.Event.Started }),
	spec.Key(func(p *EventParams) *JobID { return &p.Event.Started.Job }))

var ended = spec.On(Events,
	spec.Variant(func(p *EventParams) any { return &p.Event.Ended }),
	spec.Key(func(p *EventParams) *JobID { return &p.Event.Ended.Job }))

// Work is a job being done.
//
// zh: 正在进行的任务。
var Work = &spec.Activity[JobID]{
	Name: "job", In: Queue, Begins: started, Ends: ended,
	Outcomes: spec.List(
		// It worked.
		//
		// zh: 成功。
		&spec.Outcome{Name: "done", When: spec.True(func(p *EventParams) any { return &p.Event.Ended.OK }), OK: true},
		// It did not.
		//
		// zh: 失败。
		&spec.Outcome{Name: "failed", When: spec.Is(func(p *EventParams) any { return &p.Event.Ended.OK }, "false")},
	),
	Carries: spec.List(spec.Bears(Events, func(p *EventParams) *JobID { return &p.Event.Started.Job })),
}

// Submit puts a job into a queue.
//
// zh: 提交任务。
var Submit = &spec.Method[SubmitParams, Job]{
	Name:    "queue/submit",
	From:    spec.Client,
	In:      spec.In(Queue, func(p *SubmitParams) *QueueID { return &p.Queue }),
	Accepts: spec.Durable,
	Settles: spec.Cases(
		spec.Otherwise(spec.EndOf(Work, func(r *Job) *JobID { return &r.ID })),
	),
	Repeats: spec.Keyed[SubmitParams, Job]{
		By: func(p *SubmitParams) any { return &p.Key }, Scope: Queue, Window: "one day",
		Fingerprint: spec.List[spec.Member[SubmitParams]](func(p *SubmitParams) any { return &p.Work }),
		Conflict:    Conflict, Absent: "each call is new",
	},
	Runs:  spec.Serial,
	Fails: spec.Errors(Full, Conflict),
	Examples: spec.List(spec.Ex("first",
		SubmitParams{Base: Base{Queue: "q"}, Key: new("k"), Work: []Step{{Run: &RunStep{Argv: []string{"ls"}, Then: []Step{}}}}},
		Job{ID: "j", State: Waiting, Size: 1 << 60})),
}

// List lists jobs.
//
// zh: 列出任务。
var List = &spec.Method[ListParams, Page[Job]]{
	Name: "queue/list", From: spec.Client, Accepts: spec.Done,
	In:      spec.In(Queue, func(p *ListParams) *QueueID { return &p.Queue }),
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Page[Job]]())),
	Repeats: spec.ReadOnly[ListParams](), Runs: spec.Shared,
	Pages: &spec.Pages[ListParams, Page[Job]]{
		Cursor: func(p *ListParams) any { return &p.Cursor },
		Next:   func(r *Page[Job]) any { return &r.Next },
		Items:  func(r *Page[Job]) any { return &r.Items },
	},
	Examples: spec.List(spec.Ex("all", ListParams{Base: Base{Queue: "q"}}, Page[Job]{})),
}

// Life and Load are what a queue's machine is made of.
type (
	Life string
	Load string
	qs   struct {
		Life Life
		Load Load
	}
)

func submit(s qs, _ spec.None) spec.Cell[qs] {
	if s.Life == "shut" {
		return spec.Impossible[qs]()
	}
	if s.Load == "full" {
		return spec.Fails(Full, s)
	}
	return spec.Says("state=waiting", s, qs{s.Life, "full"})
}

// Picture is the queue's life.
//
// zh: 队列的生命周期。
var Picture = &spec.Machine[qs]{
	Name: "queue", Start: qs{"open", "free"},
	Values: spec.List(spec.Of[Life]("open", "shut"), spec.Of[Load]("free", "full")),
	Tracks: spec.List(spec.While[Load](Work, "full")),
	Moves: spec.List(
		spec.Call(Submit, submit),
		// A job is done.
		//
		// zh: 任务完成。
		spec.Event("done", 0, func(s qs) spec.Cell[qs] { return spec.Goes(qs{s.Life, "free"}) }),
	),
}

// Protocol is the job queue.
//
// zh: 任务队列。
var Protocol = &spec.Protocol{
	Name: "queue", Unknown: spec.Keep,
	Errors: spec.Errors(Full, Conflict), Scopes: spec.Scopes(Queue),
	Notifications: spec.Notifications(Events), Activities: spec.Activities(Work),
	Methods:  spec.Methods(Submit, List),
	Machines: spec.Machines(Picture),
	Limits: spec.List(
		// A line is this long at most.
		//
		// zh: 一行的最大长度。
		&spec.Limit{Name: "line", Value: 1 << 20, Unit: "bytes"},
	),
}
