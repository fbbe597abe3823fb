// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/jsonrpc"
)

// check is how one key of expect.json is held against what was seen.
type check func(c *checker, path string, want any)

// topChecks are the keys about a whole script. They are filled in init, for
// they lead back to themselves through alternatives.
var topChecks map[string]check

func init() {
	topChecks = map[string]check{
		"runs":    actionsOf("run", "interruptAndPrompt"),
		"cancels": actionsOf("cancel", "interruptAndPrompt"),
		"waits":   actionsOf("wait"),
		"resumes": actionsOf("resume", "load"),
		"closes":  actionsOf("closeSession", "close"),
		"wait":    theOnly("wait"),
		"cancel":  theOnly("cancel"),
		"close":   theOnly("close", "closeSession"),
		"status":  theOnly("status"),
		"list":    theOnly("list"),

		"closed":           checkClosed,
		"framesFromClient": checkFrames,

		"autoRestart":               boolean(func(s *seen) bool { return s.launches > 1 }),
		"seqContiguous":             boolean((*seen).seqContiguous),
		"noEventsDuringQuiet":       boolean(func(s *seen) bool { return s.quiets > 0 && s.quietLeak == 0 }),
		"replayedNotLive":           boolean(func(s *seen) bool { return len(s.leaks) == 0 }),
		"mustNotHang":               boolean((*seen).nothingHangs),
		"joined":                    text(func(s *seen) string { return strings.Join(s.deltas(), "") }),
		"idleWithPendingMessageIds": list(func(s *seen) []string { return s.pending }),

		"firstLiveSeq":      number(func(s *seen) (int64, bool) { return seqOf(s.liveEvents(), 0) }),
		"eventsBeforeReply": number((*seen).eventsBeforeReply),

		"handlerCallsBeforeRunResolves": number(func(s *seen) (int64, bool) { return onRun(s, func(a *action) int { return a.handledAtEnd }) }),
		"promptFutureResolvesAfterDelta": atLeast(func(s *seen) (int64, bool) {
			return onRun(s, func(a *action) int { return a.handledAtSent })
		}),

		"closeReturnsWithinMs":         allWithin("close"),
		"hostCancelReturnsWithinMs":    allWithin("cancel", "interruptAndPrompt"),
		"secondCloseIsNoop":            boolean((*seen).closesOnce),
		"outputAfterHostCancel":        number((*seen).afterCancel),
		"survivingProcesses":           number(func(s *seen) (int64, bool) { return int64(len(s.survivors)), s.group != 0 }),
		"everyRequestAnsweredWithinMs": checkAnswered,
		"unknownNotification":          checkUnknownNotification,
		"roundTripByteEqualValues":     checkRoundTrip,
		"limits":                       checkLimits,
		"ignored":                      checkIgnored,
		"reportedToDiagnostics":        checkDiagnostics,
	}
	for k, f := range counts {
		topChecks[k] = number(func(s *seen) (int64, bool) { return int64(f(s)), true })
	}
}

// actionsOf checks an object of named actions of some kinds.
func actionsOf(kinds ...string) check {
	return func(c *checker, path string, want any) {
		m, ok := want.(map[string]any)
		if !ok {
			c.unknown(path)
			return
		}
		for _, name := range sortedKeys(m) {
			at := join(path, name)
			a := c.seen.named[name]
			switch {
			case a == nil:
				c.add(at, "no host step of that name was played")
			case len(kinds) > 0 && !slices.Contains(kinds, a.do):
				c.add(at, "is a "+a.do)
			default:
				c.action(at, a, m[name])
			}
		}
	}
}

// theOnly checks the one action of its kind, or an object of named ones.
func theOnly(kinds ...string) check {
	return func(c *checker, path string, want any) {
		if m, ok := want.(map[string]any); ok {
			for k := range m {
				if c.seen.named[k] != nil {
					actionsOf(kinds...)(c, path, want)
					return
				}
			}
		}
		a := c.seen.first(kinds...)
		if a == nil {
			c.add(path, "no "+kinds[0]+" was played")
			return
		}
		c.action(path, a, want)
	}
}

