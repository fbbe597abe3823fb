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
	out := d.rewrite(nil, sensitive)
	if d.End(); d.Err() != nil {
		return []byte(Redacted)
	}
	return out
}
