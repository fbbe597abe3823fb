// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve gives a connection all of its input and returns all of its output.
func serve(t testing.TB, in io.Reader, c Config) (lines []string, conn *Conn, err error) {
	t.Helper()
	var out bytes.Buffer
	if c.Handler == nil {
		c.Handler = &handler{}
	}
	conn = NewConn(in, &out, c)
	err = conn.Serve(context.Background())
	if text := strings.TrimSuffix(out.String(), "\n"); text != "" {
		lines = strings.Split(text, "\n")
	}
	return lines, conn, err
}

func TestByteOrderMarkOnlyFirst(t *testing.T) { // WP-07
	in := "\xef\xbb\xbf" + call("1", "echo", "{}") + "\r\n\n" + call("2", "echo", "{}") + "\n"
	lines, conn, err := serve(t, strings.NewReader(in), Config{Strict: true})
	require.NoError(t, err)
	assert.Equal(t, []string{echoed("1", ""), echoed("2", "")}, lines)
	counts := conn.Counters()
	assert.EqualValues(t, 2, counts.LinesIn)
	assert.EqualValues(t, 2, counts.LinesOut)
	assert.Zero(t, counts.Of(MalformedLine))
}

func TestUnterminatedLine(t *testing.T) {
	lines, conn, err := serve(t, strings.NewReader(call("1", "echo", "{}")+"\n"+call("2", "echo", "{}")), Config{})
	require.NoError(t, err)
	assert.Equal(t, []string{echoed("1", "")}, lines)
	counts := conn.Counters()
	assert.EqualValues(t, 1, counts.Of(UnterminatedLine))
}

func TestReadErrorIsNotTheEnd(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(call("1", "echo", "{}")+"\n"), iotest.ErrReader(broken))
	lines, _, err := serve(t, in, Config{})
	assert.Equal(t, []string{echoed("1", "")}, lines)
	assert.ErrorIs(t, err, broken)
}

func TestReaderWithoutProgress(t *testing.T) {
	_, _, err := serve(t, readerFunc(func([]byte) (int, error) { return 0, nil }), Config{})
	assert.ErrorIs(t, err, io.ErrNoProgress)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestSplitReads(t *testing.T) { // WP-16
	var in strings.Builder
	var want []string
	for i := range 50 {
		id := fmt.Sprint(i)
		in.WriteString(call(id, "echo", `{"text":"größe 漢字 `+id+`"}`) + "\n")
		want = append(want, echoed(id, "größe 漢字 "+id))
	}
	readers := map[string]io.Reader{
		"whole":      strings.NewReader(in.String()),
		"one byte":   iotest.OneByteReader(strings.NewReader(in.String())),
		"half":       iotest.HalfReader(strings.NewReader(in.String())),
		"data + EOF": iotest.DataErrReader(strings.NewReader(in.String())),
	}
	for name, r := range readers {
		t.Run(name, func(t *testing.T) {
			lines, _, err := serve(t, r, Config{Strict: true})
			require.NoError(t, err)
			assert.Equal(t, want, lines)
		})
	}
}

// endless gives n bytes without a newline, then a tail.
func endless(n int64, tail string) io.Reader {
	return io.MultiReader(io.LimitReader(readerFunc(func(b []byte) (int, error) {
		for i := range b {
			b[i] = 'x'
		}
		return len(b), nil
	}), n), strings.NewReader(tail))
}

func TestNoNewlineForEver(t *testing.T) { // WP-01, WP-02
	const size = 64 << 20
	in := endless(size, "\n"+call("1", "echo", "{}")+"\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines, conn, err := serve(t, in, Config{Strict: true, Limits: Limits{Line: 1 << 20}})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	assert.Equal(t, []string{fmt.Sprintf(tooLong, "null"), echoed("1", "")}, lines)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), "a line is discarded in constant memory")
	counts := conn.Counters()
	assert.EqualValues(t, 1, counts.Of(LineTooLong))
	assert.Greater(t, counts.BytesIn, uint64(size))
}

func TestLongestLine(t *testing.T) {
	text := strings.Repeat("x", DefaultLine-100)
	long := call("1", "echo", `{"text":"`+text+`"}`)
	long += strings.Repeat(" ", DefaultLine-len(long))
	in := strings.NewReader(long + "\n" + call("2", "echo", "{}") + "\n" + long + " \n" + call("3", "echo", "{}") + "\n")
	lines, conn, err := serve(t, in, Config{Strict: true, Limits: Limits{Linger: time.Minute}}) // so much takes long to be written where machines are slow
	require.NoError(t, err)
	require.Len(t, lines, 4)
	assert.Equal(t, len(echoed("1", ""))+len(text), len(lines[0]))
	assert.Equal(t, []string{echoed("2", ""), fmt.Sprintf(tooLong, "1"), echoed("3", "")}, lines[1:])
	assert.LessOrEqual(t, cap(conn.in.buf), keepLong, "the buffer is given back")
}

func TestAnswerOverTheLimit(t *testing.T) {
	lines, conn, err := serve(t, strings.NewReader(call("1", "big", `{"n":2000}`)+"\n"), Config{Limits: Limits{Line: 1000}})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the message is longer than the line limit"}}`}, lines)
	counts := conn.Counters()
	assert.EqualValues(t, 1, counts.Of(OutputTooLong))
}

func TestAnswersGatherIntoOneWrite(t *testing.T) {
	var in strings.Builder
	for i := range 100 {
		in.WriteString(call(fmt.Sprint(i), "echo", "{}") + "\n")
	}
	lines, conn, err := serve(t, strings.NewReader(in.String()), Config{})
	require.NoError(t, err)
	require.Len(t, lines, 100)
	counts := conn.Counters()
	assert.EqualValues(t, 1, counts.Writes)
}

func TestFloodOfRequestsNobodyReadsAnswersOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}, Strict: true, Limits: Limits{Unsent: 64 << 10}})
		go func() {
			for i := 0; ; i++ {
				if _, err := io.WriteString(p.to, call(fmt.Sprint(i), "big", `{"n":1000}`)+"\nbroken\n"); err != nil {
					return
				}
			}
		}()
		synctest.Wait() // everything waits: the pipe pushes back
		p.conn.out.mu.Lock()
		waits := p.conn.out.owes()
		p.conn.out.mu.Unlock()
		assert.Greater(t, waits, 64<<10)
		assert.Less(t, waits, 256<<10)

		p.drain() // the peer begins to read, and everything continues
		for range 10_000 {
			p.next()
		}
		require.NoError(t, p.conn.Close())
		<-p.ended
	})
}

func TestCloseWhileThePeerNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}})
		p.send(call("1", "echo", "{}"), call("2", "hold", "{}"))
		synctest.Wait() // the writer hangs in Write
		lane := p.conn.NewLane(nil)
		lane.Frame(func(b []byte) []byte { return append(b, "{}"...) })
		require.NoError(t, p.conn.Close())
		assert.NoError(t, <-p.ended)
		assert.False(t, lane.Frame(func(b []byte) []byte { return b }))
		assert.ErrorIs(t, p.conn.Notify("note", nil), ErrClosed)
	})
}

func TestPeerThatIsGoneEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := newPeer(t, Config{Handler: h})
		p.send(call("1", "block", "{}"))
		require.NoError(t, p.from.Close()) // no goroutine will read
		require.NoError(t, p.conn.Notify("note", nil))
		assert.ErrorIs(t, <-p.ended, io.ErrClosedPipe)
		<-p.conn.Context().Done()
	})
}

func TestServeOnce(t *testing.T) {
	_, conn, err := serve(t, strings.NewReader(""), Config{})
	require.NoError(t, err)
	assert.Error(t, conn.Serve(context.Background()))
}

func TestServeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		conn := NewConn(inR, io.Discard, Config{})
		go func() { ended <- conn.Serve(ctx) }()
		synctest.Wait()
		cancel()
		assert.ErrorIs(t, <-ended, context.Canceled)
		_, err := inW.Write([]byte("x"))
		assert.Error(t, err)
	})
}

func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		var p *peer
		var order []string
		p = dial(t, Config{Handler: h, EOF: func(err error) {
			order = append(order, "eof")
			assert.ErrorIs(t, err, io.EOF)
			assert.NoError(t, p.conn.Context().Err(), "requests live until the server has shut down")
			for _, r := range h.take() {
				r.Reply(&params{Text: "last"})
			}
		}})
		p.send(call("1", "hold", "{}"), call("2", "block", "{}"))
		require.NoError(t, p.to.Close())
		assert.Equal(t, echoed("1", "last"), p.next())
		// What blocks is waited for as long as Linger, and then cancelled.
		assert.Equal(t, `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"the connection ended"}}`, p.next())
		assert.NoError(t, <-p.ended)
		assert.Equal(t, []string{"eof"}, order)
	})
}

func TestLinesOverAShortLimit(t *testing.T) {
	for _, limit := range []int{50, 100, sniffed, sniffed + 1} {
		for over := 1; over <= 3; over++ {
			in := strings.Repeat("x", limit+over) + "\n" + `{"id":1,"method":"echo","params":{}}` + "\n"
			lines, conn, err := serve(t, strings.NewReader(in), Config{Limits: Limits{Line: limit}})
			require.NoError(t, err)
			assert.Equal(t, []string{echoed("1", "")}, lines)
			counts := conn.Counters()
			assert.EqualValues(t, 1, counts.Of(LineTooLong))
		}
	}
}

// There may be thousands of connections at rest, and each has had a long line.
func TestAConnectionAtRestKeepsLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{}})
		lane := p.conn.NewLane(nil)
		for _, size := range []int{1 << 10, 40 << 10, 200 << 10, 1 << 20} {
			for i := range 10 {
				p.send(call("1", "echo", `{"text":"`+strings.Repeat("x", size)+`"}`))
				lane.Event(int64(i), size, event("a", int64(i), size))
				p.next()
				p.next()
			}
		}
		synctest.Wait()
		kept := cap(p.conn.in.buf) + cap(p.conn.in.small) + cap(p.conn.out.buf) + cap(lane.buf)
		for _, b := range p.conn.out.spares {
			kept += cap(b)
		}
		assert.LessOrEqual(t, kept, readBuffer+maxSpares*keepSpare+keepLane)
		assert.NoError(t, p.close())
	})
}

// A connection at rest keeps nothing of a long line.
func TestALongLineIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Strict: true, Handler: &handler{}})
		heap := func() uint64 {
			var m runtime.MemStats
			synctest.Wait()
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		p.send(call("1", "echo", "{}"))
		p.next()
		before := heap()
		func() { // whose frame is gone when the heap is measured
			p.send(call("2", "echo", `{"text":"`+strings.Repeat("x", 32<<20)+`"}`))
			p.next()
		}()
		assert.Less(t, heap(), before+4<<20)
		require.NoError(t, p.close())
	})
}