func boolean(f func(*seen) bool) check {
	return func(c *checker, path string, want any) {
		if _, ok := want.(bool); !ok {
			c.unknown(path)
			return
		}
		c.value(path, f(c.seen), want)
	}
}

func text(f func(*seen) string) check {
	return func(c *checker, path string, want any) { c.value(path, f(c.seen), want) }
}

func list(f func(*seen) []string) check {
	return func(c *checker, path string, want any) {
		got := f(c.seen)
		if got == nil {
			got = []string{}
		}
		c.value(path, got, want)
	}
}

func number(f func(*seen) (int64, bool)) check {
	return func(c *checker, path string, want any) {
		n, ok := f(c.seen)
		if !ok {
			c.value(path, nil, want)
			return
		}
		c.value(path, n, want)
	}
}

// atLeast holds when the number is no smaller than the one expected.
func atLeast(f func(*seen) (int64, bool)) check {
	return func(c *checker, path string, want any) {
		n, ok := f(c.seen)
		w, isNumber := integer(want)
		switch {
		case !isNumber:
			c.unknown(path)
		case !ok:
			c.add(path, "nothing to count")
		case n < w:
			c.add(path, fmt.Sprintf("is %d, expected at least %d", n, w))
		default:
			c.add(path, "")
		}
	}
}

func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

func onRun(s *seen, f func(*action) int) (int64, bool) {
	runs := s.runs()
	if len(runs) == 0 {
		return 0, false
	}
	a := runs[0]
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(f(a)), true
}

func seqOf(events []seenEvent, i int) (int64, bool) {
	if i < 0 || i >= len(events) {
		return 0, false
	}
	return events[i].seq, true
}

