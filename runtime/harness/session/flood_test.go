// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

const burst = "the quick brown fox jumps over the dogs "

// flooder says as many bursts as the prompt says, as fast as it is let.
type flooder struct {
	says  string
	after error  // what a step ends with; nil: nothing
	deaf  bool   // continues when its output is refused
	then  string // what it says in the end, if anything
}

func (*flooder) Describe(context.Context, agent.Session) (*agent.Description, error) {
	return &agent.Description{}, nil
}

func (a *flooder) Step(_ context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	n := 0
	for i := len(r.Messages) - 1; i >= 0 && n == 0; i-- { // the last one may be the runtime's own
		n, _ = strconv.Atoi(r.Messages[i].Text(""))
	}
	for range n {
		if err := out.Text(a.says); err != nil && !a.deaf {
			return agent.Result{}, err
		}
	}
	if a.then != "" {
		if err := out.Text(a.then); err != nil && !a.deaf {
			return agent.Result{}, err
		}
	}
	return agent.Result{Stop: agent.Finished}, a.after
}

func (*flooder) Tool(context.Context, *agent.Call, agent.Host) (agent.Output, error) {
	return agent.Output{}, nil
}

func floods(a *flooder) func(o *session.Options) {
	return func(o *session.Options) {
		if a.says == "" {
			a.says = burst
		}
		o.Agent = a
	}
}

// number reads a member that is a number; -1: it is not there.
func number(line []byte, member string) int64 {
	_, rest, ok := bytes.Cut(line, []byte(`"`+member+`":`))
	if !ok {
		return -1
	}
	n := int64(0)
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		n, rest = n*10+int64(rest[0]-'0'), rest[1:]
	}
	return n
}

// However many deltas a turn has, a reader that reads gets all of them, merged
// perhaps where the machine did not let it read for long, then the whole text,
// the turn's end, and idle.
func TestFloods(t *testing.T) {
	for _, n := range []int64{1, 100_000, 1_000_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if n > 100_000 && (testing.Short() || raceEnabled) {
				t.Skip("a long one")
			}
			e := newEngine(t, floods(&flooder{}))
			c := connect(t, e, true)
			lines := bufio.NewReaderSize(c.r, 1<<20)
			c.line(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + initV2 + `}`)
			c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","contentBlocks":[{"type":"text","text":"%d"}]}}`, n))
			deltas, text, ended := int64(0), int64(0), false
			for {
				line, err := lines.ReadBytes('\n')
				require.NoError(t, err)
				switch {
				case bytes.Contains(line, []byte(`"method":"session.delta"`)):
					require.False(t, ended, "no delta follows its turn's end")
					require.Equal(t, deltas, number(line, "n"), "none is lost")
					deltas += max(number(line, "merged"), 1)
					continue
				case bytes.Contains(line, []byte(`"type":"assistant/message"`)):
					require.Less(t, len(line), jsonrpc.DefaultLine)
					content, _, _ := bytes.Cut(line, []byte(`"stream":`))
					text = int64(bytes.Count(content, []byte(burst)))
				case bytes.Contains(line, []byte(`"type":"turn/end"`)):
					ended = true
				}
				if bytes.Contains(line, []byte(`"status":"idle"`)) {
					break
				}
			}
			assert.Equal(t, n, deltas)
			assert.Equal(t, n, text, "the message has the whole text")
			assert.True(t, ended)
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			c.hangUp()
		})
	}
}

