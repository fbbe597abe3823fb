// SPDX-License-Identifier: Apache-2.0

package official

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// runtimeEnv opts in to the tests that drive the official runtime, an
// executable of some 95 MB.
const runtimeEnv = "ACCORD_OFFICIAL_RUNTIME"

// dsh is one process of the official runtime under our generated client, with
// what its handlers have seen.
type dsh struct {
	*harnessclient.Runtime
	mu       sync.Mutex
	events   map[harness.SessionID][]string // types, in order
	seqs     map[harness.SessionID][]int64
	started  []harness.SessionID
	finished []harness.SessionID
}

func (d *dsh) types(s harness.SessionID) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.events[s]...)
}

// place is where a runtime works: its home, its working directory and the
// model that it asks.
type place struct {
	home, dir string
	model     *model
	profile   string
	env       []string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	if os.Getenv(runtimeEnv) == "" {
		t.Skipf("SKIPPED: the official runtime is driven by make test-official (%s=1)", runtimeEnv)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return &place{home: t.TempDir(), dir: dir, model: newModel(t), profile: "sdk-minimal"}
}

func (p *place) launch(t *testing.T) *dsh {
	t.Helper()
	d := &dsh{events: map[harness.SessionID][]string{}, seqs: map[harness.SessionID][]int64{}}
	cmd := process.Command(executable(t), "--profile", p.profile).WithDir(p.dir).WithEnv(append([]string{
		"DSH_HOME=" + p.home, "DEEPSEEK_BASE_URL=" + p.model.URL, "DEEPSEEK_API_KEY=k", "DSH_TELEMETRY_DISABLED=1",
	}, p.env...)...)
	rt, err := harnessclient.Launch(within(t, 30*time.Second), cmd, harnessclient.Options{
		Dir: p.dir, Provider: "deepseek-official", Model: "deepseek-v4-flash",
		Handler: harnessclient.Handler{
			SessionEvent: func(_ context.Context, e *harness.SessionEventParams) {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.events[e.SessionID] = append(d.events[e.SessionID], e.Event.Type())
				d.seqs[e.SessionID] = append(d.seqs[e.SessionID], e.Event.Seq)
			},
			SubagentStarted: func(_ context.Context, s *harness.SubagentStarted) {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.started = append(d.started, s.ChildSessionID)
			},
			SubagentFinished: func(_ context.Context, s *harness.SubagentFinished) {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.finished = append(d.finished, s.ChildSessionID)
			},
		},
	})
	require.NoError(t, err)
	d.Runtime = rt
	t.Cleanup(func() { _ = rt.Close(within(t, 20*time.Second)) })
	return d
}

// executable returns the official runtime for this machine.
func executable(t *testing.T) string {
	t.Helper()
	tools := setUp(t, "runtime")
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	system := map[string]string{"linux": "linux", "darwin": "macos"}[runtime.GOOS]
	path := filepath.Join(tools, "deepseek_harness_runtime", "runtime", "deepseek-harness-sdk-runtime-"+system+"-"+arch)
	_, err := os.Stat(path)
	require.NoError(t, err, "the official runtime has no executable for this machine")
	return path
}

// within returns a context that the test's own end does not end, so that clean-up
// can use it.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func prompted(t *testing.T, s *harnessclient.Session, text string) *harnessclient.Turn {
	t.Helper()
	turn, err := s.Prompt(within(t, 20*time.Second), harness.Text(text), nil)
	require.NoError(t, err)
	return turn
}

func settled(t *testing.T, turn *harnessclient.Turn) *harnessclient.Settlement {
	t.Helper()
	end, err := turn.Settled(within(t, 30*time.Second))
	require.NoError(t, err)
	return end
}

func TestOfficialRuntimeSimplePrompt(t *testing.T) {
	d := newPlace(t).launch(t)
	assert.Zero(t, d.Version(), "it negotiates nothing")
	turn := prompted(t, d.Session("simple"), "reply Hello wörld 完成了")
	var deltas strings.Builder
	for delta := range turn.Deltas(t.Context()) {
		deltas.WriteString(delta.Text)
	}
	end := settled(t, turn)
	assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
	assert.Equal(t, "Hello wörld 完成了", end.Text)
	assert.EqualValues(t, 1, end.Turn)
	assert.Equal(t, end.Text, deltas.String(), "deltas come late, from the message's own stream")
	types := d.types("simple")
	assert.Equal(t, "agent/inbox/spliced", types[0])
	assert.Contains(t, types, "system/message")
	for i, seq := range d.seqs["simple"] {
		assert.EqualValues(t, i, seq)
	}
	_, err := d.Session("simple").Wait(within(t, 10*time.Second), nil)
	require.NoError(t, err)
}

func TestOfficialRuntimeToolCall(t *testing.T) {
	d := newPlace(t).launch(t)
	end := settled(t, prompted(t, d.Session("tool"), "bash echo hi-$((40+2))"))
	assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
	assert.Contains(t, end.Text, "tool said: ")
	assert.Contains(t, end.Text, "hi-42")
	types := d.types("tool")
	assert.Contains(t, types, "tool/call")
	assert.Contains(t, types, "tool/result")
}

func TestOfficialRuntimeTwoPrompts(t *testing.T) {
	d := newPlace(t).launch(t)
	s := d.Session("two")
	one, two := prompted(t, s, "bash sleep 0.3; echo one"), prompted(t, s, "reply ANSWER-TWO")
	second, first := settled(t, two), settled(t, one)
	assert.Contains(t, first.Text, "one")
	assert.Equal(t, "ANSWER-TWO", second.Text)
	assert.EqualValues(t, 1, first.Turn)
	assert.EqualValues(t, 2, second.Turn)
}

