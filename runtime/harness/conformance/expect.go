// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Expectation is what expect.json says about one script.
type Expectation struct {
	file  string
	layer string
	tree  map[string]any
	// skipped are parts whose layer cannot be played here, with the reason.
	skipped []string
}

// elsewhere are the parts of expect.json that speak of another layer than the
// client's, and where they are checked.
var elsewhere = map[string]string{
	"log":       "what a stored log holds is checked by accord log",
	"v2Runtime": "a runtime's own behaviour needs a runtime under test",
}

func parseExpect(file string, data []byte) (*Expectation, error) {
	v, err := decode(data)
	if err != nil {
		line := 0
		var se *json.SyntaxError
		if errors.As(err, &se) {
			line = 1 + strings.Count(string(data[:min(int(se.Offset), len(data))]), "\n")
		}
		return nil, &SyntaxError{File: file, Line: line, Why: err.Error()}
	}
	tree, ok := v.(map[string]any)
	if !ok {
		return nil, &SyntaxError{File: file, Line: 1, Why: "not a JSON object"}
	}
	layer, _ := tree["layer"].(string)
	return &Expectation{file: file, layer: layer, tree: tree}, nil
}

// forVariant is what concerns one script: the members that stand under its
// variant's name, with those that stand under no variant's name.
func (e *Expectation) forVariant(variants []string, variant string) *Expectation {
	out := &Expectation{file: e.file, layer: e.layer, tree: map[string]any{}}
	var own []map[string]any
	for _, k := range sortedKeys(e.tree) {
		sub, isObject := e.tree[k].(map[string]any)
		switch {
		case k == "layer" || k == "note" || k == "comment":
		case isObject && k == variant && variant != "":
			own = append(own, sub)
		case isObject && slices.Contains(variants, k) && k != "":
			// another script's
		case isObject && k == "stream": // a wire script's own, next to those of other layers
			own = append(own, sub)
		case elsewhere[k] != "":
			out.skipped = append(out.skipped, k+": "+elsewhere[k])
		default:
			out.tree[k] = e.tree[k]
		}
	}
	for _, sub := range own {
		for k, v := range sub {
			if why := elsewhere[k]; why != "" {
				out.skipped = append(out.skipped, k+": "+why)
				continue
			}
			out.tree[k] = v
		}
	}
	return out
}

// defaultSteps are the host steps of a case that has a runtime of its own and
// no script: one run for each that is expected, on one session, then the end.
func (e *Expectation) defaultSteps() []Step {
	var steps []Step
	runs, _ := e.tree["runs"].(map[string]any)
	for _, name := range sortedKeys(runs) {
		steps = append(steps, Step{Kind: kindHost, Host: &HostStep{Do: "run", Session: "sess-a", Text: name, As: name}})
	}
	if len(steps) == 0 {
		steps = append(steps, Step{Kind: kindHost, Host: &HostStep{Do: "run", Session: "sess-a", Text: "hello", As: "p1"}})
	}
	return append(steps, Step{Kind: kindHost, Host: &HostStep{Do: "close"}})
}

// verdict is what became of one expectation.
type verdict struct {
	path string
	why  string // empty: it holds
	// unknown: nothing here can decide whether it holds.
	unknown bool
}

// check compares what was seen with what is expected.
func (e *Expectation) check(seen *seen) []verdict {
	c := &checker{seen: seen}
	c.top("", e.tree)
	return c.verdicts
}

type checker struct {
	seen     *seen
	verdicts []verdict
}

func (c *checker) add(path, why string) {
	c.verdicts = append(c.verdicts, verdict{path: path, why: why})
}

func (c *checker) unknown(path string) {
	c.verdicts = append(c.verdicts, verdict{path: path, why: "NOT CHECKED: the player does not know this expectation", unknown: true})
}

// framesMatter are the keys about what passes between client and runtime.
var framesMatter = map[string]bool{
	"initializeCount": true, "framesFromClient": true, "eventsBeforeReply": true, "everyRequestAnsweredWithinMs": true,
	"roundTripByteEqualValues": true, "unknownNotification": true, "retried": true, "silentNewId": true,
}

func (c *checker) unseen(path string) {
	c.verdicts = append(c.verdicts, verdict{path: path, why: "NOT CHECKED: the frames of " + scriptName + " are not seen", unknown: true})
}

func (c *checker) failed() bool {
	return slices.ContainsFunc(c.verdicts, func(v verdict) bool { return v.why != "" })
}

