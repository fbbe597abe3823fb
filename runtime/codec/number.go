// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"encoding/binary"
	"math"
	"strconv"
)

// MaxInt is the greatest integer that every reader keeps exact, 2^53-1; the
// least is its negative (rule WP-18).
const MaxInt = 1<<53 - 1

// Int64 reads an integer within ±MaxInt. A fraction or an exponent is accepted
// if the value is whole: 1.0, 12e2.
func (d *Decoder) Int64() int64 {
	c := d.space()
	if c != '-' && (c < '0' || c > '9') {
		d.mismatch("an integer")
		return 0
	}
	d.start = d.pos
	p := d.pos
	if c == '-' {
		p++
	}
	first := p
	if p+1 < len(d.data) && d.data[p]-'0' <= 9 && (d.data[p+1] == ',' || d.data[p+1] == '}') {
		d.pos = p + 1 // one digit, as most counters have
		n := int64(d.data[p] - '0')
		if c == '-' {
			n = -n
		}
		return n
	}
	var n int64
	if p+8 <= len(d.data) {
		if x := binary.LittleEndian.Uint64(d.data[p:]); eightDigits(x) {
			n = parseEight(x)
			p += 8
		}
	}
	for p < len(d.data) && p-first < 16 && d.data[p]-'0' <= 9 {
		n = n*10 + int64(d.data[p]-'0')
		p++
	}
	digits := p - first
	if digits == 0 || digits == 16 || digits > 1 && d.data[first] == '0' ||
		p < len(d.data) && (d.data[p] == '.' || d.data[p]|0x20 == 'e') {
		return d.longInt()
	}
	d.pos = p
	if c == '-' {
		return -n
	}
	return n
}

// eightDigits reports whether all bytes of x are digits.
func eightDigits(x uint64) bool {
	return x&(0xf0*ones) == '0'*ones && (x+0x06*ones)&(0xf0*ones) == '0'*ones
}

// parseEight is the number that eight digits make, the first in the lowest byte:
// neighbours are joined to pairs, pairs to fours, fours to the whole.
func parseEight(x uint64) int64 {
	x -= '0' * ones
	x = (x*10 + x>>8) & 0x00ff00ff00ff00ff
	x = (x*100 + x>>16) & 0x0000ffff0000ffff
	return int64((x*10000 + x>>32) & 0xffffffff)
}

// longInt reads what the fast path leaves: 16 digits and more, fractions,
// exponents, and what is no number.
func (d *Decoder) longInt() int64 {
	start := d.pos
	end := scanNumber(d.data, start)
	if end < 0 {
		d.syntax("want a number")
		return 0
	}
	d.pos = end
	n, whole, fits := integral(d.data[start:end])
	switch {
	case !whole:
		d.fail(Type, start, "want an integer, found a fraction")
		return 0
	case !fits:
		d.fail(Bounds, start, "an integer beyond 2^53-1")
		return 0
	}
	return n
}

// integral reads a number of the right grammar: whether it is whole, and
// whether it is within ±MaxInt.
func integral(s []byte) (n int64, whole, fits bool) {
	negative := s[0] == '-'
	if negative {
		s = s[1:]
	}
	// The value is digits × 10^exp. Digits past the first 17 that count are
	// only looked at for being zero.
	var digits uint64
	exp, kept, lost, point := 0, 0, false, false
	for i, c := range s {
		if c == '.' {
			point = true
			continue
		}
		if c|0x20 == 'e' {
			e, err := strconv.Atoi(string(s[i+1:]))
			if err != nil {
				e = math.MaxInt32
				if s[i+1] == '-' {
					e = -e
				}
			}
			exp += min(max(e, -math.MaxInt32), math.MaxInt32)
			break
		}
		if point {
			exp--
		}
		switch {
		case kept == 0 && c == '0':
		case kept < 18:
			digits = digits*10 + uint64(c-'0')
			kept++
		default:
			exp++
			lost = lost || c != '0'
		}
	}
	if digits == 0 {
		return 0, true, true
	}
	for exp < 0 && digits%10 == 0 {
		digits /= 10
		exp++
	}
	if exp < 0 {
		return 0, false, false
	}
	for ; exp > 0 && digits <= MaxInt; exp-- {
		digits *= 10
	}
	// With digits lost the value has more than 18 of them before the point, or a
	// fraction; either way it is no integer that fits.
	if exp > 0 || lost || digits > MaxInt {
		return 0, true, false
	}
	if negative {
		return -int64(digits), true, true
	}
	return int64(digits), true, true
}

// Wide reads a 64-bit integer that travels as a string. When not Strict a plain
// integer will do.
func (d *Decoder) Wide() int64 {
	if !d.Strict && d.space() != '"' {
		return d.Int64()
	}
	s := d.StringBytes()
	if d.err != nil {
		return 0
	}
	if end := scanNumber(s, 0); end != len(s) {
		d.Fail(Type, "want an integer in a string")
		return 0
	}
	n, err := strconv.ParseInt(string(s), 10, 64)
	if err != nil {
		d.Fail(Bounds, "want an integer of 64 bits in a string")
		return 0
	}
	return n
}

// Float64 reads a number. One beyond the range of a float64 is an error.
func (d *Decoder) Float64() float64 {
	c := d.space()
	if c != '-' && (c < '0' || c > '9') {
		d.mismatch("a number")
		return 0
	}
	start := d.pos
	token := d.number()
	if token == nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil {
		d.fail(Bounds, start, "a number beyond the range of 64 bits")
		return 0
	}
	return f
}

// Number reads a number of any size and gives its text as it was written. The
// bytes are borrowed from the text.
func (d *Decoder) Number() []byte {
	c := d.space()
	if c != '-' && (c < '0' || c > '9') {
		d.mismatch("a number")
		return nil
	}
	return d.number()
}

func (d *Decoder) number() []byte {
	start := d.pos
	end := scanNumber(d.data, start)
	if end < 0 {
		d.syntax("want a number")
		return nil
	}
	d.start, d.pos = start, end
	return d.data[start:end]
}

// scanNumber is the end of the number at p by JSON's grammar; -1: there is
// none. It stops at the first byte that cannot continue a number, which the
// caller's next step then refuses, as in 01 and 0x10.
func scanNumber(data []byte, p int) int {
	if p < len(data) && data[p] == '-' {
		p++
	}
	switch {
	case p >= len(data):
		return -1
	case data[p] == '0':
		p++
	case '1' <= data[p] && data[p] <= '9':
		p = scanDigits(data, p)
	default:
		return -1
	}
	if p < len(data) && data[p] == '.' {
		q := scanDigits(data, p+1)
		if q == p+1 {
			return -1
		}
		p = q
	}
	if p < len(data) && data[p]|0x20 == 'e' {
		p++
		if p < len(data) && (data[p] == '+' || data[p] == '-') {
			p++
		}
		q := scanDigits(data, p)
		if q == p {
			return -1
		}
		p = q
	}
	return p
}

func scanDigits(data []byte, p int) int {
	for p < len(data) && data[p]-'0' <= 9 {
		p++
	}
	return p
}
