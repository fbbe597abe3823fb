package bad

import "github.com/accordkit/accord/spec"

// Drifted has changed since it was confirmed.
//
// zh: 未更改。
var Drifted = &spec.Method[Params, Result]{ // want stale-pair
	Name: "drifted", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared, Examples: example,
}

var pairs = spec.Methods(Drifted, Value)
