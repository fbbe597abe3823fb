// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/codec"
)

var seeds = []string{
	`{"a":[1,-2.5e3,true,null,"x\n\u00e4\ud83d\ude00"],"b":{}}`, ` [ ] `, `01`, `-`, `1.`, `1e`, `"\u12"`, `"\ud83d"`, "\"\xff\"",
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"A":1,"a":2}`, `[1,]`, `{"a":1,}`, `nul`, `{"a"`, `[[[[]]]]`, "\"\x7f\u2028\"", `1 2`, `-0`, `1E400`,
	`{"type":"t","x":{"type":"u"}}`, `{"x":[{"]":"}"}],"type":"t"}`,
}

// refused reports what is JSON for encoding/json and not for this package: an
// object with a member twice. Depth is bounded by the caller.
func refused(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []map[string]bool // nil for lists
	key := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			return false
		}
		top := len(open) - 1
		isKey := key && top >= 0 && open[top] != nil
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				open, key = append(open, map[string]bool{}), true
				continue
			case '[':
				open = append(open, nil)
			default:
				open = open[:top]
			}
		case string:
			if isKey {
				if open[top][v] {
					return true
				}
				open[top][v] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

// loneSurrogate reports whether a JSON text has half of a surrogate pair: the
// escapes are the only way to get U+FFFD out of a text that has none.
func loneSurrogate(data []byte) bool {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return false
	}
	out, _ := json.Marshal(v)
	return bytes.Contains(out, []byte("\uFFFD")) && !bytes.Contains(data, []byte("\uFFFD")) && !bytes.Contains(bytes.ToLower(data), []byte(`\ufffd`))
}

func FuzzValidate(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := codec.Validate(data, 10000)
		var e *codec.Error
		if err != nil && (!errors.As(err, &e) || !e.Kind.OfText()) {
			t.Fatalf("%q: %v is no error of the text", data, err)
		}
		if e != nil && (e.Offset < 0 || e.Offset > len(data)) {
			t.Fatalf("%q: offset %d", data, e.Offset)
		}
		valid := json.Valid(data)
		switch {
		case err == nil && !valid:
			t.Fatalf("%q: accepted what is not JSON", data)
		case err == nil && !utf8.Valid(data):
			t.Fatalf("%q: accepted invalid UTF-8", data)
		case err == nil && refused(data):
			t.Fatalf("%q: accepted a member twice", data)
		case err != nil && valid && e.Kind == codec.Syntax:
			t.Fatalf("%q: refused JSON: %v", data, err)
		case err != nil && valid && e.Kind == codec.Duplicate && !refused(data):
			t.Fatalf("%q: saw a member twice: %v", data, err)
		case err != nil && valid && e.Kind == codec.UTF8 && utf8.Valid(data) && !loneSurrogate(data) && !bytes.Contains(data, []byte("\uFFFD")) && !bytes.Contains(bytes.ToLower(data), []byte(`\ufffd`)):
			t.Fatalf("%q: %v", data, err)
		}

		// Raw is what Skip passed over, and reading a tag ahead changes nothing.
		var d codec.Decoder
		d.MaxDepth = 10000
		d.Reset(data)
		d.Tag("type")
		raw := d.Raw()
		d.End()
		if (d.Err() == nil) != (err == nil) {
			t.Fatalf("%q: Raw says %v, Skip says %v", data, d.Err(), err)
		}
		if err == nil && !bytes.Equal(raw, bytes.Trim(data, " \t\r\n")) {
			t.Fatalf("%q: kept %q", data, raw)
		}

		// A lax reader takes whatever encoding/json takes.
		d.Lax = true
		d.Reset(data)
		raw = d.Raw()
		d.End()
		if (d.Err() == nil) != valid {
			t.Fatalf("%q: lax says %v, encoding/json says %v", data, d.Err(), valid)
		}
		if d.Err() == nil && !utf8.Valid(raw) {
			t.Fatalf("%q: kept invalid UTF-8", data)
		}
	})
}

func FuzzString(f *testing.F) {
	for _, s := range append(seeds, "", "plain", "a\xffb", "\u2028<&>", "\x00\x1f\x7f", "\xed\xa0\x80", "12345678\"") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := codec.AppendString([]byte("x"), s)[1:]
		if bytes.ContainsAny(text, "\n\r") {
			t.Fatalf("%q: a line break in %q", s, text)
		}
		var d codec.Decoder
		d.Strict = true
		d.Reset(text)
		got := d.String()
		d.End()
		if d.Err() != nil {
			t.Fatalf("%q: %v", s, d.Err())
		}
		var want string
		if err := json.Unmarshal(text, &want); err != nil || got != want {
			t.Fatalf("%q: read %q, encoding/json reads %q, %v", text, got, want, err)
		}
		if utf8.ValidString(s) && got != s {
			t.Fatalf("wrote %q, read %q", s, got)
		}
	})
}

// FuzzStringText reads any text as a string, as encoding/json does.
func FuzzStringText(f *testing.F) {
	for _, s := range []string{`"a"`, `"\ud83d\ude00"`, `"\u0000"`, `"\/\b\f\n\r\t\"\\"`, "\"\xff\"", `"\ud83d\u0041"`, `"\ud83d\ud83d\ude00"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want string
		bad := json.Unmarshal(text, &want) != nil || bytes.Equal(bytes.TrimSpace(text), []byte("null"))
		var d codec.Decoder
		d.Lax = true
		d.Reset(text)
		got := d.String()
		d.End()
		if bad != (d.Err() != nil) {
			t.Fatalf("%q: %v", text, d.Err())
		}
		if !bad && got != want {
			t.Fatalf("%q: read %q, encoding/json reads %q", text, got, want)
		}
	})
}

func FuzzInt64(f *testing.F) {
	for _, s := range []string{"0", "-0", "1e3", "9007199254740991", "9007199254740992", "1.0", "1.5", "12.50e1", "0.000e9", "1e-400", "99999999999999999999e-5", "900719925474099100e-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var d codec.Decoder
		d.Reset([]byte(text))
		n := d.Int64()
		d.End()
		want, whole := exactInt(text)
		if (d.Err() == nil) != whole {
			t.Fatalf("%q: %v, want %v %v", text, d.Err(), want, whole)
		}
		if whole && n != want {
			t.Fatalf("%q: read %d, want %d", text, n, want)
		}
	})
}
