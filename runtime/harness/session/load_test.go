// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// Load replays all that is stored, marked and in order, then one
// session.replayed, then the answer; live events follow without a gap.
//
// Rule L3.
func TestLoadReplays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		c.prompted("s", "say one")
		first := c.events("s")
		c.ok("session/close", `{"sessionId":"s"}`)
		c.next()
		id := c.send("session/load", `{"sessionId":"s"}`)
		got := c.next()
		require.Len(t, got, len(first)+3, "the end-seed, the marker, the answer")
		for i, f := range got[:len(first)+1] {
			assert.True(t, f.Params.Replay)
			assert.EqualValues(t, i, f.event(t).Seq)
		}
		assert.Equal(t, "session/end-seed", got[len(first)].event(t).Type())
		assert.Equal(t, []string{"session.replayed", "result " + id}, []string{got[len(first)+1].brief(t), got[len(first)+2].brief(t)})
		next := int64(len(first) + 1)
		assert.Equal(t, next, got[len(first)+1].Params.NextSeq)
		assert.Equal(t, map[string]any{
			"sessionId": "s", "nextSeq": float64(next), "lastTurn": 1.0, "pendingMessageIds": []any{}, "state": "idle", "cwd": "/w",
		}, c.result(c.answer(id)))
		// E2 holds in replays too.
		for i, f := range got[:len(first)] {
			if _, splice := f.event(t).Data.(*harness.InboxSpliced); !splice {
				assert.EqualValues(t, 1, f.Params.Turn, "event %d", i)
			} else {
				assert.Zero(t, f.Params.Turn)
			}
		}
		c.prompted("s", "say two")
		live := c.next()
		assert.Equal(t, next, live[0].event(t).Seq)
		header := 0
		for _, f := range live {
			if f.Method == "session.event" {
				if h, ok := f.event(t).Data.(*harness.RequestHeader); ok {
					header++
					assert.Equal(t, harness.HeaderResume, h.Reason)
				}
			}
		}
		assert.Equal(t, 1, header)

		// Only what came after a seq.
		c.next()
		c.send("session/load", fmt.Sprintf(`{"sessionId":"s","afterSeq":%d}`, next))
		got = c.next()
		assert.Equal(t, next+1, got[0].event(t).Seq)
		c.next()
		id = c.send("session/load", `{"sessionId":"s","afterSeq":1000}`)
		assert.Equal(t, []string{"session.replayed", "result " + id}, c.briefs())
		c.hangUp()
	})
}

// A live session is replayed from its log, and continues live, for the caller
// alone.
func TestLoadOfALiveSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c, d := dial(t, e), dialMore(t, e, initV2)
		c.prompted("s", "count 5 1s")
		c.next()
		d.next()
		r := d.ok("session/load", `{"sessionId":"s"}`)
		assert.Equal(t, "running", r["state"])
		assert.Empty(t, c.next(), "replay is for the caller alone (L1)")
		time.Sleep(10 * time.Second)
		seqs := []int64{}
		for _, f := range d.all() {
			if f.Method == "session.event" {
				seqs = append(seqs, f.event(t).Seq)
			}
		}
		for i, s := range seqs {
			assert.EqualValues(t, i, s, "no gap and no overlap")
		}
		assert.Len(t, seqs, len(c.events("s")))
		d.hangUp()
		c.hangUp()
	})
}

// Concurrent loads share one replay and one session.replayed; every answer
// follows it.
func TestConcurrentLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		c := dial(t, e)
		c.prompted("s", "say one")
		stored := len(c.events("s")) + 1
		c.ok("session/close", `{"sessionId":"s"}`)
		d := connect(t, e, false) // does not read yet
		go d.line(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + initV2 + `}`)
		synctest.Wait()
		var ids []string
		for range 5 {
			ids = append(ids, d.send("session/load", `{"sessionId":"s"}`))
		}
		synctest.Wait()
		d.read()
		replayed, events, answers := 0, 0, 0
		for _, f := range d.next() {
			switch f.brief(t) {
			case "session.replayed":
				replayed++
				assert.Zero(t, answers)
			case "result " + ids[answers%5]:
				answers++
			}
			if f.Params.Replay {
				events++
			}
		}
		assert.Equal(t, []int{1, stored, 5}, []int{replayed, events, answers})
		d.hangUp()
		c.hangUp()
	})
}

func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		assert.Equal(t, "session-not-found", c.fails("session/resume", `{"sessionId":"missing"}`))
		assert.Equal(t, "session-not-found", c.fails("session/load", `{"sessionId":"missing"}`))
		c.prompted("s", "remember k v")
		c.ok("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, "session-mismatch", c.fails("session/resume", `{"sessionId":"s","cwd":"/elsewhere"}`))
		c.briefs()
		id := c.send("session/resume", `{"sessionId":"s","cwd":"/w"}`)
		assert.Equal(t, []string{"result " + id}, c.briefs())
		assert.Equal(t, 1.0, c.ok("session/resume", `{"sessionId":"s"}`)["lastTurn"], "of a live session it succeeds")
		c.prompted("s", "recall k")
		assert.Equal(t, "v", c.texts("s")[1])
		c.hangUp()
	})
}

func TestResumeForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		c.prompted("s", "say hi")
		f := c.call("session/resume", `{"sessionId":"s"}`)
		assert.Equal(t, "SDK session is already open or opening: s", f.Error.Message)
		c.ok("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, map[string]any{}, c.ok("session/resume", `{"sessionId":"s"}`))
		f = c.call("session/resume", `{"sessionId":"nope"}`)
		assert.Equal(t, `session "nope" not found`, f.Error.Message)
		c.hangUp()
	})
}

func TestIfStoredAndIfMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		f := c.answer(c.prompt("s", "say hi", `"ifMissing":"fail"`))
		assert.Equal(t, "session-not-found", c.kind(f))
		assert.Equal(t, "session-not-found", c.fails("session/status", `{"sessionId":"s"}`), "nothing was created (I12)")
		c.prompted("s", "say hi", `"ifStored":"fail"`)
		c.ok("session/close", `{"sessionId":"s"}`)
		assert.Equal(t, "session-exists", c.kind(c.answer(c.prompt("s", "say hi", `"ifStored":"fail"`))))
		c.prompted("s", "say hi")
		assert.EqualValues(t, 2, c.events("s")[len(c.events("s"))-1].Data.(*harness.TurnEnd).Turn, "one log continues (P2)")
		c.hangUp()
	})
}

// L2: a turn that was open when its process died is closed as interrupted, its
// calls balanced, and nothing is run again; prompts that never started wait.
func TestRepair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &memory.Store{TakeOver: true}
		dead := newEngine(t, func(o *session.Options) { o.Store = shared })
		c := dial(t, dead)
		c.prompted("s", "say a\ntool bash 1h")
		waiting := c.prompted("s", "say later", withKey)
		died := len(c.events("s"))
		at := c.events("s")[died-1].Time

		time.Sleep(time.Second)
		n := 100
		e := newEngine(t, func(o *session.Options) {
			o.Store = shared
			o.NewID = func() string { n++; return fmt.Sprint("fresh-", n) }
		})
		d := dial(t, e)
		r := d.ok("session/load", `{"sessionId":"s"}`)
		assert.Equal(t, []any{waiting}, r["pendingMessageIds"])
		repair := d.events("s")[died:]
		types := []string{}
		for _, ev := range repair {
			types = append(types, ev.Type())
		}
		assert.Equal(t, []string{"tool/result", "step/end", "turn/end", "session/end-seed"}, types)
		assert.Equal(t, "TOOL_OUTCOME_UNKNOWN", repair[0].Data.(*harness.ToolResultEvent).Error.Code)
		assert.Equal(t, &harness.EndInterrupted{}, repair[2].Data.(*harness.TurnEnd).Reason)
		assert.Equal(t, at, repair[0].Time)
		checkLog(t, d.events("s"))
		dup := d.result(d.answer(d.prompt("s", "say later", withKey)))
		assert.Equal(t, true, dup["duplicate"])
		assert.Len(t, d.texts("s"), 1, "a duplicate starts nothing")
		d.prompted("s", "say new")
		assert.Equal(t, []string{"a", "later", "new"}, d.texts("s"))
		d.hangUp()
		c.hangUp()
	})
}

// What is damaged is said to be, and spoils nothing else.
func TestDamagedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		l, err := s.Create(context.Background(), store.Header{ID: "bad", Cwd: "/w"})
		require.NoError(t, err)
		require.NoError(t, l.Append(context.Background(), -1, store.Record{Seq: 0, Data: []byte(`{"type":"turn/start","seq":`)}))
		require.NoError(t, l.Close(context.Background()))
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		f := c.call("session/load", `{"sessionId":"bad"}`)
		assert.Equal(t, "session-damaged", c.kind(f))
		assert.Contains(t, string(f.Error.Data), `"line":1`)
		assert.Equal(t, "session-damaged", c.kind(c.answer(c.prompt("bad", "say hi"))))
		c.prompted("good", "say hi")
		c.hangUp()
	})
}

func TestLockedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := new(memory.Store)
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = shared }))
		d := dial(t, newEngine(t, func(o *session.Options) { o.Store = shared }))
		c.prompted("s", "say hi")
		for _, method := range []string{"session/load", "session/resume", "session/working-directory/get"} {
			assert.Equal(t, "session-locked", d.fails(method, `{"sessionId":"s"}`))
		}
		assert.Equal(t, "session-locked", d.kind(d.answer(d.prompt("s", "say hi"))))
		assert.Equal(t, "unknown", effect(d.ok("session/cancel", `{"sessionId":"s"}`)))
		c.ok("session/close", `{"sessionId":"s"}`)
		d.ok("session/resume", `{"sessionId":"s"}`)
		d.hangUp()
		c.hangUp()
	})
}

func TestList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, newEngine(t))
		for i := range 3 {
			c.prompted(fmt.Sprint("s", i), "say hello there")
			time.Sleep(time.Second)
		}
		c.ok("session/close", `{"sessionId":"s1"}`)
		c.prompted("s0", "sleep 1h")
		r := c.ok("session/list", `{"limit":2}`)
		list := r["sessions"].([]any)
		require.Len(t, list, 2)
		assert.Equal(t, map[string]any{"sessionId": "s0", "cwd": "/w", "title": "say hello there", "state": "running"}, drop(list[0], "updatedAt"))
		assert.Equal(t, map[string]any{"sessionId": "s2", "cwd": "/w", "title": "say hello there", "state": "idle"}, drop(list[1], "updatedAt"))
		cursor, _ := json.Marshal(r["nextCursor"])
		r = c.ok("session/list", `{"limit":2,"cursor":`+string(cursor)+`}`)
		list = r["sessions"].([]any)
		require.Len(t, list, 1)
		assert.Equal(t, "stored", list[0].(map[string]any)["state"])
		assert.NotContains(t, r, "nextCursor")
		f := c.call("session/list", `{"cursor":"made up"}`)
		assert.Equal(t, "invalid-params", c.kind(f))
		assert.Contains(t, string(f.Error.Data), `"path":"cursor"`)
		assert.Equal(t, []any{}, r["skipped"])
		assert.Empty(t, c.ok("session/list", `{"cwd":"/other"}`)["sessions"])
		c.hangUp()
	})
}

func drop(v any, key string) map[string]any {
	m := v.(map[string]any)
	delete(m, key)
	return m
}
