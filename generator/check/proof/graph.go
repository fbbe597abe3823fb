// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"cmp"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// graph is a machine's states and the steps between them.
type graph struct {
	p     *model.Protocol
	m     *model.Machine
	start int
	cells [][]*model.Cell // of each state
	reach *walk           // from the start
}

// step is one step between two states; to is from where a call waits.
type step struct {
	from, to int
	cell     *model.Cell
}

func newGraph(p *model.Protocol, m *model.Machine) *graph {
	g := &graph{p: p, m: m, start: -1, cells: make([][]*model.Cell, len(m.States))}
	for i, s := range m.States {
		if slices.Equal(s, m.Start) {
			g.start = i
		}
	}
	if g.start < 0 {
		return nil
	}
	for _, c := range m.Cells {
		g.cells[c.State] = append(g.cells[c.State], c)
	}
	for _, list := range g.cells {
		slices.SortStableFunc(list, func(a, b *model.Cell) int { return cmp.Compare(g.rank(a), g.rank(b)) })
	}
	g.reach = g.newWalk()
	g.reach.begin(g.start, nil)
	g.reach.run(func(step) bool { return true })
	return g
}

// rank orders moves by how much they explain, for traces of one length: what
// happens by itself, calls, calls that are answered only when all is over, and
// what cuts everything off.
func (g *graph) rank(c *model.Cell) int {
	switch {
	case c.Cuts:
		return 3
	case g.move(c).Event != "":
		return 0
	case slices.ContainsFunc(c.Next, func(to int) bool { return g.endsSome(c.State, to) }):
		return 2
	}
	return 1
}

func (g *graph) move(c *model.Cell) *model.Move { return g.m.Moves[c.Move] }

func (g *graph) method(name string) *model.Method {
	i := slices.IndexFunc(g.p.Methods, func(m *model.Method) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return g.p.Methods[i]
}

func (g *graph) activity(name string) *model.Activity {
	i := slices.IndexFunc(g.p.Activities, func(a *model.Activity) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return g.p.Activities[i]
}

// calls lists the methods that the machine has moves of, in their order.
func (g *graph) calls() []*model.Method {
	var out []*model.Method
	for _, mv := range g.m.Moves {
		if m := g.method(mv.Method); mv.Method != "" && m != nil && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// in reports whether a state has one of a reading's values.
func (g *graph) in(state int, r model.Reading) bool {
	return slices.Contains(r.Values, g.m.States[state][r.Dim])
}

// rests reports whether accepted work may rest in a state.
func (g *graph) rests(state int) bool {
	return slices.ContainsFunc(g.m.Rests, func(r model.Reading) bool { return g.in(state, r) })
}

// track is where the machine shows an activity; nil: nowhere.
func (g *graph) track(activity string) *model.Track {
	for i := range g.m.Tracks {
		if g.m.Tracks[i].Activity == activity {
			return &g.m.Tracks[i]
		}
	}
	return nil
}

// ends reports whether a step ends a run of an activity.
func (g *graph) ends(t *model.Track, from, to int) bool {
	before := slices.Index(t.Values, g.m.States[from][t.Dim])
	after := slices.Index(t.Values, g.m.States[to][t.Dim])
	return before >= 0 && after < before && from != to
}

// endsSome reports whether a step ends a run of any activity.
func (g *graph) endsSome(from, to int) bool {
	for i := range g.m.Tracks {
		if g.ends(&g.m.Tracks[i], from, to) {
			return true
		}
	}
	return false
}

// The marked message's places.
func (g *graph) unsent(state int) bool {
	return slices.Contains(g.m.Mark.Unsent, g.m.States[state][g.m.Mark.Dim])
}

func (g *graph) over(state int) *model.Over {
	v := g.m.States[state][g.m.Mark.Dim]
	for i := range g.m.Mark.Over {
		if slices.Contains(g.m.Mark.Over[i].Values, v) {
			return &g.m.Mark.Over[i]
		}
	}
	return nil
}

func (g *graph) pending(state int) bool { return !g.unsent(state) && g.over(state) == nil }

// settles is the way in which a step settles the marked message; nil: it does not.
func (g *graph) settles(from, to int) *model.Over {
	if g.m.Mark == nil || g.over(from) != nil {
		return nil
	}
	return g.over(to)
}

// same reports whether two frames are the same kind of message.
func same(a, b *model.Frame) bool {
	return a != nil && b != nil && a.Notification == b.Notification && a.Path == b.Path && a.Variant == b.Variant &&
		slices.EqualFunc(a.Where, b.Where, func(x, y model.Is) bool {
			return x.Member == y.Member && x.Absent == y.Absent && slices.Equal(x.Values, y.Values)
		})
}

// endOf is the frame that ends an activity.
func (g *graph) endOf(activity string) *model.Frame {
	if a := g.activity(activity); a != nil {
		return a.Ends
	}
	return nil
}

// life is the activity that is a scope's life: what the method cancels that
// closes it. Nothing of the scope follows its end.
func (g *graph) life(scope string) *model.Track {
	for _, m := range g.p.Methods {
		if m.Closes == scope && m.Cancels != "" && scope != "" {
			return g.track(m.Cancels)
		}
	}
	return nil
}

func scopeOf(m *model.Method) string {
	if m.In == nil {
		return ""
	}
	return m.In.Scope
}
