package bad

import "github.com/accordkit/accord/spec"

// Hole leaves all unsaid.
//
// zh: 一切未说。
var Hole = &spec.Method[Params, Result]{Name: "hole", From: spec.Client, In: inRoom, Settles: atOnce, Examples: example} // want hole

var holes = spec.Methods(Hole)
