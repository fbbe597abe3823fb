// SPDX-License-Identifier: Apache-2.0

// Package codec reads and writes JSON text for generated code: a pull decoder
// over one complete value, and append functions.
//
// The decoder is strict where encoding/json is not. Member names match by exact
// case (rule WP-05), a member that comes twice is an error at any depth, also in
// values that are skipped or kept raw (WP-04), text must be valid UTF-8 without
// lone surrogates (WP-06), numbers follow the JSON grammar to the letter (WP-20),
// nesting is bounded (WP-03), and an integer is exact or an error (WP-18).
//
// Errors are sticky: the first one is kept with the path of the member and the
// byte offset, and everything read after it is zero, so that a caller checks
// once, at the end.
//
//	for d.Object(); d.More(); {
//		switch string(d.Key()) {
//		case "name":
//			v.Name = d.String()
//		default:
//			d.Skip()
//		}
//	}
//	d.End()
//	return d.Err()
//
// The package must never reflect, know a protocol, or hold on to the bytes that
// it was given after Reset.
package codec
