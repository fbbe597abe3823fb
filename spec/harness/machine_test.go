package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec/model"
)

// table is the session machine, tabulated.
type table struct {
	dims  map[string]int
	cells map[string][]*model.Cell // by state, reachable ones that can arise
}

func key(state []string) string { return strings.Join(state, " ") }

func theTable(t *testing.T) *table {
	t.Helper()
	m := theModel(t)
	require.Len(t, m.Machines, 1)
	out := &table{dims: map[string]int{}, cells: map[string][]*model.Cell{}}
	for i, d := range m.Machines[0].Dims {
		out.dims[d.Name] = i
	}
	for _, c := range m.Machines[0].Cells {
		if c.Reachable {
			k := key(c.State)
			out.cells[k] = append(out.cells[k], nil)[:len(out.cells[k])]
			if !c.Never {
				out.cells[k] = append(out.cells[k], c)
			}
		}
	}
	return out
}

func (tb *table) is(state, dim, value string) bool {
	return strings.Fields(state)[tb.dims[dim]] == value
}

func (tb *table) states() []string {
	var out []string
	for s := range tb.cells {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func nexts(c *model.Cell) []string {
	var out []string
	for _, n := range c.Next {
		out = append(out, key(n))
	}
	return out
}

func argument(c *model.Cell, name string) string {
	for _, a := range c.Args {
		if k, v, _ := strings.Cut(a, "="); k == name {
			return v
		}
	}
	return ""
}

// must gives the states from which a goal is reached whatever agent and client
// do, because something bounded leads there: all that a bounded event does
// leads on, and all else leads on too or leaves that event about to happen.
func (tb *table) must(goal func(string) bool) map[string]bool {
	sure := map[string]bool{}
	for s := range tb.cells {
		if goal(s) {
			sure[s] = true
		}
	}
	bounded := map[string]bool{}
	for _, cells := range tb.cells {
		for _, c := range cells {
			if c.Event != "" && c.Within > 0 {
				bounded[c.Event] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for event := range bounded {
			// The greatest set of states in which the event stays about to happen.
			about := map[string]bool{}
			for s, cells := range tb.cells {
				for _, c := range cells {
					if c.Event == event && !sure[s] && all(nexts(c), sure) {
						about[s] = true
					}
				}
			}
			for shrunk := true; shrunk; {
				shrunk = false
				for s := range about {
					for _, c := range tb.cells[s] {
						if c.Event == event || c.Event == "" {
							continue
						}
						for _, n := range nexts(c) {
							if !sure[n] && !about[n] && about[s] {
								delete(about, s)
								shrunk = true
							}
						}
					}
				}
			}
			for s := range about {
				sure[s], grown = true, true
			}
		}
	}
	return sure
}

func all(states []string, in map[string]bool) bool {
	for _, s := range states {
		if !in[s] {
			return false
		}
	}
	return true
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
				for _, n := range nexts(c) {
					assert.Falsef(t, tb.is(n, "Turn", "stopping"), "%s %v leads to %s", s, c.Args, n)
				}
			}
		}
	}
	assert.Len(t, effects, 7, "every effect has a state in which it is the answer")
}

// An accepted cancel and an accepted close come to their end within bounds,
// whatever the agent does.
func TestCancelAndCloseMustSettle(t *testing.T) {
	tb := theTable(t)
	stopped := tb.must(func(s string) bool { return !tb.is(s, "Turn", "stopping") })
	shut := tb.must(func(s string) bool { return !tb.is(s, "Life", "closing") })
	for _, s := range tb.states() {
		assert.Truef(t, stopped[s], "%s: the turn may never end", s)
		assert.Truef(t, shut[s], "%s: the close may never end", s)
		for _, c := range tb.cells[s] {
			if c.Waits {
				assert.Truef(t, tb.is(s, "Life", "opening") || c.Method == Wait.Name && argument(c, "timeout") == "endless",
					"%s: %s %v waits for something without a bound", s, c.Method, c.Args)
			}
		}
	}
	opened := tb.must(func(s string) bool { return !tb.is(s, "Life", "opening") })
	assert.Len(t, opened, len(tb.cells), "a call that waits for an opening is answered")
}

// Without its bounded edges the proof must fail: it proves something.
func TestTheProofNeedsItsEdges(t *testing.T) {
	for _, event := range []string{"the stopped turn ends", "the close is over", "the close's deadline passes"} {
		tb := theTable(t)
		for s, cells := range tb.cells {
			tb.cells[s] = slices.DeleteFunc(slices.Clone(cells), func(c *model.Cell) bool { return c.Event == event })
		}
		shut := tb.must(func(s string) bool { return !tb.is(s, "Life", "closing") })
		assert.Lessf(t, len(shut), len(tb.cells), "the close ends even without %q", event)
	}
}

// A message that was accepted can be settled from wherever it is, and it is
// never forgotten: it does not become unsent again.
func TestTheMarkedMessageIsNeverLost(t *testing.T) {
	tb := theTable(t)
	may := map[string]bool{}
	for s := range tb.cells {
		if tb.is(s, "Mark", "settled") {
			may[s] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for s, cells := range tb.cells {
			for _, c := range cells {
				if !may[s] && slices.ContainsFunc(nexts(c), func(n string) bool { return may[n] }) {
					may[s], grown = true, true
				}
			}
		}
	}
	for _, s := range tb.states() {
		assert.Truef(t, may[s], "%s: the message can never be settled", s)
		for _, c := range tb.cells[s] {
			for _, n := range nexts(c) {
				if !tb.is(s, "Mark", "unsent") {
					assert.Falsef(t, tb.is(n, "Mark", "unsent"), "%s: %s%s forgets the message", s, c.Method, c.Event)
				}
				if tb.is(s, "Mark", "settled") {
					assert.Truef(t, tb.is(n, "Mark", "settled"), "%s: %s%s settles twice", s, c.Method, c.Event)
				}
			}
		}
	}
}

// Only a prompt, a turn's beginning, and what opens or closes a session may
// touch the message; a look at it does not.
func TestLookingChangesNothing(t *testing.T) {
	tb := theTable(t)
	for _, s := range tb.states() {
		for _, c := range tb.cells[s] {
			if (c.Method == GetStatus.Name || c.Method == Wait.Name) && !c.Waits {
				assert.Equalf(t, []string{s}, nexts(c), "%s in %s", c.Method, s)
			}
			if c.Fails != "" && c.Fails != ErrIdempotencyConflict.Kind {
				assert.Equalf(t, []string{s}, nexts(c), "%s %v in %s fails and changes something", c.Method, c.Args, s)
			}
		}
	}
}

// While a session closes, nothing may enter it.
func TestNothingEntersAClosingSession(t *testing.T) {
	tb := theTable(t)
	for _, s := range tb.states() {
		if !tb.is(s, "Life", "closing") {
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
