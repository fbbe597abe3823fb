// SPDX-License-Identifier: Apache-2.0

package spec

// Side is an end of a connection.
type Side int

// The two sides: a Client calls, a Server serves. Either may send.
const (
	Client Side = iota + 1
	Server
)

// Acceptance is what a response proves.
type Acceptance int

// What a response proves: that the work is over; that this process will do it;
// or that it is
// stored, as durably as the server's store makes it.
const (
	Done Acceptance = iota + 1
	Admitted
	Durable
)

// Retry is what a client may do after an error.
type Retry int

// Retry classes: never again unchanged; the same call with the same key; after
// a while; after reloading what it is about.
const (
	Never Retry = iota + 1
	SameKey
	After
	Reload
)

// Concurrency says what calls of a method may run concurrently with.
type Concurrency int

// Shared calls run concurrently with any call; Serial ones one after another in
// their scope. Quick calls wait for nothing, neither for a store, nor for the
// other side, nor for another call: a server answers each where it was read,
// before it reads on.
const (
	Shared Concurrency = iota + 1
	Serial
	Quick
)

// Fault is what a connection refuses, or a client meets, by itself. An error
// that stands for one is given in its place; without one it is a plain error of
// JSON-RPC, or the kit's own. Members of its data are filled in if they are
// plain and have these names on the wire: method and capability of a
// MethodFault, path of a ParamsFault, limit and value of a LimitFault,
// retryAfterMs of an OverloadFault, stderr, exitCode and signal of a
// ConnectionFault, afterSeq and the scope's id of a LagFault.
type Fault int

// What travels: a line that is no JSON; JSON that is no request; a method that
// is not served; params of a wrong shape or value; a message that is too long
// or too deep; more requests at once than are taken; a request that its caller
// abandoned; a failure whose details are not for the peer. And what a client
// finds: a connection that is lost; messages that were not taken in time.
const (
	ParseFault Fault = iota + 1
	RequestFault
	MethodFault
	ParamsFault
	LimitFault
	OverloadFault
	CancelFault
	InternalFault
	ConnectionFault
	LagFault
)

// UnknownMembers says what becomes of members that a reader does not know.
type UnknownMembers int

// Keep writes unknown members again; Drop ignores them.
const (
	Keep UnknownMembers = iota + 1
	Drop
)
