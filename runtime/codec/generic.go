// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// none reports whether null is where a list or the like must be, and reads it:
// that is what encoding/json writes of a nil one, and an empty one to a reader
// that is not Strict.
func (d *Decoder) none() bool { return !d.Strict && d.space() == 'n' && d.Null() }

// List reads a list of values. An empty one is not nil.
func List[T any](d *Decoder, value func(*Decoder) T) []T {
	list := []T{}
	if d.none() {
		return list
	}
	for d.Array(); d.Next(); {
		list = append(list, value(d))
	}
	return list
}

// Strings reads a list of strings. They are parts of one text, so that a long
// list is not many allocations; keeping one keeps all. An empty list is not
// nil.
func Strings(d *Decoder) []string {
	if d.none() {
		return []string{}
	}
	d.joined, d.ends = d.joined[:0], d.ends[:0]
	for d.Array(); d.Next(); {
		d.joined = append(d.joined, d.StringBytes()...)
		d.ends = append(d.ends, len(d.joined))
	}
	text, list, from := string(d.joined), make([]string, len(d.ends)), 0
	for i, end := range d.ends {
		list[i], from = text[from:end], end
	}
	if cap(d.joined) > keepBytes || cap(d.ends) > keepKeys {
		d.joined, d.ends = nil, nil
	}
	return list
}

// Structs reads a list of values that read themselves. An empty one is not nil.
func Structs[T any](d *Decoder, read func(*T, *Decoder)) []T {
	list := []T{}
	if d.none() {
		return list
	}
	for d.Array(); d.Next(); {
		var zero T
		list = append(list, zero)
		read(&list[len(list)-1], d)
	}
	return list
}

// Map reads an object with names of the peer's choice. An empty one is not nil.
func Map[T any](d *Decoder, value func(*Decoder) T) map[string]T {
	m := map[string]T{}
	if d.none() {
		return m
	}
	for d.Object(); d.More(); {
		key := string(d.Key())
		m[key] = value(d)
	}
	return m
}

// Maybe reads a value that may be null.
func Maybe[T any](d *Decoder, value func(*Decoder) T) Nullable[T] {
	if d.Null() {
		return Null[T]()
	}
	return Some(value(d))
}

// Text reads a string of a defined type.
func Text[T ~string](d *Decoder) T { return T(d.StringBytes()) }

// Struct reads a value that reads itself.
func Struct[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder) T {
	var v T
	P(&v).DecodeJSON(d)
	return v
}

// AppendList writes a list. None is an empty one.
func AppendList[T any](b []byte, list []T, value func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = value(b, list[i])
	}
	return append(b, ']')
}

// AppendStructs writes a list of values that write themselves. None is an empty
// one.
func AppendStructs[T any](b []byte, list []T, write func(*T, []byte) []byte) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = write(&list[i], b)
	}
	return append(b, ']')
}

// AppendMap writes an object, its names in byte order.
func AppendMap[T any](b []byte, m map[string]T, value func([]byte, T) []byte) []byte {
	b = append(b, '{')
	for _, key := range slices.Sorted(maps.Keys(m)) {
		b = value(AppendKey(b, key), m[key])
	}
	return append(b, '}')
}

// AppendMaybe writes a value or null. What is not set is null, where something must
// be written.
func AppendMaybe[T any](b []byte, n Nullable[T], value func([]byte, T) []byte) []byte {
	if n.Null || !n.Set {
		return append(b, "null"...)
	}
	return value(b, n.V)
}

// AppendText writes a string of a defined type.
func AppendText[T ~string](b []byte, s T) []byte { return AppendString(b, string(s)) }

// CheckInt makes an error, when Strict, of an integer out of bounds.
func (d *Decoder) CheckInt(n, least, greatest int64) {
	if d.Strict && (n < least || n > greatest) {
		d.failInt(least, greatest)
	}
}

func (d *Decoder) failInt(least, greatest int64) {
	d.Fail(Bounds, bounds("want a number", "", least, greatest, -MaxInt, MaxInt))
}

// CheckLength makes an error, when Strict, of a string with too few or too many
// Unicode code points.
func CheckLength[T ~string](d *Decoder, s T, least, greatest int) {
	if !d.Strict || len(s) >= least*utf8.UTFMax && len(s) <= greatest {
		return
	}
	if n := utf8.RuneCountInString(string(s)); n < least || n > greatest {
		d.Fail(Bounds, bounds("want a string", " characters", int64(least), int64(greatest), 0, MaxInt))
	}
}

// CheckItems makes an error, when Strict, of a list with too few or too many
// items.
func (d *Decoder) CheckItems(n, least, greatest int) {
	if d.Strict && (n < least || n > greatest) {
		d.Fail(Bounds, bounds("want a list", " items", int64(least), int64(greatest), 0, MaxInt))
	}
}

// CheckBytes makes an error, when Strict, of bytes too few or too many.
func (d *Decoder) CheckBytes(n, least, greatest int) {
	if d.Strict && (n < least || n > greatest) {
		d.Fail(Bounds, bounds("want base64", " bytes", int64(least), int64(greatest), 0, MaxInt))
	}
}

// CheckPattern makes an error, when Strict, of a string of another form.
func CheckPattern[T ~string](d *Decoder, s T, form *regexp.Regexp) {
	if d.Strict && d.err == nil && !form.MatchString(string(s)) {
		d.Fail(Bounds, "want a string of the form "+form.String())
	}
}

// bounds says what is wanted: "want a string of 1 to 64 characters".
func bounds(want, what string, least, greatest, lowest, highest int64) string {
	last := greatest
	switch {
	case greatest >= highest:
		want, last = want+" of at least ", least
	case least <= lowest:
		want += " of at most "
	default:
		want += " of " + string(AppendInt(nil, least)) + " to "
	}
	if last == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	return want + string(AppendInt(nil, last)) + what
}

// CheckClosed makes an error, when Strict, of a value that is none of a closed
// enum's, which it lists.
func (d *Decoder) CheckClosed(values string) {
	if d.Strict {
		d.Fail(Bounds, "want one of "+values)
	}
}