// An answer that would not fit into one event ends as at a token limit: with all
// that was heard, in events that every reader can take.
func TestAnswerAsLongAsALine(t *testing.T) {
	const line = 1 << 20
	for name, a := range map[string]*flooder{
		"of letters":                     {},
		"of what JSON escapes":           {says: "\"\\\n\x01 a"},
		"of an agent that does not stop": {deaf: true},
		"though what follows is short":   {says: strings.Repeat("long ", 2000), deaf: true, then: "."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, floods(a), func(o *session.Options) { o.Limits.Line = line })
				c := dial(t, e)
				c.prompted("s", strconv.Itoa(2*line/len(a.says)))
				synctest.Wait()
				texts := c.texts("s")
				require.Len(t, texts, 1)
				assert.Equal(t, strings.Repeat(a.says, len(texts[0])/len(a.says)), texts[0], "whole deltas")
				assert.Equal(t, strings.Join(c.deltas("s"), ""), texts[0], "what was shown is what is kept")
				longest := 0
				for _, f := range c.all() {
					longest = max(longest, len(f.Line))
				}
				assert.LessOrEqual(t, longest, line)
				assert.Greater(t, longest, line*3/4)
				briefs := c.briefs()
				assert.Equal(t, []string{"assistant/message", "step/end", "turn/end:max-tokens", "idle"}, briefs[len(briefs)-4:])

				// The session continues.
				c.prompted("s", "1")
				assert.Equal(t, a.says+a.then, c.texts("s")[1])
				c.hangUp()
			})
		})
	}
}

// What a message says in addition to its text, of how it came, does not make its event
// longer than a line, however short lines are.
func TestAnswersOnShortLines(t *testing.T) {
	for _, line := range []int{64 << 10, 1 << 20} {
		for _, says := range []string{"x", "\x01", burst} {
			for _, part := range []int{8, 2} {
				synctest.Test(t, func(t *testing.T) {
					for _, after := range []error{nil, errors.New("the provider is gone")} {
						e := newEngine(t, floods(&flooder{says: says, after: after}), func(o *session.Options) { o.Limits.Line = line })
						c := dial(t, e)
						n := min(line, 64<<10) / part / len(says)
						c.prompted("s", strconv.Itoa(n))
						synctest.Wait()
						for i, ev := range c.events("s") {
							require.EqualValues(t, i, ev.Seq, "no event is left out: lines of %d, %d times %q", line, n, says)
						}
						if after == nil {
							assert.Equal(t, c.texts("s")[0], strings.Join(c.deltas("s"), ""))
						}
						c.hangUp()
					}
				})
			}
		}
	}
}

func TestLongAnswerThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const line = 1 << 20
		a := &flooder{says: "\x01", deaf: true, after: errors.New("the provider is gone")}
		e := newEngine(t, floods(a), func(o *session.Options) { o.Limits.Line = line })
		c := dial(t, e)
		c.prompted("s", strconv.Itoa(line))
		briefs := c.briefs()
		assert.Equal(t, []string{"assistant/attempt", "step/end", "turn/end:error", "idle"}, briefs[len(briefs)-4:])
		text := ""
		for _, e := range c.events("s") {
			if d, ok := e.Data.(*harness.AssistantAttempt); ok {
				for _, r := range d.Stream {
					if r, ok := r.(*harness.TextChunks); ok {
						text += strings.Join(r.Texts, "")
					}
				}
			}
		}
		assert.Equal(t, strings.Join(c.deltas("s"), ""), text)
		c.hangUp()
	})
}

func TestPromptAsLongAsALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const line = 1 << 20
		e := newEngine(t, func(o *session.Options) { o.Limits.Line = line })
		c := dial(t, e)
		assert.Equal(t, "invalid-params", c.kind(c.answer(c.prompt("s", strings.Repeat("x", line-300)))))
		c.prompted("s", strings.Repeat("x", line-100<<10))
		briefs := c.briefs()
		assert.Equal(t, "idle", briefs[len(briefs)-1])
		c.hangUp()
	})
}

