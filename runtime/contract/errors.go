// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"errors"
	"strconv"
)

// Retry is what a client may do after an error. It travels as the member retry
// of an error's data, so a value that this version does not know is kept; treat
// it as Never.
type Retry string

// The classes of retry.
const (
	Never   Retry = "never"    // not unchanged: the same call fails again
	SameKey Retry = "same-key" // the same call with the same idempotency key
	After   Retry = "after"    // the same call after a while
	Reload  Retry = "reload"   // after loading anew what the call is about
)

// Known reports whether this version knows the class.
func (r Retry) Known() bool {
	return r == Never || r == SameKey || r == After || r == Reload
}

// DomainError is what every generated error type implements.
type DomainError interface {
	error

	// Kind is the error's identity, the member kind of its data.
	Kind() string

	// Code is the number next to it in a response.
	Code() int

	// Retry says what the client may do.
	Retry() Retry
}

// Listed are numbers as a message has them: "1, 2".
func Listed[N ~int64](list []N) string {
	var b []byte
	for i, n := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// KindOf is the kind of the first domain error in err's tree; empty if there
// is none.
func KindOf(err error) string {
	var d DomainError
	if errors.As(err, &d) {
		return d.Kind()
	}
	return ""
}

// RetryOf is what a client may do after err: Never if no domain error says
// otherwise.
func RetryOf(err error) Retry {
	var d DomainError
	if errors.As(err, &d) && d.Retry().Known() {
		return d.Retry()
	}
	return Never
}
