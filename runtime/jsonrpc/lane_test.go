// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

// piece is a live frame: n counts up, pieces merge.
type piece struct {
	lane   string
	n      int64
	merged int64
	text   string
}

func (p *piece) AppendFrame(b []byte) []byte {
	b = append(b, `{"live":`...)
	b = codec.AppendString(b, p.lane)
	b = append(b, `,"n":`...)
	b = codec.AppendInt(b, p.n)
	b = append(b, `,"merged":`...)
	b = codec.AppendInt(b, max(p.merged, 1))
	b = append(b, `,"text":`...)
	b = codec.AppendString(b, p.text)
	return append(b, '}')
}

func (p *piece) Keep() LiveFrame { kept := *p; return &kept }

func (p *piece) Merge(next LiveFrame) bool {
	n := next.(*piece)
	if n.n != p.n+max(p.merged, 1) || len(p.text) > 4<<10 {
		return false
	}
	p.merged = max(p.merged, 1) + max(n.merged, 1)
	p.text += n.text
	return true
}

func (p *piece) Size() int { return 64 + len(p.text) }

func event(lane string, seq int64, size int) func(b []byte) []byte {
	return func(b []byte) []byte {
		b = append(b, `{"event":`...)
		b = codec.AppendString(b, lane)
		b = append(b, `,"seq":`...)
		b = codec.AppendInt(b, seq)
		b = append(b, `,"text":"`...)
		b = append(b, strings.Repeat("e", size)...)
		return append(b, `"}`...)
	}
}

func small(name string) func(b []byte) []byte {
	return func(b []byte) []byte { return append(b, `{"small":"`+name+`"}`...) }
}

// log is a source that has events of one size.
type log struct {
	lane string
	size int

	mu    sync.Mutex
	reads int
	err   error
	skip  func(seq int64) bool
}

func (l *log) Events(ctx context.Context, from, to int64, emit func(int64, func(b []byte) []byte) bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if l.err != nil {
		return l.err
	}
	for seq := from; seq <= to && ctx.Err() == nil; seq++ {
		if l.skip != nil && l.skip(seq) {
			continue
		}
		if !emit(seq, event(l.lane, seq, l.size)) {
			return nil
		}
	}
	return ctx.Err()
}

func seqOf(t testing.TB, line string) int64 {
	var seq int64
	_, after, ok := strings.Cut(line, `"seq":`)
	require.True(t, ok, line)
	_, err := fmt.Sscanf(after, "%d", &seq)
	require.NoError(t, err)
	return seq
}

func TestLaneKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h})
		p.send(call("1", "hold", "{}"), call("2", "hold", "{}"))
		synctest.Wait()
		held := h.take()
		lane := p.conn.NewLane(nil)
		lane.Event(0, 0, event("a", 0, 1))
		assert.True(t, lane.Frame(small("running")))
		lane.Event(1, 0, event("a", 1, 1))
		held[0].Via(lane)
		held[0].Reply(&params{Text: "after seq 1"})
		assert.True(t, lane.Live(&piece{lane: "a", text: "x"}))
		lane.Event(2, 0, event("a", 2, 1))
		held[1].Via(lane)
		lane.Close()
		held[1].Reply(&params{Text: "a closed lane still answers"})
		assert.False(t, lane.Frame(small("too late")))
		lane.Event(3, 0, event("a", 3, 1))
		assert.False(t, lane.Live(&piece{}))
		want := []string{
			string(event("a", 0, 1)(nil)), string(small("running")(nil)), string(event("a", 1, 1)(nil)),
			echoed("1", "after seq 1"), `{"live":"a","n":0,"merged":1,"text":"x"}`, string(event("a", 2, 1)(nil)),
			echoed("2", "a closed lane still answers"),
		}
		for _, w := range want {
			assert.Equal(t, w, p.next())
		}
		assert.Empty(t, p.until())
		assert.NoError(t, p.close())
	})
}

func TestLanesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}})
		a, b := p.conn.NewLane(nil), p.conn.NewLane(nil)
		for i := range int64(200) {
			a.Event(i, 0, event("a", i, 1000))
			synctest.Wait() // the writer hangs with the first
		}
		b.Event(0, 0, event("b", 0, 1))
		p.drain()
		n := 0
		for !strings.Contains(p.next(), `"event":"b"`) {
			n++
		}
		assert.Less(t, n, 40, "b does not wait for all of a")
		assert.NoError(t, p.close())
	})
}

func TestWritesAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}})
		lane := p.conn.NewLane(nil)
		for i := range int64(1000) {
			lane.Event(i, 0, event("a", i, 100))
		}
		p.drain()
		for i := range int64(1000) {
			require.Equal(t, i, seqOf(t, p.next()))
		}
		counts := p.conn.Counters()
		assert.Less(t, counts.Writes, uint64(20))
		assert.NoError(t, p.close())
	})
}

