// SPDX-License-Identifier: Apache-2.0

package spec

// Repeats says what a repeated call does: see ReadOnly, Idempotent, Unsafe and
// Keyed.
type Repeats[P any] = repeatsFor[*P]

type repeatsFor[P any] interface{ repeats(P) }

// unkeyed is how calls are repeated that have no key.
type unkeyed[P any] string

func (unkeyed[P]) repeats(P) {}

// ReadOnly calls change nothing.
func ReadOnly[P any]() Repeats[P] { return unkeyed[*P]("read only") }

// Idempotent calls may be repeated: the second changes nothing more.
func Idempotent[P any]() Repeats[P] { return unkeyed[*P]("idempotent") }

// Unsafe calls must not be repeated.
func Unsafe[P any]() Repeats[P] { return unkeyed[*P]("unsafe") }

// Keyed calls may be repeated with the same key: the first result comes again.
type Keyed[P, R any] = keyedFor[*P, *R]

type keyedFor[P, R any] struct {
	By          func(P) any // a Member of the params
	Scope       AnyScope
	Window      string        // how long a key is known, in words: "life of the log"
	Fingerprint []func(P) any // Members of the params
	Conflict    AnyError      // the same key with another fingerprint
	Absent      string        // what a call without key means: "each call is new"
	Marker      func(R) any   // the Member of the result that marks a repetition
}

func (keyedFor[P, R]) repeats(P) {}
