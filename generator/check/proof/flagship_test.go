// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

func sourceLine(t *testing.T, path string, line int) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(data), "\n")
	require.Less(t, line, len(lines))
	return strings.TrimSpace(lines[line-1])
}

// flagship gives fresh copies of the flagship's model.
func flagship(t *testing.T) func() *model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "../../../spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), s.Problems)
	data, err := json.Marshal(s.Model)
	require.NoError(t, err)
	assert.Less(t, len(data), 2<<20, "a model is read often")
	return func() *model.Protocol {
		var m model.Protocol
		require.NoError(t, json.Unmarshal(data, &m))
		return &m
	}
}

const (
	promptOther  = "session/prompt (message=another, ifMissing=create)"
	promptIt     = "session/prompt (message=marked, ifMissing=create)"
	promptQueued = "session/prompt (message=marked, delivery=followup)"
	promptSteers = "session/prompt (message=marked, delivery=steer)"
	cancelAll    = "session/cancel (target=session, waitFor=accepted)"
	cancelDrop   = "session/cancel (target=session, queue=drop, waitFor=accepted)"
	closeNow     = "session/close (onActive=cancel, waitFor=accepted)"
	closeDrain   = "session/close (onActive=drain, waitFor=accepted)"
	closeAndWait = "session/close (onActive=cancel, waitFor=settled)"
	endsItself   = "the turn ends by itself"
	opens        = "another call opens it"
	waitsOn      = "session/wait (timeout=endless)"
)

func TestFlagshipKeepsItsPromises(t *testing.T) {
	found := proof.Run(flagship(t)())
	assert.Empty(t, found, "%s", found)
}

// Without one of the frames that settle a prompt, a caller waits forever.
func TestEachWayThatSettlesAPromptIsNeeded(t *testing.T) {
	fresh := flagship(t)
	for _, c := range []struct {
		drop func(w model.Way) bool
		want want
	}{
		{
			func(w model.Way) bool { return w.How == model.ByEnd },
			want{rule: "unreported", trace: []string{promptIt, endsItself}, here: "Mark settled", says: "reported by turn/end alone"},
		},
		{
			func(w model.Way) bool { return w.As == "withdrawn" },
			want{rule: "unreported", trace: []string{promptOther, promptSteers, cancelDrop}, here: "Mark withdrawn", says: "outcome=canceled alone"},
		},
		{
			func(w model.Way) bool { return w.Frame != nil && w.Frame.Notification == "session.closed" },
			want{rule: "unreported", trace: []string{promptOther, promptSteers, closeAndWait}, here: "Life stored, Turn none, Queue parked, Mark queued", says: "session.closed alone"},
		},
		{
			func(w model.Way) bool { return w.Frame != nil && w.Frame.Notification == "session.lost" },
			want{rule: "unreported", trace: []string{promptIt, "another process takes it over"}, here: "Life stored", says: "session.lost alone"},
		},
	} {
		m := fresh()
		settles := methodNamed(t, m, "session/prompt").Settles
		last := settles[len(settles)-1]
		n := len(last.By)
		last.By = slices.DeleteFunc(last.By, c.drop)
		require.Len(t, last.By, n-1)
		expect(t, []want{c.want}, proof.Run(m))
	}
}

