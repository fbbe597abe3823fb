// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// Queue is jobs of one kind, and whoever works on them. What is said of it goes
// in one order; queues do not wait for each other.
//
// zh: 同类的任务及其工作者。与之有关的消息有统一次序；队列之间互不等待。
var Queue = &spec.Scope[QueueID]{
	Name:  "queue",
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

// A lease holds this long after it was given, or after its worker's last report.
//
// zh: 租约自给出或其工作者最后一次报告起的有效期。
var LimitLease = &spec.Limit{Name: "lease", Value: leaseMS, Unit: "ms", Error: ErrLeaseLost}

// A worker whose job is cancelled has this long to finish it.
//
// zh: 任务被取消后，其工作者收尾的时限。
var LimitGrace = &spec.Limit{Name: "grace", Value: graceMS, Unit: "ms", Error: ErrLeaseLost}

// A job is run under one lease at a time: it is given to nobody else before its
// worker finished, or the lease ran out.
//
// zh: 一个任务同时只在一份租约之下运行：在其工作者收尾或租约到期之前不会交给他人。
var RuleOneLease = &spec.Rule{ID: "J1"}

// Jobs that wait are taken in the order in which they were put in.
//
// zh: 等待的任务按放入的次序取用。
var RuleInOrder = &spec.Rule{ID: "J2"}

// A worker is asked to run no more jobs than it offered to.
//
// zh: 工作者被请求运行的任务不会多于其所提出的数目。
var RuleSlots = &spec.Rule{ID: "J3"}
