// SPDX-License-Identifier: Apache-2.0

package emittest

import "github.com/accordkit/accord/spec/model"

// Queue is the sample protocol. Each call gives a new copy.
func Queue() *model.Protocol {
	return &model.Protocol{
		Format: model.Format, Name: "queue", Server: "printer", Package: "example.com/queue", Var: "Queue",
		Doc: text("Queue prints jobs.", "Queue 打印任务。"),
		Negotiation: &model.Negotiation{
			Method: "hello", Versions: []int{2}, Asked: "version", Answered: "version",
			Offers: "offers", Announces: "offers", Unsupported: "no-version", Before: "too-early", Generation: "old",
		},
		UnknownMembers: model.Kept,
		Types:          types(),
		Scopes: []*model.Scope{{
			Name: "tray", Var: "Tray", Handle: "Tray", Key: "TrayID",
			Queue: &model.Queue{Limit: 8, Full: "tray-full"},
			Doc:   text("Tray is one tray of paper.", "Tray 是一个纸盒。"),
		}},
		Capabilities: []*model.Capability{{Name: "job.stop", Var: "CanStop", Of: model.Server, Doc: text("CanStop: jobs can be stopped.", "可以停止任务。")}},
		Errors: []*model.Error{
			{
				Kind: "tray-full", Var: "TrayFull", Code: 1001, Retry: model.RetryAfter, Doc: text("TrayFull is a tray whose queue is full.", "纸盒的队列已满。"),
				Data:   []*model.Field{{Name: "Limit", Wire: "limit", Type: integer(), Presence: model.Required, Doc: text("Limit of the queue.", "队列上限。")}},
				Legacy: []string{"Tray is full ({limit})"},
			},
			{Kind: "no-version", Var: "NoVersion", Code: -32022, Retry: model.RetryNever, Doc: text("NoVersion: none in common.", "没有共同的版本。")},
			{Kind: "too-early", Var: "TooEarly", Code: -32603, Retry: model.RetryNever, Doc: text("TooEarly is a call before hello.", "在 hello 之前的调用。")},
			{Kind: "gone", Var: "Gone", Code: 0, Retry: model.RetryReload, At: model.Client, Doc: text("Gone is a lost connection.", "连接已断开。")},
		},
		Notifications: []*model.Notification{{
			Name: "job.event", Var: "JobEvent", From: model.Server, Params: "JobEventParams",
			In: &model.Within{Scope: "tray", Key: "trayId"}, Seq: &model.Seq{Member: "event.seq"},
			Carry: []model.Carry{{Activity: "job", Key: "job", Except: []string{"note"}}},
			Doc:   text("JobEvent tells what became of a job.", "JobEvent 说明任务的进展。"),
			Ex:    []model.Ex{{Name: "the end", Params: `{"trayId":"a","job":"j1","event":{"type":"end","seq":4,"data":{"why":"done","sheets":3}}}`}},
		}, {
			Name: "job.ink", Var: "JobInk", From: model.Server, Params: "JobInkParams",
			In:   &model.Within{Scope: "tray", Key: "trayId"},
			Live: &model.Live{Same: []string{"job"}, Join: []string{"text"}, Counter: "n", Merged: "merged"},
			Doc:  text("JobInk is what is being printed | now.", "JobInk 是正在打印的内容。"), Since: "2",
		}},
		Links: []*model.Link{{
			Name: "claim", Var: "Claim", From: "JobID", To: "JobID", Fold: "claims",
			By:  &model.Frame{Notification: "job.event", Path: "event.note", Variant: "note"},
			Doc: text("Claim leads from a ticket to its job.", "Claim 由回执找到任务。"),
		}},
		Activities: []*model.Activity{{
			Name: "job", Var: "Job", Handle: "Job", Key: "JobID", In: "tray",
			Ends:  &model.Frame{Notification: "job.event", Path: "event.end", Variant: "end", Key: "job"},
			Tells: "event.data.why",
			Outcomes: []*model.Outcome{
				{Name: "printed", Is: []model.Is{{Member: "event.data.why", Values: []string{"done"}}}, OK: true, Doc: text("Printed to the last sheet.", "全部打印完成。")},
				{Name: "lost", Doc: text("The printer went away.", "打印机已离线。")},
			},
			Doc: text("Job is one job being printed.", "Job 是一个正在打印的任务。"),
		}},
		Methods:  methods(),
		Machines: []*model.Machine{machine()},
		Generations: []*model.Generation{{
			Name: "old", Var: "Old", Unknown: "no such method {method}", Code: -32603, Lacks: []string{"job/stop"},
			Differs: []*model.Differs{{ID: "old-ink", Doc: text("Ink is sent to it too.", "也会向它发送 ink。")}},
			Doc:     text("Old is a printer from before versions.", "Old 是没有版本协商的旧打印机。"),
		}},
		Limits: []*model.Limit{
			{Name: "line", Value: 64 << 20, Unit: "bytes", Error: "tray-full", Doc: text("Line is the longest line.", "一行的最大长度。")},
			{Name: "stop", Value: 1500, Unit: "ms", Doc: text("Stop is how long a stop may take.", "停止的最长时间。")},
		},
		Rules: []*model.Rule{{ID: "Q1", Doc: text("Q1: sheets come out in order.", "Q1：纸张按顺序输出。")}},
	}
}

func text(en, zh string) model.Text { return model.Text{EN: en, ZH: zh} }

func str() *model.Ref              { return &model.Ref{Kind: model.RefString} }
func integer() *model.Ref          { return &model.Ref{Kind: model.RefInt} }
func named(name string) *model.Ref { return &model.Ref{Kind: model.RefNamed, Name: name} }
func list(of *model.Ref) *model.Ref {
	return &model.Ref{Kind: model.RefList, Elem: of}
}

func member(name, wire string, t *model.Ref, presence string) *model.Field {
	return &model.Field{Name: name, Wire: wire, Type: t, Presence: presence, Doc: text(name+" of it.", "其 "+wire+"。")}
}

func number[T int | int64](n T) *T { return &n }
