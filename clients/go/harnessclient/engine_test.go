// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
)

// withEngine connects to this module's own runtime.
func withEngine(t testing.TB, o harnessclient.Options) *harnessclient.Runtime {
	t.Helper()
	in, out := newPipe(), newPipe()
	return withEngineOver(t, in, in, out, out, o)
}

// withEngineOver is withEngine over streams of the caller.
func withEngineOver(t testing.TB, in io.Reader, toIn io.Writer, out io.Reader, toOut io.Writer, o harnessclient.Options) *harnessclient.Runtime {
	t.Helper()
	e := session.New(session.Options{Agent: demo.Agent{}})
	served := make(chan error, 1)
	go func() { served <- e.Serve(context.Background(), in, toOut) }()
	rt, err := harnessclient.Connect(t.Context(), out, toIn, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		closeRuntime(t, rt)
		<-served
	})
	return rt
}

// Interrupts at random moments: no byte of an old turn after the call, and none before
// the new turn's; one settlement for each utterance.
func TestManyInterrupts(t *testing.T) {
	times := 500
	if testing.Short() {
		times = 50
	}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		var latest, after atomic.Int64 // the newest utterance; bytes of older ones since its call returned
		o := harnessclient.Options{Provider: "demo", Model: "demo", Handler: harnessclient.Handler{
			SessionDelta: func(_ context.Context, p *harness.SessionDelta) {
				for _, word := range strings.Fields(p.Text) {
					var n int64
					if _, err := fmt.Sscanf(word, "@%d", &n); err == nil && n < latest.Load() {
						after.Add(int64(len(p.Text)))
					}
				}
			},
		}}
		rt := withEngine(t, o)
		s := rt.Session("s")
		// Each word of an utterance names it.
		scripts := []func(n int) string{
			func(n int) string { return "say " + strings.Repeat(fmt.Sprintf("@%d ", n), 30) },
			func(n int) string { return fmt.Sprintf("say @%d\nsleep 50ms\nsay @%d", n, n) },
			func(n int) string { return fmt.Sprintf("say @%d\nflood 3000\nsay @%d", n, n) },
			func(n int) string { return fmt.Sprintf("stubborn 300ms\nsay @%d @%d", n, n) },
			func(n int) string { return fmt.Sprintf("say @%d\nchild! say @%d @%d\nsay @%d", n, n, n, n) },
			func(n int) string { return fmt.Sprintf("say @%d\nfail @%d", n, n) },
		}
		var loops sync.WaitGroup
		var turns []*harnessclient.Turn
		var turn *harnessclient.Turn
		for n := range times {
			content := harness.Text(scripts[random.IntN(len(scripts))](n))
			var err error
			switch {
			case turn == nil || random.IntN(10) == 0: // one that waits behind another
				turn, err = s.Prompt(t.Context(), content, nil)
			default:
				turn, err = s.Interrupt(t.Context(), content, nil)
				latest.Store(int64(n))
			}
			require.NoError(t, err)
			turns = append(turns, turn)
			of, text := turn, fmt.Sprintf("@%d", n)
			loops.Go(func() {
				for d := range of.Deltas(t.Context()) {
					for _, word := range strings.Fields(d.Text) {
						if strings.HasPrefix(word, "@") { // else of a flood
							assert.Equal(t, text, word, "text of another utterance")
						}
					}
				}
			})
			if random.IntN(3) > 0 {
				time.Sleep(time.Duration(random.IntN(120)) * time.Millisecond)
			}
		}
		outcomes := map[harnessclient.Outcome]int{}
		for _, turn := range turns {
			outcomes[ended(t, turn).Outcome]++
		}
		loops.Wait()
		assert.Zero(t, after.Load(), "bytes of old turns came after the call")
		assert.Positive(t, outcomes[harnessclient.OutcomeCompleted])
		assert.Positive(t, outcomes[harnessclient.OutcomeCancelled])
		t.Log(outcomes, rt.Counters().Scopes.Withheld)
		wait, err := s.Wait(t.Context(), nil)
		require.NoError(t, err)
		assert.True(t, wait.Idle)
	})
}

