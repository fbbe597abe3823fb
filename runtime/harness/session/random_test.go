// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store/memory"
)

// Clients of both kinds do whatever comes to their minds to a few sessions.
// What must hold then: every request is answered once, the event rules hold for
// what each client saw, the logs are balanced, every accepted message has one
// end, and all comes to rest.
func TestRandomClients(t *testing.T) {
	prompts := []string{
		"say hi", "count 5 20ms", "sleep 50ms", "sleep 3s", "tool bash 30ms\nsay on", "fail so", "think\nsay x\ntool a\ntool b",
		"child count 2 40ms", "child! say deep\nsay on", "stubborn 200ms", "stubborn 2s\nsay late", "ask rm\nsay asked", "flood 200",
	}
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			id := rapid.SampledFrom([]string{"a", "a", "b"}).Draw(rt, "session")
			switch rapid.SampledFrom([]string{"prompt", "prompt", "prompt", "cancel", "cancel", "close", "load", "wait", "pause", "cwd", "decide", "status"}).Draw(rt, "what") {
			case "prompt":
				more := rapid.SampledFrom([]string{"", "", `,"delivery":"steer"`, `,"idempotencyKey":"k"`}).Draw(rt, "more")
				text := rapid.SampledFrom(prompts).Draw(rt, "text")
				return fmt.Sprintf(`session/prompt {"sessionId":%q,"contentBlocks":[{"type":"text","text":%q}]%s}`, id, text, more)
			case "cancel":
				queue := rapid.SampledFrom([]string{"drop", "keep", "continue"}).Draw(rt, "queue")
				wait := rapid.SampledFrom([]string{"accepted", "settled"}).Draw(rt, "wait")
				background := rapid.SampledFrom([]string{"keep", "cancel"}).Draw(rt, "background")
				named := rapid.SampledFrom([]string{"", "", `,"turn":2`, `,"idempotencyKey":"k"`}).Draw(rt, "named")
				return fmt.Sprintf(`session/cancel {"sessionId":%q,"queue":%q,"waitFor":%q,"background":%q%s}`, id, queue, wait, background, named)
			case "close":
				active := rapid.SampledFrom([]string{"cancel", "drain", "reject"}).Draw(rt, "active")
				return fmt.Sprintf(`session/close {"sessionId":%q,"onActive":%q}`, id, active)
			case "load":
				return fmt.Sprintf(`%s {"sessionId":%q}`, rapid.SampledFrom([]string{"session/load", "session/resume"}).Draw(rt, "how"), id)
			case "wait":
				return fmt.Sprintf(`session/wait {"sessionId":%q,"timeoutMs":%d}`, id, rapid.IntRange(0, 4000).Draw(rt, "ms"))
			case "cwd":
				return fmt.Sprintf(`session/working-directory/set {"sessionId":%q,"path":%q}`, id, rapid.SampledFrom([]string{"/w", "/x"}).Draw(rt, "path"))
			case "decide":
				return "decide " + rapid.SampledFrom([]string{allow, reject}).Draw(rt, "answer")
			case "status":
				return fmt.Sprintf(`session/status {"sessionId":%q}`, id)
			}
			return fmt.Sprint("pause ", rapid.SampledFrom([]int{0, 1, 15, 60, 300, 1500}).Draw(rt, "pause"))
		}), 1, 40).Draw(rt, "steps")
		who := rapid.SliceOfN(rapid.IntRange(0, 2), len(steps), len(steps)).Draw(rt, "who")
		synctest.Test(t, func(t *testing.T) { playRandom(t, rt, steps, who) })
		if t.Failed() {
			rt.Fatalf("steps: %q by %v", steps, who)
		}
	})
}

