// SPDX-License-Identifier: Apache-2.0

package problem

import "strings"

// Failure is an error that is problems of the specification, each at its place:
// what an emitter cannot render.
type Failure struct{ Problems List }

// Error is one problem a line.
func (f *Failure) Error() string { return strings.TrimRight(f.Problems.String(), "\n") }

// In gives the problems of the Failures in an error, sorted. They are all of it
// if nothing else is in it.
func In(err error) (found List, all bool) {
	all = err != nil
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) {
		case *Failure:
			found = append(found, e.Problems...)
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				walk(one)
			}
		case interface{ Unwrap() error }:
			if inner := e.Unwrap(); inner != nil {
				walk(inner)
				return
			}
			all = false
		default:
			all = false
		}
	}
	if err != nil {
		walk(err)
	}
	found.Sort()
	return found, all
}
