// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// Queue is a queue of jobs of one kind and the workers that run them. Its
// frames have one order; queues do not wait for each other.
//
// zh: 同类任务的队列，以及运行它们的工作者。队列的帧有统一的顺序；队列之间互不等待。
var Queue = &spec.Scope[QueueID]{
	Name: "queue", Chinese: "队列",
	Queue: &spec.Queue{Limit: maxWaiting, Full: ErrFull},
}

const (
	maxWaiting = 1000
	leaseMS    = 30_000
	graceMS    = 2_000
)

// Waiting is how many jobs may wait in one queue.
//
// zh: 一个队列中可以等待的任务数。
var LimitWaiting = &spec.Limit{Name: "waiting", Value: maxWaiting, Unit: "count", Error: ErrFull}

// How long a lease is valid after it was given, or after its worker's last
// report.
//
// zh: 租约自给出或其工作者最后一次报告起的有效期。
var LimitLease = &spec.Limit{Name: "lease", Value: leaseMS, Unit: "ms", Error: ErrLeaseLost}

// How long a worker whose job is cancelled has to finish it.
//
// zh: 任务被取消后，其工作者收尾的时限。
var LimitGrace = &spec.Limit{Name: "grace", Value: graceMS, Unit: "ms", Error: ErrLeaseLost}

// A job is run under one lease at a time: no other worker gets it before its
// worker has finished it or the lease has run out.
//
// zh: 一个任务同一时间只在一份租约下运行：在其工作者收尾或租约到期之前，不会交给其他工作者。
var RuleOneLease = &spec.Rule{ID: "J1"}

// Waiting jobs are taken in the order in which they were submitted.
//
// zh: 等待的任务按提交的顺序取用。
var RuleInOrder = &spec.Rule{ID: "J2"}

// A worker is asked to run no more jobs than it offered to.
//
// zh: 工作者被请求运行的任务数不会超过它申报的名额。
var RuleSlots = &spec.Rule{ID: "J3"}
