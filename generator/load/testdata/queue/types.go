// Package queue is a small job queue: a protocol with little of everything.
package queue

import "github.com/accordkit/accord/spec"

// JobID names a job.
//
// zh: 任务编号。
type JobID string

// QueueID names a queue.
//
// zh: 队列编号。
type QueueID string

// State is what a job is at.
//
// zh: 任务状态。
type State string

// The states.
const (
	// Waiting jobs have not started.
	//
	// zh: 等待中。
	Waiting State = "waiting"
	// Running jobs have.
	//
	// zh: 运行中。
	Running State = "running"
)

// Base is what all params have.
type Base struct {
	// Queue is the queue meant.
	//
	// zh: 所指的队列，
	// 必须存在。
	Queue QueueID `json:"queue" length:"1..64"`
}

// SubmitParams asks for work.
//
// zh: 请求工作。
type SubmitParams struct {
	Base
	// Key makes the call repeatable.
	//
	// zh: 使调用可以重复。
	Key *string `json:"key,omitempty" length:"1..255"`
	// Work is what to do.
	//
	// zh: 要做的事。
	Work []Step `json:"work" length:"1.."`
	// Priority orders jobs.
	//
	// zh: 优先级。
	Priority int32 `json:"priority,omitzero" min:"0" max:"9" default:"0"`
	// Note may be taken back.
	//
	// zh: 备注。
	Note spec.Nullable[string] `json:"note,omitzero"`
	// Labels are for people.
	//
	// zh: 标签。
	Labels map[string]string `json:"labels,omitzero"`
}

// Step is one thing to do.
//
// zh: 一个步骤。
type Step struct {
	_ spec.Union `tag:"kind"`
	// Run runs a command.
	//
	// zh: 运行命令。
	Run *RunStep `variant:"run"`
	// Wait waits.
	//
	// zh: 等待。
	Wait *WaitStep `variant:"wait"`
}

// RunStep runs a command.
//
// zh: 运行命令。
type RunStep struct {
	// Argv is the command.
	//
	// zh: 命令。
	Argv []string `json:"argv"`
	// Then comes afterwards.
	//
	// zh: 之后的步骤。
	Then []Step `json:"then,omitzero"`
}

// WaitStep waits.
//
// zh: 等待。
type WaitStep struct {
	// Ms is how long.
	//
	// zh: 毫秒数。
	Ms int64 `json:"ms" min:"0"`
}

// Page is one page of a listing.
//
// zh: 一页。
type Page[T any] struct {
	// Items are on it.
	//
	// zh: 条目。
	Items []T `json:"items"`
	// Next is where to go on.
	//
	// zh: 下一页。
	Next *string `json:"next,omitempty"`
}

// Job is one job.
//
// zh: 任务。
type Job struct {
	// ID names it.
	//
	// zh: 编号。
	ID JobID `json:"id"`
	// State is where it is.
	//
	// zh: 状态。
	State State `json:"state"`
	// Size is in bytes.
	//
	// zh: 字节数。
	Size spec.Wide `json:"size"`
	// Notes is anything.
	//
	// zh: 任意值。
	Notes spec.Raw `json:"notes,omitzero"`
}

// ListParams asks for jobs.
//
// zh: 请求列表。
type ListParams struct {
	Base
	// Cursor is where to go on.
	//
	// zh: 游标。
	Cursor *string `json:"cursor,omitempty"`
}

// Event is what happens to a job.
//
// zh: 事件。
type Event struct {
	_ spec.Union `tag:"type" content:"data"`
	// Seq counts.
	//
	// zh: 序号。
	Seq int64 `json:"seq" min:"0"`
	// Started says that it began.
	//
	// zh: 已开始。
	Started *Started `variant:"job/started"`
	// Ended says that it is over.
	//
	// zh: 已结束。
	Ended *Ended `variant:"job/ended" since:"2"`
}

// Started is data.
//
// zh: 数据。
type Started struct {
	// Job is the job.
	//
	// zh: 任务。
	Job JobID `json:"job"`
}

// Ended is data.
//
// zh: 数据。
type Ended struct {
	// Job is the job.
	//
	// zh: 任务。
	Job JobID `json:"job"`
	// OK tells whether it worked.
	//
	// zh: 是否成功。
	OK bool `json:"ok"`
}

// EventParams is one event.
//
// zh: 一个事件。
type EventParams struct {
	// Queue is the queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
	// Event is what happened.
	//
	// zh: 发生的事。
	Event Event `json:"event"`
}

// FullData says how full.
//
// zh: 说明有多满。
type FullData struct {
	// Limit is the bound.
	//
	// zh: 上限。
	Limit int64 `json:"limit" min:"1"`
}
