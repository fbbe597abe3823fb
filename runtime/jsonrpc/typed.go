// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import "github.com/accordkit/accord/runtime/codec"

// TypedError is an error of a protocol that reads the data of a response.
type TypedError interface {
	error
	DecodeData(d *codec.Decoder)
}

// Typed returns an error that a peer sent as the type of its kind or, if it names
// none, of the kind that kindOf has for its code; create makes the type, nil of a
// kind that it does not know. A member of the data of a wrong kind is left out, and
// the typed error then wraps a *codec.Error that says which. An error of which
// there is no type is returned unchanged.
func Typed(e *Error, kindOf func(code int) string, create func(kind, message string, err error) TypedError) error {
	d := codec.Decoder{Mend: true}
	d.Reset(e.Data)
	kind := string(d.Tag("kind"))
	if kind == "" {
		kind = kindOf(e.Code)
	}
	typed := create(kind, e.Message, nil)
	if typed == nil {
		return e
	}
	if len(e.Data) == 0 {
		return typed
	}
	typed.DecodeData(&d)
	for err := d.Err(); err != nil; err = d.Err() {
		typed = create(kind, e.Message, err)
		if !d.Mended() {
			break
		}
		typed.DecodeData(&d)
	}
	return typed
}
