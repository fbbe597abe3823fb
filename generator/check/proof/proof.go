// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// Rule is one thing that is proven of every machine.
type Rule struct {
	ID       string
	Severity problem.Severity
	About    model.Text // what it asks for, and why
	check    func(*pass)
}

// Rules lists all rules in the order of the documents.
func Rules() []Rule {
	return []Rule{
		mustSettle, canSettle, deadEnd, unreported, wayOut, held, forgotten, openFence,
		unreachable, unsaid, unknownAnswer, untracked,
	}
}

// Run proves every machine of a model and gives what fails, sorted.
func Run(p *model.Protocol) problem.List {
	var found problem.List
	for _, m := range p.Machines {
		g := newGraph(p, m)
		if g == nil {
			continue // the loader has said what is wrong with it
		}
		promises := g.promises()
		failed := map[string]bool{}
		for _, rule := range Rules() {
			ps := &pass{graph: g, rule: rule, promises: promises, failed: failed}
			rule.check(ps)
			found = append(found, ps.problems()...)
		}
	}
	found.Sort()
	return found
}

// pass is one rule's part of a proof of one machine.
type pass struct {
	*graph
	rule     Rule
	promises []*promise
	failed   map[string]bool // promises that an earlier rule has found broken, by key
	found    []finding
}

// finding is one failure. Findings with one cause are one report: the one with
// the shortest trace.
type finding struct {
	cause    string
	trace    []step
	pos      model.Pos // zero: that of the trace's last step, or the machine's
	variable string
	text     model.Text
	here     int // the state in which it ends; -1: none
}

func (p *pass) add(f finding) { p.found = append(p.found, f) }

// say makes a text of both languages with the same arguments.
func say(en, zh string, args ...any) model.Text {
	return model.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}
}

func (p *pass) lastRank(f finding) int {
	if len(f.trace) == 0 {
		return 0
	}
	return p.rank(f.trace[len(f.trace)-1].cell)
}

// problems makes one report a cause, the shortest.
func (p *pass) problems() problem.List {
	slices.SortStableFunc(p.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.cause, b.cause), cmp.Compare(len(a.trace), len(b.trace)), cmp.Compare(p.lastRank(a), p.lastRank(b)))
	})
	var out problem.List
	for i := 0; i < len(p.found); {
		f := p.found[i]
		others := 0
		for i++; i < len(p.found) && p.found[i].cause == f.cause; i++ {
			others++
		}
		one := problem.Problem{Pos: f.pos, Rule: p.rule.ID, Severity: p.rule.Severity, Text: f.text, At: f.variable}
		if one.At == "" {
			one.At = p.m.Var
		}
		if one.Pos == (model.Pos{}) && len(f.trace) > 0 {
			one.Pos = p.m.At(f.trace[len(f.trace)-1].cell)
		}
		if one.Pos == (model.Pos{}) {
			one.Pos = p.m.Pos
		}
		if len(f.trace) > 0 || f.here >= 0 {
			one.Trace = p.traceText(f.trace, f.here, others)
		}
		out = append(out, one)
	}
	return out
}
