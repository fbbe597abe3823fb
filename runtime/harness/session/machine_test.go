// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
	"github.com/accordkit/accord/spec/model"
)

// situation is a state of the declared machine.
type situation struct{ Life, Turn, Queue, Mark string }

func (p situation) String() string {
	return strings.Join([]string{p.Life, p.Turn, p.Queue, p.Mark}, " ")
}

// stage is an engine that was brought into a state of the machine.
type stage struct {
	*wire
	t       *testing.T
	store   *memory.Store
	slow    *gate
	mark    string // the marked message's id
	text    string // and its text
	bare    bool   // nothing was ever prompted
	stopped bool   // the open turn was stopped by the call in question
}

// gate holds a store's opening and creating of logs.
type gate struct {
	*memory.Store
	hold atomic.Bool
}

func (g *gate) Open(ctx context.Context, id string) (store.Log, error) {
	g.wait()
	return g.Store.Open(ctx, id)
}

func (g *gate) Create(ctx context.Context, h store.Header) (store.Log, error) {
	g.wait()
	return g.Store.Create(ctx, h)
}

func (g *gate) wait() {
	if g.hold.Load() {
		time.Sleep(700 * time.Millisecond)
	}
}

// actorOfCells is the demo agent with a close that takes a while, and turns that
// last and use most of their grace: those of notices, and of prompts to work.
type actorOfCells struct{ demo.Agent }

func (actorOfCells) Release(ctx context.Context, _ agent.Session) error {
	select {
	case <-time.After(800 * time.Millisecond):
	case <-ctx.Done():
	}
	return nil
}

func (a actorOfCells) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	for _, m := range slices.Backward(r.Messages) {
		_, notice := m.Source.(*harness.SourceSubagentSettled)
		_, user := m.Source.(*harness.SourceUser)
		if notice || user && strings.HasPrefix(m.Text(""), "work") {
			<-ctx.Done()
			time.Sleep(900 * time.Millisecond)
			return agent.Result{}, ctx.Err()
		}
		if user {
			break
		}
	}
	return a.Agent.Step(ctx, r, out)
}

const markKey = `"idempotencyKey":"mark"`

// bring returns an engine whose session "s" is in a state; false if this engine
// is never to be found there.
func bring(t *testing.T, p situation) (*stage, bool) {
	if p.Turn == "none" && p.Queue == "waiting" {
		return nil, false // a turn begins in the same breath
	}
	if p.Life == "draining" && p.Turn == "none" {
		return nil, false // and so the close continues
	}
	if p.Turn == "open" && p.Queue == "parked" && (p.Mark == "in-turn" || p.Mark == "steered") {
		return nil, false // a prompt wakes what is parked
	}
	s := &stage{t: t, store: new(memory.Store)}
	s.slow = &gate{Store: s.store}
	e := newEngine(t, func(o *session.Options) { o.Agent, o.Store = actorOfCells{}, s.slow })
	s.wire = dial(t, e)
	if p.Life == "none" || p.Life == "opening" && p.Queue == "empty" && p.Mark == "unsent" {
		s.bare = true
		if p.Life == "opening" {
			s.open()
		}
		return s, true
	}
	s.prompted("s", "say zero") // so that there is something that is over
	if p.Turn == "open" && p.Queue == "parked" {
		// Only a child's notice runs while others are parked.
		s.prompted("s", "child sleep 5s")
	}
	switch p.Mark {
	case "settled":
		s.text = "say m"
		s.mark = s.prompted("s", s.text, markKey)
	case "withdrawn":
		s.text = "say m"
		s.prompted("s", "sleep 1h")
		s.mark = s.prompted("s", s.text, markKey)
		s.ok("session/cancel", fmt.Sprintf(`{"sessionId":"s","messageId":%q}`, s.mark))
		s.ok("session/cancel", `{"sessionId":"s"}`)
	}
	s.work(p)
	switch p.Life {
	case "stored", "opening":
		s.ok2("session/close", `{"sessionId":"s"}`)
		if p.Life == "opening" {
			s.open()
		}
	case "draining":
		s.ok("session/close", `{"sessionId":"s","onActive":"drain","waitFor":"accepted"}`)
	case "closing":
		s.ok("session/close", `{"sessionId":"s","waitFor":"accepted"}`)
	}
	return s, true
}

