// SPDX-License-Identifier: Apache-2.0

package spec

import "runtime"

// Machine is a finite picture of a protocol: a state that is a struct of small
// enums (fields of defined string types), and moves that are pure functions.
// It is tabulated when the protocol is loaded, from Start on; the table makes
// test rows, diagrams and proofs.
//
// Tracks, Marked and Rests say what the state's values mean to callers. With
// them it is proven that what methods promise in Settles comes true.
type Machine[S comparable] struct {
	Name   string
	Start  S
	Values []Values // the values of each enum type in S and in arguments
	Tracks []Track  // which values mean that an activity is under way
	Marked *Marked  // the dimension that follows one message; nil: none does
	Rests  []Values // values in which accepted work may lie still until a call comes
	Moves  []Move[S]
}

// Values lists values of one enum type.
type Values struct{ list []any }

// Of lists the values of an enum type, first the one that is drawn first.
func Of[E ~string](values ...E) Values {
	var v Values
	for _, e := range values {
		v.list = append(v.list, e)
	}
	return v
}

// Track says where a machine shows an activity; see While.
type Track struct {
	activity AnyActivity
	values   Values
}

// While says that an activity is under way while the state has one of the
// values, given in the order in which one run of it goes through them. A step
// to any other value is heard as its end, and so is a step back: another run
// has begun.
func While[E ~string](a AnyActivity, values ...E) Track { return Track{a, Of(values...)} }

// Marked says that an enum of the state follows one message through all the
// others, which the other enums stand for. The message is accepted, and not
// yet settled, in the values that are neither Unsent nor in Over.
type Marked struct {
	By     AnyMethod // sends it
	Unsent Values
	Over   []Over
}

// Over says how a marked message was settled; see Heard and Called.
type Over struct {
	values Values
	frame  Frame
	call   AnyMethod
}

// Heard says that a frame reported one of the values to the sender of the
// message: the frame of an activity's Ends, or another.
func Heard[E ~string](f Frame, values ...E) Over { return Over{values: Of(values...), frame: f} }

// Called says that a later call of the other side settled a message that has
// one of the values; see ByCall.
func Called[E ~string](m AnyMethod, values ...E) Over { return Over{values: Of(values...), call: m} }

// Move is one part of a machine: see Call and Event.
type Move[S comparable] interface{ move() move[S] }

type move[S comparable] struct {
	method AnyMethod
	event  string
	args   any // a zero argument struct
	step   func(S, any) Cell[S]
	within int64
}

func (m move[S]) move() move[S] { return m }

// Call is what a method does in each state, for each combination of arguments:
// A is a struct of enums, or None.
func Call[S comparable, A comparable](m AnyMethod, step func(S, A) Cell[S]) Move[S] {
	var zero A
	return move[S]{method: m, args: zero, step: func(s S, a any) Cell[S] { return step(s, a.(A)) }}
}

// Event is something that happens by itself. WithinMS bounds how long it may
// take to happen; 0 means as long as the peer likes. A comment above it in the
// machine's list names it in both languages.
func Event[S comparable](name string, withinMS int64, step func(S) Cell[S]) Move[S] {
	return move[S]{event: name, args: None{}, within: withinMS, step: func(s S, _ any) Cell[S] { return step(s) }}
}

// Cell is what a move does in one state.
type Cell[S comparable] struct {
	waits, never bool
	says         []string
	fails        AnyError
	next         []S
	cuts         bool
	told         Frame
	written      stack // where the author wrote it
}

// Says is a move that responds with a value of the result and enters one of the
// states. Members and values are wire names: "effect=stopping"; "=*" says that
// a member is present and not empty, "=-" that it is absent, "=[]" that it is
// an empty list. The states are those in which the answer finds it.
func Says[S comparable](answer string, next ...S) Cell[S] {
	return Cell[S]{says: []string{answer}, next: next, written: author()}
}

// And adds another statement about the answer.
func (c Cell[S]) And(answer string) Cell[S] {
	c.says = append(c.says[:len(c.says):len(c.says)], answer)
	return c
}

// Cuts says that the move ends what is under way from without. Callers hear
// the frame and not the ends of what it ends; nil means that they lose their
// connection. No proof counts on such a move.
func (c Cell[S]) Cuts(told Frame) Cell[S] {
	c.cuts, c.told = true, told
	return c
}

// Goes is an event that leads to one of the states, or a call of whose answer
// nothing is said.
func Goes[S comparable](next ...S) Cell[S] { return Cell[S]{next: next, written: author()} }

// Fails is a move that is answered with an error and changes nothing.
func Fails[S comparable](err AnyError, stays S) Cell[S] {
	return Cell[S]{fails: err, next: []S{stays}, written: author()}
}

// Waits is a call that is held until another move changes the state.
func Waits[S comparable]() Cell[S] { return Cell[S]{waits: true, written: author()} }

// Impossible is a combination that cannot arise.
func Impossible[S comparable]() Cell[S] { return Cell[S]{never: true, written: author()} }

// stack is who called a word of this package, innermost first.
type stack [12]uintptr

// author is the stack of the word that calls author.
func author() stack {
	var s stack
	runtime.Callers(3, s[:])
	return s
}
