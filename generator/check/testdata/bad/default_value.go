package bad

// Defaults have wrong defaults.
//
// zh: 错误的默认值。
type Defaults struct {
	// Effect is no effect.
	//
	// zh: 不是效果。
	Effect Effect `json:"effect,omitzero" default:"sleeping"` // want default-value
	// Other hangs on nothing.
	//
	// zh: 取决于不存在的成员。
	Other Effect `json:"other,omitzero" default:"stale; nothing: stopping"` // want default-value
	// Count is too much.
	//
	// zh: 过多。
	Count int64 `json:"count,omitzero" max:"5" default:"6"` // want default-value
	// Good is good.
	//
	// zh: 正确。
	Good Effect `json:"good,omitzero" default:"stale; !count: stopping"`
}
