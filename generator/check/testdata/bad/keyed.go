package bad

import "github.com/accordkit/accord/spec"

// NoAbsent does not say what a call without key means.
//
// zh: 没有说明缺少键的含义。
var NoAbsent = &spec.Method[Params, Result]{
	Name: "noabsent", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Runs: spec.Shared, Examples: example,
	Repeats: spec.Keyed[Params, Result]{ // want keyed-absent
		By: func(p *Params) any { return &p.Key }, Window: "a day", Conflict: Used,
		Fingerprint: spec.List[spec.Member[Params]](func(p *Params) any { return &p.Room }),
	},
}

// Required has a key that is always there.
//
// zh: 键必须存在。
var Required = &spec.Method[Params, Result]{
	Name: "required", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Runs: spec.Shared, Examples: example,
	Repeats: spec.Keyed[Params, Result]{
		By: func(p *Params) any { return &p.Room }, Window: "a day", Conflict: Used,
		Fingerprint: spec.List[spec.Member[Params]](func(p *Params) any { return &p.Room }),
	},
}

// Half says half of it.
//
// zh: 只说了一半。
var Half = &spec.Method[Params, Result]{
	Name: "half", From: spec.Client, In: inRoom, Accepts: spec.Durable, Settles: atOnce, Runs: spec.Shared, Examples: example,
	Repeats: spec.Keyed[Params, Result]{By: func(p *Params) any { return &p.Key }, Absent: "each call is new"}, // want keyed-hole
}

var keyed = spec.Methods(NoAbsent, Required, Half)
