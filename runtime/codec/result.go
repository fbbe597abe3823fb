// SPDX-License-Identifier: Apache-2.0

package codec

// A result need not be an object: it may be null, a list, a choice. These are for
// generated code that answers with such values, and reads them.

// By is a value with the function that writes it.
func By[T any](write func([]byte, T) []byte, v T) Appender { return written[T]{write, v} }

type written[T any] struct {
	write func([]byte, T) []byte
	v     T
}

func (w written[T]) AppendJSON(b []byte) []byte { return w.write(b, w.v) }

// NullIf is null, or else a.
func NullIf(null bool, a Appender) Appender {
	if null {
		return Raw("null")
	}
	return a
}

// Into is where a function puts what it reads.
func Into[T any](read func(*Decoder) T) *Reading[T] { return &Reading[T]{read: read} }

// Reading is a value with the function that reads it.
type Reading[T any] struct {
	V    T
	read func(*Decoder) T
}

// DecodeJSON implements Reader.
func (r *Reading[T]) DecodeJSON(d *Decoder) { r.V = r.read(d) }

// OrNull reads null as nothing: a nil list, map or choice.
func OrNull[T any](read func(*Decoder) T) func(*Decoder) T {
	return func(d *Decoder) (v T) {
		if !d.Null() {
			v = read(d)
		}
		return v
	}
}

// Pointer reads null as nil.
func Pointer[T any](read func(*Decoder) T) func(*Decoder) *T {
	return func(d *Decoder) *T {
		if d.Null() {
			return nil
		}
		v := read(d)
		return &v
	}
}

// AppendPointer writes nil as null.
func AppendPointer[T any](write func([]byte, T) []byte) func([]byte, *T) []byte {
	return func(b []byte, v *T) []byte {
		if v == nil {
			return append(b, "null"...)
		}
		return write(b, *v)
	}
}
