// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec/model"
)

// table is the session machine, a cell a combination of arguments.
type table struct {
	dims  map[string]int
	cells map[string][]*cellOf // by state
}

type cellOf struct {
	*model.Cell
	Method, Event string
	Within        int64
	Args          []string
	Next          []string
}

func key(state []string) string { return strings.Join(state, " ") }

func theTable(t *testing.T) *table {
	t.Helper()
	all := theModel(t)
	require.Len(t, all.Machines, 1)
	m := all.Machines[0]
	out := &table{dims: map[string]int{}, cells: map[string][]*cellOf{}}
	for i, d := range m.Dims {
		out.dims[d.Name] = i
	}
	for _, c := range m.Cells {
		move := m.Moves[c.Move]
		for _, args := range move.Combinations() {
			if !m.Has(c, args) {
				continue
			}
			one := &cellOf{Cell: c, Method: move.Method, Event: move.Event, Within: move.Within}
			for i, a := range move.Args {
				one.Args = append(one.Args, a.Name+"="+args[i])
			}
			for _, n := range c.Next {
				one.Next = append(one.Next, key(m.States[n]))
			}
			k := key(m.States[c.State])
			out.cells[k] = append(out.cells[k], one)
		}
	}
	return out
}

func (tb *table) is(state, dim, value string) bool {
	return strings.Fields(state)[tb.dims[dim]] == value
}

func (tb *table) closes(state string) bool {
	return tb.is(state, "Life", "closing") || tb.is(state, "Life", "draining")
}

func (tb *table) states() []string {
	var out []string
	for s := range tb.cells {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func argument(c *cellOf, name string) string {
	for _, a := range c.Args {
		if k, v, _ := strings.Cut(a, "="); k == name {
			return v
		}
	}
	return ""
}

func TestMachineReachesOnlyStatesThatMakeSense(t *testing.T) {
	tb := theTable(t)
	assert.Greater(t, len(tb.cells), 40)
	for _, s := range tb.states() {
		f := strings.Fields(s)
		is := state{life(f[0]), turn(f[1]), queue(f[2]), mark(f[3])}
		assert.Falsef(t, is.impossible(), "%s can be reached", s)
	}
}

// Every cancel is answered, in every phase, and never with an error.
func TestEveryCancelIsAnswered(t *testing.T) {
	tb := theTable(t)
	for _, s := range tb.states() {
		answered := 0
		for _, c := range tb.cells[s] {
			if c.Method != Cancel.Name {
				continue
			}
			answered++
			assert.Emptyf(t, c.Fails, "%s %v", s, c.Args)
			assert.Equalf(t, tb.is(s, "Life", "opening"), c.Waits, "%s %v", s, c.Args)
		}
		assert.NotZero(t, answered, s)
	}
}

// cancelled is true for all effects but two, and only a drop or a named message
// withdraws.
func TestCancelAnswers(t *testing.T) {
	tb := theTable(t)
	effects := map[string]bool{}
	for _, s := range tb.states() {
		for _, c := range tb.cells[s] {
			if c.Method != Cancel.Name || c.Waits {
				continue
			}
			effect := strings.TrimPrefix(c.Says[0], "effect=")
			effects[effect] = true
			none := effect == string(EffectStale) || effect == string(EffectUnknown)
			assert.Equal(t, none, slices.Contains(c.Says, "cancelled=false"), "%s %v", s, c.Args)
			if slices.Contains(c.Says, "withdrawn=*") {
				assert.Truef(t, argument(c, "queue") == "drop" || argument(c, "target") == "queued", "%s %v", s, c.Args)
			}
			if argument(c, "waitFor") == "settled" {
				assert.NotContains(t, []string{"stopping", "already-stopping"}, effect, "%s %v", s, c.Args)
			}
			if effect == string(EffectStopped) {
				for _, n := range c.Next {
					assert.Falsef(t, tb.is(n, "Turn", "stopping"), "%s %v leads to %s", s, c.Args, n)
				}
			}
		}
	}
	assert.Len(t, effects, 7, "every effect has a state in which it is the answer")
}

// Only a prompt, a turn's beginning, and what opens or closes a session may
// touch the message; a look at it does not.
func TestLookingChangesNothing(t *testing.T) {
	tb := theTable(t)
	for _, s := range tb.states() {
		for _, c := range tb.cells[s] {
			if (c.Method == GetStatus.Name || c.Method == Wait.Name) && !c.Waits {
				assert.Equalf(t, []string{s}, c.Next, "%s in %s", c.Method, s)
			}
			if c.Fails != "" && c.Fails != ErrIdempotencyConflict.Kind {
				assert.Equalf(t, []string{s}, c.Next, "%s %v in %s fails and changes something", c.Method, c.Args, s)
			}
		}
	}
}

// While a session closes, nothing may enter it.
func TestNothingEntersAClosingSession(t *testing.T) {
	tb := theTable(t)
	for _, s := range tb.states() {
		if !tb.closes(s) {
			continue
		}
		for _, c := range tb.cells[s] {
			switch c.Method {
			case Prompt.Name, Load.Name, Resume.Name, GetWorkingDirectory.Name, SetWorkingDirectory.Name, Wait.Name:
				assert.Equalf(t, ErrSessionClosed.Kind, c.Fails, "%s %v in %s", c.Method, c.Args, s)
			}
		}
	}
}