func methodNamed(t *testing.T, p *model.Protocol, name string) *model.Method {
	t.Helper()
	i := slices.IndexFunc(p.Methods, func(m *model.Method) bool { return m.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return p.Methods[i]
}

// Without one of the things that happen by themselves, some promise breaks.
func TestEachEventIsNeeded(t *testing.T) {
	fresh := flagship(t)
	wants := map[string][]want{
		opens: {{rule: "unreachable", says: "Life is opening"}, {rule: "unreachable", says: "it is open"}},
		"it is open": {
			{rule: "held", trace: []string{opens, "session/prompt (message=marked)"}, here: "Life opening"},
			{rule: "held", trace: []string{opens, "session/wait"}, here: "Life opening"},
		},
		"a turn takes the next prompt": {
			{rule: "dead-end", trace: []string{promptOther, promptQueued}, here: "Queue waiting, Mark queued"},
			{rule: "held", trace: []string{promptOther, "session/prompt (message=another, delivery=followup)", waitsOn}, here: "Queue waiting"},
		},
		"the turn's next step takes what was steered": {
			{rule: "dead-end", trace: []string{promptOther, promptSteers}, here: "Mark steered"},
			{rule: "held", trace: []string{promptOther, promptSteers, waitsOn}, here: "Mark steered"},
		},
		endsItself: {
			{rule: "dead-end", trace: []string{promptIt}, here: "Mark in-turn"},
			{rule: "dead-end", trace: []string{promptOther, promptQueued}, here: "Mark queued"},
			{rule: "dead-end", trace: []string{promptOther, promptSteers}, here: "Mark steered"},
			{rule: "held", trace: []string{promptOther, waitsOn}, here: "Turn open"},
		},
		"the stopped turn ends": { // the grace of a cancel
			{rule: "must-settle", trace: []string{promptOther, cancelAll}, here: "Life live, Turn stopping", says: "session/cancel"},
			{rule: "must-settle", trace: []string{promptOther, closeNow}, here: "Life closing, Turn stopping", says: "session/close"},
			{rule: "can-settle", trace: []string{promptIt, cancelAll}, here: "Turn stopping, Queue empty, Mark in-turn", says: "session/prompt"},
			{rule: "held", trace: []string{promptOther, cancelAll, waitsOn}, here: "Turn stopping"},
		},
		"the close's deadline passes": { // the end of a drain
			{rule: "must-settle", trace: []string{promptOther, closeDrain}, here: "Life draining, Turn open", says: "session/close"},
		},
		"the close is over": {
			{rule: "must-settle", trace: []string{promptOther, closeDrain, endsItself}, here: "Life draining, Turn none"},
			{rule: "must-settle", trace: []string{"session/working-directory/get", "session/close (waitFor=accepted)"}, here: "Life closing, Turn none"},
		},
		"another process takes it over": {
			{rule: "unsaid", says: "session/prompt is never settled by session.lost"},
			{rule: "unsaid", says: "session/cancel is never settled by session.lost"},
			{rule: "unsaid", says: "session/close is never settled by session.lost"},
		},
		// Nothing hangs on these.
		"a child's notice starts a turn": nil,
		"the process dies":               nil,
	}
	for i, mv := range fresh().Machines[0].Moves {
		if mv.Event == "" {
			continue
		}
		t.Run(mv.Event, func(t *testing.T) {
			expected, ok := wants[mv.Event]
			require.True(t, ok, "say what breaks without it")
			m := fresh()
			m.Machines[0].Cells = without(m.Machines[0].Cells, func(c *model.Cell) bool { return c.Move == i })
			found := proof.Run(m)
			// That it cannot happen any more is the change itself.
			found = slices.DeleteFunc(found, func(p problem.Problem) bool { return strings.Contains(p.Text.EN, `"`+mv.Event+`"`) })
			expect(t, expected, found)
		})
	}
}

// A bound that is none is no promise.
func TestAnUnboundedGraceIsNone(t *testing.T) {
	m := flagship(t)()
	for _, mv := range m.Machines[0].Moves {
		if mv.Event == "the stopped turn ends" {
			require.Positive(t, mv.Within)
			mv.Within = 0
		}
	}
	expect(t, []want{
		{rule: "must-settle", trace: []string{promptOther, cancelAll}, here: "Turn stopping"},
		{rule: "must-settle", trace: []string{promptOther, closeNow}, here: "Life closing, Turn stopping"},
	}, proof.Run(m))
}

// The author's mistakes, in the author's code.
func TestMistakesInTheStepFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	for _, c := range []struct {
		name, file, old, new string
		blame                string // the line that is reported
		wants                []want
		ignored              []string
	}{
		{
			name: "a close does not stop the turn", file: "machine_steps.go",
			old: "s = s.latched().withLife(closing)", new: "s = s.withLife(closing)",
			blame: `return spec.Says("closed=true", s.cut()).And("outcome=-")`,
			wants: []want{{rule: "must-settle", trace: []string{promptOther, closeNow}, here: "Life closing, Turn open"}},
			// The machine calls such states impossible: whatever is asked there has no answer.
			ignored: []string{"dead-end", "can-settle", "held", "way-out"},
		},
		{
			name: "a dropped message is forgotten", file: "machine_steps.go",
			old: "s.Mark = withdrawn\n", new: "s.Mark = unsent\n",
			blame: `return cancels(EffectStopping, drops, after).And("turn=*")`,
			wants: []want{{rule: "forgotten", trace: []string{promptOther, promptSteers, cancelDrop}, here: "Mark unsent"}},
		},
		{
			name: "a stale target stops the turn", file: "machine_steps.go",
			old: "return cancels(EffectStale, false, s)", new: "return cancels(EffectStale, false, s.latched())",
			blame: "return cancels(EffectStale, false, s.latched())",
			wants: []want{{rule: "open-fence", trace: []string{promptOther, "session/cancel (target=over)"}, here: "Turn stopping"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := mutated(t, c.file, c.old, c.new)
			s, err := load.Open(t.Context(), "./harness", load.Options{Dir: dir, NoCache: true})
			require.NoError(t, err)
			require.Zero(t, s.Problems.Errors(), s.Problems)
			found := proof.Run(s.Model)
			expect(t, c.wants, found, c.ignored...)
			for _, p := range found {
				if p.Rule == c.wants[0].rule {
					assert.Equal(t, c.blame, sourceLine(t, filepath.Join(dir, "harness", p.Pos.File), p.Pos.Line))
				}
			}
		})
	}
}

// mutated is a module with a copy of the flagship's declaration in which one
// text is another.
func mutated(t *testing.T, file, was, is string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	read := func(path string) string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(data)
	}
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	const module = "module github.com/accordkit/accord\n"
	mod := read(filepath.Join(root, "go.mod"))
	require.Contains(t, mod, module)
	write("go.mod", strings.Replace(mod, module, "module example.com/wire\n", 1)+
		"\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => "+root+"\n")
	write("go.sum", read(filepath.Join(root, "go.sum")))
	files, err := filepath.Glob(filepath.Join(root, "spec/harness/*.go"))
	require.NoError(t, err)
	for _, f := range files {
		text := read(f)
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		if filepath.Base(f) == file {
			require.Contains(t, text, was)
			text = strings.Replace(text, was, is, 1)
		}
		write("harness/"+filepath.Base(f), text)
	}
	return dir
}
