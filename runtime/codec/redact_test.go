// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/codec"
)

func TestRedact(t *testing.T) {
	secret := func(name []byte, object bool) bool {
		return string(name) == "text" || string(name) == "" || string(name) == "data" && !object
	}
	for in, want := range map[string]string{
		`{"a":1, "text":"secret","b":{"text":{"x":["secret"]},"c":[{"text":null},7.50]}}`: `{"a":1,"text":"…","b":{"text":"…","c":[{"text":"…"},7.50]}}`,
		`{"\u0074ext":"secret","":"secret"}`:                                              `{"text":"…","":"…"}`,
		`{"data":{"data":"secret","kind":"k"},"b":{"data":["secret"]}}`:                   `{"data":{"data":"…","kind":"k"},"b":{"data":"…"}}`,
		`{"a":1,"a":2}`:                       `{"a":1,"a":2}`,
		`{"text":"secret","text":["secret"]}`: `{"text":"…","text":"…"}`,
		`["text"]`:                            `["text"]`,
		`"text"`:                              `"text"`,
		"{\"text\":\"\xff\",\"n\":\"\xff\"}":  "{\"text\":\"…\",\"n\":\"\uFFFD\"}",
		`{"text":"secret"`:                    codec.Redacted,
		`{"text":"secret"} {"text":"more"}`:   codec.Redacted,
		`secret`:                              codec.Redacted,
		``:                                    codec.Redacted,
	} {
		assert.Equal(t, want, string(codec.Redact([]byte(in), secret)), in)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add([]byte(`{"a":{"text":"secret"},"b":["secret"]}`))
	f.Add([]byte(`{"text":`))
	f.Fuzz(func(t *testing.T, text []byte) {
		out := codec.Redact(text, func(name []byte, _ bool) bool { return string(name) == "text" })
		assert.NotContains(t, string(out), `"text":"s`)
		if again := codec.Redact(out, func([]byte, bool) bool { return false }); string(again) != string(out) {
			t.Errorf("%s is no compact JSON: %s", out, again)
		}
	})
}
