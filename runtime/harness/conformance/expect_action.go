// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"strings"
	"time"
)

// actionChecks are the keys about one action that are more than a comparison
// of a member.
var actionChecks = map[string]func(c *checker, path string, a *action, want any){
	"withinMs":   checkWithin,
	"stderrTail": checkTail,
	"lastSeq": func(c *checker, path string, a *action, want any) {
		t := a.tree()
		if a.do == "run" {
			c.value(path, t["lastEventSeq"], want)
			return
		}
		c.value(path, t["seq"], want)
	},
	"retried": func(c *checker, path string, a *action, want any) {
		c.value(path, c.seen.prompts(a) > c.seen.asked(a), want)
	},
	"silentNewId": func(c *checker, path string, a *action, want any) {
		c.value(path, c.seen.strangePrompts(a), want)
	},
	"error":                    checkError,
	"endReason":                checkEndReason,
	"settlesBeforeCancelReply": checkBeforeCancel,
	"resumed": func(c *checker, path string, a *action, want any) {
		c.value(path, a.err == nil && a.over(), want)
	},
}

// checkError takes a domain error's kind, or the message or code of a failed
// turn.
func checkError(c *checker, path string, a *action, want any) {
	got := normal(a.tree()["error"])
	if m, ok := got.(map[string]any); ok {
		if _, isText := want.(string); isText {
			for _, k := range []string{"message", "code", "kind"} {
				if m[k] != nil && equal(m[k], want) {
					c.add(path, "")
					return
				}
			}
		}
	}
	c.value(path, got, want)
}

// checkEndReason takes the reason's kind, or the kind and what it is about:
// aborted, aborted/user.
func checkEndReason(c *checker, path string, a *action, want any) {
	got, _ := a.tree()["endReason"].(string)
	if w, ok := want.(string); ok && strings.HasPrefix(got, w+"/") {
		c.add(path, "")
		return
	}
	c.value(path, normal(a.tree()["endReason"]), want)
}

// checkWithin bounds how long an action took: from its start or, when the
// runtime's process ended meanwhile, from that.
func checkWithin(c *checker, path string, a *action, want any) {
	most, ok := integer(want)
	if !ok {
		c.unknown(path)
		return
	}
	a.mu.Lock()
	from, to := a.started, a.ended
	a.mu.Unlock()
	if to.IsZero() {
		c.add(path, "it has not ended")
		return
	}
	if x := c.seen.exited; x.After(from) && x.Before(to) {
		from = x
	}
	if took := to.Sub(from); took > time.Duration(most)*time.Millisecond {
		c.add(path, fmt.Sprintf("took %d ms, expected at most %d", took.Milliseconds(), most))
		return
	}
	c.add(path, "")
}

// checkTail holds when the last lines of stderr are those expected.
func checkTail(c *checker, path string, a *action, want any) {
	w, ok := want.([]any)
	if !ok {
		c.unknown(path)
		return
	}
	var got []string
	if a.err != nil {
		got = a.err.stderrTail
	}
	if len(got) > len(w) {
		got = got[len(got)-len(w):]
	}
	c.value(path, got, want)
}

// checkBeforeCancel compares when a run ended with when the first cancel of its
// session was answered. What ended it is an event, and events are handed out
// before the answers that follow them, so the order is no matter of luck.
func checkBeforeCancel(c *checker, path string, a *action, want any) {
	for _, other := range c.seen.actions {
		if other.do != "cancel" && other.do != "interruptAndPrompt" || other.session != a.session {
			continue
		}
		a.mu.Lock()
		settled, by := a.ended, a.settledBy
		a.mu.Unlock()
		for _, e := range c.seen.events {
			if e.session == a.session && e.seq == by && !e.replay {
				settled = e.at
			}
		}
		other.mu.Lock()
		replied := other.ended
		other.mu.Unlock()
		before := !settled.IsZero() && (replied.IsZero() || settled.Before(replied))
		c.value(path, before, want)
		return
	}
	c.add(path, "no cancel of its session was played")
}

// latency is how long a call took after its answer was on its way.
func (s *seen) latency(a *action) (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended.IsZero() {
		return 0, false
	}
	from := a.started
	for _, at := range s.answers(a) {
		if at.After(from) && at.Before(a.ended) {
			from = at
		}
	}
	return a.ended.Sub(from), true
}

// answers are the times at which something that can have ended a call was
// written: a response to a request on its session or, for a run, any frame.
func (s *seen) answers(a *action) []time.Time {
	var times []time.Time
	for _, w := range s.written {
		if strings.Contains(string(w.text), `"result"`) || strings.Contains(string(w.text), `"error"`) ||
			strings.Contains(string(w.text), encode(a.session)) {
			times = append(times, w.at)
		}
	}
	return times
}

// prompts counts the prompt frames that carry a run's content to its session.
func (s *seen) prompts(a *action) int {
	n := 0
	for _, l := range s.sent {
		if p := promptOf(l.data); p != nil && p.session == a.session && p.text == a.step.Text {
			n++
		}
	}
	return n
}

// asked counts the host steps that send a run's content to its session.
func (s *seen) asked(a *action) int {
	n := 0
	for _, other := range s.runs() {
		if other.session == a.session && other.step.Text == a.step.Text {
			n++
		}
	}
	return n
}

// strangePrompts reports whether a run's content went to a session that no
// host step named.
func (s *seen) strangePrompts(a *action) bool {
	for _, l := range s.sent {
		p := promptOf(l.data)
		if p == nil || p.text != a.step.Text {
			continue
		}
		known := false
		for _, other := range s.actions {
			known = known || other.session == p.session
		}
		if !known {
			return true
		}
	}
	return false
}
