// SPDX-License-Identifier: Apache-2.0

package client

import "github.com/accordkit/accord/runtime/contract"

// The names of failures.
const (
	Unsupported    = "unsupported"
	ConnectionLost = "connection-lost"
	Lagging        = "lagging"
	InvalidResult  = "invalid-result" // of no protocol: always a Failure
	Interrupted    = "interrupted"    // of no protocol: always a Withheld
)

// Failure is what a client finds by itself, for protocols that declare no error
// of their own for it.
type Failure struct {
	Name    string // one of the above
	Message string
	Err     error // what it came from
	After   int64 // lagging: the number of the last message before the gap
}

// Error gives the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap gives what it came from.
func (f *Failure) Unwrap() error { return f.Err }

// Kind is the failure's name.
func (f *Failure) Kind() string { return f.Name }

// Code is 0: a client's own failures never travel.
func (*Failure) Code() int { return 0 }

// Retry says what the host may do.
func (f *Failure) Retry() contract.Retry {
	switch f.Name {
	case ConnectionLost, Lagging:
		return contract.Reload
	}
	return contract.Never
}