func playRandom(t *testing.T, rt *rapid.T, steps []string, who []int) {
	logs := new(memory.Store)
	e := newEngine(t, func(o *session.Options) { o.Store = logs })
	clients := []*wire{dialMore(t, e, initV2), dialMore(t, e, initV2), dialMore(t, e, initOld)}
	asked := make([]int, len(clients))
	sent := make([][]string, len(clients))
	for i, step := range steps {
		c := clients[who[i]]
		var verb, rest string
		fmt.Sscanf(step, "%s", &verb)
		rest = step[len(verb)+1:]
		switch verb {
		case "pause":
			var ms int
			fmt.Sscan(rest, &ms)
			time.Sleep(time.Duration(ms) * time.Millisecond)
		case "decide":
			questions := 0
			for _, f := range c.all() {
				if f.Method == "session/request_permission" {
					if questions++; questions > asked[who[i]] {
						asked[who[i]]++
						c.decide(f, rest)
						break
					}
				}
			}
		default:
			sent[who[i]] = append(sent[who[i]], c.send(verb, rest))
		}
	}
	// Each client that is still asked says no, until everything is idle.
	for range 60 {
		time.Sleep(time.Second)
		for i, c := range clients {
			questions := 0
			for _, f := range c.all() {
				if f.Method == "session/request_permission" {
					if questions++; questions > asked[i] {
						asked[i]++
						c.decide(f, reject)
					}
				}
			}
		}
	}
	time.Sleep(time.Minute)
	for i, c := range clients {
		for _, id := range sent[i] {
			assert.NotNil(t, c.answer(id), "request %s of client %d was never answered", id, i)
		}
	}
	for _, id := range []string{"a", "b"} {
		if f := clients[0].call("session/wait", fmt.Sprintf(`{"sessionId":%q}`, id)); f.Error == nil {
			assert.Contains(t, string(f.Result), `"idle":true`)
		}
		clients[0].call("session/close", fmt.Sprintf(`{"sessionId":%q}`, id))
	}
	for i, c := range clients {
		checkSeen(t, c.next(), i < 2)
		c.hangUp()
	}
	for _, id := range []string{"a", "b"} {
		checkStored(t, logs, id)
	}
}

// checkSeen checks the event rules, each life of a session by itself: a session
// that was closed may be attached again.
func checkSeen(t *testing.T, frames []*frame, negotiated bool) {
	t.Helper()
	for _, id := range sessionsOf(frames) {
		var life []*frame
		last := int64(-1)
		for _, f := range frames {
			if f.Params.SessionID != id || f.Params.Replay || f.Method == "session.replayed" {
				continue
			}
			if f.Method == "session.event" {
				seq := f.event(t).Seq
				if !negotiated && seq != last+1 {
					// Such a client gets no notice that a session was closed; what it
					// had of another life ends here, with what was live of this.
					checkLife(t, life[:lastEvent(life)+1], negotiated)
					life = nil
				}
				last = seq
			}
			life = append(life, f)
			if f.Method == "session.closed" {
				checkLife(t, life, negotiated)
				life = nil
			}
		}
		checkLife(t, life, negotiated)
	}
}

func lastEvent(frames []*frame) int {
	for i, f := range slices.Backward(frames) {
		if f.Method != "session.delta" {
			return i
		}
	}
	return -1
}

func sessionsOf(frames []*frame) (ids []string) {
	for _, f := range frames {
		if id := f.Params.SessionID; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// checkLife is checkFrames for a client that may have come in the middle of a
// turn.
func checkLife(t *testing.T, frames []*frame, negotiated bool) {
	t.Helper()
	begins := slices.IndexFunc(frames, func(f *frame) bool {
		return f.Method == "session.event" && (f.event(t).Type() == "turn/start" || f.event(t).Type() == "turn/end")
	})
	if begins >= 0 && frames[begins].event(t).Type() == "turn/end" {
		frames = frames[begins+1:]
	}
	var clean []*frame
	status := ""
	for _, f := range frames {
		if f.Method == "session.status" {
			if status == "" && f.Params.Status == "idle" {
				continue // it came while the session was busy
			}
			status = f.Params.Status
		}
		clean = append(clean, f)
	}
	checkFrames(t, clean, negotiated)
}

// checkStored checks a stored log: balanced, and each message with one end.
func checkStored(t *testing.T, logs *memory.Store, id string) {
	t.Helper()
	var events []*harness.Event
	for r, err := range logs.Read(t.Context(), id, 0) {
		if err != nil {
			return // it was never created
		}
		e := new(harness.Event)
		assert.NoError(t, e.UnmarshalJSON(r.Data))
		events = append(events, e)
	}
	checkLog(t, events)
	lists := map[harness.InboxTarget][]harness.MessageID{}
	ends := map[harness.MessageID]int{}
	for _, e := range events {
		d, ok := e.Data.(*harness.InboxSpliced)
		if !ok {
			continue
		}
		list := lists[d.Target]
		for _, m := range list[d.Start : d.Start+d.RemovedCount] {
			ends[m]++
		}
		list = slices.Delete(slices.Clone(list), int(d.Start), int(d.Start+d.RemovedCount))
		var in []harness.MessageID
		for _, m := range d.Inserted {
			in = append(in, m.ID)
			ends[m.ID] += 0
		}
		lists[d.Target] = slices.Insert(list, int(d.Start), in...)
	}
	for m, n := range ends {
		waiting := slices.Contains(lists[harness.InboxNextTurn], m) || slices.Contains(lists[harness.InboxNextStep], m)
		assert.Equal(t, !waiting, n == 1, "message %s was taken or withdrawn %d times", m, n)
	}
}
