// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gated is a writer that can be tried, and held up.
type gated struct {
	gate chan struct{} // while it is closed, in the word's other sense, writes hang

	mu  sync.Mutex
	out bytes.Buffer
}

func (g *gated) TryWrite(b []byte) (int, error) { return g.Write(b) }

func (g *gated) Write(b []byte) (int, error) {
	<-g.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.out.Write(b)
}

// has says whether a line with the text has been written.
func (g *gated) has(text string) bool {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Contains(g.out.String(), text)
}

// inBurst serves a connection that is in a burst: the writer sleeps, and a live
// frame, n 2, waits.
func inBurst(t *testing.T) (conn *Conn, lane *Lane, w *gated, end func() error) {
	w = &gated{gate: make(chan struct{})}
	inR, inW := io.Pipe()
	conn = NewConn(inR, w, Config{Handler: &handler{}})
	ended := make(chan error, 1)
	go func() { ended <- conn.Serve(context.Background()) }()
	lane = conn.NewLane(nil)
	lane.Live(&piece{lane: "a", n: 1})
	synctest.Wait() // the writer writes it
	lane.Live(&piece{lane: "a", n: 2})
	w.gate <- struct{}{}
	require.True(t, w.has(`"n":1,`))
	conn.out.mu.Lock()
	require.True(t, conn.out.burst)
	conn.out.mu.Unlock()
	return conn, lane, w, func() error {
		require.NoError(t, inW.Close())
		return <-ended
	}
}

func TestLiveFramesOfABurstWaitForATick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, lane, w, end := inBurst(t)
		close(w.gate)
		assert.False(t, w.has(`"n":2,`))
		time.Sleep(burstTick)
		assert.True(t, w.has(`"n":2,`))
		lane.Live(&piece{lane: "a", n: 3})
		time.Sleep(burstTick)
		assert.True(t, w.has(`"n":3,`))
		time.Sleep(10 * burstTick) // the burst is over
		lane.Live(&piece{lane: "a", n: 4})
		assert.True(t, w.has(`"n":4,`), "no other has to follow")
		assert.EqualValues(t, 4, conn.Counters().LinesOut)
		assert.NoError(t, end())
	})
}

func TestWhatFillsAWriteIsWrittenInABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, lane, w, end := inBurst(t)
		close(w.gate)
		lane.Live(&piece{lane: "a", n: 3, text: strings.Repeat("x", flushAt)})
		assert.True(t, w.has(`"n":3,`))
		assert.NoError(t, end())
	})
}

// Events, answers and calls do not wait for a tick, whichever goroutine has the
// pen when they come.
func TestOnlyLiveFramesWaitInABurst(t *testing.T) {
	for _, name := range []string{"nobody writes", "a producer writes"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, lane, w, end := inBurst(t)
				var full sync.WaitGroup
				if name == "nobody writes" {
					close(w.gate)
				} else {
					full.Go(func() { lane.Live(&piece{lane: "a", n: 3, text: strings.Repeat("x", flushAt)}) })
					synctest.Wait()
				}
				other := conn.NewLane(nil)
				other.Event(7, 0, event("b", 7, 1))
				if name != "nobody writes" {
					require.NoError(t, conn.Notify("note", nil))
					close(w.gate)
					assert.True(t, w.has(`"note"`))
				}
				assert.True(t, w.has(`"seq":7,`))
				full.Wait()
				assert.NoError(t, end())
			})
		})
	}
}

func TestTheEndOfABurstLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, lane, w, end := inBurst(t)
		close(w.gate)
		start := time.Now()
		require.NoError(t, conn.Flush(t.Context()))
		assert.True(t, w.has(`"n":2,`))
		assert.LessOrEqual(t, time.Since(start), burstTick)
		lane.Live(&piece{lane: "a", n: 3})
		require.NoError(t, end())
		assert.True(t, w.has(`"n":3,`))
	})
}
