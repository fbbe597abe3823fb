package bad

import "github.com/accordkit/accord/spec"

// Shy has no example.
//
// zh: 没有示例。
var Shy = &spec.Method[Params, Result]{ // want no-example
	Name: "shy", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared,
}

// Allowed has none either, and says why.
//
// zh: 也没有，但说明了原因。
var Allowed = &spec.Method[Params, Result]{
	Name: "allowed", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared,
}

// Told has no example.
//
// zh: 没有示例。
var Told = &spec.Notification[Params]{Name: "told", From: spec.Server, In: inRoom} // want no-example

var examples = spec.Methods(Shy, Allowed)
