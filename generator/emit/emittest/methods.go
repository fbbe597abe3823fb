// SPDX-License-Identifier: Apache-2.0

package emittest

import "github.com/accordkit/accord/spec/model"

func methods() []*model.Method {
	tray := &model.Within{Scope: "tray", Key: "trayId"}
	return []*model.Method{
		{
			Name: "hello", Var: "Hello", GoName: "Hello", From: model.Client, Params: "HelloParams", Result: "HelloResult",
			Accepts: model.Done, Settles: []*model.Case{{By: []model.Way{{How: model.ByResponse}}}},
			Repeats: &model.Repeats{How: model.Idempotent}, Runs: model.Serial, Before: true, Fails: []string{"no-version"},
			Doc:      text("Hello opens the connection.", "Hello 建立连接。"),
			Examples: []model.Ex{{Name: "version two", Params: `{"version":2}`, Result: `{"version":2}`}},
		},
		{
			Name: "job/print", Var: "Print", GoName: "JobPrint", From: model.Client, Params: "PrintParams", Result: "Ticket", In: tray,
			Opens: "tray", Attaches: "tray", Accepts: model.Durable, Deferred: true,
			Settles: []*model.Case{
				{If: []model.Is{{Member: "again", Values: []string{"true"}}}, By: []model.Way{{How: model.ByResponse}}},
				{By: []model.Way{
					{How: model.ByEnd, Activity: "job", Link: "claim", Key: "job"},
					{How: model.ByFrame, Frame: &model.Frame{Notification: "job.event", Path: "event.note", Variant: "note"}, As: "withdrawn"},
				}},
			},
			Repeats: &model.Repeats{How: model.Keyed, Key: "key", Scope: "tray", Window: "life of the tray", Fingerprint: []string{"pages"}, Conflict: "tray-full", Absent: "each call is new", Marker: "again"},
			Runs:    model.Serial, Fails: []string{"tray-full", "too-early"},
			Order: &model.Order{After: []string{"job.event"}},
			Doc:   text("Print puts a job into a tray.\n\nThe job is kept on paper.", "Print 将任务放入纸盒。\n\n任务会写在纸上。"),
			Examples: []model.Ex{
				{Name: "one page", Params: `{"trayId":"a","pages":[{"type":"text","text":"hi"}]}`, Result: `{"job":"j1"}`},
				{Name: "too much", Params: `{"trayId":"a","pages":[{"type":"text","text":"hi"}]}`, Error: "tray-full"},
			},
		},
		{
			Name: "job/stop", Var: "Stop", GoName: "JobStop", From: model.Client, Params: "StopParams", Result: "StopResult", In: tray,
			AlsoNotify: true, Needs: "job.stop", Accepts: model.Admitted, Cancels: "job", Undoes: "job/print",
			Settles: []*model.Case{
				{If: []model.Is{{Member: "effect", Values: []string{"stopping"}}}, By: []model.Way{{How: model.ByEnd, Activity: "job"}}},
				{By: []model.Way{{How: model.ByResponse}}},
			},
			Repeats: &model.Repeats{How: model.Idempotent}, Runs: model.Shared, Lacks: []string{"old"}, Since: "2",
			Fences:   []*model.Fence{{Member: "job", Mismatch: &model.Is{Member: "effect", Values: []string{"over"}}}},
			Steps:    []*model.Step{{Name: "rollers", BoundMS: 1000, Doc: text("Rollers stop.", "滚筒停止。")}},
			Together: []*model.Together{{How: "agree", Members: []string{"trayId", "job"}}},
			Doc:      text("Stop stops a job.", "Stop 停止任务。"),
			Examples: []model.Ex{{Name: "any job", Params: `{"trayId":"a"}`, Result: `{"effect":"stopping"}`}},
		},
		{
			Name: "paper/ask", Var: "Ask", GoName: "PaperAsk", From: model.Server,
			Accepts: model.Done, Settles: []*model.Case{{By: []model.Way{{How: model.ByResponse}}}},
			Repeats: &model.Repeats{How: model.ReadOnly}, Runs: model.Shared, Absent: `{}`,
			Doc: text("Ask asks for paper.", "Ask 请求添加纸张。"), Stability: "experimental",
			Deprecated: &model.Deprecation{Since: "2", Instead: "hello"},
		},
	}
}

// machine is one tray: it prints, or it does not; a stop is latched or not.
func machine() *model.Machine {
	const idle, busy, ending = 0, 1, 2        // of States
	const printJob, stop, lastSheet = 0, 1, 2 // of Moves
	yesNo := []string{"no", "yes"}
	return &model.Machine{
		Name: "tray", Var: "TrayMachine", Doc: text("TrayMachine is what a tray does.", "TrayMachine 是纸盒的状态。"),
		Dims:   []model.Dimension{{Name: "Prints", Values: yesNo}, {Name: "Stops", Values: yesNo}},
		Start:  []string{"no", "no"},
		States: [][]string{{"no", "no"}, {"yes", "no"}, {"yes", "yes"}},
		Moves: []*model.Move{
			{Method: "job/print"},
			{Method: "job/stop", Args: []model.Dimension{{Name: "job", Values: []string{"any", "named"}}}},
			{Event: "last sheet", Within: 1000, Doc: text("The last sheet comes out.", "最后一张纸输出。")},
		},
		Places: []model.Place{{}},
		Cells: []*model.Cell{
			{Move: printJob, State: idle, Says: []string{"job"}, Next: []int{busy}},
			{Move: printJob, State: busy, Fails: "tray-full", Next: []int{busy}},
			{Move: printJob, State: ending, Waits: true},
			{Move: stop, State: idle, Says: []string{"effect=over"}, Next: []int{idle}},
			{Move: stop, State: busy, Args: [][]string{{"any"}}, Says: []string{"effect=stopping"}, Next: []int{ending}},
			{Move: stop, State: busy, Args: [][]string{{"named"}}, Says: []string{"effect=over"}, Next: []int{busy}},
			{Move: stop, State: ending, Says: []string{"effect=stopping"}, Next: []int{ending, idle}},
			{Move: lastSheet, State: busy, Next: []int{idle}},
			{Move: lastSheet, State: ending, Next: []int{idle}},
		},
	}
}