// top checks an object of expectations about the whole script.
func (c *checker) top(at string, want map[string]any) {
	for _, k := range sortedKeys(want) {
		path := join(at, k)
		switch {
		case c.seen.blind && framesMatter[k]:
			c.unseen(path)
		case k == "oneOf":
			c.oneOf(path, want[k], func(sub *checker, m map[string]any) { sub.top("", m) })
		case k == "never":
			c.never(path, want[k])
		case topChecks[k] != nil:
			topChecks[k](c, path, want[k])
		case c.seen.named[k] != nil:
			c.action(path, c.seen.named[k], want[k])
		case (actionMembers[k] || actionChecks[k] != nil) && len(c.seen.runs()) == 1:
			c.action(at, c.seen.runs()[0], map[string]any{k: want[k]})
		default:
			c.unknown(path)
		}
	}
}

// oneOf holds when one of the alternatives does, as a whole; against checks one.
func (c *checker) oneOf(path string, want any, against func(*checker, map[string]any)) {
	list, ok := want.([]any)
	if !ok || len(list) == 0 {
		c.add(path, "is not a list of alternatives")
		return
	}
	var whys []string
	for i, alternative := range list {
		m, ok := alternative.(map[string]any)
		if !ok {
			c.add(path, fmt.Sprintf("alternative %d is not an object", i+1))
			return
		}
		sub := &checker{seen: c.seen}
		against(sub, m)
		if !sub.failed() {
			c.add(path, "")
			return
		}
		for _, v := range sub.verdicts {
			if v.why != "" {
				whys = append(whys, fmt.Sprintf("(%d) %s %s", i+1, v.path, v.why))
				break
			}
		}
	}
	c.add(path, "none holds: "+strings.Join(whys, " "))
}

// never holds when no path has the value that is named for it.
func (c *checker) never(path string, want any) {
	m, ok := want.(map[string]any)
	if !ok {
		c.unknown(path)
		return
	}
	for _, k := range sortedKeys(m) {
		at := join(path, k)
		got, found, known := c.seen.lookup(k)
		if !known {
			c.unknown(at)
			continue
		}
		forbidden := []any{m[k]}
		if list, ok := m[k].([]any); ok {
			if _, isList := got.([]any); !isList {
				forbidden = list
			}
		}
		why := ""
		for _, f := range forbidden {
			if found && equal(f, got) {
				why = "is " + encode(got) + ", which must never be"
			}
		}
		c.add(at, why)
	}
}

// action checks one named action's result: an object of members, or the one
// word that says most about it.
func (c *checker) action(path string, a *action, want any) {
	if word, ok := want.(string); ok {
		t := a.tree()
		if t["error"] == word {
			c.add(path, "") // how a call failed says more than that it did
			return
		}
		c.value(path, t[a.mainWord()], word)
		return
	}
	m, ok := want.(map[string]any)
	if !ok {
		c.unknown(path)
		return
	}
	tree := a.tree()
	for _, k := range sortedKeys(m) {
		at := join(path, k)
		switch {
		case c.seen.blind && framesMatter[k]:
			c.unseen(at)
		case k == "oneOf":
			c.oneOf(at, m[k], func(sub *checker, m map[string]any) { sub.action("", a, m) })
		case actionChecks[k] != nil:
			actionChecks[k](c, at, a, m[k])
		case actionMembers[k] || tree[k] != nil:
			c.value(at, tree[k], m[k])
		default:
			c.unknown(at)
		}
	}
}

// value compares a member: null means that there is none, an object that its
// members are among the others, a list of alternatives is not one.
func (c *checker) value(path string, got, want any) {
	c.add(path, compare(got, want))
}

// compare says how got differs from want; empty when it does not.
func compare(got, want any) string {
	got = normal(got)
	if m, ok := want.(map[string]any); ok {
		g, ok := got.(map[string]any)
		if !ok {
			return "is " + short(encode(got)) + ", expected " + short(encode(want))
		}
		for _, k := range sortedKeys(m) {
			if why := compare(g[k], m[k]); why != "" {
				return "member " + k + " " + why
			}
		}
		return ""
	}
	if got == nil && want == nil || equal(got, want) {
		return ""
	}
	return "is " + short(encode(got)) + ", expected " + short(encode(want))
}

// normal turns a Go value into decoded JSON, numbers as their text.
func normal(v any) any {
	switch v.(type) {
	case nil, string, bool, json.Number:
		return v
	}
	out, err := decode([]byte(encode(v)))
	if err != nil {
		return v
	}
	return out
}
