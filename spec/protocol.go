// SPDX-License-Identifier: Apache-2.0

package spec

// Protocol is a whole protocol. Its lists are in the order of the documents;
// a declaration that no list has is an error at its place.
type Protocol struct {
	Name          string         // wire name, lower case: names files and packages
	Server        string         // what clients call the side that serves, a noun: "runtime"; empty: "server"
	Negotiation   AnyNegotiation // how sides agree; nil: they do not
	Unknown       UnknownMembers
	Types         []AnyType // payload types that no message reaches
	Scopes        []AnyScope
	Capabilities  []*Capability
	Errors        []AnyError
	Notifications []AnyNotification
	Links         []AnyLink
	Activities    []AnyActivity
	Methods       []AnyMethod
	Machines      []AnyMachine
	Generations   []*Generation
	Limits        []*Limit
	Rules         []*Rule
	Allows        []*Allow
}

// AnyType is a payload type by itself.
type AnyType interface{ payload() any }

type typeOf[T any] struct{}

func (typeOf[T]) payload() any { return (*T)(nil) }

// Type lists a payload type that no message reaches, a stored header say.
func Type[T any]() AnyType { return typeOf[T]{} }

// Capability is announced by one side before the other may use it. Name is its
// dotted path below the capabilities member: "session.cancel".
type Capability struct {
	Name string
	Of   Side
}

// Scope is what frames and methods belong to; K is the type of its id.
type Scope[K ~string] struct {
	Name    string
	Chinese string // the name in Chinese texts; empty: Name
	Handle  string // Go name of the generated handle; empty: from Name
	Parent  AnyScope
	Queue   *Queue
}

// Queue bounds what may wait in a scope, and names the error when it is full.
type Queue struct {
	Limit int
	Full  AnyError
}

// Error is one domain error; D holds the members of its data other than kind,
// retry and the scope's id. Kind is its identity, Code its number.
type Error[D any] struct {
	Kind   string
	Code   int
	Retry  Retry
	Fault  Fault    // what it stands for, if the connection refuses or meets it by itself
	At     Side     // Client: found by the client, never on the wire
	Says   string   // the message, where a server gives no other: what to do; {member} stands for one
	Legacy []string // texts of peers that never negotiated; {member} stands for one
}

// None is the payload of messages that have none.
type None struct{}

// Deprecation is the end of a name.
type Deprecation struct{ Since, Instead string }

// Limit is a bound with a name.
type Limit struct {
	Name  string
	Value int64
	Unit  string // "bytes", "levels", "count" or "ms"
	Error AnyError
}

// Rule is a MUST that no word can say: its text stands in its doc comment, and
// a test carries its id.
type Rule struct{ ID string }

// Allow silences one lint rule for one declaration, with a reason. At nil is
// the whole protocol, payload types included.
type Allow struct {
	Rule   string
	At     Any
	Reason string
}
