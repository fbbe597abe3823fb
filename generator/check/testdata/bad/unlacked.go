package bad

import "github.com/accordkit/accord/spec"

// Newer is since 2, and nothing says that an older peer lacks it.
//
// zh: 自 2 起，而未说明较早的对端缺少它。
var Newer = &spec.Method[Params, Result]{ // want unlacked
	Name: "newer", From: spec.Client, In: inRoom, Accepts: spec.Done, Runs: spec.Shared, Since: "2",
	Settles: atOnce, Repeats: readOnly, Examples: example,
}

// Newest is since 2, and older peers lack it.
//
// zh: 自 2 起，较早的对端缺少它。
var Newest = &spec.Method[Params, Result]{
	Name: "newest", From: spec.Client, In: inRoom, Accepts: spec.Done, Runs: spec.Shared, Since: "2",
	Settles: atOnce, Repeats: readOnly, Examples: example,
}

var newer = spec.Methods(Newer, Newest)
