// SPDX-License-Identifier: Apache-2.0

// Package mill declares a queue of tasks: put in under keys, taken under leases
// with fences, pushed to hands, tried again, given up, cancelled and exported. A
// client follows two kinds of work in one queue, and one of them is begun by two
// methods.
package millspec

import "github.com/accordkit/accord/spec"

type (
	QueueID  string
	TaskID   string
	ExportID string
	HandID   string
)

// Fence grows with each lease of a task: who holds an older one holds nothing.
type Fence int64

// State is where a task is.
type State string

// The states.
const (
	StateDelayed   State = "delayed"
	StateReady     State = "ready"
	StateLeased    State = "leased"
	StateDone      State = "done"
	StateDead      State = "dead"
	StateCancelled State = "cancelled"
)

// Rank says which task comes first.
type Rank int8

// The ranks.
const (
	RankLast   Rank = -1
	RankNormal Rank = 0
	RankFirst  Rank = 1
)

// Effect is what a stop did.
type Effect string

// Closed says that there are no others.
func (Effect) Closed() {}

// The effects.
const (
	EffectStopping Effect = "stopping"
	EffectOver     Effect = "over"
)

type Task struct {
	ID    TaskID                `json:"id"`
	State State                 `json:"state"`
	Rank  Rank                  `json:"rank,omitzero"`
	Tries int64                 `json:"tries" min:"0"`
	Load  []byte                `json:"load" length:"..1024"`
	Why   spec.Nullable[string] `json:"why"`
}

type Put struct {
	Queue   QueueID `json:"queue" length:"1..64"`
	Key     *string `json:"key,omitempty" length:"1..64"`
	Load    []byte  `json:"load" length:"..1024"`
	Rank    Rank    `json:"rank,omitzero"`
	DelayMS int64   `json:"delayMs,omitzero" min:"0" max:"86400000"`
}

type PutResult struct {
	Task  TaskID `json:"task"`
	Again bool   `json:"again,omitzero"`
	Over  *Over  `json:"over,omitempty"`
}

type Retry struct {
	Queue QueueID `json:"queue" length:"1..64"`
	Task  TaskID  `json:"task"`
}

type RetryResult struct {
	Task  TaskID `json:"task"`
	Tries int64  `json:"tries" min:"0"`
}

type Cancel struct {
	Queue QueueID `json:"queue" length:"1..64"`
	Task  TaskID  `json:"task"`
}

// Clear stops what a queue works on.
type Clear struct {
	Queue QueueID `json:"queue" length:"1..64"`
	Why   string  `json:"why,omitzero"`
	Rest  Rest    `json:"rest,omitzero" default:"goes"`
}

// Rest says what becomes of the tasks that wait.
type Rest string

// Closed says that there are no others.
func (Rest) Closed() {}

// The rests.
const (
	RestGoes  Rest = "goes"
	RestStays Rest = "stays"
)

// Cleared names the task that was under way.
type Cleared struct {
	Task TaskID `json:"task,omitzero"`
}

// Side is a queue that another one opened, or that is over.
type Side struct {
	Queue QueueID `json:"queue" length:"1..64"`
	Side  QueueID `json:"side" length:"1..64"`
}

type Take struct {
	Queue QueueID `json:"queue" length:"1..64"`
	Hand  HandID  `json:"hand"`
	ForMS int64   `json:"forMs" min:"1" max:"3600000"`
}

type Lease struct {
	Task    Task  `json:"task"`
	Fence   Fence `json:"fence" min:"1"`
	UntilMS int64 `json:"untilMs" min:"0"`
}

type Held struct {
	Task  TaskID `json:"task"`
	Fence Fence  `json:"fence" min:"1"`
}

type Fail struct {
	Task    TaskID `json:"task"`
	Fence   Fence  `json:"fence" min:"1"`
	Why     string `json:"why"`
	AfterMS *int64 `json:"afterMs,omitempty" min:"0"`
}

type Extended struct {
	UntilMS int64 `json:"untilMs" min:"0"`
}

