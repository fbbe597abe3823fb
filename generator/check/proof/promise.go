// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// promise is one case of a method's results that says what else settles it.
type promise struct {
	*duty
	method  *model.Method
	number  int // of the case
	ways    []model.Way
	marked  bool           // it is about the marked message
	tracks  []*model.Track // of what it waits for the end of
	life    *model.Track   // after its end nothing is reported
	nothing []step         // acceptances that promise the end of what is not under way
	missed  []step         // acceptances of what is over and was not reported
	proven  bool           // the machine shows some of the ways
}

func (p *promise) key() string { return p.method.Name + " " + strconv.Itoa(p.number) }

// promises lists what the machine's calls promise.
func (g *graph) promises() []*promise {
	var out []*promise
	for _, m := range g.calls() {
		for i, c := range m.Settles {
			if len(c.By) == 0 || slices.ContainsFunc(c.By, func(w model.Way) bool { return w.How == model.ByResponse }) {
				continue
			}
			out = append(out, g.promise(m, i))
		}
	}
	return out
}

func (g *graph) promise(m *model.Method, number int) *promise {
	p := &promise{method: m, number: number, ways: m.Settles[number].By, life: g.life(scopeOf(m))}
	p.duty = g.newDuty(p.fateOf)
	p.marked = g.m.Mark != nil && g.m.Mark.Method == m.Name
	for _, w := range p.ways {
		p.proven = p.proven || g.shows(p, w)
		for i := range g.m.Tracks {
			t := &g.m.Tracks[i]
			ends := w.How == model.ByEnd && w.Link == "" && w.Activity == t.Activity
			if ends || w.How == model.ByFrame && same(w.Frame, g.endOf(t.Activity)) {
				p.tracks = append(p.tracks, t)
			}
		}
	}
	if p.proven {
		p.begin()
		p.spread()
	}
	return p
}

// shows reports whether the machine says what it takes to see a way.
func (g *graph) shows(p *promise, w model.Way) bool {
	switch {
	case w.How == model.ByEnd && w.Link == "":
		return p.followed(w) || g.track(w.Activity) != nil
	case w.How == model.ByEnd:
		return p.followed(w)
	case w.How == model.ByCall:
		return slices.ContainsFunc(g.m.Moves, func(mv *model.Move) bool { return mv.Method == w.Method })
	}
	return p.marked && slices.ContainsFunc(g.m.Mark.Over, func(o model.Over) bool { return same(o.Frame, w.Frame) }) ||
		slices.ContainsFunc(g.m.Tracks, func(t model.Track) bool { return same(w.Frame, g.endOf(t.Activity)) }) ||
		slices.ContainsFunc(g.m.Cells, func(c *model.Cell) bool { return same(w.Frame, c.Told) })
}

// followed reports whether the end of an activity is seen at the marked
// message: of several runs it is that of the message's own.
func (p *promise) followed(w model.Way) bool {
	return p.marked && slices.ContainsFunc(p.m.Mark.Over, func(o model.Over) bool { return same(o.Frame, p.endOf(w.Activity)) })
}

// begin finds where calls are accepted with this promise.
func (p *promise) begin() {
	for s := range p.cells {
		if !p.reach.reached(s) {
			continue
		}
		for _, c := range p.cells[s] {
			if p.move(c).Method != p.method.Name || c.Waits || c.Fails != "" || !p.may(c) {
				continue
			}
			for _, to := range c.Next {
				p.accept(step{s, to, c})
			}
		}
	}
}

func (p *promise) accept(st step) {
	if p.marked && !p.pending(st.to) {
		// Another message, or one that is over.
		if p.settles(st.from, st.to) != nil && !p.isReported(st) {
			p.missed = append(p.missed, st)
		}
		return
	}
	switch p.fateOf(st) {
	case open:
	case unseen:
		p.missed = append(p.missed, st)
		return
	default:
		return
	}
	if !p.marked && len(p.tracks) > 0 && !slices.ContainsFunc(p.tracks, func(t *model.Track) bool { return p.in(st.to, t.Reading) }) {
		p.nothing = append(p.nothing, st)
		return
	}
	p.walk.begin(st.to, append(p.reach.way(st.from), st))
}

