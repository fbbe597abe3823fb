// SPDX-License-Identifier: Apache-2.0

package codec

import "bytes"

// Raw is a JSON value as it was written. None is nil, which is written as null
// where a value must stand. What a program puts in must be proper JSON: it is
// written unchecked; see ParseRaw.
type Raw []byte

// ParseRaw makes a Raw of text that may not be JSON: a copy, or an *Error.
func ParseRaw(text []byte) (Raw, error) {
	if err := Validate(text, 0); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSpace(text)), nil
}

// AppendJSON writes the value.
func (r Raw) AppendJSON(b []byte) []byte { return AppendRaw(b, r) }

// MarshalJSON is for encoding/json, which may compact it.
func (r Raw) MarshalJSON() ([]byte, error) { return AppendRaw(nil, r), nil }

// UnmarshalJSON keeps a copy of the text.
func (r *Raw) UnmarshalJSON(data []byte) error {
	*r = bytes.Clone(data)
	return nil
}

// Valid reports whether the text is one JSON value by the strict rules of this
// package.
func (r Raw) Valid() bool { return Validate(r, 0) == nil }

// Extra is what an object had in addition to the members that its reader knew,
// as it was written and without the brackets: `"k":1,"l":[]`. None is nil.
type Extra []byte

// Get is the value of one kept member, borrowed from e; nil if it is not there.
func (e Extra) Get(name string) Raw {
	if len(e) == 0 {
		return nil
	}
	p := findMember(e, 0, name)
	if p < 0 {
		return nil
	}
	return Raw(e[p:skim(e, p)])
}

// Set is e with a member put in or changed. The value must be proper JSON.
func (e Extra) Set(name string, value Raw) Extra {
	kept := bytes.Clone(e.without([]byte(name)))
	if len(kept) > 0 {
		kept = append(kept, ',')
	}
	kept = append(AppendString(kept, name), ':')
	return AppendRaw(kept, value)
}

// without is e less one member.
func (e Extra) without(name []byte) Extra {
	if len(e) == 0 {
		return e
	}
	var kept Extra
	for p := skipSpace(e, 0); p < len(e); {
		end, _ := scanString(e, p+1)
		value := skipSpace(e, skipSpace(e, end+1)+1)
		next := skim(e, value)
		if string(unescape(nil, e[p+1:end])) != string(name) {
			if len(kept) > 0 {
				kept = append(kept, ',')
			}
			kept = append(kept, e[p:next]...)
		}
		p = skipSpace(e, skipSpace(e, next)+1)
	}
	return kept
}

// last is e with each member once, as it came last. Its cost is that of e's
// length, however many come twice.
func (e Extra) last() Extra {
	type member struct {
		name    string
		at, end int
	}
	var all []member
	for p := skipSpace(e, 0); p < len(e); {
		end, _ := scanString(e, p+1)
		next := skim(e, skipSpace(e, skipSpace(e, end+1)+1))
		all = append(all, member{string(unescape(nil, e[p+1:end])), p, next})
		p = skipSpace(e, skipSpace(e, next)+1)
	}
	final := make(map[string]int, len(all))
	for i, m := range all {
		final[m.name] = i
	}
	kept := make(Extra, 0, len(e))
	for i, m := range all {
		if final[m.name] != i {
			continue
		}
		if len(kept) > 0 {
			kept = append(kept, ',')
		}
		kept = append(kept, e[m.at:m.end]...)
	}
	return kept
}

// Nullable is a member that may be absent, null or a value, and all three are
// distinguished.
type Nullable[T any] struct {
	Set  bool // present, null included
	Null bool
	V    T
}

// Some is a present value.
func Some[T any](v T) Nullable[T] { return Nullable[T]{Set: true, V: v} }

// Null is a present null.
func Null[T any]() Nullable[T] { return Nullable[T]{Set: true, Null: true} }