// work brings the turn and the queue into their states.
func (s *stage) work(p situation) {
	fill := func() {
		if p.Mark == "queued" {
			s.text = "work more"
			s.mark = s.prompted("s", s.text, markKey)
		} else {
			s.prompted("s", "work more")
		}
	}
	park := func() {
		s.prompted("s", "sleep 1h")
		fill()
		s.ok("session/cancel", `{"sessionId":"s","queue":"keep"}`)
	}
	if p.Turn == "none" {
		if p.Queue == "parked" {
			park()
		}
		return
	}
	turn := "work"
	if p.Turn == "open" && p.Queue == "parked" {
		park()
		time.Sleep(6 * time.Second)
		return
	}
	if p.Mark == "in-turn" {
		s.text = turn
		s.mark = s.prompted("s", turn, markKey)
	} else {
		s.prompted("s", turn)
	}
	if p.Mark == "steered" {
		s.text = "work m"
		s.mark = s.prompted("s", s.text, markKey, `"delivery":"steer"`)
	}
	if p.Queue != "empty" {
		fill()
	}
	if p.Turn == "stopping" && p.Life != "closing" || p.Turn == "stopping" && p.Queue == "parked" {
		queue := "continue"
		if p.Queue == "parked" {
			queue = "keep"
		}
		s.ok("session/cancel", fmt.Sprintf(`{"sessionId":"s","queue":%q}`, queue))
	}
}

// open begins to open the session, by another call.
func (s *stage) open() {
	s.slow.hold.Store(true)
	s.send("session/working-directory/get", `{"sessionId":"s"}`)
	synctest.Wait()
}

// ok2 is ok for a call that takes its time.
func (s *stage) ok2(method, params string) {
	id := s.send(method, params)
	time.Sleep(5 * time.Second)
	s.result(s.answer(id))
}

// now returns the state that the session is in, as far as its client can see.
func (s *stage) now() situation {
	p := situation{Life: "live", Turn: "none", Queue: "empty", Mark: s.marked()}
	f := s.answer(s.send("session/status", `{"sessionId":"s"}`))
	if f == nil {
		p.Life = "opening"
		return p
	}
	if f.Error != nil {
		p.Life = "none"
		return p
	}
	var st struct {
		State string
		Turn  int64
		Queue []struct {
			MessageID string
			Parked    bool
		}
	}
	require.NoError(s.t, json.Unmarshal(f.Result, &st))
	switch st.State {
	case "stored":
		p.Life = "stored"
		if len(s.pending()) > 0 {
			p.Queue = "parked"
		}
		return p
	case "closing":
		p.Life = "closing"
	}
	// Status does not say whether a closing session's turn was stopped.
	if st.Turn != 0 {
		p.Turn = "open"
		if st.State == "stopping" {
			p.Turn = "stopping"
		}
	}
	_, steered, _ := s.fold()
	for _, q := range st.Queue {
		switch {
		case q.Parked:
			p.Queue = "parked"
			if q.MessageID == s.mark {
				p.Mark = "queued" // no turn will take it at a step
			}
		case s.stopped && q.MessageID == s.mark:
			p.Queue, p.Mark = "waiting", "queued"
		case p.Turn == "open" && slices.Contains(steered, harness.MessageID(q.MessageID)):
			// for the turn's next step
		default:
			p.Queue = "waiting"
		}
	}
	return p
}

