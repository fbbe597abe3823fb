package bad

import "github.com/accordkit/accord/spec"

// Silent says nothing in Chinese.
var Silent = &spec.Error[Data]{Kind: "silent", Code: -32600, Retry: spec.Never, Fault: spec.RequestFault} // want missing-chinese

// zh: 没有英文。
var Foreign = &spec.Error[spec.None]{Kind: "foreign", Code: -32601, Retry: spec.Never, Fault: spec.MethodFault} // want missing-english

// Data are data.
//
// zh: 数据。
type Data struct {
	Bare string `json:"bare"` // want missing-english
	// Mode is one.
	//
	// zh: 模式。
	Mode Mode `json:"mode"`
}

// Mode has values without texts.
//
// zh: 模式。
type Mode string

// The group's text is nobody's.
const (
	Fast Mode = "fast" // want missing-english
	// Slow is slow.
	//
	// zh: 慢。
	Slow Mode = "slow"
)

var texts = spec.Errors(Silent, Foreign)