func TestOfficialRuntimeFailingTurn(t *testing.T) {
	d := newPlace(t).launch(t)
	s := d.Session("failing")
	end := settled(t, prompted(t, s, "refuse bad request of ours"))
	assert.Equal(t, harnessclient.OutcomeFailed, end.Outcome)
	reason, ok := end.Reason.(*harness.EndError)
	require.True(t, ok, "%T", end.Reason)
	assert.Contains(t, string(reason.AppendJSON(nil)), "bad request of ours")
	assert.Equal(t, "fine", settled(t, prompted(t, s, "reply fine")).Text)
}

func TestOfficialRuntimeWorkingDirectory(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "sub"), 0o755))
	d := p.launch(t)
	ctx := within(t, 20*time.Second)
	s := d.Session("wd")
	at, err := s.GetWorkingDirectory(ctx)
	require.NoError(t, err)
	assert.Equal(t, p.dir, at.CWD)
	at, err = s.SetWorkingDirectory(ctx, "sub")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(p.dir, "sub"), at.CWD)
	_, err = s.SetWorkingDirectory(ctx, "nowhere")
	require.Error(t, err)
	// The change left a notice in the inbox, which the next turn takes with
	// the prompt: two claims.
	end := settled(t, prompted(t, s, "bash pwd"))
	assert.Contains(t, end.Text, filepath.Join(p.dir, "sub"))
}

func TestOfficialRuntimeChild(t *testing.T) {
	p := newPlace(t)
	p.profile, p.env = "sdk", []string{"DSH_PERMISSION_MODE=danger-full-access"}
	d := p.launch(t)
	s := d.Session("parent")
	end := settled(t, prompted(t, s, "delegate reply from the child"))
	assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
	assert.Contains(t, end.Text, "started subagent")
	_, err := s.Wait(within(t, 30*time.Second), nil)
	require.NoError(t, err)
	d.mu.Lock()
	defer d.mu.Unlock()
	require.Len(t, d.started, 1)
	assert.Equal(t, d.started, d.finished)
	assert.Contains(t, d.events[d.started[0]], "turn/end", "the child's own events come too")
	starts := 0
	for _, kind := range d.events["parent"] {
		if kind == "turn/start" {
			starts++
		}
	}
	assert.Equal(t, 2, starts, "the child's notice starts a second turn, which is not the prompt's")
}

func TestOfficialRuntimeResumeInANewProcess(t *testing.T) {
	p := newPlace(t)
	d := p.launch(t)
	settled(t, prompted(t, d.Session("kept"), "reply first"))
	stored := d.seqs["kept"]
	require.NoError(t, d.Close(within(t, 20*time.Second)))

	d = p.launch(t)
	ctx := within(t, 20*time.Second)
	_, err := d.Session("kept").Prompt(ctx, harness.Text("reply too early"), nil)
	require.Error(t, err, "an id that lies on disk must be resumed first")
	s, err := d.Resume(ctx, "kept", nil)
	require.NoError(t, err)
	end := settled(t, prompted(t, s, "reply second"))
	assert.Equal(t, "second", end.Text)
	assert.EqualValues(t, 2, end.Turn)
	d.mu.Lock()
	defer d.mu.Unlock()
	assert.Greater(t, d.seqs["kept"][0], stored[len(stored)-1])

	_, err = d.Resume(ctx, "never-heard-of", nil)
	require.Error(t, err)
}

func TestOfficialRuntimeShutdownInTheMiddleOfATurn(t *testing.T) {
	p := newPlace(t)
	d := p.launch(t)
	turn := prompted(t, d.Session("mid"), "slow")
	<-p.model.hung
	began := time.Now()
	require.NoError(t, d.Close(within(t, 20*time.Second)))
	assert.Less(t, time.Since(began), 10*time.Second)
	end, err := turn.Settled(within(t, 5*time.Second))
	var lost *harness.ConnectionLostError
	require.ErrorAs(t, err, &lost)
	require.NotNil(t, end)
	assert.Equal(t, harnessclient.OutcomeConnectionLost, end.Outcome)

	d = p.launch(t)
	s, err := d.Resume(within(t, 20*time.Second), "mid", nil)
	require.NoError(t, err)
	assert.Equal(t, "after", settled(t, prompted(t, s, "reply after")).Text)
}

func TestOfficialRuntimeIsKilled(t *testing.T) {
	p := newPlace(t)
	d := p.launch(t)
	turn := prompted(t, d.Session("killed"), "slow")
	<-p.model.hung
	d.Process().Kill()
	_, err := turn.Settled(within(t, 5*time.Second))
	var lost *harness.ConnectionLostError
	require.ErrorAs(t, err, &lost)
	_, err = d.Session("killed").Prompt(within(t, 5*time.Second), harness.Text("reply x"), nil)
	require.ErrorAs(t, err, &lost, "a dead client fails at once")
}

func TestOfficialRuntimeUnsupported(t *testing.T) {
	p := newPlace(t)
	d := p.launch(t)
	s := d.Session("s")
	turn := prompted(t, s, "slow")
	<-p.model.hung
	ctx := within(t, 20*time.Second)
	for range 2 {
		_, err := turn.Cancel(ctx, nil)
		var unsupported *harness.UnsupportedError
		require.ErrorAs(t, err, &unsupported)
		assert.Equal(t, "session.cancel", unsupported.Capability)
	}
	_, err := s.Close(ctx, nil)
	var unsupported *harness.UnsupportedError
	require.ErrorAs(t, err, &unsupported)
	_, err = s.Status(ctx)
	require.ErrorAs(t, err, &unsupported)
	for _, err := range d.List(ctx, nil) {
		require.True(t, errors.As(err, &unsupported), "%v", err)
	}
}
