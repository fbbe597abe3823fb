// SPDX-License-Identifier: Apache-2.0

package codec

// Shape is a set of the kinds of JSON values.
type Shape uint8

// The kinds.
const (
	ShapeNull Shape = 1 << iota
	ShapeBool
	ShapeNumber
	ShapeString
	ShapeList
	ShapeObject
)

// Shape looks at the value that comes next, and reads nothing: what kind it is,
// by its first byte; 0 at the end, after an error and where none begins.
func (d *Decoder) Shape() Shape { return shapeOf(d.space()) }

func shapeOf(c byte) Shape {
	switch c {
	case '{':
		return ShapeObject
	case '[':
		return ShapeList
	case '"':
		return ShapeString
	case 't', 'f':
		return ShapeBool
	case 'n':
		return ShapeNull
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return ShapeNumber
	}
	return 0
}

// Has looks ahead into the object that comes next, and reads nothing: whether it
// has a member of one of some kinds.
func (d *Decoder) Has(name string, kinds Shape) bool {
	if d.space() != '{' {
		return false
	}
	p := d.lookFor(name)
	return p >= 0 && p < len(d.data) && shapeOf(d.data[p])&kinds != 0
}

// Unlike makes the error that the value that comes next is none of those that
// are wanted.
func (d *Decoder) Unlike(want string) { d.mismatch(want) }
