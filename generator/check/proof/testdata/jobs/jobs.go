// Package jobs is a queue of jobs and one worker, small enough to be proven by
// hand, and able to be wrong in every way that a proof must see.
package jobs

// QueueID names a queue.
//
// zh: 队列的标识。
type QueueID string

// JobID names a job.
//
// zh: 任务的标识。
type JobID string

// SubmitParams is a job.
//
// zh: 一个任务。
type SubmitParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
}

// Job is what was accepted.
//
// zh: 已接受的任务。
type Job struct {
	// Its id.
	//
	// zh: 其标识。
	Job JobID `json:"job"`
}

// StopParams names what is to stop.
//
// zh: 指明要停止的任务。
type StopParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
	// The job; absent: the one that runs.
	//
	// zh: 任务；缺省为正在运行的任务。
	Job *JobID `json:"job,omitempty"`
}

// Effect is what a stop did.
//
// zh: 停止的效果。
type Effect string

// What a stop did.
const (
	// It is being stopped.
	//
	// zh: 正在停止。
	Stopping Effect = "stopping"
	// It was taken out of the queue.
	//
	// zh: 已从队列中取出。
	Dropped Effect = "dropped"
	// It is over, or was never there.
	//
	// zh: 已结束，或从未存在。
	Stale Effect = "stale"
	// Nothing runs.
	//
	// zh: 没有任务在运行。
	Idle Effect = "idle"
)

// Stopped is the answer to a stop.
//
// zh: 对停止的应答。
type Stopped struct {
	// What it did.
	//
	// zh: 效果。
	Effect Effect `json:"effect"`
	// The job that is being stopped.
	//
	// zh: 正在停止的任务。
	Job JobID `json:"job,omitzero"`
}

// ShutParams names a queue.
//
// zh: 指明队列。
type ShutParams struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
}

// Shut is the answer to a close.
//
// zh: 对关闭的应答。
type Shut struct {
	// True if it was open.
	//
	// zh: 此前是否打开。
	Closed bool `json:"closed"`
}

// Over tells that a job is over.
//
// zh: 任务已结束。
type Over struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
	// The job.
	//
	// zh: 任务。
	Job JobID `json:"job"`
}

// Gone tells that a queue is closed.
//
// zh: 队列已关闭。
type Gone struct {
	// The queue.
	//
	// zh: 队列。
	Queue QueueID `json:"queue"`
}
