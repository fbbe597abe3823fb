package bad

import "github.com/accordkit/accord/spec"

// Work never ends.
//
// zh: 没有结束。
var Work = &spec.Activity[Key]{Name: "work", In: Room} // want activity-hole

// Keyless ends, and nobody knows which one.
//
// zh: 会结束，但不知是哪一个。
var Keyless = &spec.Activity[Key]{ // want activity-hole
	Name: "keyless", In: Room, Ends: spec.On(Over),
	Outcomes: []*spec.Outcome{KeylessOver},
}

// KeylessOver is any end.
//
// zh: 任何结束。
var KeylessOver = &spec.Outcome{Name: "over", Other: true}

// Vague may end in a way that it does not name.
//
// zh: 可能以未指明的方式结束。
var Vague = &spec.Activity[Key]{ // want outcome-hole
	Name: "vague", In: Room, Ends: spec.On(Over, spec.Key(func(p *OverParams) *Key { return &p.ID })),
	Outcomes: []*spec.Outcome{VagueRight, VagueLost},
	Carries:  spec.List(spec.Bears(Stray, func(p *Params) *Key { return &p.Room })),
}

// VagueRight is an end that went well.
//
// zh: 顺利结束。
var VagueRight = &spec.Outcome{Name: "right", When: spec.True(func(p *OverParams) any { return &p.Right }), OK: true}

// VagueLost is none.
//
// zh: 未收到结束。
var VagueLost = &spec.Outcome{Name: "lost", Lost: true}

// Exact names both.
//
// zh: 两种都已指明。
var Exact = &spec.Activity[Key]{
	Name: "exact", In: Room, Ends: spec.On(Over, spec.Key(func(p *OverParams) *Key { return &p.ID })),
	Outcomes: []*spec.Outcome{ExactRight, ExactWrong},
}

// ExactRight is an end that went well.
//
// zh: 顺利结束。
var ExactRight = &spec.Outcome{Name: "right", When: spec.True(func(p *OverParams) any { return &p.Right }), OK: true}

// ExactWrong is one that did not.
//
// zh: 未顺利结束。
var ExactWrong = &spec.Outcome{Name: "wrong", When: spec.Is(func(p *OverParams) any { return &p.Right }, "false")}

// Over is an end.
//
// zh: 结束。
var Over = &spec.Notification[OverParams]{
	Name: "over", From: spec.Server, In: spec.In(Room, func(p *OverParams) *Key { return &p.Room }),
	Examples: spec.List(spec.Shown("one", OverParams{Room: "r", ID: "w"})),
}

// OverParams say what is over.
//
// zh: 说明什么已结束。
type OverParams struct {
	// Room is the room.
	//
	// zh: 房间。
	Room Key `json:"room"`
	// ID is the work.
	//
	// zh: 工作。
	ID Key `json:"id"`
	// Right tells whether it went well.
	//
	// zh: 是否顺利。
	Right bool `json:"right"`
}

// Stray is of Vague, and of no scope.
//
// zh: 属于 Vague，却不在任何作用域中。
var Stray = &spec.Notification[Params]{ // want activity-hole no-scope
	Name: "stray", From: spec.Server, Examples: spec.List(spec.Shown("one", Params{Room: "w"})),
}
