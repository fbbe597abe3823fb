// Package clash has names that are one in Go.
package clash

import "github.com/accordkit/accord/spec"

// Params keep what they do not know in Extra.
//
// zh: 参数。
type Params struct {
	// Extra is taken.
	//
	// zh: 已被占用。
	Extra string `json:"extra"` // want go-name
}

// One is a method.
//
// zh: 方法。
var One = &spec.Method[Params, spec.None]{Name: "do/it", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[Params](), Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Examples: spec.List(spec.Ex("one", Params{}, spec.None{}))}

// Two is the same one.
//
// zh: 同名方法。
var Two = &spec.Method[Params, spec.None]{Name: "do.it", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[Params](), Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())), Examples: spec.List(spec.Ex("one", Params{}, spec.None{}))} // want go-name

// Clash is a protocol.
//
// zh: 协议。
var Clash = &spec.Protocol{Name: "clash", Unknown: spec.Keep, Methods: spec.Methods(One, Two)}