func TestStalledReaderGetsEveryEventLater(t *testing.T) { // E10
	synctest.Test(t, func(t *testing.T) {
		const events, size = 20_000, 200
		src := &log{lane: "a", size: size}
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 32 << 10}})
		lane := p.conn.NewLane(src)
		start := time.Now()
		for i := range int64(events) {
			lane.Event(i, 0, event("a", i, size))
		}
		assert.True(t, lane.Frame(small("idle")))
		assert.Zero(t, time.Since(start), "a slow reader never stalls a producer of events")
		synctest.Wait()
		assert.Less(t, lane.Pending(), 64<<10)
		p.drain()
		for i := range int64(events) {
			require.Equal(t, i, seqOf(t, p.next()))
		}
		assert.Equal(t, string(small("idle")(nil)), p.next(), "small frames keep their place")
		counts := lane.Counters()
		assert.Greater(t, counts.Reread, uint64(events/2))
		assert.Zero(t, counts.Lost)

		lane.Event(events, 0, event("a", events, 1)) // live again
		assert.EqualValues(t, events, seqOf(t, p.next()))
		assert.Equal(t, counts.Reread, lane.Counters().Reread)
		assert.NoError(t, p.close())
	})
}

func TestEventsThatHaveNoFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := func(seq int64) bool { return seq%2 == 1 }
		src := &log{lane: "a", size: 100, skip: odd}
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 1 << 10}})
		lane := p.conn.NewLane(src)
		for i := int64(0); i < 1000; i += 2 {
			lane.Event(i, 0, event("a", i, 100))
		}
		p.drain()
		for i := int64(0); i < 1000; i += 2 {
			require.Equal(t, i, seqOf(t, p.next()))
		}
		assert.NoError(t, p.close())
	})
}

func TestReplayComesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h})
		p.send(call("1", "hold", "{}"))
		synctest.Wait()
		r := h.take()[0]
		lane := p.conn.NewLane(&log{lane: "live", size: 1})
		lane.Replay(&log{lane: "stored", size: 100}, 0, 4999)
		lane.Frame(small("replayed"))
		lane.Event(5000, 0, event("live", 5000, 1))
		r.Via(lane)
		r.Reply(&params{Text: "loaded"})
		for i := range int64(5000) {
			line := p.next()
			require.Contains(t, line, `"event":"stored"`)
			require.Equal(t, i, seqOf(t, line))
		}
		assert.Equal(t, string(small("replayed")(nil)), p.next())
		assert.EqualValues(t, 5000, seqOf(t, p.next()))
		assert.Equal(t, echoed("1", "loaded"), p.next())
		assert.NoError(t, p.close())
	})
}

func TestSourceThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("the store is gone")
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 1 << 10}})
		lane := p.conn.NewLane(&log{err: broken})
		lane.Frame(small("before"))
		synctest.Wait() // the writer hangs with it
		for i := range int64(100) {
			lane.Event(i, 0, event("a", i, 100))
		}
		lane.Frame(small("after"))
		p.drain()
		for line := ""; line != string(small("after")(nil)); {
			line = p.next()
		}
		assert.NotZero(t, lane.Counters().Lost)
		synctest.Wait()
		assert.Equal(t, 1, p.count(SourceFailed))
		assert.ErrorIs(t, p.diags[0].Err, broken)
		assert.NoError(t, p.close())
	})
}

func TestSmallFramesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10}})
		lane := p.conn.NewLane(nil)
		taken := 0
		for range 10_000 {
			if lane.Frame(small("status")) {
				taken++
			}
		}
		assert.Less(t, taken, 1000)
		assert.Positive(t, taken)
		assert.EqualValues(t, 10_000-taken, lane.Counters().Lost)
		require.NoError(t, p.conn.Close())
		<-p.ended
	})
}

func TestReaderThatTakesGetsEveryLiveFrame(t *testing.T) {
	for _, name := range []string{"without a buffer", "with one"} {
		t.Run(name, func(t *testing.T) {
			const n = 50_000
			p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 16 << 10, LiveWait: time.Second}})
			done := make(chan struct{})
			go func() {
				defer close(done)
				r := io.Reader(p.from)
				if name == "with one" {
					r = bufio.NewReaderSize(r, 1<<20)
				}
				lines := bufio.NewReader(r)
				for i := range int64(n) {
					line, err := lines.ReadString('\n')
					if !assert.NoError(t, err) || !assert.Equal(t, fmt.Sprintf(`{"live":"a","n":%d,"merged":1,"text":"word "}`+"\n", i), line) {
						return
					}
				}
			}()
			lane := p.conn.NewLane(nil)
			for i := range int64(n) {
				assert.True(t, lane.Live(&piece{lane: "a", n: i, text: "word "}))
			}
			<-done
			assert.Equal(t, LaneCounters{}, lane.Counters())
			require.NoError(t, p.conn.Close())
			<-p.ended
		})
	}
}

func TestStalledReaderGetsMergedAndDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100_000
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 16 << 10}})
		lane := p.conn.NewLane(nil)
		start := time.Now()
		for i := range int64(n) {
			lane.Live(&piece{lane: "a", n: i, text: "word "})
		}
		assert.LessOrEqual(t, time.Since(start), 2*DefaultLiveWait, "one wait in vain, and no more while the reader takes nothing")
		assert.Less(t, lane.Pending(), 20<<10)
		counts := lane.Counters()
		assert.NotZero(t, counts.Merged)
		assert.NotZero(t, counts.Dropped)
		lane.Event(7, 0, event("a", 7, 1)) // has its place after what was kept
		p.drain()
		next, got := int64(0), int64(0)
		for {
			line := p.next()
			if strings.HasPrefix(line, `{"event"`) {
				break
			}
			var at, merged int64
			_, err := fmt.Sscanf(line, `{"live":"a","n":%d,"merged":%d,"text":"`, &at, &merged)
			require.NoError(t, err)
			require.GreaterOrEqual(t, at, next, "a loss shows as a gap past n + merged")
			require.EqualValues(t, merged, strings.Count(line, "word "))
			next, got = at+merged, got+merged
		}
		assert.EqualValues(t, n, got+int64(counts.Dropped), "what is not there was counted")
		assert.NotZero(t, p.count(LiveDropped))
		assert.NoError(t, p.close())
	})
}

func TestProducersAreReleasedWhenTheConnectionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10, LiveWait: time.Hour}})
		lane := p.conn.NewLane(nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range int64(1000) {
				lane.Live(&piece{n: i, text: "word "})
			}
		}()
		synctest.Wait()
		require.NoError(t, p.conn.Close())
		<-done
		<-p.ended
	})
}

func TestStalledLaneDoesNotHoldUpOthers(t *testing.T) { // E10
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10}})
		hang := make(chan struct{})
		slow := p.conn.NewLane(sourceFunc(func(ctx context.Context) error { <-hang; return nil }))
		slow.Replay(slow.source, 0, 1)
		slow.Frame(small("behind its source"))
		fast := p.conn.NewLane(nil)
		fast.Event(0, 0, event("fast", 0, 1))
		assert.EqualValues(t, 0, seqOf(t, p.next()))
		close(hang)
		assert.Equal(t, string(small("behind its source")(nil)), p.next())
		assert.NoError(t, p.close())
	})
}

type sourceFunc func(ctx context.Context) error

func (f sourceFunc) Events(ctx context.Context, _, _ int64, _ func(int64, func(b []byte) []byte) bool) error {
	return f(ctx)
}

func TestSourceEndsWithTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{}})
		lane := p.conn.NewLane(nil)
		lane.Replay(sourceFunc(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }), 0, 1)
		synctest.Wait()
		start := time.Now()
		assert.NoError(t, p.close())
		assert.LessOrEqual(t, time.Since(start), DefaultLinger, "what a source may still give is waited for, within bounds")
	})
}

func TestOutputIsWrittenBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lane *Lane
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10}, EOF: func(error) {
			for i := int64(1000); i < 2000; i++ {
				lane.Event(i, 0, event("a", i, 100))
			}
		}})
		lane = p.conn.NewLane(&log{lane: "a", size: 100})
		for i := range int64(1000) {
			lane.Event(i, 0, event("a", i, 100))
		}
		require.NoError(t, p.to.Close())
		p.drain()
		for i := range int64(2000) {
			require.Equal(t, i, seqOf(t, p.next()))
		}
		assert.NoError(t, <-p.ended)
	})
}

