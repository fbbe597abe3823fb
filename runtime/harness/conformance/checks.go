// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// check is how one key of expect.json is held against what was seen.
type check func(c *checker, path string, want any)

// topChecks are the keys about a whole script. They are filled in init, for
// they lead back to themselves through alternatives.
var topChecks map[string]check

func init() {
	topChecks = map[string]check{
		"oneOf": oneOf,
		"never": never,

		"runs":    actionsOf("run", "interruptAndPrompt"),
		"cancels": actionsOf("cancel", "interruptAndPrompt"),
		"waits":   actionsOf("wait"),
		"resumes": actionsOf("resume"),
		"closes":  actionsOf("closeSession", "close"),
		"wait":    theOnly((*checker).action, "wait"),
		"close":   theOnly((*checker).action, "closeSession", "close"),

		"closed":                    checkClosed,
		"framesFromClient":          checkFrames,
		"seqContiguous":             is((*record).seqContiguous),
		"mustNotHang":               is(func(r *record) any { return len(r.hangs) == 0 }),
		"autoRestart":               is(func(r *record) any { return r.launches > 1 }),
		"initializeCount":           is(func(r *record) any { return len(r.of(sent, method("initialize"))) }),
		"processRestarts":           is(func(r *record) any { return max(0, r.launches-1) }),
		"noEventsDuringQuiet":       is(func(r *record) any { return r.quiets > 0 && r.quietLeak == 0 }),
		"idleWithPendingMessageIds": is(func(r *record) any { return append([]string{}, r.pending...) }),
		"order":                     checkOrder,
		"treeSessions":              func(c *checker, path string, want any) { c.set(path, c.rec.treeSessions(), want) },
		"excludedSessions":          func(c *checker, path string, want any) { c.set(path, c.rec.strangers(), want) },

		"deltas":                         is(func(r *record) any { return len(r.heard()) }),
		"joined":                         is(func(r *record) any { return strings.Join(r.heard(), "") }),
		"replayedNotLive":                is(func(r *record) any { return len(r.leaks) == 0 }),
		"replayedEvents":                 is(func(r *record) any { return len(r.of(handed, func(m *moment) bool { return m.Params.Replay })) }),
		"firstLiveSeq":                   is(func(r *record) any { return firstSeq(r.of(handed, live)) }),
		"eventsBeforeReply":              is((*record).eventsBeforeReply),
		"handlerCallsBeforeRunResolves":  is(onRun(func(a *action) int { return a.atEnd })),
		"promptFutureResolvesAfterDelta": atLeast(onRun(func(a *action) int { return a.atSent })),

		"closeReturnsWithinMs":         allWithin("close"),
		"secondCloseIsNoop":            is((*record).closesOnce),
		"survivingProcesses":           is((*record).surviving),
		"given":                        checkGiven,
		"hostCancelReturnsWithinMs":    allWithin("cancel", "interruptAndPrompt"),
		"outputAfterHostCancel":        is(outputAfter("cancel")),
		"outputAfterInterrupt":         is(outputAfter("interruptAndPrompt")),
		"leftRunning":                  theOnly(checkLeft, "cancel", "interruptAndPrompt"),
		"everyRequestAnsweredWithinMs": checkAnswered,

		"unknownNotification":      checkUnknownNotification,
		"roundTripByteEqualValues": checkRoundTrip,
		"limits":                   checkLimits,
		"ignored":                  checkIgnored,
		"reportedToDiagnostics":    checkDiagnostics,
	}
}

// actionWords are the members of an action that an expectation may name.
var actionWords = strings.Fields("outcome finalText partialText joined turn error code exitCode sessionId capability messageId accepted" +
	" eventsSeen firstEventSeq toolResultBytes usage effect cancelled withdrawn closed unfinished" +
	" idle seq queued running nextSeq lastTurn pendingMessageIds state retry")

