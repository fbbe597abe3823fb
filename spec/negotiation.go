// SPDX-License-Identifier: Apache-2.0

package spec

// AnyNegotiation is a Negotiation of any method.
type AnyNegotiation interface{ untyped() negotiationOf }

// Negotiation says how two sides agree on a version, on what each can do, or on
// both, by a method with params P and result R that opens a connection. Without
// versions there is nothing to disagree on: Versions, Asked, Answered,
// Unsupported and Without are left out.
type Negotiation[P, R any] struct {
	Method      *Method[P, R]
	Versions    []int
	Asked       Member[P]
	Answered    Member[R]
	Offers      Member[P]
	Announces   Member[R]
	Unsupported AnyError    // no common version
	Before      AnyError    // any method that came too early
	Without     *Generation // what a peer is that names no version
}

// Generation is a kind of peer that never negotiated.
type Generation struct {
	Name    string
	Unknown string // its text for an unknown method; {method} stands for the name
	Code    int    // the one code of its errors
	Lacks   []AnyMethod
	Differs []*Differs
}

// Differs is one intended difference to what such a peer does.
type Differs struct{ ID string }

// Refusal is the text with which peers that never negotiated refuse a member
// that is missing, empty where it must not be, or of a wrong type. Refusals
// are checked in this order; First ones even before negotiation is.
type Refusal[P any] struct {
	Member Member[P]
	Text   string
	Wrong  string // the text for a wrong type; empty: Text
	Blank  string // the text for an empty string, where Empty; empty: Text
	First  bool
	Empty  bool // an empty string is refused too
}

// Precheck refuses a call with an error if all conditions hold. Prechecks come
// before everything else, negotiation and the members' types included, and look
// only at which members are there.
type Precheck[P any] struct {
	If    []CondOf[P]
	Error AnyError
}

// Legacy is what a method's answers are to peers that never negotiated, where
// that differs: members of the result that have a since are always left out.
type Legacy struct {
	Bare  bool // the result is an empty object
	Texts []LegacyText
}

// LegacyText is the text with which one method gives an error to such peers,
// where it is another than the error's own. {member} stands for a member of the
// error's data or of the params. An error may have several.
type LegacyText struct {
	Error AnyError
	Text  string
}
