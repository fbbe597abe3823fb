// SPDX-License-Identifier: Apache-2.0

package codec

import "slices"

// How often a text is read again without a member. What is left out first lies
// as deep as can be; from a point on it lies as high as can be, so that a text
// with many such members comes to an end.
const (
	deepMends = 8
	maxMends  = deepMends + maxMembers
)

// gap is the part of a text that is left out when it is read again.
type gap struct{ from, to int }

func (g gap) none() bool { return g.to == 0 }

// Mended reports whether the text can be read again without the member whose
// shape was found to be wrong, and begins that: Err is gone, and the value must
// be read from its beginning. It can if Mend is set and the member may be
// missing. The text must be known to be proper JSON, since what is left out is
// not looked at again.
//
//	for read(d); d.Err() != nil; read(d) {
//		err := d.Err()
//		if !d.Mended() {
//			return err
//		}
//		report(err)
//	}
func (d *Decoder) Mended() bool {
	if d.err == nil || d.err.gap.none() || len(d.gaps) >= maxMends {
		return false
	}
	text := append(d.mended[:0], d.data[:d.err.gap.from]...)
	text = append(text, d.data[d.err.gap.to:]...)
	gaps := append(d.gaps, d.err.gap)
	d.Reset(text)
	d.gaps, d.mended = gaps, text
	return true
}

// whole is an offset in the text as it was given.
func (d *Decoder) whole(offset int) int {
	for _, g := range slices.Backward(d.gaps) {
		if offset >= g.from {
			offset += g.to - g.from
		}
	}
	return offset
}

// mend finds the member to leave out, among the first n open objects, because of
// what is wrong with its value. Within a union's variant it is an optional one:
// a variant without a required member is kept raw. Elsewhere a lenient reader
// does without any, except what is Firm.
func (d *Decoder) mend(n int) (g gap) {
	if !d.Mend || d.Strict {
		return gap{}
	}
	for i := n - 1; i >= d.marked; i-- {
		f := &d.stack[i]
		if f.list || f.keyAt < 0 {
			continue
		}
		if f.members != nil && f.next > 0 {
			m := &f.members.list[f.next-1]
			if m.presence == required && d.marks > 0 || d.Firm && m.firm && i == 0 {
				continue
			}
		}
		g = d.around(f)
		if len(d.gaps) < deepMends {
			return g
		}
	}
	return g
}

// around is the part of the text that the current member of an object takes,
// with one of the adjacent commas.
func (d *Decoder) around(f *frame) gap {
	from := f.keyAt - 1
	value := skipSpace(d.data, skipSpace(d.data, f.keyEnd+1)+1)
	to := skim(d.data, value)
	if next := skipSpace(d.data, to); next < len(d.data) && d.data[next] == ',' {
		return gap{from, next + 1}
	}
	before := from
	for before > 0 && isSpace(d.data[before-1]) {
		before--
	}
	if before > 0 && d.data[before-1] == ',' {
		from = before - 1
	}
	return gap{from, to}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
