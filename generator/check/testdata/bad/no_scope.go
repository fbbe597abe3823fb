package bad

import "github.com/accordkit/accord/spec"

// Lost names a room and is in none.
//
// zh: 指明了房间，但不属于任何房间。
var Lost = &spec.Method[Params, Result]{ // want no-scope
	Name: "lost", From: spec.Client, Accepts: spec.Done, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared,
	Fails: spec.Errors(Used), Examples: example,
}

var scopeless = spec.Methods(Lost)
