// SPDX-License-Identifier: Apache-2.0

package codec

import "sync"

// Reader is a value that reads itself.
type Reader interface {
	DecodeJSON(d *Decoder)
}

// Value is a value that reads and writes itself.
type Value interface {
	Appender
	Reader
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Decode reads v from d, which keeps the error, and returns it.
func Decode[V Reader](d *Decoder, v V) V {
	v.DecodeJSON(d)
	return v
}

// Unmarshal reads one value from a whole text, for UnmarshalJSON: not Strict,
// nested as deep as encoding/json allows.
func Unmarshal(data []byte, v Reader) error { return readWhole(data, jsonDepth, v) }

// jsonDepth is the depth limit of encoding/json.
const jsonDepth = 10000

// Validate checks that data is one JSON value by the strict rules of this
// package; maxDepth as in Decoder.
func Validate(data []byte, maxDepth int) error { return readWhole(data, maxDepth, skipped{}) }

// skipped is any value, of which nothing is kept.
type skipped struct{}

func (skipped) DecodeJSON(d *Decoder) { d.Skip() }

// readWhole reads v from a text that must hold nothing else.
func readWhole(data []byte, maxDepth int, v Reader) error {
	d := decoders.Get().(*Decoder)
	d.MaxDepth = maxDepth
	d.Reset(data)
	v.DecodeJSON(d)
	d.End()
	err := d.Err()
	d.Reset(nil)
	decoders.Put(d)
	return err
}
