// SPDX-License-Identifier: Apache-2.0

// Package editor declares an editor and its helper: a connection that is opened
// by what each can do, and no version; work that is in no scope, under tokens
// that its caller chooses; notifications that are told apart by their names
// alone, and one that says nothing.
package editorspec

import "github.com/accordkit/accord/spec"

type Token string

type Opening struct {
	Root     string   `json:"root"`
	Features Features `json:"features"`
}

type Features struct {
	Ask    bool     `json:"ask,omitzero"`
	Window *Window  `json:"window,omitempty"`
	Kinds  []string `json:"kinds,omitzero"`
}

type Window struct {
	Progress bool `json:"progress,omitzero"`
}

type Opened struct {
	Serves *Serves `json:"serves,omitempty"`
}

type Serves struct {
	Complete *bool `json:"complete,omitempty"`
}

type Place struct {
	URI  string `json:"uri"`
	Line uint32 `json:"line"`
}

type Words struct {
	Words []string `json:"words"`
}

type Text struct {
	Text string `json:"text"`
}

type Yes struct {
	Yes bool `json:"yes"`
}

type Task struct {
	Token Token  `json:"token"`
	Do    string `json:"do"`
}

type TaskNote struct {
	Token Token  `json:"token"`
	Text  string `json:"text,omitzero"`
	OK    bool   `json:"ok,omitzero"`
}

var (
	ErrEarly = &spec.Error[spec.None]{Kind: "early", Code: -32002, Retry: spec.After}
	ErrLost  = &spec.Error[spec.None]{Kind: "lost", Code: 0, Retry: spec.Never, Fault: spec.ConnectionFault, At: spec.Client}

	Completes     = &spec.Capability{Name: "complete", Of: spec.Server}
	Asks          = &spec.Capability{Name: "ask", Of: spec.Client}
	ShowsProgress = &spec.Capability{Name: "window.progress", Of: spec.Client}

	Changed  = &spec.Notification[Place]{Name: "changed", From: spec.Client}
	Exit     = &spec.Notification[spec.None]{Name: "exit", From: spec.Client}
	Tick     = &spec.Notification[spec.None]{Name: "tick", From: spec.Server}
	Warned   = &spec.Notification[Text]{Name: "warned", From: spec.Server}
	Logged   = &spec.Notification[Text]{Name: "logged", From: spec.Server}
	TaskSays = &spec.Notification[TaskNote]{Name: "task.says", From: spec.Server, Needs: ShowsProgress}
	TaskOver = &spec.Notification[TaskNote]{Name: "task.over", From: spec.Server}
	TaskGone = &spec.Notification[TaskNote]{Name: "task.gone", From: spec.Server}

	Work = &spec.Activity[Token]{
		Name: "work", Ends: spec.On(TaskOver, spec.Key(token)),
		Outcomes: []*spec.Outcome{
			{Name: "done", When: spec.True(func(p *TaskNote) any { return &p.OK }), OK: true},
			{Name: "failed", Other: true},
			{Name: "gone"},
			{Name: "lost", Lost: true},
		},
		Carries: spec.List(spec.Bears(TaskSays, token)),
	}

	Open = &spec.Method[Opening, Opened]{
		Name: "open", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.Unsafe[Opening](), Before: true,
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Opened]())),
	}
	Complete = &spec.Method[Place, Words]{
		Name: "complete", From: spec.Client, Needs: Completes, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[Place](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Words]())),
	}
	Do = &spec.Method[Task, spec.None]{
		Name: "do", From: spec.Client, Accepts: spec.Admitted, Runs: spec.Shared, Repeats: spec.Unsafe[Task](),
		Settles: spec.Cases(spec.Otherwise(
			spec.EndChosen[spec.None](Work, func(p *Task) *Token { return &p.Token }),
			spec.ByFrame[spec.None](spec.On(TaskGone, spec.Key(token), spec.Where(spec.Absent(func(p *TaskNote) any { return &p.Text }))), "gone"),
		)),
	}
	Bye = &spec.Method[spec.None, Yes]{
		Name: "bye", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.Idempotent[spec.None](), Shutdown: true,
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Yes]())),
	}
	Ask = &spec.Method[Text, Yes]{
		Name: "ask", From: spec.Server, Needs: Asks, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.Unsafe[Text](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Yes]())), AbsentAs: &Yes{},
	}

	Negotiation = &spec.Negotiation[Opening, Opened]{
		Method: Open, Before: ErrEarly,
		Offers:    func(p *Opening) any { return &p.Features },
		Announces: func(r *Opened) any { return &r.Serves },
	}

	Editor = &spec.Protocol{
		Name: "editor", Server: "helper", Unknown: spec.Drop, Negotiation: Negotiation,
		Errors:        spec.Errors(ErrEarly, ErrLost),
		Capabilities:  spec.List(Completes, Asks, ShowsProgress),
		Notifications: spec.Notifications(Changed, Exit, Tick, Warned, Logged, TaskSays, TaskOver, TaskGone),
		Activities:    spec.Activities(Work),
		Methods:       spec.Methods(Open, Complete, Do, Bye, Ask),
	}
)

func token(p *TaskNote) *Token { return &p.Token }

// Variables are the package's declarations, by name.
func Variables() map[string]any {
	return map[string]any{
		"ErrEarly": ErrEarly, "ErrLost": ErrLost, "Completes": Completes, "Asks": Asks, "ShowsProgress": ShowsProgress,
		"Changed": Changed, "Exit": Exit, "Tick": Tick, "Warned": Warned, "Logged": Logged,
		"TaskSays": TaskSays, "TaskOver": TaskOver, "TaskGone": TaskGone, "Work": Work,
		"Open": Open, "Complete": Complete, "Do": Do, "Bye": Bye, "Ask": Ask, "Negotiation": Negotiation, "Editor": Editor,
	}
}
