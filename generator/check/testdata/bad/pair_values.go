package bad

import "github.com/accordkit/accord/spec"

// Value is at most 255, and `room` says where.
//
// zh: 最多 256，由 room 说明位置。
var Value = &spec.Method[Params, Result]{ // want pair-values
	Name: "value", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared, Examples: example,
}
