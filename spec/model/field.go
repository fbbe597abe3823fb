// SPDX-License-Identifier: Apache-2.0

package model

// exact is the greatest integer that every reader of JSON keeps exact.
const exact = 1<<53 - 1

// Always reports whether a member is always written, and an error when read
// strictly and absent.
func (f *Field) Always() bool { return f.Presence == Required || f.Presence == OrNull }

// Null reports whether a member may be null.
func (f *Field) Null() bool { return f.Presence == Nullable || f.Presence == OrNull }

// Bounds are the least and the greatest value of an integer. An end is nil if
// nothing is said of it, or only what holds for each integer on the wire.
func (f *Field) Bounds() (least, greatest *int64) {
	if f.Type != nil && f.Type.Wide {
		return f.Min, f.Max
	}
	if f.Min != nil && *f.Min > -exact {
		least = f.Min
	}
	if f.Max != nil && *f.Max < exact {
		greatest = f.Max
	}
	return least, greatest
}