// may reports whether a cell's answer may be of the promise's case.
func (p *promise) may(c *model.Cell) bool {
	for i := range p.number {
		if holds(p.method.Settles[i].If, c) == yes {
			return false
		}
	}
	return holds(p.method.Settles[p.number].If, c) != no
}

// fateOf says what a step means to the promise.
func (p *promise) fateOf(st step) fate {
	switch {
	case st.cell.Cuts && st.cell.Told == nil:
		return released
	case p.marked && p.pending(st.from) && p.unsent(st.to):
		return released // forgotten, which is a rule of its own
	case p.isReported(st):
		return done
	case p.ended(st):
		return unseen
	}
	return open
}

// isReported reports whether one of the ways is reported in a step.
func (p *promise) isReported(st step) bool {
	return slices.ContainsFunc(p.ways, func(w model.Way) bool { return p.hears(w, st) })
}

func (p *promise) hears(w model.Way, st step) bool {
	if st.cell.Cuts {
		return w.How == model.ByFrame && same(w.Frame, st.cell.Told)
	}
	var over *model.Over
	if p.marked {
		over = p.settles(st.from, st.to)
	}
	if w.How == model.ByEnd {
		if p.followed(w) {
			return over != nil && same(over.Frame, p.endOf(w.Activity))
		}
		t := p.track(w.Activity)
		return w.Link == "" && t != nil && p.ends(t, st.from, st.to)
	}
	if w.How == model.ByCall {
		return p.calls(w, st) && (!p.marked || over != nil && over.Method == w.Method)
	}
	if over != nil && same(over.Frame, w.Frame) {
		return true
	}
	return slices.ContainsFunc(p.m.Tracks, func(t model.Track) bool {
		return p.ends(&t, st.from, st.to) && same(w.Frame, p.endOf(t.Activity))
	})
}

// calls reports whether a step is an accepted call by which a way settles.
func (p *promise) calls(w model.Way, st step) bool {
	return w.How == model.ByCall && p.move(st.cell).Method == w.Method && st.cell.Fails == ""
}

// byItself selects steps that need no call, or only the awaited call of the
// other side.
func (p *promise) byItself(st step) bool {
	return p.graph.byItself(st) || slices.ContainsFunc(p.ways, func(w model.Way) bool { return p.calls(w, st) })
}

// ended reports whether what the promise waits for is over with a step, or the
// scope's life.
func (p *promise) ended(st step) bool {
	if p.marked && p.settles(st.from, st.to) != nil {
		return true
	}
	if !p.marked && slices.ContainsFunc(p.tracks, func(t *model.Track) bool { return p.ends(t, st.from, st.to) }) {
		return true
	}
	return p.life != nil && p.ends(p.life, st.from, st.to)
}

// reported says what callers learn of a step that ended something.
func (p *promise) reported(st step) string {
	if st.cell.Cuts {
		return frameText(st.cell.Told)
	}
	if p.marked {
		if over := p.settles(st.from, st.to); over != nil {
			if over.Frame == nil {
				return over.Method
			}
			return frameText(over.Frame)
		}
	}
	for _, t := range append(slices.Clone(p.tracks), p.life) {
		if t != nil && p.ends(t, st.from, st.to) {
			return frameText(p.endOf(t.Activity))
		}
	}
	return frameText(nil)
}

// place is the part of a state that determines how far the promise is: states
// that do not differ in it are stuck for the same cause.
func (p *promise) place(state int) string {
	var out []string
	if p.marked {
		return p.m.States[state][p.m.Mark.Dim]
	}
	for _, t := range p.tracks {
		out = append(out, p.m.States[state][t.Dim])
	}
	return strings.Join(out, " ")
}
