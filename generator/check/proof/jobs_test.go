// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/check/proof/testdata/jobs"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

func queue(t *testing.T, bug string) *model.Protocol {
	t.Helper()
	jobs.Bug = bug
	t.Cleanup(func() { jobs.Bug = "" })
	m, problems := spec.Model(jobs.Jobs, jobs.Variables())
	require.Empty(t, problems)
	return m
}

const (
	submitOther = "job/submit (which=another)"
	submitIt    = "job/submit (which=marked)"
	takes       = "the worker takes a job"
	isDone      = "the worker is done"
	stopIt      = "job/stop (target=running)"
)

func TestJobQueue(t *testing.T) {
	seen := map[string]bool{}
	for bug, wants := range map[string][]want{
		"": nil,
		"the fence is open": {
			{rule: "open-fence", trace: []string{submitOther, takes, "job/stop (target=old)"}, here: "Worker stopping"},
		},
		"the fence guards nothing": {{rule: "open-fence", says: "has no effect"}},
		"nothing is stale":         {{rule: "unsaid", says: "effect=stale"}},
		"an idle worker is stopped": {
			{rule: "must-settle", trace: []string{stopIt}, here: "Worker idle", says: "nothing is under way"},
		},
		"a closed queue holds stops": {
			{rule: "held", trace: []string{"queue/close", "the close is over", stopIt}, here: "Life gone"},
		},
		"a stop is not latched": {
			{rule: "way-out", trace: []string{submitOther, takes}, here: "Worker busy"},
		},
		"misspelt": {
			{rule: "unknown-answer", says: "no member jobb"},
			{rule: "unsaid", says: "effect=stopping"},
			{rule: "unsaid", says: "never settled by job.done"},
		},
		"a close waits for the worker": {
			{rule: "must-settle", trace: []string{submitOther, takes, "queue/close"}, here: "Life closing, Worker busy"},
		},
		"nobody takes": {
			{rule: "dead-end", trace: []string{submitIt}, here: "Job waiting"},
			{rule: "open-fence", says: "has no effect"},
		},
		"a job is done twice": {
			{rule: "forgotten", trace: []string{submitIt, takes, isDone, submitOther, takes, isDone}, here: "Job waiting", says: "was settled"},
		},
		"an expired lease forgets": {
			{rule: "forgotten", trace: []string{submitIt, takes, "the lease runs out"}, here: "Job unsent", says: "is forgotten"},
		},
		"an expired lease strands": {
			{rule: "dead-end", trace: []string{submitIt, takes, "the lease runs out"}, here: "Worker idle, Others none, Job running"},
		},
		"nobody gives up": {
			{rule: "can-settle", trace: []string{submitIt, takes, stopIt}, here: "Worker stopping", says: "job/submit"},
			{rule: "must-settle", trace: []string{submitOther, takes, stopIt}, here: "Worker stopping", says: "job/stop"},
			{rule: "must-settle", trace: []string{submitOther, takes, "queue/close"}, here: "Life closing, Worker stopping", says: "queue/close"},
		},
	} {
		t.Run(bug, func(t *testing.T) {
			found := proof.Run(queue(t, bug))
			ignored := []string{}
			if bug == "nobody takes" || bug == "nobody gives up" {
				ignored = []string{"unreachable", "unsaid"} // what follows from it
			}
			expect(t, wants, found, ignored...)
			for _, p := range found {
				seen[p.Rule] = true
			}
		})
	}

	// What the machine does not say is a hole.
	t.Run("untracked", func(t *testing.T) {
		m := queue(t, "")
		m.Machines[0].Tracks, m.Machines[0].Mark = nil, nil
		expect(t, []want{
			{rule: "untracked", says: "job/submit"},
			{rule: "untracked", says: "job/stop"},
			{rule: "untracked", says: "queue/close"},
		}, proof.Run(m))
		seen["untracked"] = true
	})
	// The end of the queue is the last that a submitter can hear.
	t.Run("unreported", func(t *testing.T) {
		m := queue(t, "")
		m.Methods[0].Settles[0].By = m.Methods[0].Settles[0].By[:2]
		expect(t, []want{
			{rule: "unreported", trace: []string{submitIt, "queue/close", "the close is over"}, says: "queue.gone"},
		}, proof.Run(m))
		seen["unreported"] = true
	})
	// What a later call settles is settled by that, and by no frame.
	t.Run("by a later call", func(t *testing.T) {
		m := queue(t, "")
		submit := m.Methods[0].Settles[0]
		require.Equal(t, "dropped", submit.By[1].As)
		m.Machines[0].Mark.Over[1] = model.Over{Values: []string{"dropped"}, Method: "job/stop"}
		expect(t, []want{
			{rule: "unreported", trace: []string{submitIt, "job/stop (target=marked)"}, says: "reported by job/stop alone"},
		}, proof.Run(m))
		submit.By[1] = model.Way{How: model.ByCall, Method: "job/stop"}
		assert.Empty(t, proof.Run(m))
		// Another call does not help with what only the worker ends.
		m.Machines[0].Cells = without(m.Machines[0].Cells, func(c *model.Cell) bool {
			return m.Machines[0].Moves[c.Move].Event == takes
		})
		assert.NotEmpty(t, proof.Run(m))
	})
	for _, r := range proof.Rules() {
		assert.True(t, seen[r.ID], "rule %s finds no bug", r.ID)
	}
}

// Loaded from source, a report stands at the move that is to blame.
func TestPlaces(t *testing.T) {
	s, err := load.Open(t.Context(), "./testdata/jobs", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), s.Problems)
	require.Empty(t, proof.Run(s.Model))

	m := s.Model.Machines[0]
	for i, mv := range m.Moves {
		if mv.Event == "the stopped worker gives up" {
			m.Cells = without(m.Cells, func(c *model.Cell) bool { return c.Move == i })
		}
	}
	lines := map[string]bool{}
	for _, p := range proof.Run(s.Model) {
		if p.Rule == "must-settle" {
			assert.Equal(t, "machine.go", p.Pos.File)
			lines[sourceLine(t, "testdata/jobs/machine.go", p.Pos.Line)] = true
		}
		assert.Equal(t, problem.Error, p.Severity)
	}
	assert.Equal(t, map[string]bool{`return spec.Says("effect=stopping", s)`: true, `return spec.Says("closed=true", s)`: true}, lines)
}

// What an enum's values are is known once the source is read.
func TestMisspeltAnswer(t *testing.T) {
	s, err := load.Open(t.Context(), "./testdata/jobs", load.Options{})
	require.NoError(t, err)
	m := s.Model.Machines[0]
	for _, c := range m.Cells {
		if len(c.Says) > 0 && c.Says[0] == "effect=idle" {
			c.Says[0] = "effect=idel"
		}
	}
	expect(t, []want{
		{rule: "unknown-answer", says: "effect of job/stop cannot be idel: it is one of stopping, dropped, stale, idle"},
		{rule: "unsaid", says: "effect=idle"},
	}, proof.Run(s.Model))
}

func without(cells []*model.Cell, drop func(*model.Cell) bool) []*model.Cell {
	var out []*model.Cell
	for _, c := range cells {
		if !drop(c) {
			out = append(out, c)
		}
	}
	return out
}
