// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// busy has a session do a bit of everything.
func busy(c *wire, id string) {
	c.prompted(id, "think a\nsay b\ntool bash 10ms\nsay c")
	c.prompted(id, "ask rm\nsay d")
	time.Sleep(time.Second)
	c.decide(c.asked(), allow)
	c.prompted(id, "child count 3 100ms")
	c.ok("session/working-directory/set", fmt.Sprintf(`{"sessionId":%q,"path":"sub"}`, id))
	c.prompted(id, "sleep 1h")
	c.prompted(id, "say steered", `"delivery":"steer"`)
	c.prompted(id, "say q")
	time.Sleep(10 * time.Second)
	c.ok("session/cancel", fmt.Sprintf(`{"sessionId":%q,"queue":"continue"}`, id))
	time.Sleep(10 * time.Second)
	c.prompted(id, "fail f")
}

// checkFrames checks the event rules on all frames that a client got.
func checkFrames(t testing.TB, frames []*frame, negotiated bool) {
	t.Helper()
	type state struct {
		seq    int64
		turn   int64
		status string
		closed bool
	}
	sessions := map[string]*state{}
	answered := map[string]bool{}
	for _, f := range frames {
		if f.Method == "" {
			assert.False(t, answered[string(f.ID)], "E8: %s is answered once", f.ID)
			answered[string(f.ID)] = true
			continue
		}
		id := f.Params.SessionID
		s := sessions[id]
		if s == nil {
			s = &state{seq: -1, status: "idle"}
			sessions[id] = s
		}
		if id != "" && f.Method != "session/request_permission" {
			assert.False(t, s.closed, "E7: nothing follows session.closed: %s", f.Line)
		}
		switch f.Method {
		case "session.closed":
			s.closed = true
		case "session.delta":
			assert.Equal(t, s.turn, f.Params.Turn, "E3, E9: a delta belongs to the open turn")
		case "session.status":
			assert.NotEqual(t, s.status, f.Params.Status, "edges alternate")
			if f.Params.Status == "idle" {
				assert.Zero(t, s.turn, "E6: idle with an open turn")
			}
			s.status = f.Params.Status
		case "session.event":
			e := f.event(t)
			assert.Greater(t, e.Seq, s.seq, "E4: the order is that of seq")
			s.seq = e.Seq
			turn := s.turn
			switch d := e.Data.(type) {
			case *harness.TurnStart:
				assert.Zero(t, s.turn, "E3")
				s.turn = int64(d.Turn)
				turn = s.turn
			case *harness.TurnEnd:
				assert.EqualValues(t, s.turn, d.Turn, "E3")
				s.turn = 0
			case *harness.InboxSpliced:
				turn = 0
			}
			if !negotiated {
				turn = 0
			}
			assert.Equal(t, turn, f.Params.Turn, "E2: %s", f.Line)
			assert.Equal(t, turn != 0, strings.Contains(f.Line, `"turn":`+fmt.Sprint(turn)+`}}`), "E2")
		}
	}
}

// E1 to E8 over a session that does a bit of everything, as clients of both
// kinds see it.
func TestEventRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, old := dialMore(t, e, initV2), dialMore(t, e, initOld)
		old.ok("session/working-directory/get", `{"sessionId":"s"}`)
		busy(c, "s")
		c.ok("session/wait", `{"sessionId":"s","timeoutMs":60000}`)
		checkLog(t, c.events("s")) // E1, E3
		checkLog(t, c.events(c.child()))
		texts := c.texts("s")
		assert.Subset(t, texts, []string{"b", "\nc", "d", "steered", "q"}[2:])
		c.ok("session/close", `{"sessionId":"s"}`)
		checkFrames(t, c.next(), true)
		checkFrames(t, old.next(), false)
		assert.Len(t, old.events("s"), len(c.events("s")))
		c.hangUp()
		old.hangUp()
	})
}

// E5: an answer follows the events that its acceptance caused.
func TestAnswersFollowTheirEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		for range 20 {
			c.prompted("s", "say x")
		}
		seen := int64(-1)
		for _, f := range c.next() {
			switch {
			case f.Method == "session.event":
				seen = f.event(t).Seq
			case f.Method == "" && f.Result != nil:
				var r harness.PromptReceipt
				require.NoError(t, json.Unmarshal(f.Result, &r))
				if r.Seq != nil {
					assert.GreaterOrEqual(t, seen, *r.Seq+2, "after the claim")
				}
			}
		}
		c.hangUp()
	})
}