type List struct {
	Queue  QueueID `json:"queue" length:"1..64"`
	States []State `json:"states,omitzero"`
	Cursor *string `json:"cursor,omitempty"`
}

type Listed struct {
	Tasks []Task  `json:"tasks"`
	Next  *string `json:"next,omitempty"`
}

type Watch struct {
	Queue QueueID `json:"queue" length:"1..64"`
	After *int64  `json:"after,omitempty" min:"0"`
}

type Watching struct {
	Next int64 `json:"next" min:"0"`
}

type Export struct {
	Queue QueueID `json:"queue" length:"1..64"`
}

type Exporting struct {
	Export ExportID `json:"export"`
}

type StopExport struct {
	Queue  QueueID  `json:"queue" length:"1..64"`
	Export ExportID `json:"export"`
}

type Stopped struct {
	Effect Effect `json:"effect"`
}

type Told struct {
	Queue  QueueID `json:"queue"`
	Task   TaskID  `json:"task"`
	Replay bool    `json:"replay,omitzero"`
	Event  Event   `json:"event"`
}

type Event struct {
	_       spec.Union `tag:"type" content:"of"`
	Seq     int64      `json:"seq" min:"0"`
	In      *In        `variant:"in"`
	Leased  *Leased    `variant:"leased"`
	Working *Working   `variant:"working"`
	Over    *Over      `variant:"over"`
}

type In struct {
	Rank Rank `json:"rank,omitzero"`
}

type Leased struct {
	Hand HandID `json:"hand"`
	Try  int64  `json:"try" min:"1"`
}

type Working struct {
	Percent int64 `json:"percent" min:"0" max:"100"`
}

type Over struct {
	State State  `json:"state"`
	Why   string `json:"why,omitzero"`
}

type Chunk struct {
	Queue  QueueID  `json:"queue"`
	Export ExportID `json:"export"`
	Data   []byte   `json:"data" length:"..4096"`
}

type Exported struct {
	Queue   QueueID  `json:"queue"`
	Export  ExportID `json:"export"`
	Stopped bool     `json:"stopped,omitzero"`
	Tasks   int64    `json:"tasks" min:"0"`
}

type Join struct {
	Hand  HandID `json:"hand"`
	Slots int32  `json:"slots" min:"1" max:"64"`
}

type Beat struct {
	Hand    HandID   `json:"hand"`
	Running []TaskID `json:"running"`
}

type Report struct {
	Task    TaskID `json:"task"`
	Fence   Fence  `json:"fence" min:"1"`
	Percent int64  `json:"percent" min:"0" max:"100"`
}

type Run struct {
	Task  TaskID `json:"task"`
	Fence Fence  `json:"fence" min:"1"`
	Load  []byte `json:"load" length:"..1024"`
}

type Taken struct {
	Taken bool `json:"taken"`
}

var Queue = &spec.Scope[QueueID]{Name: "queue"}

