// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

type file struct {
	Protocol string            `json:"protocol"`
	Machines []vectors.Machine `json:"machines"`
}

func models(t *testing.T) map[string]*model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "../../../spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), s.Problems)
	return map[string]*model.Protocol{
		"sample": emittest.Queue(), "flagship": s.Model,
		"every form": emittest.Everything(model.Kept), "every form, dropped": emittest.Everything(model.Dropped),
	}
}

func in(set []string, value string) bool { return set == nil || slices.Contains(set, value) }

func all(sets [][]string, values []string) bool {
	for i, v := range values {
		if sets != nil && !in(sets[i], v) {
			return false
		}
	}
	return true
}

// The rows say of each state and each combination of arguments what the model
// says, and nothing of those that cannot arise.
func TestRowsAreTheModel(t *testing.T) {
	for name, p := range models(t) {
		data, err := vectors.Rows(p)
		require.NoError(t, err)
		var f file
		require.NoError(t, json.Unmarshal(data, &f), "%s", data)
		assert.Equal(t, p.Name, f.Protocol)
		require.Len(t, f.Machines, len(p.Machines))
		for i, m := range p.Machines {
			got := f.Machines[i]
			t.Logf("%s: %d bytes, %d states, %d cells, %d rows", name, len(data), len(got.States), len(m.Cells), len(got.Rows))
			require.Len(t, got.States, len(m.States))
			for _, s := range m.States {
				for move, mv := range m.Moves {
					for _, args := range mv.Combinations() {
						compare(t, m, &got, s, move, args)
					}
				}
			}
		}
	}
}

func compare(t *testing.T, m *model.Machine, got *vectors.Machine, s []string, move int, args []string) {
	t.Helper()
	var want *model.Cell
	for _, c := range m.Cells {
		if c.Move == move && slices.Equal(m.States[c.State], s) && m.Has(c, args) {
			want = c
		}
	}
	hits := 0
	for _, r := range got.Rows {
		if r.Move != move || !all(r.In, s) || !all(r.Args, args) {
			continue
		}
		hits++
		if want == nil {
			t.Errorf("%s in %v with %v cannot arise, but has a row", m.Moves[move].Name(), s, args)
			return
		}
		var next [][]string
		for _, change := range r.Next {
			to := slices.Clone(s)
			for dim, v := range change {
				to[slices.IndexFunc(m.Dims, func(d model.Dimension) bool { return d.Name == dim })] = v
			}
			next = append(next, to)
		}
		var wanted [][]string
		for _, n := range want.Next {
			wanted = append(wanted, m.States[n])
		}
		require.Equal(t, wanted, next)
		require.Equal(t, want.Says, r.Says)
		require.Equal(t, want.Fails, r.Fails)
		require.Equal(t, want.Waits, r.Waits)
		require.Equal(t, want.Cuts, r.Cuts)
	}
	require.Equal(t, want != nil, hits > 0, "%s in %v with %v", m.Moves[move].Name(), s, args)
}

// Each state's way leads there.
func TestWays(t *testing.T) {
	for name, p := range models(t) {
		for _, m := range p.Machines {
			states := vectors.Of(m).States
			assert.Equal(t, m.Start, states[0].Is)
			certain := 0
			for i, s := range states[1:] {
				require.LessOrEqual(t, s.From, i, "its way stands before it")
				from := states[s.From]
				j := slices.IndexFunc(m.Cells, func(c *model.Cell) bool {
					return c.Move == s.Move && slices.Equal(m.States[c.State], from.Is) && m.Has(c, s.Args)
				})
				require.GreaterOrEqual(t, j, 0)
				assert.True(t, slices.ContainsFunc(m.Cells[j].Next, func(n int) bool { return slices.Equal(m.States[n], s.Is) }), "%s %v", name, s)
				if s.Certain {
					certain++
				}
			}
			t.Logf("%s: %d of %d states by a way that is certain", name, certain, len(states)-1)
			assert.Greater(t, certain, len(states)/2)
		}
	}
}

func TestSameModelSameRows(t *testing.T) {
	p := models(t)["flagship"]
	want, err := vectors.Rows(p)
	require.NoError(t, err)
	for range 3 {
		got, err := vectors.Rows(p)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
	assert.Less(t, len(want), 200_000)
}
