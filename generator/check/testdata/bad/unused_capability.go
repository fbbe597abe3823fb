package bad

import "github.com/accordkit/accord/spec"

// Idle is needed by nothing.
//
// zh: 没有用处。
var Idle = &spec.Capability{Name: "idle", Of: spec.Server} // want unused-capability
