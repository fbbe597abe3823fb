// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"slices"
	"strings"
)

// treeSessions are the sessions of the first run's tree, itself first, as the client's
// handle has them at the end of the script.
func (r *record) treeSessions() []string {
	for _, a := range r.actions {
		if a.isRun() && a.turn != nil {
			return append([]string{a.session}, a.branches...)
		}
	}
	return nil
}

// strangers are the sessions whose frames were handed out and that are not in the
// first run's tree.
func (r *record) strangers() (sessions []string) {
	tree := r.treeSessions()
	for _, m := range r.of(handed, nil) {
		if s := m.Params.SessionID; s != "" && !slices.Contains(tree, s) && !slices.Contains(sessions, s) {
			sessions = append(sessions, s)
		}
	}
	return sessions
}

// checkLeft compares the sessions that the turn which a cancel or an interrupt stopped had
// begun, and that had not ended when it was over, as the client's handle has them.
func checkLeft(c *checker, path string, stop *action, want any) {
	for _, a := range slices.Backward(c.rec.actions) {
		if a.isRun() && a.session == stop.session && a.begun < stop.begun {
			c.set(path, a.left, want)
			return
		}
	}
	c.unknown(path, "no run of its session was played before")
}

// set compares a set of sessions.
func (c *checker) set(path string, got []string, want any) {
	list, ok := want.([]any)
	if !ok {
		c.unknown(path, "takes a list of sessions")
		return
	}
	sorted := append([]any{}, slices.SortedFunc(slices.Values(list), func(a, b any) int { return strings.Compare(encode(a), encode(b)) })...)
	c.value(path, append([]string{}, slices.Sorted(slices.Values(got))...), sorted)
}

// checkOrder compares the order of what was handed out, sent, or over. An entry names
// frames by words that all of them have, in a text or as the members of an object: the
// method or the type of an event, the session (of subagent.started and subagent.finished
// the child's); or the end of a host step, by its name and "ended". Of several entries that
// name a frame the one with the most words counts. All that entries name must come as the
// entries do; what repeats the one before it is left out.
func checkOrder(c *checker, path string, want any) {
	list, _ := want.([]any)
	entries := make([][]string, len(list))
	for i, e := range list {
		switch e := e.(type) {
		case string:
			entries[i] = strings.Fields(e)
		case map[string]any:
			for _, k := range sortedKeys(e) {
				word, _ := e[k].(string)
				entries[i] = append(entries[i], word)
			}
		}
	}
	if len(list) == 0 || slices.ContainsFunc(entries, func(words []string) bool { return len(words) == 0 || slices.Contains(words, "") }) {
		c.unknown(path, `takes a list of texts such as "subagent.started kid", "turn/end kid", "kid", "p1 ended", or of objects of such words`)
		return
	}
	got := []any{}
	for _, m := range c.rec.moments {
		best := -1
		for i, words := range entries {
			if (best < 0 || len(words) > len(entries[best])) && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(m.words(), w) }) {
				best = i
			}
		}
		if best >= 0 && (len(got) == 0 || encode(list[best]) != encode(got[len(got)-1])) {
			got = append(got, list[best])
		}
	}
	c.value(path, got, want)
}

// words are those by which an order names a moment.
func (m *moment) words() []string {
	switch m.from {
	case ended:
		return []string{m.action.name, "ended"}
	case sent, handed:
		return []string{m.Method, m.Params.Event.Type, m.Params.Status, m.Params.SessionID, m.Params.ChildSessionID}
	}
	return nil
}
