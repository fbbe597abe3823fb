// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"

	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// Rule is one thing that is checked.
type Rule struct {
	ID       string
	Severity problem.Severity
	Blocks   bool       // generating makes no sense while it is broken
	Whole    bool       // it looks for what the whole protocol lacks: not of one that is incomplete
	Texts    bool       // it is about texts alone, whatever they explain
	About    model.Text // what it asks for, and why
	check    func(*pass)
}

// Rules lists all rules in the order of the documents.
func Rules() []Rule {
	return []Rule{
		missingEnglish, missingChinese, stalePair, pairValues,
		hole, unsettled, activityHole, outcomeHole, keyedAbsent, keyedHole, unusedError, unlistedError, unusedCapability, unknownValue, unknownVersion, unlacked, noScope, defaultValue, legacyMember,
		noExample, unboundedInteger, goName,
		unusedAllow, // last: it looks at what the others found
	}
}

// Options are the options of a run.
type Options struct {
	Drifts []translation.Drift // texts of which one language has changed alone
	Found  problem.List        // what other checks found: exceptions are for them too
	Rules  []string            // the ids of those checks' rules

	// What loading found. Of a declaration that has an error nothing more is said
	// but of its texts, and of a protocol that is incomplete not what it lacks.
	Broken    problem.List
	Misplaced []model.Pos // parts that lack a text because it is elsewhere, which is reported
}

// Run checks a model with every rule and gives the findings, sorted.
func Run(m *model.Protocol, o Options) problem.List {
	r := &run{
		m: m, o: o, types: map[string]*model.Type{}, rules: map[string]bool{}, allowed: make([]bool, len(m.Allows)),
		broken: map[string]bool{}, told: map[model.Pos]bool{}, misplaced: map[model.Pos]bool{},
	}
	for _, p := range o.Broken {
		if p.Severity == problem.Error {
			r.broken[p.At] = r.broken[p.At] || p.At != ""
			r.told[p.Pos] = true
		}
	}
	for _, at := range o.Misplaced {
		r.misplaced[at] = true
	}
	for _, t := range m.Types {
		r.types[t.Name] = t
	}
	for _, rule := range Rules() {
		r.rules[rule.ID] = true
	}
	for _, id := range o.Rules {
		r.rules[id] = true
	}
	for _, p := range o.Found {
		if !r.excepted(p.Rule, p.At) {
			r.found = append(r.found, p)
		}
	}
	for _, rule := range Rules() {
		if !rule.Whole || len(r.told) == 0 {
			rule.check(&pass{run: r, rule: rule})
		}
	}
	r.found.Sort()
	return r.found
}

// Blocking keeps the findings of rules that stand in the way of generating.
func Blocking(found problem.List) problem.List {
	var out problem.List
	for _, p := range found {
		if i := slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == p.Rule }); i >= 0 && Rules()[i].Blocks {
			out = append(out, p)
		}
	}
	return out
}

// run is one check of a model.
type run struct {
	m       *model.Protocol
	o       Options
	types   map[string]*model.Type
	rules   map[string]bool
	allowed []bool // exceptions that have been of use
	found   problem.List

	all       []translation.Text // texts, once they were asked for
	broken    map[string]bool    // declarations that have errors, by variable
	told      map[model.Pos]bool // the places of errors
	misplaced map[model.Pos]bool // Options.Misplaced
}

// texts are all texts of the model.
func (r *run) texts() []translation.Text {
	if r.all == nil {
		r.all = translation.Texts(r.m)
	}
	return r.all
}

// pass is one rule's part of a run.
type pass struct {
	*run
	rule     Rule
	reported bool // what was found last is reported
}

// report adds a finding about a declaration, which is known by its variable,
// or about a payload type, which has none.
func (p *pass) report(variable string, pos model.Pos, en, zh string, args ...any) {
	p.add(variable, problem.Problem{Pos: pos, At: variable, Text: model.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}})
}

// fix says what a machine can do about what was reported last. What has an
// exception was not reported.
func (p *pass) fix(steps ...[]string) {
	if n := len(p.found); n > 0 && p.reported {
		p.found[n-1].Fix = steps
	}
}

// excepted reports whether the author made an exception, which is then marked
// as used.
func (r *run) excepted(rule, variable string) bool {
	for i, a := range r.m.Allows {
		if a.Rule == rule && (a.At == "" || a.At == variable) {
			r.allowed[i] = true
			return true
		}
	}
	return false
}

// follows reports whether a finding follows from one that was reported already.
func (p *pass) follows(variable string, at model.Pos) bool {
	if p.rule.Texts {
		return p.misplaced[at]
	}
	return p.broken[variable] || p.told[at]
}

// add adds a finding unless the author made an exception, or it is no news.
func (p *pass) add(variable string, found problem.Problem) {
	p.reported = !p.excepted(p.rule.ID, variable) && !p.follows(variable, found.Pos)
	if !p.reported {
		return
	}
	found.Rule, found.Severity = p.rule.ID, p.rule.Severity
	p.found = append(p.found, found)
}
