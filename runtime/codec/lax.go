package codec

import "bytes"

// strictText is a copy of a value's lax text that strict readers take as the
// same: strings are valid, and of a member that came twice the last is left.
func strictText(value []byte) []byte {
	if Validate(value, jsonDepth) == nil {
		return bytes.Clone(value)
	}
	d := Decoder{Lax: true, MaxDepth: jsonDepth}
	d.Reset(value)
	return d.rewrite(nil)
}

// rewrite reads a value and writes it anew.
func (d *Decoder) rewrite(b []byte) []byte {
	switch d.space() {
	case '{':
		var members Extra
		for d.Object(); d.More(); {
			key := string(d.Key())
			members = members.Set(key, d.rewrite(nil))
		}
		return append(append(append(b, '{'), members...), '}')
	case '[':
		b = append(b, '[')
		for first := true; d.arrayItem(first); first = false {
			if !first {
				b = append(b, ',')
			}
			b = d.rewrite(b)
		}
		return append(b, ']')
	case '"':
		return AppendString(b, string(d.StringBytes()))
	}
	return append(b, d.RawBorrowed()...)
}

// arrayItem begins a list, or goes to its next item.
func (d *Decoder) arrayItem(first bool) bool {
	if first {
		d.Array()
	}
	return d.Next()
}
