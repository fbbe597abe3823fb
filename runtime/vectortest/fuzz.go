// SPDX-License-Identifier: Apache-2.0

package vectortest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/accordkit/accord/runtime/codec"
)

// Fuzz feeds texts to the codecs of all types, first those of the vectors. None
// may panic, and what is read and written is read again as the same.
func Fuzz(f *testing.F, path string, types Types) {
	p := player{f: open(f, path), types: types}
	var names []string
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, v := range p.f.Types {
		number := slices.Index(names, v.Type)
		for i, x := range v.Reads {
			f.Add(uint(number), uint(i), textOf(x.Text, x.Base64))
		}
		for i, x := range v.Refuses {
			f.Add(uint(number), uint(i), textOf(x.Text, x.Base64))
		}
	}
	f.Fuzz(func(t *testing.T, number, mode uint, text []byte) {
		if len(names) == 0 {
			t.Skip()
		}
		name := names[number%uint(len(names))]
		v, err := p.decode(name, []string{strict, lenient, lax, mending}[mode%4], text)
		if err != nil {
			return
		}
		once := v.AppendJSON(nil)
		if err := codec.Validate(once, p.f.Depth); err != nil {
			t.Fatalf("%s: what is written is not read: %v: %s", name, err, once)
		}
		again, err := p.decode(name, lenient, once)
		if err != nil {
			t.Fatalf("%s: what is written is not read: %v: %s", name, err, once)
		}
		if twice := again.AppendJSON(nil); !bytes.Equal(once, twice) {
			t.Fatalf("%s: written once\n\t%s\nand twice\n\t%s", name, once, twice)
		}
	})
}
