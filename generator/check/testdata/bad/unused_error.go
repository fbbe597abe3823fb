package bad

import "github.com/accordkit/accord/spec"

// Unused is in no method's list.
//
// zh: 没有方法使用。
var Unused = &spec.Error[spec.None]{Kind: "unused", Code: 1001, Retry: spec.Never} // want unused-error

// Used is a conflict.
//
// zh: 冲突。
var Used = &spec.Error[spec.None]{Kind: "used", Code: 1002, Retry: spec.Never}

// Local is found by the client.
//
// zh: 由客户端发现。
var Local = &spec.Error[spec.None]{Kind: "local", Code: 0, Retry: spec.Never, At: spec.Client}

// Parse is every call's.
//
// zh: 属于所有调用。
var Parse = &spec.Error[spec.None]{Kind: "parse", Code: -32700, Retry: spec.Never, Fault: spec.ParseFault}

var errors = spec.Errors(Unused, Used, Local, Parse)
