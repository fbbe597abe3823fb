// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

type (
	lamp   string
	door   string
	colour string
	room   struct {
		Lamp lamp
		Door door
	}
	paint struct {
		Colour colour
		Until  lamp
	}
	cell = spec.Cell[room]
)

var (
	roomScope = &spec.Scope[roomKey]{Name: "room"}
	darkened  = &spec.Notification[nightParams]{Name: "room.dark", From: spec.Server, In: spec.In(roomScope, func(p *nightParams) *roomKey { return &p.Room })}
	dark      = spec.On(darkened, spec.Key(func(p *nightParams) *roomKey { return &p.Room }))
	light     = &spec.Activity[roomKey]{Name: "light", In: roomScope, Ends: dark}
	painting  = &spec.Method[nightParams, spec.None]{
		Name: "paint", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.Unsafe[nightParams](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())),
	}
)

type roomKey string

type nightParams struct {
	Room roomKey `json:"room"`
}

// machineOf describes a protocol with one machine, changed as a test likes.
func machineOf(t *testing.T, change func(*spec.Machine[room])) (*model.Machine, []string) {
	t.Helper()
	m := &spec.Machine[room]{
		Name: "room", Start: room{"off", "shut"},
		Values: spec.List(spec.Of[lamp]("off", "on", "broken"), spec.Of[door]("shut", "open"), spec.Of[colour]("red", "green", "blue")),
		Tracks: spec.List(spec.While[lamp](light, "on")),
		Rests:  spec.List(spec.Of[door]("open")),
		Moves:  spec.List(spec.Call(painting, paints), spec.Event("night falls", 10, night)),
	}
	change(m)
	p := &spec.Protocol{
		Name: "rooms", Unknown: spec.Keep, Scopes: spec.Scopes(roomScope), Notifications: spec.Notifications(darkened),
		Activities: spec.Activities(light), Methods: spec.Methods(painting), Machines: spec.Machines(m),
	}
	out, problems := spec.Model(p, map[string]any{"P": p, "Room": roomScope, "Dark": darkened, "Light": light, "Paint": painting, "M": m})
	var texts []string
	for _, p := range problems {
		texts = append(texts, string(p.Place)+": "+p.Text)
	}
	require.Len(t, out.Machines, 1)
	return out.Machines[0], texts
}

// paints answers by colour, and cannot be blue until the lamp is on.
func paints(s room, a paint) cell {
	switch {
	case a.Colour == "blue" && a.Until == "on":
		return spec.Impossible[room]()
	case a.Until == "broken":
		return spec.Waits[room]()
	case s.Door == "shut":
		return spec.Goes(room{"on", "shut"}).Cuts(dark)
	}
	return spec.Goes(s)
}

func night(s room) cell { return spec.Goes(room{"off", s.Door}) }

func TestMachineIsTabulatedAsFarAsItIsReached(t *testing.T) {
	m, problems := machineOf(t, func(*spec.Machine[room]) {})
	require.Empty(t, problems)
	assert.Equal(t, [][]string{{"off", "shut"}, {"on", "shut"}}, m.States)
	// 6 states, 9 combinations and an event; of two states 20, of which two
	// cannot arise.
	assert.Equal(t, model.Counts{States: 6, Cells: 60, Reached: 20, Possible: 18}, m.Counts)
	assert.Equal(t, []model.Track{{Activity: "light", Reading: model.Reading{Dim: 0, Values: []string{"on"}}}}, m.Tracks)
	assert.Equal(t, []model.Reading{{Dim: 1, Values: []string{"open"}}}, m.Rests)

	// Every combination has the one cell that is true of it.
	for s := range m.States {
		for _, args := range m.Moves[0].Combinations() {
			var hits []*model.Cell
			for _, c := range m.Cells {
				if c.Move == 0 && c.State == s && m.Has(c, args) {
					hits = append(hits, c)
				}
			}
			if args[0] == "blue" && args[1] == "on" {
				assert.Empty(t, hits)
				continue
			}
			require.Len(t, hits, 1, "%v", args)
			assert.Equal(t, args[1] == "broken", hits[0].Waits)
			if !hits[0].Waits {
				assert.True(t, hits[0].Cuts)
				assert.Equal(t, "room.dark", hits[0].Told.Notification)
			}
		}
	}
	calls := 0
	for _, c := range m.Cells {
		if c.Move == 0 {
			calls++
		}
	}
	assert.Equal(t, 2*3, calls, "what is one is folded: waits, and two boxes around the gap")
}