// actionChecks are the keys about one action that are more than a comparison
// of a member.
var actionChecks = map[string]func(c *checker, path string, a *action, want any){
	"withinMs": func(c *checker, path string, a *action, want any) { c.within(path, a, a.ended, want) },
	// stderrTail holds when the last lines of stderr are those expected.
	"stderrTail": func(c *checker, path string, a *action, want any) {
		w, ok := want.([]any)
		if !ok {
			c.unknown(path, "takes a list of lines")
			return
		}
		got, _ := a.tree["stderrTail"].([]string)
		c.value(path, got[max(0, len(got)-len(w)):], want)
	},
	"lastSeq": func(c *checker, path string, a *action, want any) {
		got := a.tree["lastSeq"]
		if got == nil {
			got = a.tree["seq"]
		}
		c.value(path, got, want)
	},
	// error takes a domain error's kind, or the message or code of a failed turn.
	"error": func(c *checker, path string, a *action, want any) {
		got, _ := a.tree["error"].(map[string]any)
		if _, isText := want.(string); got != nil && isText {
			for _, k := range []string{"message", "code"} {
				if got[k] == want {
					c.add(path, "")
					return
				}
			}
		}
		c.value(path, a.tree["error"], want)
	},
	// endReason takes the reason's kind, or the kind and what it is about: aborted,
	// aborted/user.
	"endReason": func(c *checker, path string, a *action, want any) {
		got, _ := a.tree["endReason"].(string)
		if w, ok := want.(string); ok && strings.HasPrefix(got, w+"/") {
			c.add(path, "")
			return
		}
		c.value(path, a.tree["endReason"], want)
	},
	"retried": func(c *checker, path string, a *action, want any) {
		asked := 0
		for _, other := range c.rec.actions {
			if other.isRun() && other.session == a.session && other.Text == a.Text {
				asked++
			}
		}
		c.value(path, len(c.rec.of(sent, func(m *moment) bool { return m.prompts(a.Text) && m.Params.SessionID == a.session })) > asked, want)
	},
	// silentNewId is whether a run's content went to a session that no host step named.
	"silentNewId": func(c *checker, path string, a *action, want any) {
		c.value(path, len(c.rec.of(sent, func(m *moment) bool {
			return m.prompts(a.Text) && !slices.ContainsFunc(c.rec.actions, func(other *action) bool { return other.session == m.Params.SessionID })
		})) > 0, want)
	},
	"settlesBeforeCancelReply": checkBeforeCancel,
	"leftRunning":              checkLeft,
}

// prompts reports whether a frame is a prompt with a text.
func (m *moment) prompts(text string) bool {
	got := ""
	for _, b := range m.Params.ContentBlocks {
		got += b.Text
	}
	return m.Method == "session/prompt" && got == text
}

// checkBeforeCancel compares when a run ended with when the first cancel of its
// session was answered. What ended it is an event, and events are handed out
// before the answers that follow them, so the order is no matter of luck.
func checkBeforeCancel(c *checker, path string, a *action, want any) {
	settled, replied := -1, -1
	for i, m := range c.rec.moments {
		switch {
		case m.from == ended && m.action.Do == "cancel" && m.action.session == a.session && replied < 0:
			replied = i
		case settled >= 0:
		case m.from == ended && m.action == a,
			m.from == handed && a.endedBy != nil && live(&m) && m.Params.SessionID == a.session && *m.Params.Event.Seq == *a.endedBy:
			settled = i
		}
	}
	if replied < 0 {
		c.unknown(path, "no cancel of its session was answered")
		return
	}
	c.value(path, settled >= 0 && settled < replied, want)
}

// each checks every member of an object.
func each(of string, f func(c *checker, at, key string, want any)) check {
	return func(c *checker, path string, want any) {
		m, ok := want.(map[string]any)
		if !ok {
			c.unknown(path, "takes an object of "+of)
			return
		}
		for _, k := range sortedKeys(m) {
			f(c, join(path, k), k, m[k])
		}
	}
}

// actionsOf checks an object of named actions of some kinds.
func actionsOf(kinds ...string) check {
	return each("host steps by name", func(c *checker, at, name string, want any) {
		a := c.rec.named(name)
		switch {
		case a == nil:
			c.add(at, "no host step of that name was played")
		case !slices.Contains(kinds, a.Do):
			c.add(at, "is a "+a.Do)
		default:
			c.action(at, a, want)
		}
	})
}

// theOnly checks the first action of its kinds that was played.
func theOnly(of func(c *checker, path string, a *action, want any), kinds ...string) check {
	return func(c *checker, path string, want any) {
		for _, k := range kinds {
			for _, a := range c.rec.actions {
				if a.Do == k {
					of(c, path, a, want)
					return
				}
			}
		}
		c.add(path, "no "+kinds[0]+" was played")
	}
}

