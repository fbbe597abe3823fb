// SPDX-License-Identifier: Apache-2.0

package server

import (
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Want is the shape that a member must have.
type Want uint8

// The shapes.
const (
	Any Want = iota
	String
	Int // between Min and Max
	Number
	Bool
	List
	Object
)

// Refusal is the text with which a member is refused to a peer that never
// negotiated: one that is missing, of another shape, or an empty string.
type Refusal struct {
	Member   string
	Want     Want
	Min, Max int64  // of an Int; both 0: as far as JSON numbers are exact
	Optional bool   // may be missing
	Empty    bool   // may not be an empty string
	First    bool   // is checked even before negotiation is
	Text     string // {member} stands for another member of params, a string
	Wrong    string // the text for another shape; empty: Text
	Blank    string // the text for an empty string; empty: Text
}

// Refuse gives the first refusal that applies to params, nil if none does.
// With first only those that are marked so are looked at.
func Refuse(list []Refusal, raw []byte, first bool) error {
	for i := range list {
		r := &list[i]
		if first && !r.First {
			continue
		}
		if text := r.text(member(raw, r.Member)); text != "" {
			return &jsonrpc.Fault{
				Kind: jsonrpc.ParamsFault, Path: r.Member, Legacy: fill(text, raw), Detail: r.Member + ": not as the method wants it",
			}
		}
	}
	return nil
}

// text is the text with which a value is refused; empty if it is not. A value
// that is not there is nil.
func (r *Refusal) text(value []byte) string {
	switch {
	case value == nil && r.Optional:
		return ""
	case value == nil:
		return r.Text
	case !r.fits(value):
		return or(r.Wrong, r.Text)
	case r.Empty && string(value) == `""`:
		return or(r.Blank, r.Text)
	}
	return ""
}

func (r *Refusal) fits(value []byte) bool {
	d := codec.Decoder{Lax: true}
	d.Reset(value)
	c := d.Peek()
	number := c == '-' || c >= '0' && c <= '9'
	switch r.Want {
	case String:
		return c == '"'
	case Number:
		return number
	case Bool:
		return c == 't' || c == 'f'
	case List:
		return c == '['
	case Object:
		return c == '{'
	case Int:
		n := d.Int64()
		return number && d.Err() == nil && (r.Min == 0 && r.Max == 0 || n >= r.Min && n <= r.Max)
	}
	return true
}

func or(text, instead string) string {
	if text != "" {
		return text
	}
	return instead
}

// member is the value of a member of params; nil if it is not there.
func member(raw []byte, name string) (value []byte) {
	if len(raw) == 0 {
		return nil
	}
	d := codec.Decoder{Lax: true}
	d.Reset(raw)
	for d.Object(); d.More(); {
		if string(d.Key()) == name {
			value = d.RawBorrowed()
		} else {
			d.Skip()
		}
	}
	return value
}

// fill puts members into a text.
func fill(text string, raw []byte) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(text[open:], '}')
		if end < 0 {
			break
		}
		out.WriteString(text[:open])
		d := codec.Decoder{Lax: true}
		if value := member(raw, text[open+1:open+end]); len(value) > 0 && value[0] == '"' {
			d.Reset(value)
			out.WriteString(d.String())
		} else {
			out.WriteString(text[open : open+end+1])
		}
		text = text[open+end+1:]
	}
	out.WriteString(text)
	return out.String()
}