// fold returns what the session's events say of the inbox and of the marked
// message.
func (s *stage) fold() (mark string, step, turns []harness.MessageID) {
	lists := map[harness.InboxTarget][]harness.MessageID{}
	mark = "unsent"
	var turn, took harness.TurnID
	for _, e := range s.live() {
		switch d := e.Data.(type) {
		case *harness.TurnStart:
			turn = d.Turn
		case *harness.TurnEnd:
			if d.Turn == took {
				mark = "settled"
			}
			turn = 0
		case *harness.InboxSpliced:
			list := lists[d.Target]
			for _, id := range list[d.Start : d.Start+d.RemovedCount] {
				if string(id) == s.mark {
					mark, took = "in-turn", turn
					if d.Outcome != "" {
						mark, took = "withdrawn", 0
					}
				}
			}
			list = slices.Delete(slices.Clone(list), int(d.Start), int(d.Start+d.RemovedCount))
			for _, m := range d.Inserted {
				if string(m.ID) == s.mark {
					mark = "queued"
					if d.Target == harness.InboxNextStep {
						mark = "steered"
					}
				}
				list = append(list, m.ID)
			}
			lists[d.Target] = list
		}
	}
	return mark, lists[harness.InboxNextStep], lists[harness.InboxNextTurn]
}

// live returns the session's events without those that were sent again.
func (s *stage) live() (out []*harness.Event) {
	for _, f := range s.all() {
		if f.Method == "session.event" && f.Params.SessionID == "s" && !f.Params.Replay {
			out = append(out, f.event(s.t))
		}
	}
	return out
}

func (s *stage) marked() string {
	mark, _, _ := s.fold()
	if mark == "steered" && s.latched() {
		mark = "queued" // it waits for a turn of its own now
	}
	return mark
}

// latched reports whether the turn that the steered message was meant for is no
// longer there to take it.
func (s *stage) latched() bool {
	f := s.answer(s.send("session/status", `{"sessionId":"s"}`))
	return f == nil || f.Error != nil || !strings.Contains(string(f.Result), `"state":"running"`) && !strings.Contains(string(f.Result), `"state":"closing"`)
}

func (s *stage) pending() []harness.MessageID {
	_, step, turns := s.fold()
	return append(slices.Clone(step), turns...)
}

// call makes a move's call, with arguments as the machine names them.
func (s *stage) call2(method string, args map[string]string) string {
	switch method {
	case "session/prompt":
		text, more := "work on", []string{fmt.Sprintf(`"ifStored":%q,"ifMissing":%q,"delivery":%q`, args["ifstored"], args["ifmissing"], args["delivery"])}
		switch args["message"] {
		case "marked":
			s.text = text
			more = append(more, markKey)
		case "again":
			text = s.text
			more = append(more, markKey)
		case "changed":
			more = append(more, markKey)
		}
		return s.prompt("s", text, more...)
	case "session/cancel":
		more := ""
		switch args["target"] {
		case "queued":
			more = fmt.Sprintf(`,"messageId":%q`, s.mark)
		case "open":
			more = fmt.Sprintf(`,"turn":%d`, s.turnNow())
		case "over":
			more = `,"turn":1`
		case "unseen":
			more = `,"messageId":"never"`
		}
		return s.send(method, fmt.Sprintf(`{"sessionId":"s","queue":%q,"waitFor":%q%s}`, args["queue"], args["waitfor"], more))
	case "session/close":
		return s.send(method, fmt.Sprintf(`{"sessionId":"s","onActive":%q,"waitFor":%q}`, args["onactive"], args["waitfor"]))
	case "session/wait":
		if args["timeout"] == "short" {
			id := s.send(method, `{"sessionId":"s","timeoutMs":50}`)
			synctest.Wait()
			if s.slow.hold.Load() {
				return id
			}
			time.Sleep(60 * time.Millisecond)
			return id
		}
		return s.send(method, `{"sessionId":"s"}`)
	case "session/working-directory/set":
		return s.send(method, `{"sessionId":"s","path":"/w"}`)
	case "shutdown":
		return s.send(method, "")
	}
	return s.send(method, `{"sessionId":"s"}`)
}

func (s *stage) turnNow() (turn harness.TurnID) {
	for _, e := range s.events("s") {
		switch d := e.Data.(type) {
		case *harness.TurnStart:
			turn = d.Turn
		case *harness.TurnEnd:
			turn = 0
		}
	}
	return turn
}

