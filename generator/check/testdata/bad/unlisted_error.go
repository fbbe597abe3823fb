package bad

import "github.com/accordkit/accord/spec"

// Refuses shows a refusal that it does not list.
//
// zh: 示例中的拒绝不在其列表中。
var Refuses = &spec.Method[Params, Result]{
	Name: "refuses", From: spec.Client, In: inRoom, Accepts: spec.Done, Settles: atOnce, Repeats: readOnly, Runs: spec.Shared,
	Fails: spec.Errors(Used),
	Examples: spec.List(
		spec.Refused("listed", Params{Room: "r"}, Used),
		spec.Refused("everybody's", Params{Room: "r"}, Parse),
		spec.Refused("of the connection", Params{Room: "r"}, Legacy),
		spec.Refused("not listed", Params{Room: "r"}, Unused), // want unlisted-error
	),
}

var refusals = spec.Methods(Refuses)
