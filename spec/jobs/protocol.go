// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// Jobs is a queue of jobs over JSON-RPC 2.0, one message a line. Every
// connection is usable from its first byte: nothing is negotiated.
//
// zh: 基于 JSON-RPC 2.0 的任务队列，每行一条消息。每个连接从第一个字节起就可以使用：无需协商。
var Jobs = &spec.Protocol{
	Name:          "jobs",
	Server:        "broker",
	Unknown:       spec.Drop,
	Scopes:        spec.Scopes(Queue),
	Errors:        spec.Errors(ErrParams, ErrMethod, ErrDiffers, ErrFull, ErrLeaseLost, ErrGone, ErrBehind),
	Notifications: spec.Notifications(NotifyReport, NotifyChanged, NotifyProgress, NotifyEnded),
	Activities:    spec.Activities(Job),
	Methods:       spec.Methods(Submit, Cancel, List, Work, Finish, Run),
	Machines:      spec.Machines(JobMachine),
	Limits:        spec.List(LimitWaiting, LimitLease, LimitGrace),
	Rules:         spec.List(RuleOneLease, RuleInOrder, RuleSlots),
}