// is compares what was seen, nil if there was none of it.
func is(f func(*record) any) check {
	return func(c *checker, path string, want any) { c.value(path, f(c.rec), want) }
}

// atLeast holds when the number is no smaller than the one expected.
func atLeast(f func(*record) any) check {
	return func(c *checker, path string, want any) {
		n, ok := f(c.rec).(int)
		w, isNumber := integer(want)
		switch {
		case !isNumber:
			c.unknown(path, "takes a whole number")
		case !ok:
			c.add(path, "has nothing to count")
		case int64(n) < w:
			c.add(path, fmt.Sprintf("is %d, expected at least %d", n, w))
		default:
			c.add(path, "")
		}
	}
}

// onRun is a number of the first run.
func onRun(f func(*action) int) func(*record) any {
	return func(r *record) any {
		for _, a := range r.actions {
			if a.isRun() {
				return f(a)
			}
		}
		return nil
	}
}

func firstSeq(events []moment) any {
	if len(events) == 0 {
		return nil
	}
	return events[0].Params.Event.Seq
}

// seqContiguous reports whether the events of each session follow each
// other without a gap.
func (r *record) seqContiguous() any {
	last := map[string]int64{}
	for _, m := range r.of(handed, method("session.event")) {
		if prev, ok := last[m.Params.SessionID]; ok && *m.Params.Event.Seq != prev+1 {
			return false
		}
		last[m.Params.SessionID] = *m.Params.Event.Seq
	}
	return len(last) > 0
}

// heard is the live text that the consumers of all runs got.
func (r *record) heard() (texts []string) {
	for _, a := range r.actions {
		for _, d := range a.heard {
			texts = append(texts, d.text)
		}
	}
	return texts
}

// eventsBeforeReply counts the events that were written before the first
// resume was answered.
func (r *record) eventsBeforeReply() any {
	var id json.RawMessage
	n := 0
	for _, m := range r.moments {
		switch {
		case id == nil && m.from == sent && slices.Contains(firstFrames["resume"], m.Method):
			id = m.ID
		case m.from != written:
		case m.Method == "session.event":
			n++
		case id != nil && m.Method == "" && string(m.ID) == string(id):
			return n
		}
	}
	return nil
}

// closesOnce reports whether a close was played, and a second one changed nothing.
func (r *record) closesOnce() any {
	return slices.ContainsFunc(r.actions, func(a *action) bool { return a.Do == "close" && a.again })
}

// surviving counts the processes of the runtime's group that the script left.
func (r *record) surviving() any {
	if r.group == 0 {
		return nil
	}
	return len(r.survivors)
}

// outputAfter counts the bytes of the old turns that their consumers got, from the
// handles' streams or from the handler, after a stop of their session had returned.
func outputAfter(do string) func(*record) any {
	return func(r *record) any {
		n, found := 0, false
		for _, k := range r.actions {
			if k.Do != do || k.returned.IsZero() {
				continue
			}
			for _, a := range r.actions {
				if !a.isRun() || a.session != k.session || a.begun >= k.begun {
					continue
				}
				found = true
				streamed, handled := 0, 0
				for _, d := range a.heard {
					if d.at.After(k.returned) {
						streamed += len(d.text)
					}
				}
				for _, m := range r.of(handed, method("session.delta")) {
					if m.Params.SessionID == a.session && any(m.Params.Turn) == a.tree["turn"] && m.at.After(k.returned) {
						handled += len(m.Params.Text)
					}
				}
				n += max(streamed, handled)
			}
		}
		if !found {
			return nil
		}
		return n
	}
}

// checkGiven holds when the end of the runtime kept to the ladder that the host
// configured by these words.
func checkGiven(c *checker, path string, want any) {
	l, err := ladderOf(want)
	closes := slices.IndexFunc(c.rec.actions, func(a *action) bool { return a.Do == "close" })
	switch {
	case err != nil:
		c.unknown(path, err.Error())
	case closes < 0:
		c.unknown(path, "no close was played")
	default:
		most := l.Shutdown + l.EOF + l.Term + l.Kill + ladderSlack
		c.within(path, c.rec.actions[closes], c.rec.actions[closes].ended, json.Number(fmt.Sprint(most.Milliseconds())))
	}
}