// checkClosed takes a list of sessions, or their outcomes by name.
func checkClosed(c *checker, path string, want any) {
	switch w := want.(type) {
	case []any:
		names := func(m map[string]string) []any {
			list := make([]any, 0)
			for _, k := range sortedKeys(m) {
				list = append(list, k)
			}
			return list
		}
		slices.SortFunc(w, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		if compare(names(c.seen.closedBefore), w) == "" {
			c.add(path, "")
			return
		}
		c.value(path, names(c.seen.closed), w)
	case map[string]any:
		for _, k := range sortedKeys(w) {
			got, ok := c.seen.closed[k]
			at := join(path, k)
			if m, isObject := w[k].(map[string]any); isObject {
				c.value(at, map[string]any{"outcome": got, "closed": ok}, m)
				continue
			}
			if b, isBool := w[k].(bool); isBool {
				c.value(at, ok, b)
				continue
			}
			c.value(at, got, w[k])
		}
	default:
		c.unknown(path)
	}
}

// checkFrames counts frames by method: those named, or all of them.
func checkFrames(c *checker, path string, want any) {
	m, ok := want.(map[string]any)
	if !ok {
		total := 0
		for _, n := range c.seen.frames {
			total += n
		}
		c.value(path, total, want)
		return
	}
	for _, k := range sortedKeys(m) {
		c.value(join(path, k), c.seen.frames[k], m[k])
	}
}

// allWithin bounds how long each action of some kinds took.
func allWithin(kinds ...string) check {
	return func(c *checker, path string, want any) {
		found := false
		for _, a := range c.seen.actions {
			if slices.Contains(kinds, a.do) {
				found = true
				checkWithin(c, path, a, want)
			}
		}
		if !found {
			c.add(path, "no "+kinds[0]+" was played")
		}
	}
}

// ignoredKinds are the diagnostics by which a client reports each kind of frame
// that it ignores.
var ignoredKinds = map[string][]jsonrpc.DiagnosticKind{
	"malformed": {jsonrpc.MalformedLine},
	"invalid":   {jsonrpc.InvalidMessage, jsonrpc.DuplicateMember, jsonrpc.TooDeep},
	"badParams": {jsonrpc.InvalidParams},
	"stray":     {jsonrpc.UnknownResponse, jsonrpc.LateResponse},
}

// checkIgnored counts the frames that the client ignored, by kind. Blank lines
// are not reported: they are the lines written that the client did not count.
func checkIgnored(c *checker, path string, want any) {
	m, ok := want.(map[string]any)
	if !ok {
		c.unknown(path)
		return
	}
	for _, k := range sortedKeys(m) {
		kinds, known := ignoredKinds[k]
		n := 0
		for _, kind := range kinds {
			n += c.seen.reported(kind.String())
		}
		switch {
		case known:
			c.value(join(path, k), n, m[k])
		case k == "blank" && c.seen.linesRead > 0:
			c.value(join(path, k), c.seen.linesWritten-c.seen.linesRead, m[k])
		default:
			c.unknown(join(path, k))
		}
	}
}

// checkAnswered holds when each call was over soon after its answer was
// written (or after it was made, when no answer was needed).
func checkAnswered(c *checker, path string, want any) {
	most, ok := integer(want)
	if !ok {
		c.unknown(path)
		return
	}
	for _, a := range c.seen.actions {
		if a.do == "close" {
			continue
		}
		took, over := c.seen.latency(a)
		if !over {
			c.add(path, a.name+" was never answered")
			return
		}
		if took > time.Duration(most)*time.Millisecond {
			c.add(path, fmt.Sprintf("%s took %d ms, expected at most %d", a.name, took.Milliseconds(), most))
			return
		}
	}
	c.add(path, "")
}

func checkUnknownNotification(c *checker, path string, want any) {
	var expected []rawNote
	for _, w := range c.seen.written {
		m, err := members(w.text)
		if err != nil || m["id"] != nil || m["method"] == nil {
			continue
		}
		var method string
		_ = json.Unmarshal(m["method"], &method)
		if !knownNotifications[method] {
			expected = append(expected, rawNote{method: method, params: m["params"]})
		}
	}
	if want != "delivered raw" {
		c.unknown(path)
		return
	}
	if len(expected) == 0 {
		c.add(path, "the script writes no unknown notification")
		return
	}
	for _, e := range expected {
		if !slices.ContainsFunc(c.seen.unknown, func(n rawNote) bool {
			return n.method == e.method && string(n.params) == string(e.params)
		}) {
			c.add(path, e.method+" was not handed out with its params as written")
			return
		}
	}
	c.add(path, "")
}

// knownNotifications are those that a client takes apart; the others are
// handed out raw.
var knownNotifications = map[string]bool{
	"session.event": true, "session.delta": true, "session.status": true, "session.replayed": true,
	"session.closed": true, "session.lost": true, "subagent.started": true, "subagent.finished": true,
	"$/cancel_request": true,
}

func checkLimits(c *checker, path string, want any) {
	m, ok := want.(map[string]any)
	if !ok {
		c.unknown(path)
		return
	}
	for _, k := range sortedKeys(m) {
		at := join(path, k)
		switch k {
		case "lineLimitDefaultAtLeast":
			atLeast(func(s *seen) (int64, bool) { return int64(s.lineLimit), true })(c, at, m[k])
		case "overLimit":
			if _, ok := m[k].(string); !ok {
				c.unknown(at)
				continue
			}
			c.add(at, c.seen.overLimit()) // the words are for readers
		default:
			c.unknown(at)
		}
	}
}

// checkDiagnostics takes how many diagnostics were reported, of each kind that
// is named or in all, or whether there were any.
func checkDiagnostics(c *checker, path string, want any) {
	switch w := want.(type) {
	case map[string]any:
		for _, k := range sortedKeys(w) {
			c.value(join(path, k), c.seen.reported(k), w[k])
		}
	case bool:
		c.value(path, len(c.seen.diagnoses) > 0, want)
	default:
		c.value(path, len(c.seen.diagnoses), want)
	}
}
