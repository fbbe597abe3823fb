// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// Machine is a finite picture of the protocol, tabulated as far as it can be
// reached from its start: what cannot arise is counted and left out.
type Machine struct {
	Name   string      `json:"name"`
	Var    string      `json:"var"`
	Dims   []Dimension `json:"dims"`
	Start  []string    `json:"start"` // a value a dimension
	Tracks []Track     `json:"tracks,omitempty"`
	Mark   *Mark       `json:"mark,omitempty"`
	Rests  []Reading   `json:"rests,omitempty"` // accepted work may lie still here until a call comes
	Moves  []*Move     `json:"moves"`
	States [][]string  `json:"states"` // those that can be reached, in the order of the dimensions' values
	Places []Place     `json:"places"` // where cells were written
	Cells  []*Cell     `json:"cells"`  // by move, state and arguments
	Counts Counts      `json:"counts"`
	Doc    Text        `json:"doc"`
	Pos    Pos         `json:"pos"`
}

// Dimension is one enum of a machine's state, or one argument of a move.
type Dimension struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Reading is what some values of one dimension of the state mean.
type Reading struct {
	Dim    int      `json:"dim"`
	Values []string `json:"values"`
}

// Track says in which states an activity is under way, its values in the order
// in which one run goes through them.
type Track struct {
	Activity string `json:"activity"`
	Reading
}

// Mark says where a dimension follows one message.
type Mark struct {
	Method string   `json:"method"` // sends it
	Dim    int      `json:"dim"`
	Unsent []string `json:"unsent"`
	Over   []Over   `json:"over"`
}

// Over is how a marked message was settled, and the frame that reports it or
// the later call that does it.
type Over struct {
	Values []string `json:"values"`
	Frame  *Frame   `json:"frame,omitempty"`
	Method string   `json:"method,omitempty"`
}

// Move is one thing that can happen in a machine.
type Move struct {
	Method string      `json:"method,omitempty"` // a call; or
	Event  string      `json:"event,omitempty"`  // something that happens by itself
	Args   []Dimension `json:"args,omitempty"`
	Within int64       `json:"withinMs,omitempty"` // events: how long it may take; 0: as long as it likes
	Doc    Text        `json:"doc"`                // of an event
	Pos    Pos         `json:"pos"`
}

// Place is one place in the author's source.
type Place struct {
	Pos Pos `json:"pos"`
}

// Cell is what one move does in one state, for all arguments that are
// combinations of Args. No two cells of a move and state have one in common;
// a combination that no cell has cannot arise.
type Cell struct {
	Move  int        `json:"move"`
	State int        `json:"state"`
	Args  [][]string `json:"args,omitempty"` // values of each argument; null: all of them. None at all: all of each
	Waits bool       `json:"waits,omitempty"`
	Says  []string   `json:"says,omitempty"`  // "effect=stopping"
	Fails string     `json:"fails,omitempty"` // error kind
	Cuts  bool       `json:"cuts,omitempty"`  // ends what is under way from without
	Told  *Frame     `json:"told,omitempty"`  // the frame by which callers hear of that; none: by the loss of their connection
	Next  []int      `json:"next,omitempty"`  // any of these may follow
	Place int        `json:"place"`
}

// Counts says how large the whole table would be.
type Counts struct {
	States   int `json:"states"`   // of the product of all dimensions
	Cells    int `json:"cells"`    // of the product of all states and arguments
	Reached  int `json:"reached"`  // cells of states that can be reached
	Possible int `json:"possible"` // those of them that can arise
}

// Values is a cell's set of values for one argument of its move.
func (m *Machine) Values(c *Cell, arg int) []string {
	if arg < len(c.Args) && c.Args[arg] != nil {
		return c.Args[arg]
	}
	return m.Moves[c.Move].Args[arg].Values
}

// Has reports whether a cell is for a combination of arguments.
func (m *Machine) Has(c *Cell, args []string) bool {
	for i, v := range args {
		if !slices.Contains(m.Values(c, i), v) {
			return false
		}
	}
	return true
}

// Combinations lists a move's combinations of arguments, the last fastest; one
// empty one if it has none.
func (m *Move) Combinations() [][]string {
	all := [][]string{nil}
	for _, d := range m.Args {
		var next [][]string
		for _, partial := range all {
			for _, v := range d.Values {
				next = append(next, append(partial[:len(partial):len(partial)], v))
			}
		}
		all = next
	}
	return all
}

// Name is the move's method or event.
func (m *Move) Name() string {
	if m.Method != "" {
		return m.Method
	}
	return m.Event
}

// At is where a cell was written.
func (m *Machine) At(c *Cell) Pos { return m.Places[c.Place].Pos }
