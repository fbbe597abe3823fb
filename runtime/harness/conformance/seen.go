// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"strings"
	"time"
)

// seen is everything that an expectation can be about, once a script is over.
type seen struct {
	actions []*action
	named   map[string]*action

	launches  int
	blind     bool           // the frames of a runtime of the case's own are not seen
	sent      []line         // frames that the client wrote
	frames    map[string]int // how many of each method
	written   []writtenFrame // frames that the runtime wrote
	events    []seenEvent    // every event that the client handed out, in order
	unknown   []rawNote      // notifications of unknown methods that were handed out
	diagnoses []string       // kinds of diagnostics that the client reported
	receipts  [][]byte       // results of prompts, encoded again
	leaks     []string       // what was handed out although it must not have been

	closed map[string]string // sessions that are closed, with the outcome
	// closedBefore are those that were not closed by the runtime's own end.
	closedBefore map[string]string
	exited       time.Time
	quiets       int
	quietLeak    int
	pending      []string // message ids pending at the last quiet

	group     int   // the runtime's process group; 0: it had none
	survivors []int // processes of that group after the runtime was ended

	overLimit func() string // tries what a line over the limit does
	lineLimit int

	// Lines that the player wrote, and those that the client counted; 0 where the
	// client cannot be asked.
	linesWritten, linesRead int

	unexpected [][]byte // frames that no step took
}

// rawNote is a notification that the client did not know.
type rawNote struct {
	method string
	params []byte
}

// lookup finds a value by path: p1.finalText, runs.p1.turn, cancels.k1,
// initializeCount. known is false when the path names nothing that is ever
// observed.
func (s *seen) lookup(path string) (value any, found, known bool) {
	parts := strings.Split(path, ".")
	if len(parts) > 1 {
		switch parts[0] {
		case "runs", "cancels", "waits", "resumes", "closes":
			parts = parts[1:]
		}
	}
	if a := s.named[parts[0]]; a != nil {
		tree := a.tree()
		if len(parts) == 1 {
			v := tree[a.mainWord()]
			return normal(v), v != nil, true
		}
		if !actionMembers[parts[1]] {
			return nil, false, false
		}
		v := normal(tree[parts[1]])
		for _, p := range parts[2:] {
			m, _ := v.(map[string]any)
			v = m[p]
		}
		return v, v != nil, true
	}
	if parts[0] == "framesFromClient" && len(parts) == 2 {
		return json.Number(encode(s.frames[parts[1]])), true, true
	}
	if f := counts[parts[0]]; f != nil && len(parts) == 1 {
		return json.Number(encode(f(s))), true, true
	}
	return nil, false, false
}

// counts are the numbers about a whole script.
var counts = map[string]func(*seen) int{
	"initializeCount": func(s *seen) int { return s.frames["initialize"] },
	"processRestarts": func(s *seen) int { return max(0, s.launches-1) },
	"launches":        func(s *seen) int { return s.launches },
	"deltas":          func(s *seen) int { return len(s.deltas()) },
	"eventsSeen":      func(s *seen) int { return len(s.liveEvents()) },
	"replayedEvents":  func(s *seen) int { return len(s.events) - len(s.liveEvents()) },
}

// runs are the actions that sent a prompt.
func (s *seen) runs() []*action {
	var runs []*action
	for _, a := range s.actions {
		if a.do == "run" || a.do == "interruptAndPrompt" {
			runs = append(runs, a)
		}
	}
	return runs
}

func (s *seen) first(do ...string) *action {
	for _, a := range s.actions {
		for _, d := range do {
			if a.do == d {
				return a
			}
		}
	}
	return nil
}

func (s *seen) deltas() []string {
	var all []string
	for _, a := range s.runs() {
		all = append(all, a.deltas...)
	}
	return all
}

func (s *seen) liveEvents() []seenEvent {
	var live []seenEvent
	for _, e := range s.events {
		if !e.replay {
			live = append(live, e)
		}
	}
	return live
}

// reported counts the diagnostics of one kind.
func (s *seen) reported(kind string) int {
	n := 0
	for _, d := range s.diagnoses {
		if d == kind {
			n++
		}
	}
	return n
}

// closesOnce reports whether a close was played, and a second one changed nothing.
func (s *seen) closesOnce() bool {
	a := s.first("close")
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.again
}

// afterCancel counts the bytes of live text that the consumers of runs got after
// a cancel of their session, made while they ran, had returned.
func (s *seen) afterCancel() (int64, bool) {
	n, found := 0, false
	for _, k := range s.actions {
		k.mu.Lock()
		from, returned := k.started, k.ended
		k.mu.Unlock()
		if k.do != "cancel" || returned.IsZero() {
			continue
		}
		for _, a := range s.runs() {
			a.mu.Lock()
			if a.session == k.session && a.started.Before(from) {
				found = true
				for i, at := range a.heard {
					if at.After(returned) {
						n += len(a.deltas[i])
					}
				}
			}
			a.mu.Unlock()
		}
	}
	return int64(n), found
}