var (
	ErrParams = &spec.Error[spec.None]{Kind: "invalid-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}
	ErrFence  = &spec.Error[FenceData]{Kind: "stale-fence", Code: 1, Retry: spec.Never}
	ErrKey    = &spec.Error[KeyData]{Kind: "other-load", Code: 2, Retry: spec.Never}
	ErrNoTask = &spec.Error[spec.None]{Kind: "no-such-task", Code: 3, Retry: spec.Never}
	ErrLost   = &spec.Error[spec.None]{Kind: "lost", Code: 4, Retry: spec.SameKey, Fault: spec.ConnectionFault, At: spec.Client}
)

type FenceData struct {
	Current Fence `json:"current" min:"0"`
}

type KeyData struct {
	Task TaskID `json:"task"`
}

var (
	NoteTold = &spec.Notification[Told]{
		Name: "task.told", From: spec.Server,
		In:       spec.In(Queue, func(p *Told) *QueueID { return &p.Queue }),
		Seq:      func(p *Told) any { return &p.Event.Seq },
		Examples: spec.List(spec.Shown("over", Told{Queue: "q", Task: "t1", Event: Event{Seq: 3, Over: &Over{State: StateDone}}})),
	}
	NoteChunk = &spec.Notification[Chunk]{
		Name: "export.chunk", From: spec.Server,
		In: spec.In(Queue, func(p *Chunk) *QueueID { return &p.Queue }),
	}
	NoteExported = &spec.Notification[Exported]{
		Name: "export.over", From: spec.Server,
		In: spec.In(Queue, func(p *Exported) *QueueID { return &p.Queue }),
	}
	NoteOpened = &spec.Notification[Side]{
		Name: "side.opened", From: spec.Server,
		In: spec.In(Queue, func(p *Side) *QueueID { return &p.Queue }),
	}
	NoteClosed = &spec.Notification[Side]{
		Name: "side.closed", From: spec.Server,
		In: spec.In(Queue, func(p *Side) *QueueID { return &p.Queue }),
	}
	NoteBeat   = &spec.Notification[Beat]{Name: "hand/beat", From: spec.Client}
	NoteReport = &spec.Notification[Report]{Name: "task/report", From: spec.Client}
)

func task(p *Told) *TaskID { return &p.Task }

func state(p *Told) any { return &p.Event.Over.State }

func export(p *Exported) *ExportID { return &p.Export }

var (
	Work = &spec.Activity[TaskID]{
		Name: "task", Handle: "Work", In: Queue,
		Ends: spec.On(NoteTold, spec.Variant(func(p *Told) any { return &p.Event.Over }), spec.Key(task)),
		Outcomes: []*spec.Outcome{
			{Name: "done", OK: true, When: spec.Is(state, StateDone)},
			{Name: "dead", When: spec.Is(state, StateDead)},
			{Name: "cancelled", When: spec.Is(state, StateCancelled)},
			{Name: "other", Other: true},
			{Name: "lost", Lost: true},
		},
		Carries: spec.List(spec.Bears(NoteTold, task)),
	}

	Exports = &spec.Activity[ExportID]{
		Name: "export", Handle: "Exporter", In: Queue,
		Ends: spec.On(NoteExported, spec.Key(export)),
		Outcomes: []*spec.Outcome{
			{Name: "stopped", When: spec.True(func(p *Exported) any { return &p.Stopped })},
			{Name: "whole", Other: true, OK: true},
			{Name: "lost", Lost: true},
		},
		Carries: spec.List(spec.Bears(NoteChunk, func(p *Chunk) *ExportID { return &p.Export })),
	}
)

// SideQueue is the life of a queue that another one opened for its work.
var SideQueue = &spec.Activity[QueueID]{
	Name: "side queue", Handle: "SideQueue", In: Queue, Life: Queue,
	Begins:   spec.On(NoteOpened, spec.Key(side)),
	Ends:     spec.On(NoteClosed, spec.Key(side)),
	Outcomes: []*spec.Outcome{{Name: "closed", Other: true, OK: true}, {Name: "lost", Lost: true}},
}

func side(p *Side) *QueueID { return &p.Side }

var (
	PutTask = &spec.Method[Put, PutResult]{
		Name: "task/put", From: spec.Client, In: spec.In(Queue, func(p *Put) *QueueID { return &p.Queue }), Attaches: Queue,
		Accepts: spec.Durable, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams, ErrKey),
		Settles: spec.Cases(
			spec.When(spec.Present(func(r *PutResult) any { return &r.Over }), spec.EndTold(Work, func(r *PutResult) any { return &r.Over })),
			spec.Otherwise(spec.EndOf(Work, func(r *PutResult) *TaskID { return &r.Task })),
		),
		Repeats: spec.Keyed[Put, PutResult]{
			By: func(p *Put) any { return &p.Key }, Scope: Queue, Window: "24 hours",
			Fingerprint: spec.List[spec.Member[Put]](func(p *Put) any { return &p.Load }),
			Conflict:    ErrKey, Absent: "each call is new", Marker: func(r *PutResult) any { return &r.Again },
		},
		Examples: spec.List(
			spec.Ex("one", Put{Queue: "q", Load: []byte("x"), Rank: RankFirst, DelayMS: 1000}, PutResult{Task: "t1"}),
			spec.Refused("the same key, another load", Put{Queue: "q", Load: []byte("y"), Key: new("k")}, ErrKey),
		),
	}

	RetryTask = &spec.Method[Retry, RetryResult]{
		Name: "task/retry", From: spec.Client, In: spec.In(Queue, func(p *Retry) *QueueID { return &p.Queue }), Attaches: Queue,
		Accepts: spec.Durable, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams, ErrNoTask),
		Settles: spec.Cases(spec.Otherwise(spec.EndOf(Work, func(r *RetryResult) *TaskID { return &r.Task }))),
		Repeats: spec.Unsafe[Retry](),
	}

	// It has no result: that it was accepted is all that is said.
	CancelTask = &spec.Method[Cancel, spec.None]{
		Name: "task/cancel", From: spec.Client, In: spec.In(Queue, func(p *Cancel) *QueueID { return &p.Queue }),
		Cancels: Work, Undoes: PutTask,
		Accepts: spec.Admitted, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams, ErrNoTask),
		Settles: spec.Cases(spec.Otherwise(spec.EndChosen[spec.None](Work, func(p *Cancel) *TaskID { return &p.Task }))),
		Repeats: spec.Idempotent[Cancel](),
	}

	ClearQueue = &spec.Method[Clear, Cleared]{
		Name: "queue/clear", From: spec.Client, In: spec.In(Queue, func(p *Clear) *QueueID { return &p.Queue }),
		Cancels: Work, Interrupts: &spec.Interrupts{Begins: PutTask, GoName: "PutInstead", Keeps: spec.Is(func(p *Clear) any { return &p.Rest }, RestStays)},
		Accepts: spec.Admitted, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams),
		Settles: spec.Cases(
			spec.When(spec.Present(func(r *Cleared) any { return &r.Task }), spec.EndOf(Work, func(r *Cleared) *TaskID { return &r.Task })),
			spec.Otherwise(spec.AtResponse[Cleared]()),
		),
		Repeats: spec.Idempotent[Clear](),
	}

	TakeTask = &spec.Method[Take, spec.Nullable[Lease]]{
		Name: "task/take", From: spec.Client, In: spec.In(Queue, func(p *Take) *QueueID { return &p.Queue }),
		Accepts: spec.Durable, Runs: spec.Serial, Fails: spec.Errors(ErrParams), Repeats: spec.Unsafe[Take](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Lease]]())),
		Examples: spec.List(spec.Ex("nothing is ready", Take{Queue: "q", Hand: "h", ForMS: 1000}, spec.Null[Lease]())),
	}

	DoneTask = &spec.Method[Held, spec.None]{
		Name: "task/done", From: spec.Client, Accepts: spec.Durable, Runs: spec.Shared, Fails: spec.Errors(ErrParams, ErrFence, ErrNoTask),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Repeats: spec.Idempotent[Held](),
		Fences: []spec.Fence[Held]{{Member: func(p *Held) any { return &p.Fence }, Fails: ErrFence}},
	}

	FailTask = &spec.Method[Fail, spec.None]{
		Name: "task/fail", From: spec.Client, Accepts: spec.Durable, Runs: spec.Shared, Fails: spec.Errors(ErrParams, ErrFence, ErrNoTask),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Repeats: spec.Idempotent[Fail](),
		Fences: []spec.Fence[Fail]{{Member: func(p *Fail) any { return &p.Fence }, Fails: ErrFence}},
	}

	ExtendTask = &spec.Method[Held, Extended]{
		Name: "task/extend", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Fails: spec.Errors(ErrParams, ErrFence, ErrNoTask),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Extended]())), Repeats: spec.Idempotent[Held](),
		Fences: []spec.Fence[Held]{{Member: func(p *Held) any { return &p.Fence }, Fails: ErrFence}},
	}

	ListTasks = &spec.Method[List, Listed]{
		Name: "task/list", From: spec.Client, In: spec.In(Queue, func(p *List) *QueueID { return &p.Queue }),
		Accepts: spec.Done, Runs: spec.Shared, Fails: spec.Errors(ErrParams), Repeats: spec.ReadOnly[List](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Listed]())),
		Pages: &spec.Pages[List, Listed]{
			Cursor: func(p *List) any { return &p.Cursor }, Next: func(r *Listed) any { return &r.Next }, Items: func(r *Listed) any { return &r.Tasks },
		},
	}

	WatchQueue = &spec.Method[Watch, Watching]{
		Name: "queue/watch", From: spec.Client, In: spec.In(Queue, func(p *Watch) *QueueID { return &p.Queue }), Attaches: Queue,
		Accepts: spec.Done, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams), Repeats: spec.Idempotent[Watch](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Watching]())),
		Replays: &spec.Replays[Watch]{
			Events: NoteTold, Marker: spec.True(func(p *Told) any { return &p.Replay }), Cursor: func(p *Watch) any { return &p.After },
		},
	}

	ExportQueue = &spec.Method[Export, Exporting]{
		Name: "queue/export", From: spec.Client, In: spec.In(Queue, func(p *Export) *QueueID { return &p.Queue }), Attaches: Queue,
		Accepts: spec.Admitted, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams), Repeats: spec.Unsafe[Export](),
		Settles: spec.Cases(spec.Otherwise(spec.EndOf(Exports, func(r *Exporting) *ExportID { return &r.Export }))),
	}

	StopExporting = &spec.Method[StopExport, Stopped]{
		Name: "queue/export/stop", From: spec.Client, In: spec.In(Queue, func(p *StopExport) *QueueID { return &p.Queue }),
		Cancels: Exports,
		Accepts: spec.Admitted, Deferred: true, Runs: spec.Serial, Fails: spec.Errors(ErrParams), Repeats: spec.Idempotent[StopExport](),
		Settles: spec.Cases(
			spec.When(spec.Is(func(r *Stopped) any { return &r.Effect }, EffectStopping),
				spec.EndChosen[Stopped](Exports, func(p *StopExport) *ExportID { return &p.Export })),
			spec.Otherwise(spec.AtResponse[Stopped]()),
		),
	}

	JoinHands = &spec.Method[Join, spec.None]{
		Name: "hand/join", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Fails: spec.Errors(ErrParams),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Repeats: spec.Idempotent[Join](),
	}

	RunTask = &spec.Method[Run, Taken]{
		Name: "task/run", From: spec.Server, Accepts: spec.Admitted, Runs: spec.Shared, Fails: spec.Errors(ErrParams), Repeats: spec.Unsafe[Run](),
		Settles: spec.Cases(
			spec.When(spec.Is(func(r *Taken) any { return &r.Taken }, "false"), spec.AtResponse[Taken]()),
			spec.Otherwise(
				spec.ByCall[Taken](DoneTask, func(p *Run) *TaskID { return &p.Task }, func(p *Held) *TaskID { return &p.Task }),
				spec.ByCall[Taken](FailTask, func(p *Run) *TaskID { return &p.Task }, func(p *Fail) *TaskID { return &p.Task }),
			),
		),
		AbsentAs: &Taken{},
	}

	Close = &spec.Method[spec.None, spec.None]{
		Name: "close", From: spec.Client, Shutdown: true, Accepts: spec.Done, Runs: spec.Shared,
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Repeats: spec.Idempotent[spec.None](),
	}

	Mill = &spec.Protocol{
		Name: "mill", Server: "mill", Unknown: spec.Drop,
		Scopes:        spec.Scopes(Queue),
		Errors:        spec.Errors(ErrParams, ErrFence, ErrKey, ErrNoTask, ErrLost),
		Notifications: spec.Notifications(NoteTold, NoteChunk, NoteExported, NoteOpened, NoteClosed, NoteBeat, NoteReport),
		Activities:    spec.Activities(Work, Exports, SideQueue),
		Methods: spec.Methods(PutTask, RetryTask, CancelTask, ClearQueue, TakeTask, DoneTask, FailTask, ExtendTask, ListTasks, WatchQueue,
			ExportQueue, StopExporting, JoinHands, RunTask, Close),
	}
)
