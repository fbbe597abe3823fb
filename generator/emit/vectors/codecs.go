// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/accordkit/accord/spec/model"
)

// Codecs is the content of a file of codec vectors.
type Codecs struct {
	Protocol string    `json:"protocol"`
	Format   int       `json:"format"` // 1
	Depth    int       `json:"depth"`  // how deep objects and lists may nest in a text
	Types    []Type    `json:"types"`
	Messages []Message `json:"messages"`
	Errors   []Error   `json:"errors,omitempty"`
}

// Type is what is true of one payload type. A variant whose members are next to
// its tag has no entry of its own: it belongs to its union's.
type Type struct {
	Type    string   `json:"type"`
	Values  []Value  `json:"values,omitempty"`
	Reads   []Read   `json:"reads,omitempty"`
	Refuses []Refuse `json:"refuses,omitempty"`
}

// Value is the compact text that a writer makes of the value that it says:
// members in declared order, no white space, no escapes but the necessary ones.
// A reader of any mode reads it, and the same text is written again.
type Value struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// The modes of a reader. A strict one reads params: missing members, unknown
// values of closed enums and broken bounds are errors. A lenient one reads what
// a newer peer may send: null is absence or an empty list, and a variant of a
// wrong shape is kept as it is. A lax one is lenient to peers that never agreed
// on strict text too: what is not UTF-8 becomes U+FFFD, and of a member that
// comes twice the last counts. A mending one is lenient to messages that cannot
// be sent again, such as a runtime's to a client: it treats a member of a wrong
// shape as absent, where it may be absent.
const (
	Strict  = "strict"
	Lenient = "lenient"
	Lax     = "lax"
	Mending = "mending"
)

// Read is a text that is read, and what is then written. What no JSON string can
// hold stands in Base64 instead of Text.
type Read struct {
	Name   string `json:"name"`
	By     string `json:"by,omitempty"` // the one mode of which it is true; empty: strict and lenient
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"`
	Writes string `json:"writes"`
}

// Refuse is a text that is not read: the kind of the error, and the path of the
// member at which it is found.
type Refuse struct {
	Name   string  `json:"name"`
	By     string  `json:"by,omitempty"` // as in Read
	Text   string  `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
	Kind   string  `json:"kind"`           // syntax, utf8, depth, duplicate, type, missing or bounds
	Path   *string `json:"path,omitempty"` // "a[0].b"; none where the text is no JSON
}

// Message is an example of a message as the frames that are sent. A request has
// a response; one that fails names the error's kind instead.
type Message struct {
	Message  string `json:"message"`
	Name     string `json:"name"`
	From     string `json:"from"`
	Params   string `json:"params,omitempty"` // type
	Result   string `json:"result,omitempty"` // type
	Frame    string `json:"frame"`
	Response string `json:"response,omitempty"`
	Fails    string `json:"fails,omitempty"`
}

// Error is one error as its member of a response. Members of its data may stand
// in any order.
type Error struct {
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Retry string          `json:"retry,omitempty"`
	Error json.RawMessage `json:"error"`
}

// EmitCodecs writes a protocol's codec vectors, one a line. An error names
// members for which no value can be made.
func EmitCodecs(p *model.Protocol) ([]byte, error) {
	c, err := CodecsOf(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("{\"protocol\": ")
	if err := line(&b, c.Protocol); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, ", \"format\": %d, \"depth\": %d, \"types\": [", c.Format, c.Depth)
	for i, t := range c.Types {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n{\"type\": ")
		if err := line(&b, t.Type); err != nil {
			return nil, err
		}
		for _, l := range []struct {
			name  string
			items []any
		}{{"values", anys(t.Values)}, {"reads", anys(t.Reads)}, {"refuses", anys(t.Refuses)}} {
			if len(l.items) == 0 {
				continue
			}
			b.WriteString(",\n\"" + l.name + "\": ")
			if err := lines(&b, l.items); err != nil {
				return nil, err
			}
		}
		b.WriteString("}")
	}
	b.WriteString("\n], \"messages\": ")
	if err := lines(&b, anys(c.Messages)); err != nil {
		return nil, err
	}
	b.WriteString(", \"errors\": ")
	if err := lines(&b, anys(c.Errors)); err != nil {
		return nil, err
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}

func lines(b *bytes.Buffer, items []any) error {
	b.WriteString("[")
	for i, item := range items {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		if err := line(b, item); err != nil {
			return err
		}
	}
	b.WriteString("\n]")
	return nil
}

// CodecsOf derives a protocol's codec vectors.
func CodecsOf(p *model.Protocol) (*Codecs, error) {
	w := newWorld(p)
	c := &Codecs{Protocol: p.Name, Format: 1, Depth: w.depth()}
	variants := map[string]bool{} // whose members are next to their tag
	for _, t := range p.Types {
		if t.Union != nil && t.Union.Content == "" && !t.Union.ByShape() {
			for _, v := range t.Union.Variants {
				variants[v.Type] = true
			}
		}
	}
	for _, t := range p.Types {
		if t.Kind != model.KindStruct && t.Kind != model.KindUnion || variants[t.Name] {
			continue
		}
		out := Type{Type: t.Name}
		if t.Union != nil && t.Union.ByShape() {
			w.byShape(t, &out)
			c.Types = append(c.Types, out)
			continue
		}
		for _, s := range w.shapes(t) {
			out.Values = append(out.Values, w.values(s)...)
			out.Reads = append(out.Reads, w.reads(s)...)
			out.Refuses = append(out.Refuses, w.refuses(s)...)
		}
		c.Types = append(c.Types, out)
	}
	w.text(c)
	c.Messages = w.messages()
	c.Errors = w.errors()
	return c, cmp.Or(w.failed...)
}
