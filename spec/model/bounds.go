package model

// exact is the greatest integer that every reader of JSON keeps exact.
const exact = 1<<53 - 1

// Bounds are the least and the greatest value of an integer. An end is nil if
// nothing is said of it, or only what holds for each integer on the wire.
func (f *Field) Bounds() (least, greatest *int64) {
	if f.Min != nil && *f.Min > -exact {
		least = f.Min
	}
	if f.Max != nil && *f.Max < exact {
		greatest = f.Max
	}
	return least, greatest
}
