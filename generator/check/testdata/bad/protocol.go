// Package bad breaks every rule, a file a rule. A line that a rule complains
// of ends in a comment that names the rule.
package bad

import (
	"slices"

	"github.com/accordkit/accord/spec"
)

// Key is an id.
//
// zh: 标识。
type Key string

// Room is a scope.
//
// zh: 作用域。
var Room = &spec.Scope[Key]{Name: "room"}

// Params are plain.
//
// zh: 参数。
type Params struct {
	// Room is the room.
	//
	// zh: 房间。
	Room Key `json:"room"`
	// Key may repeat.
	//
	// zh: 键。
	Key *string `json:"key,omitempty"`
}

// Result is plain.
//
// zh: 结果。
type Result struct {
	// Effect is what happened.
	//
	// zh: 效果。
	Effect Effect `json:"effect"`
	// Closed tells.
	//
	// zh: 是否关闭。
	Closed bool `json:"closed"`
	// ID is a key.
	//
	// zh: 键。
	ID Key `json:"id"`
}

// Effect is closed.
//
// zh: 效果。
type Effect string

// Closed makes it so.
func (Effect) Closed() {}

const (
	// Stopping stops.
	//
	// zh: 停止。
	Stopping Effect = "stopping"
	// Stale is over.
	//
	// zh: 过时。
	Stale Effect = "stale"
)

var (
	inRoom   = spec.In(Room, func(p *Params) *Key { return &p.Room })
	example  = spec.List(spec.Ex("one", Params{Room: "r"}, Result{Effect: Stale}))
	atOnce   = spec.Cases(spec.Otherwise(spec.AtResponse[Result]()))
	readOnly = spec.ReadOnly[Params]()
)

// Bad is a protocol.
//
// zh: 协议。
var Bad = &spec.Protocol{
	Name: "bad", Unknown: spec.Keep,
	Scopes:     spec.Scopes(Room),
	Methods:    slices.Concat(holes, unsettled, refusals, keyed, values, examples, pairs, versions, newer, scopeless),
	Errors:     slices.Concat(errors, texts, legacy),
	Activities: spec.Activities(Work, Keyless, Vague, Exact),
	Notifications: spec.Notifications(
		Told, Over, Stray,
	),
	Types:        spec.List(spec.Type[Defaults](), spec.Type[Integers](), spec.Type[Versioned]()),
	Capabilities: spec.List(Idle),
	Generations:  spec.List(Old),
	Negotiation:  Versions,
	Allows: spec.List(
		&spec.Allow{Rule: "no-example", At: Allowed, Reason: "tried here"},
		&spec.Allow{Rule: "no-such", At: Allowed, Reason: "tried here"}, // want unused-allow
		&spec.Allow{Rule: "hole", At: Allowed, Reason: "tried here"},    // want unused-allow
	),
}
