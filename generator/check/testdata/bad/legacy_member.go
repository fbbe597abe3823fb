package bad

import "github.com/accordkit/accord/spec"

// Legacy has a text with a gap.
//
// zh: 文本有空缺。
var Legacy = &spec.Error[Data]{ // want legacy-member
	Kind: "legacy", Code: -32600, Retry: spec.Never, Fault: spec.LimitFault, Legacy: []string{"no {mode} in {room}", "no {such} thing"},
}

var legacy = spec.Errors(Legacy)
