package bad

import "github.com/accordkit/accord/spec"

// Typo compares with what is no value.
//
// zh: 与不存在的取值比较。
var Typo = &spec.Method[Params, Result]{
	Name: "typo", From: spec.Client, In: inRoom, Accepts: spec.Durable, Repeats: readOnly, Runs: spec.Shared, Examples: example,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *Result) any { return &r.Effect }, "stoping"), spec.AtResponse[Result]()), // want unknown-value
		spec.Otherwise(spec.AtResponse[Result]())),
}

var values = spec.Methods(Typo)