// ladderSlack is what a close may take longer than its ladder, for the machine's sake.
const ladderSlack = time.Second

// within bounds how long an action took until a time: from its start or, when the
// runtime's process ended meanwhile, from that.
func (c *checker) within(path string, a *action, to time.Time, want any) {
	most, ok := integer(want)
	from := a.started
	if x := c.rec.exited; x.After(from) && x.Before(to) {
		from = x
	}
	took := to.Sub(from)
	switch {
	case !ok:
		c.unknown(path, "takes milliseconds")
	case to.IsZero():
		c.add(path, "has no time: "+a.name+" has not ended")
	case took > time.Duration(most)*time.Millisecond:
		c.add(path, fmt.Sprintf("took %d ms, expected at most %d", took.Milliseconds(), most))
	default:
		c.add(path, "")
	}
}

// allWithin bounds how long the call of each action of some kinds took.
func allWithin(kinds ...string) check {
	return func(c *checker, path string, want any) {
		found := false
		for _, a := range c.rec.actions {
			if slices.Contains(kinds, a.Do) {
				found = true
				to := a.returned
				if a.Do == "close" {
					to = a.ended
				}
				c.within(path, a, to, want)
			}
		}
		if !found {
			c.add(path, "no "+kinds[0]+" was played")
		}
	}
}

// checkAnswered holds when each call was over soon after its answer was
// written (or after it was made, when no answer was needed): after the last response,
// or frame of its session, that was written before.
func checkAnswered(c *checker, path string, want any) {
	for _, a := range c.rec.actions {
		if a.Do == "close" {
			continue
		}
		last := *a
		for _, m := range c.rec.of(written, nil) {
			if (m.Method == "" || m.Params.SessionID == a.session) && m.at.After(last.started) && m.at.Before(a.ended) {
				last.started = m.at
			}
		}
		c.within(path, &last, a.ended, want)
	}
}

// checkClosed takes a list of sessions, or their outcomes by name. A list may leave out
// those whose end was written after the client had asked for the runtime's end, which
// closes all.
func checkClosed(c *checker, path string, want any) {
	outcomes, late := map[string]any{}, map[string]bool{}
	ending := false
	for _, m := range c.rec.moments {
		switch {
		case m.from == sent && m.Method == "shutdown":
			ending = true
		case m.from == written && m.Method == "session.closed":
			late[m.Params.SessionID] = ending
		case m.from == handed && m.Method == "session.closed":
			outcomes[m.Params.SessionID] = string(m.payload.(*harness.SessionClosed).Outcome)
		case m.from == ended && m.action.Do == "closeSession" && m.action.tree["closed"] == true && outcomes[m.action.session] == nil:
			outcomes[m.action.session] = m.action.tree["outcome"]
		}
	}
	if _, ok := want.(map[string]any); ok {
		c.value(path, outcomes, want)
		return
	}
	before := slices.DeleteFunc(sortedKeys(outcomes), func(s string) bool { return late[s] })
	if list, ok := want.([]any); ok && len(list) != len(before) {
		before = sortedKeys(outcomes)
	}
	c.set(path, before, want)
}

// checkFrames counts frames of the client's by method.
var checkFrames = each("counts by method", func(c *checker, at, name string, want any) {
	c.value(at, len(c.rec.of(sent, method(name))), want)
})

// ignoredKinds are the diagnostics by which a client reports each kind of frame
// that it ignores.
var ignoredKinds = map[string][]jsonrpc.DiagnosticKind{
	"malformed": {jsonrpc.MalformedLine},
	"invalid":   {jsonrpc.InvalidMessage, jsonrpc.DuplicateMember, jsonrpc.TooDeep},
	"badParams": {jsonrpc.InvalidParams},
	"stray":     {jsonrpc.UnknownResponse, jsonrpc.LateResponse},
}

// reported counts the diagnostics of some kinds.
func (r *record) reported(kinds ...string) (n int) {
	for _, d := range r.diagnoses {
		if slices.Contains(kinds, d) {
			n++
		}
	}
	return n
}

