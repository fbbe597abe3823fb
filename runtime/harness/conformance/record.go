// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Sources of moments, as a transcript marks them.
const (
	sent    = "-> " // a frame that the client wrote
	written = "<- " // a frame that the runtime wrote, padding left out
	stderr  = "2> " // what it wrote there
	acted   = "## " // a host step was begun
	remark  = "!! " // the player's own
	handed  = "++ " // a notification, or a receipt, that the client handed out
	ended   = "== " // a host step's action ended
)

// moment is one thing that a script showed.
type moment struct {
	from string
	at   time.Time
	text []byte // the frame as it was on the wire or, handed out, encoded again; else words
	head
	payload any     // what a handler got
	action  *action // what ended
}

// head is what the player reads of a frame.
type head struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Params struct {
		SessionID      string `json:"sessionId"`
		ChildSessionID string `json:"childSessionId"`
		Status         string `json:"status"`
		Replay         bool   `json:"replay"`
		Event          struct {
			Type string `json:"type"`
			Seq  *int64 `json:"seq"`
		} `json:"event"`
		ContentBlocks []struct {
			Text string `json:"text"`
		} `json:"contentBlocks"`
		// Of a delta.
		Turn int64  `json:"turn"`
		Kind string `json:"kind"`
		Text string `json:"text"`
	} `json:"params"`
}

func headOf(frame []byte) head {
	var h head
	// A frame whose params are of another shape still has its method.
	_ = json.Unmarshal(frame, &h)
	return h
}

// isComplaint reports whether a frame says that a line could not be read: an
// error with id null. It answers no request, so it may stand anywhere and a
// script need not expect it.
func (h *head) isComplaint() bool {
	return h.Method == "" && h.Error != nil && string(h.ID) == "null"
}

// record is everything that a script showed: what expectations are about.
type record struct {
	mu        sync.Mutex
	changed   chan struct{} // closed and replaced at every change
	over      bool          // nothing is noted any more
	moments   []moment      // in the order of their time
	actions   []*action     // in the order of the script
	launches  int           // of the runtime
	exited    time.Time     // when the runtime's process was last asked to end
	diagnoses []string      // kinds of diagnostics that the client reported

	blind      bool      // the frames of a runtime of the case's own are not seen
	lines      int       // that the player wrote, blank ones included
	linesRead  int       // that the client counted; 0 where it cannot be asked
	quiets     int       // quiet steps that were played
	quietLeak  int       // frames that a quiet step did not expect
	pending    []string  // message ids that waited at the client in the last quiet
	group      int       // the runtime's process group; 0: it had none
	survivors  []int     // processes of that group once the script was over
	leaks      []string  // what was handed out although it must not have been
	unexpected [][]byte  // frames that no step took
	hangs      []*action // that had not ended when the script was over
}

func newRecord() *record { return &record{changed: make(chan struct{})} }

// do notes something: f is called with r.mu held, unless the script is over.
func (r *record) do(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	f()
	close(r.changed)
	r.changed = make(chan struct{})
}

// add notes a moment, now.
func (r *record) add(from string, text []byte, payload any) {
	m := moment{from: from, text: text, payload: payload}
	if from == sent || from == written || from == handed {
		m.head = headOf(text)
	}
	r.do(func() {
		m.at = time.Now()
		r.moments = append(r.moments, m)
	})
}

// handOut notes what the client handed to a handler.
func (r *record) handOut(method string, p codec.Appender, payload any) {
	text := append([]byte(`{"method":`+encode(method)+`,"params":`), p.AppendJSON(nil)...)
	r.add(handed, append(text, '}'), payload)
}

// await blocks until cond holds; it is called with r.mu held.
func (r *record) await(ctx context.Context, cond func() bool) error {
	for {
		r.mu.Lock()
		ok, changed := cond(), r.changed
		r.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// of are the moments of one source that a filter takes; nil takes all. r.mu is held,
// or the script is over.
func (r *record) of(from string, take func(*moment) bool) []moment {
	var out []moment
	for i := range r.moments {
		if m := &r.moments[i]; m.from == from && (take == nil || take(m)) {
			out = append(out, *m)
		}
	}
	return out
}

func (r *record) count(from string, take func(*moment) bool) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.of(from, take))
}

// method takes the frames of one method.
func method(name string) func(*moment) bool {
	return func(m *moment) bool { return m.Method == name }
}

// live takes the events that are no replayed ones.
func live(m *moment) bool { return m.Method == "session.event" && !m.Params.Replay }

// wholeEvent takes the events in a shape that a client can hand out.
func wholeEvent(m *moment) bool {
	return m.Method == "session.event" && m.Params.Event.Type != "" && m.Params.Event.Seq != nil
}

// whole takes the messages of a session's in a shape that a client can hand out.
func whole(m *moment) bool {
	return wholeEvent(m) || m.Method == "session.delta" || m.Method == "session.status" && m.Params.Status != "" && m.Params.SessionID != ""
}

// deltas counts the pieces of text that were handed out in a session. r.mu is held.
func (r *record) deltas(session string) int {
	return len(r.of(handed, func(m *moment) bool { return m.Method == "session.delta" && m.Params.SessionID == session }))
}

// eventsOf are the events of a run's session from the run's own receipt on, up to its
// turn's end. r.mu is held.
func (r *record) eventsOf(session, messageID string, turn int64) (events []moment) {
	for _, m := range r.of(handed, live) {
		if m.Params.SessionID != session {
			continue
		}
		p := m.payload.(*harness.SessionEventParams)
		splice, _ := p.Event.Data.(*harness.InboxSpliced)
		if events == nil && (splice == nil || !slices.ContainsFunc(splice.Inserted, func(u harness.UserMessage) bool { return string(u.ID) == messageID })) {
			continue
		}
		events = append(events, m)
		if end, ok := p.Event.Data.(*harness.TurnEnd); ok && turn != 0 && int64(end.Turn) == turn {
			break
		}
	}
	return events
}

// waiting are the messages that wait in the inboxes of all sessions, folded from
// their splices as the embedding program would. r.mu is held.
func (r *record) waiting() (ids []string) {
	lists := map[string][]string{} // by session and target
	for _, m := range r.of(handed, method("session.event")) {
		splice, ok := m.payload.(*harness.SessionEventParams).Event.Data.(*harness.InboxSpliced)
		if !ok {
			continue
		}
		key := m.Params.SessionID + "\x00" + string(splice.Target)
		l := lists[key]
		start := min(max(0, splice.Start), int64(len(l)))
		rest := l[min(start+splice.RemovedCount, int64(len(l))):]
		l = slices.Clone(l[:start])
		for _, u := range splice.Inserted {
			l = append(l, string(u.ID))
		}
		lists[key] = append(l, rest...)
	}
	for _, key := range sortedKeys(lists) {
		ids = append(ids, lists[key]...)
	}
	return ids
}

// transcript is what went over the wire and what the host did, each with its time
// since the first moment, shortened.
func (r *record) transcript() (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.moments {
		if m.from != handed && m.from != ended {
			lines = append(lines, fmt.Sprintf("%s%d ms %s", m.from, m.at.Sub(r.moments[0].at).Milliseconds(), short(string(m.text))))
		}
	}
	return lines
}