// E10: a reader that stops stalls no turn. Its connection holds a bounded
// amount; when it reads again it gets every event, in order, and what it lost
// of the deltas can be seen from their numbers.
func TestAStalledReaderStallsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, func(o *session.Options) { o.Limits = jsonrpc.Limits{Lane: 16 << 10} })
		c := dialMore(t, e, initV2)
		stalled := connect(t, e, false)
		go stalled.line(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + initV2 + `}`)
		synctest.Wait()
		stalled.line(`{"jsonrpc":"2.0","id":"g","method":"session/working-directory/get","params":{"sessionId":"s"}}`)
		synctest.Wait()
		for range 20 {
			c.prompted("s", "flood 500\nchild! say hi\nsay end")
			time.Sleep(20 * time.Millisecond)
		}
		require.Len(t, c.texts("s"), 40, "nothing waited")
		begin := time.Now()
		stalled.read()
		synctest.Wait()
		assert.Less(t, time.Since(begin), time.Second)
		assert.Len(t, stalled.events("s"), len(c.events("s")))
		frames := stalled.next()
		checkFrames(t, frames, true)
		deltas := int64(0)
		type place struct{ turn, step int64 }
		next := map[place]int64{}
		for _, f := range frames {
			if f.Method != "session.delta" || f.Params.SessionID != "s" {
				continue
			}
			p := place{f.Params.Turn, f.Params.Step}
			assert.GreaterOrEqual(t, f.Params.N, next[p], "deltas keep their order")
			next[p] = f.Params.N + max(f.Params.Merged, 1)
			deltas += max(f.Params.Merged, 1)
		}
		assert.Less(t, deltas, int64(20*502), "it cannot have got all of them")
		c.hangUp()
		stalled.hangUp()
	})
}

// A reader that takes what it is sent gets every delta of a flood.
func TestAReaderThatTakesGetsEveryDelta(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "flood 20000")
		n := int64(0)
		for _, f := range c.next() {
			if f.Method == "session.delta" {
				assert.Equal(t, n, f.Params.N)
				n += max(f.Params.Merged, 1)
			}
		}
		assert.EqualValues(t, 20000, n)
		assert.Len(t, c.texts("s")[0], 20000)
		c.hangUp()
	})
}

// E10: no session waits for another.
func TestSessionsDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("slow", "stubborn 1m")
		c.prompted("asks", "ask rm")
		c.ok("session/cancel", `{"sessionId":"slow"}`)
		for i := range 10 {
			id := fmt.Sprint("s", i)
			c.prompted(id, "say hi")
			assert.Equal(t, []string{"hi"}, c.texts(id))
			c.ok("session/close", fmt.Sprintf(`{"sessionId":%q}`, id))
		}
		c.hangUp()
		time.Sleep(2 * time.Minute)
	})
}

// Events are merged into frames of their own kind only: what a client got of a
// turn's deltas, joined, is the turn's text.
func TestDeltasJoinToTheText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "think hm so\nsay one two\ntool bash\ncount 3\nfoo bar")
		kinds := map[string]string{}
		for _, f := range c.next() {
			if f.Method == "session.delta" {
				kinds[fmt.Sprintf("%d/%d %s", f.Params.Step, f.Params.Index, f.Params.Kind)] += f.Params.Text + f.Params.Arguments
			}
		}
		assert.Equal(t, map[string]string{
			"1/0 reasoning": "hm so", "1/1 text": "one two", "1/2 tool-call": "{}", "2/0 text": "1 2 3 \nfoo bar",
		}, kinds)
		c.hangUp()
	})
}

// A connection that breaks in the middle of it all harms no other.
func TestABrokenConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, d := dialMore(t, e, initV2), dialMore(t, e, initV2)
		c.prompted("s", "count 100 10ms")
		d.ok("session/resume", `{"sessionId":"s"}`)
		time.Sleep(200 * time.Millisecond)
		_ = c.r.(*io.PipeReader).CloseWithError(io.ErrClosedPipe)
		_ = c.w.Close()
		<-c.end
		time.Sleep(2 * time.Second)
		assert.Contains(t, d.briefs(), "turn/end:completed")
		d.hangUp()
	})
}