// An event that is longer than the lane's whole bound costs its reader nothing
// that is small: neither a status, nor an answer, nor what comes at the end.
func TestSmallFramesFollowALongEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound = 4 << 10
		var held *Request
		p := newPeer(t, Config{Handler: &handler{request: func(r *Request) { held = r }}, Limits: Limits{Lane: bound}})
		lane := p.conn.NewLane(&log{lane: "a", size: 3 * bound})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"x"}}`)
		synctest.Wait()
		lane.Event(0, 0, event("a", 0, 3*bound))
		lane.Event(1, 0, event("a", 1, 3*bound))
		assert.True(t, lane.Frame(small("idle")), "a status after it is taken")
		held.Via(lane)
		held.Reply(&params{Text: "an answer"})
		assert.True(t, lane.Frame(small("closed")))
		lane.Close()
		p.drain()
		assert.EqualValues(t, 0, seqOf(t, p.next()))
		assert.EqualValues(t, 1, seqOf(t, p.next()))
		assert.Equal(t, string(small("idle")(nil)), p.next())
		assert.Equal(t, echoed("1", "an answer"), p.next())
		assert.Equal(t, string(small("closed")(nil)), p.next())
		assert.Zero(t, lane.Counters().Lost)
		assert.NoError(t, p.close())
	})
}

// A source that fails while its reader is behind costs what it could not give,
// and nothing that comes later.
func TestEventsAfterASourceThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events = 1000
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10}})
		lane := p.conn.NewLane(&half{log{lane: "a", size: 100}})
		send := func(from, to int64) {
			for i := from; i < to; i++ {
				lane.Event(i, 0, event("a", i, 100))
			}
		}
		send(0, 200)
		line := bufio.NewReaderSize(p.from, 16)
		got := 0
		for p.count(SourceFailed) == 0 { // slowly: the gap is read, and most of it is not taken
			_, err := line.ReadString('\n')
			require.NoError(t, err)
			got++
			synctest.Wait()
		}
		send(200, events)
		lane.Frame(small("last"))
		for {
			text, err := line.ReadString('\n')
			require.NoError(t, err)
			if strings.Contains(text, "last") {
				break
			}
			got++
		}
		assert.EqualValues(t, events, got+int(lane.Counters().Lost), "what is not there was counted")
		require.NoError(t, p.conn.Close())
		<-p.ended
	})
}

// half is a log that gives some events, and then fails.
type half struct{ log }

func (h *half) Events(ctx context.Context, from, to int64, emit func(int64, func(b []byte) []byte) bool) error {
	_ = h.log.Events(ctx, from, min(to, from+20), emit)
	return errors.New("the store is gone")
}

// A frame that is not taken because it is longer than a line counts nowhere.
func TestFramesThatAreTooLongCountNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 4 << 10
		var held *Request
		p := newPeer(t, Config{Handler: &handler{request: func(r *Request) { held = r }}, Limits: Limits{Lane: limit, Line: 2 * limit}})
		lane := p.conn.NewLane(nil)
		p.send(call("1", "echo", `{}`))
		synctest.Wait()
		long := event("a", 0, 3*limit)
		lane.Event(0, 4*limit, long)
		assert.False(t, lane.Frame(long))
		require.Error(t, p.conn.out.answer(lane, long))
		p.conn.out.mu.Lock()
		assert.Zero(t, lane.long)
		assert.Zero(t, lane.small)
		assert.Zero(t, p.conn.out.owes())
		p.conn.out.mu.Unlock()
		held.Via(lane)
		held.Reply(&params{})
		p.drain()
		assert.Equal(t, echoed("1", ""), p.next())
		assert.NoError(t, p.close())
	})
}

// Nor does it cost a live frame, while these are within their own part.
func TestLiveFramesFollowALongEvent(t *testing.T) {
	for _, sizes := range [][]int{{3}, {1}} { // in bounds
		synctest.Test(t, func(t *testing.T) {
			const bound = 8 << 10
			p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: bound}})
			lane := p.conn.NewLane(&log{lane: "a", size: 1})
			lane.Frame(small("first"))
			synctest.Wait() // the writer hangs with it
			for i, size := range sizes {
				lane.Event(int64(i), size*bound, event("a", int64(i), size*bound))
			}
			taken, room := lane.Offer(&piece{lane: "a", n: 0, text: strings.Repeat("x", bound/2)})
			assert.True(t, taken, "the first, however long it is")
			assert.False(t, room, "but the next one should wait")
			for i := range int64(1000) {
				lane.Offer(&piece{lane: "a", n: 1 + i, text: "more "})
			}
			assert.Less(t, lane.Pending(), 5*bound, "a reader that never takes costs no more")
			assert.NotZero(t, lane.Counters().Dropped)
			p.drain()
			line := p.next()
			for !strings.HasPrefix(line, `{"live"`) {
				line = p.next()
			}
			assert.True(t, strings.HasPrefix(line, `{"live":"a","n":0,`))
			assert.NoError(t, p.close())
		})
	}
}

// What waits in long events is bounded for a connection, however many lanes it
// has, and none is lost.
func TestLongEventsOfManyLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lanes, size = 50, 1 << 20
		p := newPeer(t, Config{Handler: &handler{}, Limits: Limits{Lane: 4 << 10}})
		kept := 0
		for i := range lanes {
			name := fmt.Sprint(i)
			lane := p.conn.NewLane(&log{lane: name, size: size})
			lane.Event(0, size, event(name, 0, size))
			kept += lane.Pending()
		}
		assert.LessOrEqual(t, kept, longMost+lanes*markCost)
		p.drain()
		for range lanes {
			assert.Zero(t, seqOf(t, p.next()))
		}
		synctest.Wait()
		p.conn.out.mu.Lock()
		assert.Zero(t, p.conn.out.long)
		p.conn.out.mu.Unlock()
		assert.NoError(t, p.close())
	})
}
