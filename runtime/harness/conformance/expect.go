// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/process"
)

// Expectation is what expect.json says about one script.
type Expectation struct {
	file  string
	layer string
	tree  map[string]any
	lines map[string]int // where each member of the tree stands, by its path
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
			line = lineAt(data, int(se.Offset))
		}
		return nil, &SyntaxError{File: file, Line: line, Why: err.Error()}
	}
	tree, ok := v.(map[string]any)
	if !ok {
		return nil, &SyntaxError{File: file, Line: 1, Why: "not a JSON object"}
	}
	e := &Expectation{file: file, tree: tree, lines: map[string]int{}}
	e.layer, _ = tree["layer"].(string)
	d := json.NewDecoder(bytes.NewReader(data))
	e.locate(d, data, "")
	return e, nil
}

func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

// locate notes the lines of the members of the value that d reads next. The data is
// known to be JSON.
func (e *Expectation) locate(d *json.Decoder, data []byte, at string) {
	t, _ := d.Token()
	for i := 0; (t == json.Delim('{') || t == json.Delim('[')) && d.More(); i++ {
		path := fmt.Sprintf("%s[%d]", at, i)
		if t == json.Delim('{') {
			key, _ := d.Token()
			path = join(at, key.(string))
			e.lines[path] = lineAt(data, int(d.InputOffset()))
		}
		e.locate(d, data, path)
	}
	if t == json.Delim('{') || t == json.Delim('[') {
		_, _ = d.Token()
	}
}

// forVariant is what concerns one script: the members that stand under its
// variant's name, or under stream, with those that stand under no variant's name.
func (e *Expectation) forVariant(variants []string, variant string) *Expectation {
	out := &Expectation{file: e.file, layer: e.layer, tree: map[string]any{}, lines: map[string]int{}}
	take := func(prefix string, tree map[string]any, skip func(string) bool) {
		for _, k := range sortedKeys(tree) {
			switch {
			case skip(k):
			case elsewhere[k] != "":
				out.skipped = append(out.skipped, k+": "+elsewhere[k])
			default:
				out.tree[k] = tree[k]
				for path, line := range e.lines {
					if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == k || strings.HasPrefix(rest, k+".") || strings.HasPrefix(rest, k+"[")) {
						out.lines[rest] = line
					}
				}
			}
		}
	}
	own := func(k string) bool { return k == "stream" || k != "" && slices.Contains(variants, k) }
	take("", e.tree, func(k string) bool {
		_, isObject := e.tree[k].(map[string]any)
		return k == "layer" || isObject && own(k)
	})
	for _, k := range []string{variant, "stream"} {
		if sub, ok := e.tree[k].(map[string]any); ok && own(k) {
			take(k+".", sub, func(string) bool { return false })
		}
	}
	return out
}

// defaultSteps are the host steps of a case that has a runtime of its own and
// no script: one run for each that is expected, on one session, then the end.
func (e *Expectation) defaultSteps() (steps []Step) {
	runs, _ := e.tree["runs"].(map[string]any)
	if len(runs) == 0 {
		runs = map[string]any{"p1": nil}
	}
	for _, name := range sortedKeys(runs) {
		steps = append(steps, Step{Kind: kindHost, Do: "run", Session: "sess-a", Text: name, As: name})
	}
	return append(steps, Step{Kind: kindHost, Do: "close"})
}

// ladderOf reads given: how long, in milliseconds, the host lets the client wait on
// rungs of the ladder by which a runtime is ended; the others are the client's own.
func ladderOf(given any) (process.Ladder, error) {
	l := process.Ladder{Shutdown: 3 * time.Second, EOF: 2 * time.Second, Term: 2 * time.Second, Kill: 2 * time.Second}
	rungs := map[string]*time.Duration{"shutdownMs": &l.Shutdown, "eofMs": &l.EOF, "termMs": &l.Term, "killMs": &l.Kill}
	m, ok := given.(map[string]any)
	for name, v := range m {
		ms, isNumber := integer(v)
		if ok = ok && isNumber && ms > 0 && rungs[name] != nil; ok {
			*rungs[name] = time.Duration(ms) * time.Millisecond
		}
	}
	if !ok && given != nil {
		return process.Ladder{}, errors.New("takes milliseconds of " + strings.Join(sortedKeys(rungs), ", "))
	}
	return l, nil
}

// verdict is what became of one expectation.
type verdict struct {
	path string
	why  string // empty: it holds
	// unknown: nothing here can decide whether it holds.
	unknown bool
}

// check compares what was seen with what is expected.
func (e *Expectation) check(rec *record) []verdict {
	c := &checker{rec: rec}
	c.top("", e.tree)
	return c.verdicts
}

// at is a place of expect.json, as its messages begin.
func (e *Expectation) at(path string) string {
	for p := path; ; p = p[:max(strings.LastIndexAny(p, ".["), 0)] {
		if line := e.lines[p]; line > 0 {
			return fmt.Sprintf("%s:%d: %s", filepath.Base(e.file), line, path)
		}
		if p == "" {
			return path
		}
	}
}

