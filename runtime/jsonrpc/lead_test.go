// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// between returns the two ends of a connection in memory whose reads have
// deadlines: a Conn and what its peer reads and writes.
func between(t *testing.T, config Config) (conn *Conn, lines *bufio.Reader, peer net.Conn, ended chan error) {
	t.Helper()
	ours, peer := net.Pipe()
	conn = NewConn(ours, ours, config)
	require.NotNil(t, conn.in.deadline)
	ended = make(chan error, 1)
	go func() { ended <- conn.Serve(context.Background()) }()
	return conn, bufio.NewReader(peer), peer, ended
}

func askOnce(ctx context.Context, conn *Conn) error {
	call := conn.Begin("ask")
	defer call.Release()
	return call.Send(ctx)
}

// respond answers each request until the connection ends.
func respond(lines *bufio.Reader, w io.Writer) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
		if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id); err != nil {
			return
		}
	}
}

// After some answers with nothing between them callers read their own.
func untilCallersRead(t *testing.T, conn *Conn) {
	t.Helper()
	for range leadAfter + 2 {
		require.NoError(t, askOnce(t.Context(), conn))
	}
	conn.turn.mu.Lock()
	defer conn.turn.mu.Unlock()
	require.NotZero(t, conn.turn.taken, "no caller read")
}

func TestCallersRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notes atomic.Int64
		conn, lines, peer, ended := between(t, Config{Strict: true, Handler: &handler{note: func(*Notification) { notes.Add(1) }}})
		served := make(chan struct{})
		go func() { defer close(served); respond(lines, peer) }()
		untilCallersRead(t, conn)

		// A notification that comes while no call waits is handled soon all the same.
		begun := time.Now()
		_, err := io.WriteString(peer, `{"jsonrpc":"2.0","method":"note","params":{}}`+"\n")
		require.NoError(t, err)
		synctest.Wait()
		assert.EqualValues(t, 1, notes.Load())
		assert.LessOrEqual(t, time.Since(begun), 2*leadTick)

		// And so are many callers at once.
		untilCallersRead(t, conn)
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() {
				for range 20 {
					assert.NoError(t, askOnce(t.Context(), conn))
				}
			})
		}
		callers.Wait()
		require.NoError(t, peer.Close())
		assert.NoError(t, <-ended)
		<-served
	})
}

// A caller that reads returns soon after its context ends, and what comes then is
// read by Serve's goroutine.
func TestACallerThatReadsIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notes atomic.Int64
		conn, lines, peer, ended := between(t, Config{Handler: &handler{note: func(*Notification) { notes.Add(1) }}})
		for n := 1; n <= leadAfter+2; n++ {
			go func() {
				_, _ = lines.ReadString('\n')
				_, _ = fmt.Fprintf(peer, `{"id":%d,"result":{}}`+"\n", n)
			}()
			require.NoError(t, askOnce(t.Context(), conn))
		}
		time.Sleep(leadTick / 2)
		go func() { _, _ = lines.ReadString('\n') }()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		begun := time.Now()
		assert.ErrorIs(t, askOnce(ctx, conn), context.DeadlineExceeded)
		assert.LessOrEqual(t, time.Since(begun), 20*time.Millisecond+3*leadTick)
		_, err := io.WriteString(peer, `{"method":"note","params":{}}`+"\n")
		require.NoError(t, err)
		synctest.Wait()
		assert.EqualValues(t, 1, notes.Load())

		require.NoError(t, conn.Close())
		assert.NoError(t, <-ended)
		assert.Error(t, askOnce(t.Context(), conn))
	})
}

// A connection that is closed, or lost, while a caller reads fails its call.
func TestTheConnectionEndsWhileACallerReads(t *testing.T) {
	for name, end := range map[string]func(conn *Conn, peer net.Conn){
		"closed": func(conn *Conn, _ net.Conn) { _ = conn.Close() },
		"lost":   func(_ *Conn, peer net.Conn) { _ = peer.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, lines, peer, ended := between(t, Config{})
				for n := 1; n <= leadAfter+2; n++ {
					go func() {
						_, _ = lines.ReadString('\n')
						_, _ = fmt.Fprintf(peer, `{"id":%d,"result":{}}`+"\n", n)
					}()
					require.NoError(t, askOnce(t.Context(), conn))
				}
				go func() {
					_, _ = lines.ReadString('\n')
					end(conn, peer)
				}()
				var lost *ConnectionLostError
				assert.ErrorAs(t, askOnce(t.Context(), conn), &lost)
				assert.NoError(t, <-ended)
				_ = peer.Close()
			})
		})
	}
}

// Over pipes of the system a caller waits on its thread: the same calls, many times,
// with notifications between them.
func TestCallersReadOverOSPipes(t *testing.T) {
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	var notes atomic.Int64
	conn := NewConn(inR, outW, Config{Strict: true, Handler: &handler{note: func(*Notification) { notes.Add(1) }}})
	ended := make(chan error, 1)
	go func() { ended <- conn.Serve(context.Background()) }()
	served := make(chan int)
	go func() {
		lines, n := bufio.NewReader(outR), 0
		for {
			if _, err := lines.ReadString('\n'); err != nil {
				break
			}
			if n++; n%50 == 0 {
				_, _ = io.WriteString(inW, `{"jsonrpc":"2.0","method":"note","params":{}}`+"\n")
			}
			_, _ = fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", n)
		}
		_ = inW.Close()
		served <- n
	}()
	for range 2000 {
		require.NoError(t, askOnce(t.Context(), conn))
	}
	require.NoError(t, conn.Close())
	assert.NoError(t, <-ended)
	assert.Equal(t, 2000, <-served)
	assert.EqualValues(t, 40, notes.Load())
	_ = outR.Close()
}

// A diagnosis that panics is survived wherever it is made, and counted.
func TestADiagnosisThatPanics(t *testing.T) {
	for name, line := range map[string]string{
		"malformed":      `{"jsonrpc"`,
		"over the limit": call("1", "echo", `{"text":"`+strings.Repeat("x", 500)+`"}`),
		"no method":      `{"jsonrpc":"2.0","method":"none"}`,
	} {
		t.Run(name, func(t *testing.T) {
			lines, conn, err := serve(t, strings.NewReader(line+"\n"+call("2", "echo", `{"text":"x"}`)+"\n"+call("3", "big", `{"n":1000}`)+"\n"), Config{
				Strict: true, Handler: &handler{}, Limits: Limits{Line: 400}, Diagnose: func(Diagnostic) { panic("of the host") },
			})
			require.NoError(t, err)
			assert.Contains(t, lines, echoed("2", "x"))
			assert.EqualValues(t, 2, conn.Counters().Of(HandlerPanic), "the line, and the answer that is too long")
		})
	}
}

// So many requests may be pending, and no more; those are answered once each.
func TestPendingRequestsAreBounded(t *testing.T) {
	for _, strict := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			h := &handler{}
			p := dial(t, Config{Strict: strict, Limits: Limits{Requests: 3}, Handler: h})
			for i := range 5 {
				p.send(call(fmt.Sprint(i), "hold", `{}`))
			}
			for _, id := range []string{"3", "4"} {
				assert.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32000,"message":"too many requests are in flight; try again later"}}`, p.next())
			}
			assert.Equal(t, 2, p.count(Overloaded))
			for i, r := range h.take() {
				r.Reply(nil)
				assert.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i), p.next())
			}
			p.send(call("9", "echo", `{"text":"x"}`))
			assert.Equal(t, echoed("9", "x"), p.next())
			assert.NoError(t, p.close())
		})
	}
}
