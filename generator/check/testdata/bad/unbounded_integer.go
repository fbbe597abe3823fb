package bad

import "github.com/accordkit/accord/spec"

// Integers are of all sizes.
//
// zh: 各种大小的整数。
type Integers struct {
	// Any is any.
	//
	// zh: 任意。
	Any int64 `json:"any"` // want unbounded-integer
	// Small is small.
	//
	// zh: 小。
	Small int32 `json:"small"`
	// Wide is wide.
	//
	// zh: 宽。
	Wide spec.Wide `json:"wide"`
	// Bounded is bounded.
	//
	// zh: 有界。
	Bounded int64 `json:"bounded" min:"0"`
}
