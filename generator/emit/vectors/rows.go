// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"bytes"
	"encoding/json"

	"github.com/accordkit/accord/spec/model"
)

// Machine is one machine as rows.
type Machine struct {
	Machine string      `json:"machine"`
	Dims    []Dimension `json:"dims"`
	Moves   []Move      `json:"moves"`
	States  []State     `json:"states"` // all that can be reached; the first is the start
	Rows    []Row       `json:"rows"`
}

// Dimension is one enum of the state, or one argument of a move.
type Dimension struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Move is a call of a method, or an event: something that happens by itself,
// within a bound (in milliseconds) or, without one, when it likes.
type Move struct {
	Method   string      `json:"method,omitempty"`
	Event    string      `json:"event,omitempty"`
	WithinMS int64       `json:"withinMs,omitempty"`
	Args     []Dimension `json:"args,omitempty"`
}

// State is one state and a way there: from another, which stands before it, by
// a move. If the move may lead elsewhere too, the way is not certain.
type State struct {
	Is      []string `json:"is"` // a value a dimension
	From    int      `json:"from"`
	Move    int      `json:"move"`
	Args    []string `json:"args,omitempty"` // a value an argument
	Certain bool     `json:"certain,omitempty"`
}

// Row is what a move does in the states of In with the arguments of Args: sets
// of values, null for all. States that are not listed are none.
type Row struct {
	Move  int                 `json:"move"`
	In    [][]string          `json:"in"`
	Args  [][]string          `json:"args,omitempty"`
	Waits bool                `json:"waits,omitempty"` // held until another row is true of it
	Says  []string            `json:"says,omitempty"`  // of the result: "member=value", or =* present, =- absent, =[] empty
	Fails string              `json:"fails,omitempty"` // error kind
	Cuts  bool                `json:"cuts,omitempty"`  // from outside: callers get this frame; none: they lose their connection
	Told  string              `json:"told,omitempty"`  // the frame: notification, or notification and variant
	Next  []map[string]string `json:"next,omitempty"`  // what changes, by dimension: one of these
}

// Rows writes a protocol's machines, an element a line.
func Rows(p *model.Protocol) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{\"protocol\": ")
	if err := line(&b, p.Name); err != nil {
		return nil, err
	}
	b.WriteString(", \"machines\": [")
	for i, m := range p.Machines {
		if i > 0 {
			b.WriteString(",")
		}
		out := Of(m)
		b.WriteString("\n{\"machine\": ")
		if err := line(&b, out.Machine); err != nil {
			return nil, err
		}
		for _, list := range []struct {
			name  string
			items []any
		}{{"dims", anys(out.Dims)}, {"moves", anys(out.Moves)}, {"states", anys(out.States)}, {"rows", anys(out.Rows)}} {
			b.WriteString(",\n\"" + list.name + "\": [")
			for j, item := range list.items {
				if j > 0 {
					b.WriteString(",")
				}
				b.WriteString("\n  ")
				if err := line(&b, item); err != nil {
					return nil, err
				}
			}
			b.WriteString("\n]")
		}
		b.WriteString("}")
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

func line(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	b.Truncate(b.Len() - 1) // the line's end
	return err
}

func anys[T any](list []T) []any {
	var out []any
	for _, x := range list {
		out = append(out, x)
	}
	return out
}

// Of is a machine as rows.
func Of(m *model.Machine) *Machine {
	out := &Machine{Machine: m.Name, Dims: dimensions(m.Dims)}
	for _, mv := range m.Moves {
		out.Moves = append(out.Moves, Move{Method: mv.Method, Event: mv.Event, WithinMS: mv.Within, Args: dimensions(mv.Args)})
	}
	out.States = ways(m)
	for i := range m.Moves {
		out.Rows = append(out.Rows, newTable(m, i).rows()...)
	}
	return out
}

func dimensions(list []model.Dimension) []Dimension {
	var out []Dimension
	for _, d := range list {
		out = append(out, Dimension(d))
	}
	return out
}