// says checks one statement about an answer: "effect=stopping", "turn=-" for
// absent, "turn=*" for there, "withdrawn=[]" for empty.
func says(t *testing.T, result map[string]any, statement string) {
	t.Helper()
	member, value, _ := strings.Cut(statement, "=")
	got, there := result[member]
	switch value {
	case "-":
		assert.False(t, there, "%s: %v", statement, result)
	case "*":
		list, isList := got.([]any)
		assert.True(t, there && (!isList || len(list) > 0), "%s: %v", statement, result)
	case "[]":
		assert.Equal(t, []any{}, got, statement)
	default:
		assert.Equal(t, value, fmt.Sprint(got), statement)
	}
}

// Every cell of the declared machine that a call can reach: the engine is
// brought into its state, asked, and answers what is declared, in a state that
// may follow.
func TestMachine(t *testing.T) {
	p, problems, err := load.Load(context.Background(), "../../../spec/harness", load.Options{})
	require.NoError(t, err, "%v", problems)
	m := p.Machines[0]
	cells := map[string][]*model.Cell{}
	for _, c := range m.Cells {
		if m.Moves[c.Move].Method != "" {
			k := strings.Join(m.States[c.State], " ")
			cells[k] = append(cells[k], c)
		}
	}
	tried, skipped, n := 0, 0, 0
	for _, state := range m.States {
		p := situation{state[0], state[1], state[2], state[3]}
		t.Run(p.String(), func(t *testing.T) {
			for _, c := range cells[p.String()] {
				move := m.Moves[c.Move]
				for _, combination := range move.Combinations() {
					if !m.Has(c, combination) {
						continue
					}
					args := map[string]string{}
					for i, a := range move.Args {
						args[strings.ToLower(a.Name)] = combination[i]
					}
					if n++; testing.Short() && n%11 != 0 {
						continue
					}
					ok := true
					synctest.Test(t, func(t *testing.T) { ok = tryCell(t, m, p, c, move.Method, args) })
					if ok {
						tried++
					} else {
						skipped++
					}
					if t.Failed() {
						t.Fatalf("%s %v in %s (%v)", move.Method, args, p, m.At(c))
					}
				}
			}
		})
	}
	t.Logf("%d cells tried, %d in states that this engine does not rest in", tried, skipped)
	if !testing.Short() {
		assert.Greater(t, tried, 2000)
	}
}

// seen returns a state as status reports it: not whether a closing session drains, nor
// whether its turn was stopped.
func seen(p situation) situation {
	if p.Life == "draining" {
		p.Life = "closing"
	}
	if p.Life == "closing" && p.Turn == "stopping" {
		p.Turn = "open"
	}
	return p
}

func tryCell(t *testing.T, m *model.Machine, p situation, c *model.Cell, method string, args map[string]string) bool {
	s, ok := bring(t, p)
	if !ok {
		return false
	}
	defer s.finish(method)
	want := seen(p)
	if got := s.now(); p.Life != "stored" && p.Life != "opening" {
		require.Equal(t, want, got, "the state could not be brought about")
	}
	id := s.call2(method, args)
	f := s.answer(id)
	if c.Waits {
		assert.True(t, f == nil, "it waits")
		return true
	}
	for n := 0; f == nil && n < 2000; n++ {
		time.Sleep(10 * time.Millisecond)
		f = s.answer(id)
	}
	require.NotNil(t, f, "it was never answered")
	if c.Fails != "" {
		assert.Equal(t, c.Fails, s.kind(f))
	} else {
		r := s.result(f)
		if args["message"] == "marked" {
			s.mark, _ = r["messageId"].(string)
		}
		s.stopped = r["effect"] == "stopping" || r["effect"] == "already-stopping"
		for _, statement := range c.Says {
			says(t, r, statement)
		}
	}
	if method == "shutdown" {
		return true
	}
	var allowed []string
	for _, n := range c.Next {
		next := m.States[n]
		allowed = append(allowed, seen(situation{next[0], next[1], next[2], next[3]}).String())
	}
	assert.Contains(t, allowed, s.now().String())
	return true
}

func (s *stage) finish(method string) {
	s.slow.hold.Store(false)
	_ = s.w.Close()
	<-s.end
	time.Sleep(time.Minute)
}