// A reader that stalls and continues loses deltas at most: each that is not there
// shows, the events are all there, and the last frame is idle.
func TestReaderThatStallsAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100_000
		e := newEngine(t, floods(&flooder{}))
		c := dial(t, e)
		c.stall = make(chan struct{})
		start := time.Now()
		c.prompt("s", strconv.Itoa(n))
		synctest.Wait() // the agent is at work, or waits for the reader
		require.NoError(t, e.Wait(t.Context()))
		assert.NotZero(t, e.Counters().Deltas)
		assert.LessOrEqual(t, time.Since(start), time.Second, "a reader that stalls holds no turn up")
		time.Sleep(5 * time.Second)
		close(c.stall)

		next, shown := int64(0), int64(0)
		frames := c.next()
		for _, f := range frames {
			if f.Method == "session.delta" {
				require.GreaterOrEqual(t, f.Params.N, next, "a loss is a gap past n + merged")
				merged := max(f.Params.Merged, 1)
				require.EqualValues(t, merged*int64(len(burst)), len(f.Params.Text))
				next, shown = f.Params.N+merged, shown+merged
			}
		}
		assert.Less(t, shown, int64(n))
		seqs := int64(0)
		for _, ev := range c.events("s") {
			require.Equal(t, seqs, ev.Seq, "no event is lost")
			seqs++
		}
		assert.Equal(t, strings.Repeat(burst, n), c.texts("s")[0])
		assert.Equal(t, "idle", frames[len(frames)-1].brief(t))
		c.hangUp()
	})
}

// A reader that never reads delays no other, on its own connection no session
// and on others none, and what is kept for it is bounded (E10).
func TestReaderThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, sessions = 50_000, 20
		e := newEngine(t, floods(&flooder{}))
		stuck := connect(t, e, false)
		stuck.line(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + initV2 + `}`)
		good := dialMore(t, e, initV2)
		heap := func() uint64 {
			runtime.GC()
			runtime.GC() // what pools keep goes with the second
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := heap()
		start := time.Now()
		for i := range sessions {
			stuck.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":"session/prompt","params":{"sessionId":"stuck-%d","contentBlocks":[{"type":"text","text":"%d"}]}}`, i, i, n))
		}
		for i := range sessions {
			good.prompt(fmt.Sprintf("good-%d", i), "100")
		}
		synctest.Wait()
		assert.Less(t, time.Since(start), time.Second)
		idle := map[string]int{}
		for _, f := range good.all() {
			if f.Params.Status == "idle" {
				idle[f.Params.SessionID]++
			}
		}
		assert.Len(t, idle, sessions)
		require.NoError(t, e.Wait(t.Context()))
		assert.LessOrEqual(t, time.Since(start), time.Second, "the turns of the one that does not read end too")
		if !raceEnabled {
			logs := uint64(sessions * n * len(burst))
			assert.Less(t, heap()-before, 2*logs+sessions*2*jsonrpc.DefaultLane, "the logs, the histories that were read last, and a lane's bound for each")
		}
		_ = stuck.r.Close()
		_ = stuck.w.Close()
		<-stuck.end
		good.hangUp()
	})
}

func TestManySessionsStreamAtOnce(t *testing.T) {
	const n, sessions = 500, 200
	e := newEngine(t, floods(&flooder{}))
	c := connect(t, e, true)
	lines := bufio.NewReaderSize(c.r, 1<<20)
	c.line(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + initV2 + `}`)
	go func() {
		for i := range sessions {
			_, _ = fmt.Fprintf(c.w, `{"jsonrpc":"2.0","id":"r%[1]d","method":"session/prompt","params":{"sessionId":"s-%[1]d","contentBlocks":[{"type":"text","text":"%[2]d"}]}}`+"\n", i, n)
		}
	}()
	next := map[int64]int64{}
	for idle := 0; idle < sessions; {
		line, err := lines.ReadBytes('\n')
		require.NoError(t, err)
		_, rest, _ := bytes.Cut(line, []byte(`"sessionId":"s-`))
		s := number([]byte(`"s":`+string(rest)), "s")
		switch {
		case bytes.Contains(line, []byte(`"method":"session.delta"`)):
			require.Equal(t, next[s], number(line, "n"), "none is lost")
			next[s] += max(number(line, "merged"), 1)
		case bytes.Contains(line, []byte(`"status":"idle"`)):
			require.EqualValues(t, n, next[s])
			idle++
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	c.hangUp()
}
