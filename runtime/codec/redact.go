// SPDX-License-Identifier: Apache-2.0

package codec

// Redacted stands in logs for what is sensitive.
const Redacted = `"…"`

// Redact is a message's text for logs and traces: compact, and in place of the
// value of each member for which sensitive says so, at any depth, Redacted. The
// function gets the member's name and whether the value is an object. A text
// that cannot be read, even as Lax, is redacted as a whole.
func Redact(text []byte, sensitive func(name []byte, object bool) bool) []byte {
	d := Decoder{Lax: true, MaxDepth: jsonDepth}
	d.Reset(text)
	out := d.redact(nil, sensitive)
	if d.End(); d.Err() != nil {
		return []byte(Redacted)
	}
	return out
}

func (d *Decoder) redact(b []byte, sensitive func(name []byte, object bool) bool) []byte {
	switch d.space() {
	case '{':
		b = append(b, '{')
		first := true
		for d.Object(); d.More(); first = false {
			if !first {
				b = append(b, ',')
			}
			b = append(AppendString(b, string(d.Key())), ':')
			if sensitive(d.Key(), d.space() == '{') {
				b = append(b, Redacted...)
				d.Skip()
				continue
			}
			b = d.redact(b, sensitive)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for first := true; d.arrayItem(first); first = false {
			if !first {
				b = append(b, ',')
			}
			b = d.redact(b, sensitive)
		}
		return append(b, ']')
	case '"':
		return AppendString(b, string(d.StringBytes()))
	}
	return append(b, d.RawBorrowed()...)
}