func TestMachineProblems(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*spec.Machine[room])
		want   string
	}{
		"a value of no enum": {func(m *spec.Machine[room]) { m.Rests = spec.List(spec.Of[colour]("red")) }, "var M.Rests[0]: colour is no type of a member of the state"},
		"an unlisted value":  {func(m *spec.Machine[room]) { m.Rests = spec.List(spec.Of[door]("ajar")) }, `var M.Rests[0]: Door is never "ajar"`},
		"no values":          {func(m *spec.Machine[room]) { m.Rests = spec.List(spec.Values{}) }, "var M.Rests[0]: the list of values is empty"},
		"tracked twice": {
			func(m *spec.Machine[room]) {
				m.Tracks = append(m.Tracks, spec.While[door](light, "open"))
			}, "var M.Tracks[1]: the activity light is tracked twice",
		},
		"no activity": {func(m *spec.Machine[room]) { m.Tracks = spec.List(spec.Track{}) }, "var M.Tracks[0]: the track names no activity"},
		"marked by nobody": {
			func(m *spec.Machine[room]) { m.Marked = &spec.Marked{Unsent: spec.Of[lamp]("off")} },
			"var M.Marked: Marked does not name the method that sends the message",
		},
		"over elsewhere": {
			func(m *spec.Machine[room]) {
				m.Marked = &spec.Marked{By: painting, Unsent: spec.Of[lamp]("off"), Over: spec.List(spec.Heard[door](dark, "open"))}
			}, `var M.Marked.Over[0]: "open" is a value of Door, and not of Lamp like Unsent`,
		},
		"over unheard": {
			func(m *spec.Machine[room]) {
				m.Marked = &spec.Marked{By: painting, Unsent: spec.Of[lamp]("off"), Over: spec.List(spec.Heard[lamp](nil, "on"))}
			}, "var M.Marked.Over[0]: no frame tells that the message was settled, and no call does it",
		},
		"a step that panics": {
			func(m *spec.Machine[room]) {
				m.Moves = spec.List(spec.Event("boom", 0, func(room) cell { panic("no") }))
			}, "var M.Moves[0]: in state [off shut], with [], the step panics: no",
		},
		"an undefined answer": {
			func(m *spec.Machine[room]) {
				m.Moves = spec.List(spec.Event("nothing", 0, func(room) cell { return cell{} }))
			}, "the step returns the zero Cell",
		},
		"a state that is none": {
			func(m *spec.Machine[room]) {
				m.Moves = spec.List(spec.Event("away", 0, func(room) cell { return spec.Goes(room{"gone", "shut"}) }))
			}, `the step leads to a state where Lamp is "gone"`,
		},
		"a start that is none": {func(m *spec.Machine[room]) { m.Start.Lamp = "gone" }, `var M.Start: Lamp is "gone"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := machineOf(t, c.change)
			require.NotEmpty(t, problems)
			assert.Contains(t, problems[0], c.want)
		})
	}
}

func TestStepsAreFunctions(t *testing.T) {
	n := 0
	_, problems := machineOf(t, func(m *spec.Machine[room]) {
		m.Moves = spec.List(spec.Event("counts", 0, func(s room) cell {
			n++
			return spec.Goes(room{[]lamp{"off", "on"}[n%2], s.Door})
		}))
	})
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "answers differently when asked again")
}