// Children come and go in the order of the wire, with handlers that sleep.
func TestManyChildren(t *testing.T) {
	const parents, each = 20, 50
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		state := map[harness.SessionID]string{} // of children: started, finished
		ends := map[harness.SessionID]int{}
		random := rand.New(rand.NewPCG(3, 4))
		var strangers atomic.Int64
		pause := func() {
			mu.Lock()
			d := time.Duration(random.IntN(3)) * time.Millisecond
			mu.Unlock()
			time.Sleep(d)
		}
		own := func(id harness.SessionID) bool { return strings.HasPrefix(string(id), "p") || id == "stranger" }
		o := harnessclient.Options{Provider: "demo", Model: "demo", Handler: harnessclient.Handler{
			SubagentStarted: func(_ context.Context, p *harness.SubagentStarted) {
				pause()
				mu.Lock()
				defer mu.Unlock()
				assert.Empty(t, state[p.ChildSessionID])
				state[p.ChildSessionID] = "started"
			},
			SubagentFinished: func(_ context.Context, p *harness.SubagentFinished) {
				pause()
				mu.Lock()
				defer mu.Unlock()
				assert.Equal(t, "started", state[p.ChildSessionID])
				assert.Equal(t, 1, ends[p.ChildSessionID], "it is finished before its own end was handled")
				state[p.ChildSessionID] = "finished"
			},
			SessionEvent: func(_ context.Context, p *harness.SessionEventParams) {
				if p.SessionID == "stranger" {
					strangers.Add(1)
					return
				}
				pause()
				mu.Lock()
				defer mu.Unlock()
				if !own(p.SessionID) {
					assert.Equal(t, "started", state[p.SessionID], "a frame of a child that is not announced, or finished")
					if _, end := p.Event.Data.(*harness.TurnEnd); end {
						ends[p.SessionID]++
					}
				}
			},
			SessionDelta: func(_ context.Context, p *harness.SessionDelta) {
				mu.Lock()
				defer mu.Unlock()
				if !own(p.SessionID) {
					assert.Equal(t, "started", state[p.SessionID])
				}
			},
		}}
		rt := withEngine(t, o)
		var turns []*harnessclient.Turn
		for n := range parents {
			var script []string
			for i := range each {
				kind := "child"
				if i%2 == 0 {
					kind = "child!"
				}
				script = append(script, fmt.Sprintf("%s say child %d", kind, i))
			}
			turn, err := rt.Session(harness.SessionID(fmt.Sprintf("p%d", n))).Prompt(t.Context(), harness.Text(strings.Join(script, "\n")), nil)
			require.NoError(t, err)
			turns = append(turns, turn)
		}
		begun := time.Now()
		quick, err := rt.Session("stranger").Prompt(t.Context(), harness.Text("hello"), nil)
		require.NoError(t, err)
		require.True(t, ended(t, quick).OK())
		assert.Zero(t, time.Since(begun), "a stranger waited for a tree's handlers")
		assert.Positive(t, strangers.Load())
		seen := map[harness.SessionID]bool{}
		for _, turn := range turns {
			require.True(t, ended(t, turn).OK())
			tree := turn.Tree()
			assert.Len(t, tree, each)
			for _, b := range tree {
				assert.Equal(t, turn.Session().ID(), b.Parent)
				assert.False(t, seen[b.ID])
				seen[b.ID] = true
				assert.True(t, turn.Owns(b.ID))
			}
			assert.False(t, turn.Owns("stranger"))
			_, err := turn.Session().Wait(t.Context(), nil)
			require.NoError(t, err)
			for _, b := range turn.Tree() {
				assert.NotNil(t, b.Ended)
			}
			assert.Empty(t, turn.Session().Children())
		}
		synctest.Wait()
		time.Sleep(time.Minute) // all handlers have returned
		mu.Lock()
		defer mu.Unlock()
		assert.Len(t, state, parents*each)
		for id, s := range state {
			assert.Equal(t, "finished", s, id)
		}
	})
}

// From a call to the first text of its turn: of a prompt to an idle session, and of an
// interrupt of a turn that speaks.
func BenchmarkFirstText(b *testing.B) {
	first := func(b *testing.B, turn *harnessclient.Turn, err error) {
		require.NoError(b, err)
		for range turn.Deltas(b.Context()) {
			return
		}
		b.Fatal("no text")
	}
	median := func(b *testing.B, times []time.Duration) {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
	}
	connected := func(b *testing.B) *harnessclient.Session {
		in, toIn, err := os.Pipe()
		require.NoError(b, err)
		out, toOut, err := os.Pipe()
		require.NoError(b, err)
		return withEngineOver(b, in, toIn, out, toOut, harnessclient.Options{Provider: "demo", Model: "demo"}).Session("s")
	}
	b.Run("prompt", func(b *testing.B) {
		s := connected(b)
		var times []time.Duration
		for b.Loop() {
			time.Sleep(2 * time.Millisecond) // as below: a process at rest wakes more slowly
			begun := time.Now()
			turn, err := s.Prompt(b.Context(), harness.Text("say hello"), nil)
			first(b, turn, err)
			times = append(times, time.Since(begun))
			_, _ = turn.Settled(b.Context())
		}
		median(b, times)
	})
	for _, script := range []string{"count 1000000 1ms", "flood 100000000", "sleep 1h"} {
		b.Run("interrupt of "+script, func(b *testing.B) {
			s := connected(b)
			var times []time.Duration
			for b.Loop() {
				turn, err := s.Prompt(b.Context(), harness.Text(script), nil)
				require.NoError(b, err)
				time.Sleep(2 * time.Millisecond)
				begun := time.Now()
				next, err := s.Interrupt(b.Context(), harness.Text("say hello"), nil)
				first(b, next, err)
				times = append(times, time.Since(begun))
				_, _ = next.Settled(b.Context())
				_, _ = turn.Settled(b.Context())
			}
			median(b, times)
		})
	}
}