// checkIgnored counts the frames that the client ignored, by kind. Blank lines
// are not reported: they are the lines written that the client did not count.
var checkIgnored = each("counts by kind", func(c *checker, at, k string, want any) {
	var kinds []string
	for _, kind := range ignoredKinds[k] {
		kinds = append(kinds, kind.String())
	}
	switch {
	case kinds != nil:
		c.value(at, c.rec.reported(kinds...), want)
	case k == "blank" && c.rec.linesRead > 0:
		c.value(at, c.rec.lines-c.rec.linesRead, want)
	case k == "blank":
		c.unknown(at, "the client did not count the lines of this script")
	default:
		c.unknown(at, "takes blank, "+strings.Join(sortedKeys(ignoredKinds), ", "))
	}
})

// checkDiagnostics takes how many diagnostics were reported, of each kind that
// is named or in all, or whether there were any.
func checkDiagnostics(c *checker, path string, want any) {
	switch w := want.(type) {
	case map[string]any:
		for _, k := range sortedKeys(w) {
			c.value(join(path, k), c.rec.reported(k), w[k])
		}
	case bool:
		c.value(path, len(c.rec.diagnoses) > 0, want)
	default:
		c.value(path, len(c.rec.diagnoses), want)
	}
}

// knownNotifications are those that a client takes apart; the others are
// handed out raw.
var knownNotifications = strings.Fields("session.event session.delta session.status session.replayed session.closed session.lost" +
	" subagent.started subagent.finished $/cancel_request")

func checkUnknownNotification(c *checker, path string, want any) {
	if want != "delivered raw" {
		c.unknown(path, `takes "delivered raw"`)
		return
	}
	unknown := c.rec.of(written, func(m *moment) bool {
		return m.ID == nil && m.Method != "" && !slices.Contains(knownNotifications, m.Method)
	})
	why := ""
	if len(unknown) == 0 {
		why = "has no place: the script writes no unknown notification"
	}
	for _, w := range unknown {
		m, _ := members(w.text)
		if !slices.ContainsFunc(c.rec.of(handed, method(w.Method)), func(got moment) bool {
			raw, ok := got.payload.(strange)
			return ok && string(raw) == string(m["params"])
		}) {
			why = w.Method + " was not handed out with its params as written"
		}
	}
	c.add(path, why)
}

// checkRoundTrip holds when each named value came out of the client, decoded
// and encoded again, byte for byte as the runtime wrote it. A value is named
// by its first word: a member's name, a block's or event's type, or a number.
func checkRoundTrip(c *checker, path string, want any) {
	names, ok := want.([]any)
	if !ok {
		c.unknown(path, "takes a list of names")
		return
	}
	var out strings.Builder
	for _, m := range c.rec.of(handed, nil) {
		out.Write(m.text)
		out.WriteByte('\n')
	}
	for i, n := range names {
		name, _ := n.(string)
		word, _, _ := strings.Cut(name, " ")
		var values []string
		for _, w := range c.rec.of(written, nil) {
			values = append(values, occurrences(w.text, word)...)
		}
		why := ""
		if len(values) == 0 {
			why = "the script writes no member, type or number of that name"
		}
		for _, v := range values {
			if !strings.Contains(out.String(), v) {
				why = "was written as " + short(v) + " and did not come out so"
				break
			}
		}
		c.add(fmt.Sprintf("%s[%d] %q", path, i, name), why)
	}
}

// occurrences are the texts that a name stands for in JSON text.
func occurrences(text []byte, word string) (found []string) {
	if m, err := members(text); err == nil {
		for _, k := range sortedKeys(m) {
			if k == word {
				found = append(found, encode(k)+":"+string(m[k]))
			}
			if k == "type" && string(m[k]) == encode(word) {
				found = append(found, string(text))
			}
			found = append(found, occurrences(m[k], word)...)
		}
		return found
	}
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		for _, v := range list {
			found = append(found, occurrences(v, word)...)
		}
		return found
	}
	if string(text) == word {
		found = append(found, word)
	}
	return found
}

var checkLimits = each("limits", func(c *checker, at, k string, want any) {
	_, isText := want.(string)
	switch {
	case k == "lineLimitDefaultAtLeast":
		atLeast(func(*record) any { return jsonrpc.DefaultLine })(c, at, want)
	case k == "overLimit" && isText:
		c.add(at, probeLimit()) // the words are for readers
	default:
		c.unknown(at, "takes lineLimitDefaultAtLeast, a number of bytes, and overLimit, a text")
	}
})
