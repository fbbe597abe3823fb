package bad

import "github.com/accordkit/accord/spec"

// Versioned has members of versions that do not exist.
//
// zh: 不存在的版本。
type Versioned struct {
	_ spec.Union `tag:"kind" content:"data"`
	// Later is since 7.
	//
	// zh: 自 7 起。
	Later string `json:"later" since:"7"` // want unknown-version
	// Fine is since 2.
	//
	// zh: 自 2 起。
	Fine string `json:"fine" since:"2"`
	// Lone is one generation's.
	//
	// zh: 仅某世代。
	Lone *Lone `variant:"lone" only:"older"` // want unknown-version
}

// Lone is empty.
//
// zh: 空。
type Lone struct{}

// Old never negotiated.
//
// zh: 从不协商。
var Old = &spec.Generation{Name: "old", Code: -32603, Unknown: "unknown method {method}", Lacks: spec.Methods(Newest)}

// Hello negotiates.
//
// zh: 协商。
var Hello = &spec.Method[Versions1, Versions1]{
	Name: "hello", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Since: "old",
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Versions1]())), Repeats: spec.Idempotent[Versions1](),
	Examples: spec.List(spec.Ex("one", Versions1{2}, Versions1{2})),
}

// Versions1 holds a version.
//
// zh: 版本。
type Versions1 struct {
	// Version is one.
	//
	// zh: 版本。
	Version int64 `json:"version" min:"1"`
}

// Versions is how.
//
// zh: 方式。
var Versions = &spec.Negotiation[Versions1, Versions1]{
	Method: Hello, Versions: []int{2}, Without: Old,
	Asked: func(p *Versions1) any { return &p.Version }, Answered: func(p *Versions1) any { return &p.Version },
}

var versions = spec.Methods(Hello)
