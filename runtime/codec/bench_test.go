// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/accordkit/accord/runtime/codec"
)

func BenchmarkString(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"8", "session1"},
		{"64", strings.Repeat("a few words of text ", 4)[:64]},
		{"4K", strings.Repeat("a few words of text ", 256)[:4096]},
		{"escapes", strings.Repeat("line\n\"quoted\"\t", 5)},
		{"chinese", strings.Repeat("会话的收件箱", 10)},
	} {
		text := codec.AppendString(nil, c.s)
		b.Run("decode/"+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var d codec.Decoder
			for b.Loop() {
				d.Reset(text)
				d.StringBytes()
			}
		})
		b.Run("encode/"+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			out := make([]byte, 0, 2*len(text))
			for b.Loop() {
				out = codec.AppendString(out[:0], c.s)
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","method":"m","params":{"a":[1,2,3,{"b":"text","c":null}],"d":{"e":1.5e3,"f":[true,false]},"g":"` + strings.Repeat("word ", 20) + `"}}`)
	b.Run("codec", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if codec.Validate(text, 0) != nil {
				b.Fatal()
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if !json.Valid(text) {
				b.Fatal()
			}
		}
	})
}

// An object of very many names must cost what its length costs.
func BenchmarkManyKeys(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		var t bytes.Buffer
		t.WriteByte('{')
		for i := range n {
			if i > 0 {
				t.WriteByte(',')
			}
			t.Write(codec.AppendKey(nil, strings.Repeat("k", i%7)+string(codec.AppendInt(nil, int64(i)))))
			t.WriteByte('1')
		}
		t.WriteByte('}')
		b.Run(string(codec.AppendInt(nil, int64(n))), func(b *testing.B) {
			b.SetBytes(int64(t.Len()))
			for b.Loop() {
				if err := codec.Validate(t.Bytes(), 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkInt(b *testing.B) {
	text := []byte("1795990900822")
	var d codec.Decoder
	for b.Loop() {
		d.Reset(text)
		d.Int64()
	}
}
