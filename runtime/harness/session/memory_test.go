// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
)

// A session at rest after one small turn costs at most 32 KiB in the whole
// process, its log and its place on the connection included, and no goroutine.
func TestASessionAtRestIsSmall(t *testing.T) {
	if raceEnabled {
		t.Skip("sizes are others under the race detector")
	}
	const sessions = 500
	e := session.New(session.Options{Agent: demo.Agent{}, Dirs: anyDir{}})
	inR, inW := io.Pipe()
	end := make(chan error, 1)
	out := &turnCounter{}
	go func() { end <- e.ServeConn(context.Background(), inR, out) }()
	turns := int64(0)
	send := func(line string) {
		_, err := io.WriteString(inW, line+"\n")
		require.NoError(t, err)
	}
	send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + initV2 + `}`)
	round := func(name string, n int) {
		for i := range n {
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%[1]s%[2]d","method":"session/prompt","params":{"sessionId":"%[1]s-%[2]d","contentBlocks":[{"type":"text","text":"say hello there, this is a small turn"}]}}`, name, i))
		}
		turns += int64(n)
		require.Eventually(t, func() bool { return out.ends.Load() == turns }, 20*time.Second, time.Millisecond)
	}
	round("warm", 50)
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before, goroutines := heap(), runtime.NumGoroutine()
	round("s", sessions)
	after := heap()
	each := (int64(after) - int64(before)) / sessions
	t.Logf("%d bytes a session", each)
	assert.Less(t, each, int64(32<<10))
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines+2)
	require.NoError(t, e.Shutdown(context.Background()))
	_ = inW.Close()
	require.NoError(t, <-end)
}

// turnCounter counts the ends of turns in what is written.
type turnCounter struct{ ends atomic.Int64 }

func (w *turnCounter) Write(b []byte) (int, error) {
	w.ends.Add(int64(bytes.Count(b, []byte(`"type":"turn/end"`))))
	return len(b), nil
}

func BenchmarkPrompt(b *testing.B) {
	e := session.New(session.Options{Agent: demo.Agent{}, Dirs: anyDir{}})
	c := &wire{t: b}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c.w, c.r, c.end = inW, outR, make(chan error, 1)
	go func() { c.end <- e.ServeConn(context.Background(), inR, outW) }()
	lines := newLines(outR)
	c.line(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + initV2 + `}`)
	lines.until(`"id":"i"`)
	b.ReportAllocs()
	for b.Loop() {
		c.line(`{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"s","contentBlocks":[{"type":"text","text":"say hello"}]}}`)
		lines.until(`"status":"idle"`)
	}
	_ = inW.Close()
	<-c.end
}

func BenchmarkFlood(b *testing.B) {
	e := session.New(session.Options{Agent: demo.Agent{}, Dirs: anyDir{}})
	c := &wire{t: b}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c.w, c.r, c.end = inW, outR, make(chan error, 1)
	go func() { c.end <- e.ServeConn(context.Background(), inR, outW) }()
	lines := newLines(outR)
	c.line(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + initV2 + `}`)
	lines.until(`"id":"i"`)
	b.ReportAllocs()
	b.ResetTimer()
	c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"s","contentBlocks":[{"type":"text","text":"flood %d"}]}}`, b.N))
	lines.until(`"status":"idle"`)
	_ = inW.Close()
	<-c.end
}
