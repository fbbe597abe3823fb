// SPDX-License-Identifier: Apache-2.0

package spec

// Union marks a struct as a tagged choice. Each variant is one pointer field
// with a `variant:"tag value"` tag; of these exactly one is set. Fields with a
// `json` tag are members that all variants share.
//
//	type ContentBlock struct {
//		_     spec.Union `tag:"type"`
//		Text  *TextBlock  `variant:"text"`
//		Image *ImageBlock `variant:"image"`
//	}
//
// With `content:"data"` the variant's members are in a member of that name;
// without it they are next to the tag. Every union also has an unknown variant,
// which keeps what it read. Each variant has a struct type of its own. A
// variant's tag may have more: `off:"wire"` (stored, never sent),
// `only:"dsh-0.1"` (written by that generation alone), `since:"2"`.
//
// A union without a tag is one `by:"shape"`: its variants are distinguished by
// their JSON kind, and objects by members that are always present. They are
// lists, maps, and pointers to anything else; their tag names them in
// documents.
//
//	type Answer struct {
//		_    spec.Union `by:"shape"`
//		Text *string    `variant:"text"`
//		List []Item     `variant:"list"`
//		Page *Page      `variant:"page"`
//	}
type Union struct{}

// Raw is any JSON value, kept exactly as it was written.
type Raw []byte

// Nullable is a member that may be absent, null or a value, and all three are
// distinguished. Without omitzero it is always there, as a value or as null. A
// result may be one too: null, or a value.
type Nullable[T any] struct {
	Set  bool // present, null included
	Null bool
	V    T
}

// Some is a value of a Nullable; its zero is absent, or null where it is a result
// or a member that is always there.
func Some[T any](v T) Nullable[T] { return Nullable[T]{Set: true, V: v} }

// Null is the null of a Nullable.
func Null[T any]() Nullable[T] { return Nullable[T]{Set: true, Null: true} }

// Wide is a 64-bit integer that travels as a string, since JavaScript numbers
// are exact only up to 2^53-1. Every other integer is bound to that range.
type Wide int64

// Member tags, in addition to `json`:
//
// 	min:"1" max:"64"        bounds of an integer
// 	length:"1..255"         bounds of a string in Unicode code points, of a list in items, of bytes in bytes; "1.." and "..255" leave one open
// 	pattern:"^[a-z]+$"      a string's form (RE2)
// 	default:"followup"      what absence means
// 	since:"2"               the version that added it
// 	sensitive:"true"        never in logs, diagnostics or traces
// 	intern:"true"           values repeat from message to message: readers may share them
//
// Any other is an error, since a word misspelt would be a bound lost.
//
// `json:"name"` is required; a pointer with omitempty or omitzero is optional;
// a list with omitzero is optional, and an empty one is still written; a plain
// value with omitzero is not written when zero.
//
// Enums are defined string or integer types with constants; others than these are
// kept, unless the type has the method Closed.
