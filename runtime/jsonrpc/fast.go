// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"

	"github.com/accordkit/accord/runtime/codec"
)

// How messages begin that this package, or any that writes their members in the
// usual order, has written.
var (
	noteHead   = []byte(`{"jsonrpc":"2.0","method":"`)
	idHead     = []byte(`{"jsonrpc":"2.0","id":`)
	methodHead = []byte(`,"method":"`)
	paramsHead = []byte(`","params":{`)
	resultHead = []byte(`,"result":`)
)

// longestName is how far a method's name is looked for.
const longestName = 64

// begun is how a message began, as far as its params: the next one often does as
// the last did.
type begun struct {
	head   []byte // from the method's name on
	op     Op
	method string
}

// fast reads a message that is written the way in which this package writes
// it, with a known method: the envelope is compared, and only what is in it is
// read. It is false, and nothing has happened, if the line must be read member
// by member; what is wrong is then found there.
func (c *Conn) fast(m *message, line []byte, strict bool) bool {
	if rest, ok := bytes.CutPrefix(line, noteHead); ok {
		return c.fastCall(m, rest, strict)
	}
	rest, ok := bytes.CutPrefix(line, idHead)
	if !ok {
		return false
	}
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	id, ok := plainInt(rest[:n])
	if !ok {
		return false
	}
	m.version, m.hasID, m.id = true, true, ID{kind: intID, num: id}
	rest = rest[n:]
	if call, ok := bytes.CutPrefix(rest, methodHead); ok {
		return c.fastCall(m, call, strict)
	}
	if result, ok := bytes.CutPrefix(rest, resultHead); ok && len(result) > 1 {
		d := &c.rd.dec
		c.prepare(d, result[:len(result)-1], strict, 1)
		raw := d.RawBorrowed()
		if d.End(); d.Err() == nil && result[len(result)-1] == '}' {
			m.hasResult, m.result = true, raw
			return true
		}
	}
	return false
}

// fastCall reads from a method's name on.
func (c *Conn) fastCall(m *message, rest []byte, strict bool) bool {
	last := &c.rd.last
	if !bytes.HasPrefix(rest, last.head) || len(last.head) == 0 {
		end := bytes.IndexByte(rest[:min(len(rest), longestName)], '"')
		if end < 0 || !bytes.HasPrefix(rest[end:], paramsHead) {
			return false
		}
		name := rest[:end]
		if m.op = c.handler.Lookup(name); m.op == 0 {
			return false
		}
		last.head = append(last.head[:0], rest[:end+len(paramsHead)]...)
		last.op, last.method = m.op, c.name(m.op, name)
	}
	m.op = last.op
	params := rest[len(last.head)-1 : len(rest)-1] // from its bracket on, without that of the message
	d := &c.rd.dec
	c.prepare(d, params, strict, 1)
	m.value = c.handler.Params(m.op, d)
	size := d.Offset()
	if d.End(); d.Err() != nil || d.Lacking() != nil || rest[len(rest)-1] != '}' {
		return false
	}
	m.version, m.hasMethod, m.decoded = true, true, true
	m.method, m.params = last.method, params[:size]
	return true
}

// prepare sets a decoder up for a part of a message that lies so many levels
// deep.
func (c *Conn) prepare(d *codec.Decoder, text []byte, strict bool, levels int) {
	d.Strict, d.Whole, d.Lax, d.MaxDepth, d.Interner = false, false, !strict, c.limits.Depth-levels, &c.rd.strings
	d.Reset(text)
}