type checker struct {
	rec      *record
	verdicts []verdict
}

// add notes a verdict; an empty why is one that holds.
func (c *checker) add(path, why string) {
	if why != "" && !strings.ContainsAny(why[:1], " .") {
		why = " " + why
	}
	c.verdicts = append(c.verdicts, verdict{path: path, why: why})
}

// value compares a member: null means that there is none, an object that its
// members are among the others.
func (c *checker) value(path string, got, want any) {
	c.add(path, strings.TrimPrefix(compare(path, want, normal(got), nil), path))
}

const notChecked = ": NOT CHECKED: "

// unknown notes an expectation that nothing here can decide, and what there is.
func (c *checker) unknown(path, instead string) {
	c.verdicts = append(c.verdicts, verdict{path: path, why: notChecked + instead, unknown: true})
}

// framesMatter are the keys about what passes between client and runtime.
var framesMatter = strings.Fields("initializeCount framesFromClient eventsBeforeReply everyRequestAnsweredWithinMs" +
	" roundTripByteEqualValues unknownNotification retried silentNewId order")

// seen reports whether what a key is about was seen, and else that it is not checked.
func (c *checker) seen(path, key string) bool {
	if c.rec.blind && slices.Contains(framesMatter, key) {
		c.unknown(path, "the frames of "+scriptName+" are not seen")
		return false
	}
	return true
}

// top checks an object of expectations about the whole script.
func (c *checker) top(at string, want map[string]any) {
	for _, k := range sortedKeys(want) {
		path := join(at, k)
		switch {
		case !c.seen(path, k):
		case topChecks[k] != nil:
			topChecks[k](c, path, want[k])
		case c.rec.named(k) != nil:
			c.action(path, c.rec.named(k), want[k])
		default:
			c.unknown(path, "the player does not know this expectation; it knows a host step's name, "+strings.Join(sortedKeys(topChecks), ", "))
		}
	}
}

// oneOf holds when one of the alternatives does, as a whole.
func oneOf(c *checker, path string, want any) {
	list, _ := want.([]any)
	if len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(map[string]any); return !ok }) {
		c.unknown(path, "takes a list of alternatives, which are objects")
		return
	}
	var whys []string
	for i, alternative := range list {
		sub := &checker{rec: c.rec}
		sub.top(fmt.Sprintf("%s[%d]", path, i), alternative.(map[string]any))
		bad := slices.IndexFunc(sub.verdicts, func(v verdict) bool { return v.why != "" })
		if bad < 0 {
			c.add(path, "")
			return
		}
		v := sub.verdicts[bad]
		if v.unknown {
			c.verdicts = append(c.verdicts, v)
			return
		}
		whys = append(whys, v.path+v.why)
	}
	c.add(path, "none holds: "+strings.Join(whys, "; "))
}

// never holds when no path, as p1.finalText or initializeCount, has the value, or one
// of the values, that is named for it.
var never = each("values by path", func(c *checker, at, k string, want any) {
	forbidden, ok := want.([]any)
	if !ok {
		forbidden = []any{want}
	}
	why := ""
	for _, f := range forbidden {
		tree := f
		for _, part := range slices.Backward(strings.Split(k, ".")) {
			tree = map[string]any{part: tree}
		}
		sub := &checker{rec: c.rec}
		sub.top("", tree.(map[string]any))
		for _, v := range sub.verdicts {
			if v.unknown {
				c.unknown(at, strings.TrimPrefix(v.why, notChecked))
				return
			}
			if v.why == "" {
				why = "is " + encode(f) + ", which must never be"
			}
		}
	}
	c.add(at, why)
})

// action checks one named action's result: an object of members, or the one
// word that says most about it.
func (c *checker) action(path string, a *action, want any) {
	if word, ok := want.(string); ok {
		main := "outcome"
		if a.Do == "cancel" {
			main = "effect"
		}
		if a.tree["error"] == word {
			main = "error" // how a call failed says more than that it did
		}
		c.value(path, a.tree[main], word)
		return
	}
	m, ok := want.(map[string]any)
	if !ok {
		c.unknown(path, "takes an object or the word of an outcome, an effect or an error")
		return
	}
	for _, k := range sortedKeys(m) {
		at := join(path, k)
		switch {
		case !c.seen(at, k):
		case actionChecks[k] != nil:
			actionChecks[k](c, at, a, m[k])
		case slices.Contains(actionWords, k) || a.tree[k] != nil:
			c.value(at, a.tree[k], m[k])
		default:
			c.unknown(at, "the player does not know this of an action; it knows "+strings.Join(slices.Sorted(slices.Values(slices.Concat(actionWords, sortedKeys(actionChecks)))), ", "))
		}
	}
}

// integer is an expectation's whole number.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}
