// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
)

// Outcomes of a run, as expect.json names them.
const (
	outcomeCompleted = "completed"
	outcomeError     = "error"    // refused by the runtime, or the connection was lost
	outcomeRejected  = "rejected" // refused by the client itself
	outcomePending   = "pending"  // it has not ended: a hang
	outcomeCancelled = "cancelled"
)

// action is one step of the embedding program and what came of it.
type action struct {
	name    string // as; else made up
	do      string
	session string
	line    int
	step    *HostStep

	started time.Time
	done    chan struct{}
	taken   chan struct{} // a run: closed when its prompt was accepted
	cancel  context.CancelFunc

	mu    sync.Mutex // guards what follows
	ended time.Time

	// Runs.
	outcome       string
	text          string
	turn          int64
	endReason     string
	messageID     string
	accepted      bool
	events        []seenEvent // of its session, from the run's own receipt on
	deltas        []string
	heard         []time.Time // when each of deltas was handed out
	handledAtEnd  int
	handledAtSent int // when the prompt's response was handed out
	usage         json.RawMessage
	failure       map[string]any // of a failed turn
	settledAt     time.Time
	settledBy     int64 // seq of the event that ended it; -1: none did
	handle        *harnessclient.Turn
	given         bool // its host gave it up: the context was cancelled
	cut           bool // its host interrupted it: what is said now is not heard

	// Every action: the error, and the result as JSON.
	err     *seenError
	members map[string]any
	// A close: whether a second one was a no-op.
	again bool
}

// seenEvent is one event as the client handed it out.
type seenEvent struct {
	session string
	seq     int64
	kind    string
	replay  bool
	text    []byte // the event encoded again; nil for kinds that are not examined
	params  []byte // the notification's params, encoded again
	at      time.Time
}

// seenError is an error as the client gave it.
type seenError struct {
	kind       string // the domain error's kind, connection-lost, unsupported, …
	message    string
	code       int
	sessionID  string
	capability string
	local      bool // refused by the client, nothing was sent
	exitCode   *int
	stderrTail []string
	data       map[string]any
}

// end records that the action is over. The fields must have been set before.
func (a *action) end() {
	a.mu.Lock()
	a.ended = time.Now()
	if !a.settledAt.IsZero() {
		a.ended = a.settledAt
	}
	a.mu.Unlock()
	close(a.done)
}

func (a *action) over() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// mainWord is the member that an expectation means when it gives one word.
func (a *action) mainWord() string {
	if a.do == "cancel" {
		return "effect"
	}
	return "outcome"
}

// actionMembers are the members that an expectation about an action may name;
// those of its result are added by newSeen.
var actionMembers = map[string]bool{
	"outcome": true, "finalText": true, "partialText": true, "turn": true, "endReason": true,
	"error": true, "code": true, "message": true, "exitCode": true, "sessionId": true,
	"capability": true, "messageId": true, "eventsSeen": true, "firstEventSeq": true, "lastEventSeq": true,
	"toolResultBytes": true, "deltas": true, "joined": true, "usage": true, "accepted": true,
	"effect": true, "cancelled": true, "withdrawn": true, "leftRunning": true, "closed": true, "unfinished": true,
	"idle": true, "seq": true, "queued": true, "running": true, "nextSeq": true, "lastTurn": true,
	"pendingMessageIds": true, "state": true, "cwd": true, "sessions": true, "queue": true, "background": true,
	"duplicate": true, "settled": true, "owner": true, "retry": true, "data": true,
}

// tree is the action as an expectation sees it.
func (a *action) tree() map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := map[string]any{}
	for k, v := range a.members {
		t[k] = v
	}
	if a.session != "" {
		t["sessionId"] = a.session
	}
	if a.do == "run" || a.do == "interruptAndPrompt" {
		a.runTree(t)
	} else {
		switch {
		case a.ended.IsZero():
			t["outcome"] = outcomePending
		case a.err != nil && a.err.local:
			t["outcome"] = outcomeRejected
		case a.err != nil:
			t["outcome"] = outcomeError
		case t["outcome"] == nil:
			t["outcome"] = outcomeCompleted
		}
	}
	if e := a.err; e != nil {
		t["error"], t["message"] = e.kind, e.message
		if e.code != 0 {
			t["code"] = e.code
		}
		if e.sessionID != "" {
			t["sessionId"] = e.sessionID
		}
		if e.capability != "" {
			t["capability"] = e.capability
		}
		if e.exitCode != nil {
			t["exitCode"] = *e.exitCode
		}
		if e.stderrTail != nil {
			t["stderrTail"] = e.stderrTail
		}
		if e.data != nil {
			t["data"] = e.data
			if t["retry"] == nil {
				t["retry"] = e.data["retry"]
			}
		}
	}
	return t
}

func (a *action) runTree(t map[string]any) {
	t["outcome"] = a.outcome
	if a.ended.IsZero() {
		t["outcome"] = outcomePending
	}
	t["finalText"], t["partialText"] = a.text, a.text
	t["accepted"] = a.accepted
	if a.turn != 0 {
		t["turn"] = a.turn
	}
	if a.endReason != "" {
		t["endReason"] = a.endReason
	}
	if a.messageID != "" {
		t["messageId"] = a.messageID
	}
	t["eventsSeen"] = len(a.events)
	if len(a.events) > 0 {
		t["firstEventSeq"] = a.events[0].seq
		t["lastEventSeq"] = a.events[len(a.events)-1].seq
	}
	t["toolResultBytes"] = toolResultBytes(a.events)
	t["deltas"] = len(a.deltas)
	joined := ""
	for _, d := range a.deltas {
		joined += d
	}
	t["joined"] = joined
	if a.usage != nil {
		t["usage"] = a.usage
	}
	if a.failure != nil {
		t["error"] = a.failure
	}
}

// toolResultBytes is how much text the tool results of some events hold.
func toolResultBytes(events []seenEvent) int {
	type block struct {
		Type    string  `json:"type"`
		Text    string  `json:"text"`
		Content []block `json:"content"`
	}
	var count func(blocks []block) int
	count = func(blocks []block) int {
		n := 0
		for _, b := range blocks {
			n += len(b.Text) + count(b.Content)
		}
		return n
	}
	total := 0
	for _, e := range events {
		if e.kind != "tool/result" {
			continue
		}
		var v struct {
			Data struct {
				Message struct {
					Content []block `json:"content"`
				} `json:"message"`
			} `json:"data"`
		}
		if json.Unmarshal(e.text, &v) == nil {
			total += count(v.Data.Message.Content)
		}
	}
	return total
}
