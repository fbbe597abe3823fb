package bad

import "github.com/accordkit/accord/spec"

// Never is settled by nothing.
//
// zh: 无从了结。
var Never = &spec.Method[Params, Result]{ // want unsettled
	Name: "never", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
}

// Partly has results without a case.
//
// zh: 有些结果没有情形。
var Partly = &spec.Method[Params, Result]{
	Name: "partly", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(spec.When(spec.Is(func(r *Result) any { return &r.Effect }, Stopping), spec.AtResponse[Result]())), // want unsettled
}

// Wholly names all values of a closed enum.
//
// zh: 指明了全部取值。
var Wholly = &spec.Method[Params, Result]{
	Name: "wholly", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *Result) any { return &r.Effect }, Stopping), spec.AtResponse[Result]()),
		spec.When(spec.Is(func(r *Result) any { return &r.Effect }, Stale), spec.AtResponse[Result]())),
}

// Early is over with its answer, and waits all the same.
//
// zh: 应答时已结束，却仍在等待。
var Early = &spec.Method[Params, Result]{
	Name: "early", From: spec.Client, In: inRoom, Accepts: spec.Done, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(spec.Otherwise(spec.EndOf(Work, func(r *Result) *Key { return &r.ID }))), // want unsettled
}

// Endless waits for an activity that does not say how it ends, which is told there.
//
// zh: 等待一个没有说明如何结束的活动，问题在那里指出。
var Endless = &spec.Method[Params, Result]{
	Name: "endless", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(spec.Otherwise(spec.EndOf(Work, func(r *Result) *Key { return &r.ID }))),
}

// Later waits for a call that its own side makes.
//
// zh: 等待己方的调用。
var Later = &spec.Method[Params, Result]{
	Name: "later", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(spec.Otherwise(spec.ByCall[Result](Endless, room, room))), // want unsettled
}

func room(p *Params) *Key { return &p.Room }

var unsettled = spec.Methods(Never, Partly, Wholly, Early, Endless, Later)
