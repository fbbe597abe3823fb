// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Options say how cases are played.
type Options struct {
	// Peer is the command line that starts a peer: a program whose main calls
	// [PeerMain] when [IsPeer]. It gets [ControlEnv] in its environment.
	Peer []string
	// Timeout bounds every wait for the client, and the time that host actions
	// have to end once the script is over. Default 5 s.
	Timeout time.Duration
	// Against makes the runtime under test of a case; nil: the client is under
	// test, and the player takes the runtime's side.
	Against func() Subject
}

// Result is what became of one case.
type Result struct {
	Case   string `json:"case"`
	Passed bool   `json:"passed"`
	// Failures says, for each expectation that does not hold and for a step
	// that could not be played, where and why.
	Failures []string `json:"failures,omitempty"`
	// NotChecked are expectations that the player does not know; they fail
	// the case.
	NotChecked []string `json:"notChecked,omitempty"`
	// Skipped are parts of another layer, which cannot be played here, with
	// the reason; they do not fail the case.
	Skipped []string `json:"skipped,omitempty"`
	// Checked counts the expectations that hold.
	Checked int `json:"checked"`
	// Ms is how long it took, in milliseconds.
	Ms int64 `json:"ms"`
	// Transcript is what went over the wire of a case that failed, shortened: "-> " the client's,
	// "<- " the runtime's, "2> " stderr.
	Transcript []string `json:"transcript,omitempty"`
}

// Line is the result in one line.
func (r *Result) Line() string {
	var b strings.Builder
	if r.Passed {
		fmt.Fprintf(&b, "ok    %s (%d checked, %d ms)", r.Case, r.Checked, r.Ms)
	} else {
		fmt.Fprintf(&b, "FAIL  %s: %s", r.Case, oneLine(append(append([]string{}, r.Failures...), r.NotChecked...)))
	}
	if len(r.Skipped) > 0 {
		fmt.Fprintf(&b, " [skipped %s]", oneLine(r.Skipped))
	}
	return b.String()
}

func oneLine(parts []string) string {
	return strings.Join(strings.Fields(strings.Join(parts, "; ")), " ")
}

// Run plays one case. The error is of the player's own making (no peer can be
// started at all); what the client does wrong is in the result.
func Run(ctx context.Context, c *Case, opts Options) (*Result, error) {
	r := &Result{Case: c.Name(), Skipped: slices.Clone(c.Expect.skipped)}
	if err := r.run(ctx, c, opts, nil); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Result) run(ctx context.Context, c *Case, opts Options, subject *Subject) error {
	if opts.Timeout <= 0 {
		opts.Timeout = 5 * time.Second
	}
	started := time.Now()
	s, transcript, stepErr, err := perform(ctx, c, opts, subject)
	if err != nil {
		return err
	}
	r.Transcript = transcript
	r.Ms = time.Since(started).Milliseconds()
	if stepErr != nil {
		r.Failures = append(r.Failures, stepErr.Error())
	}
	r.judge(c, s, stepErr == nil)
	r.Passed = len(r.Failures)+len(r.NotChecked) == 0
	return nil
}

// abortedGrace is how long host actions are waited for once a step has failed.
const abortedGrace = 200 * time.Millisecond

// perform plays a script and gathers what it showed. stepErr is a step that
// could not be played as written.
func perform(ctx context.Context, c *Case, opts Options, subject *Subject) (s *seen, transcript []string, stepErr, err error) {
	k := &link{changed: make(chan struct{})}
	if subject == nil {
		if k, err = newLink(); err != nil {
			return nil, nil, nil, fmt.Errorf("cannot open the player's socket: %w", err)
		}
		defer k.close()
	}
	p := &player{c: c, opts: opts, link: k, names: bindings{}}
	if subject != nil {
		p.subject = newSubjectSide(subject, k)
		defer p.subject.close()
	}
	p.host = newHost(p)
	stepErr = p.play(ctx)
	within := opts.Timeout
	switch {
	case stepErr != nil:
		within = min(within, abortedGrace) // what was to end them is not played
	case p.host.ends():
		within = max(within, ladderTime)
	}
	p.host.settle(ctx, within)
	s = p.seen()
	if p.subject != nil {
		p.subject.close()
	}
	p.host.cleanUp()
	return s, p.log, stepErr, ctx.Err()
}

// judge adds the verdicts. After a step that could not be played only what
// does not hold is worth saying, and expectations that are not known.
func (r *Result) judge(c *Case, s *seen, whole bool) {
	for _, v := range c.Expect.check(s) {
		switch {
		case v.unknown:
			r.NotChecked = append(r.NotChecked, v.path+": "+v.why)
		case v.why != "":
			r.Failures = append(r.Failures, v.path+" "+v.why)
		default:
			r.Checked++
		}
	}
	if len(r.Failures) > 0 {
		for _, a := range s.actions {
			a.mu.Lock()
			if e := a.err; e != nil {
				r.Failures = append(r.Failures, fmt.Sprintf("(%s ended with %s: %s)", a.name, e.kind, short(e.message)))
			}
			a.mu.Unlock()
		}
	}
	if !whole {
		return
	}
	for _, a := range s.actions {
		if !a.over() && !expectsPending(c.Expect, a) {
			r.Failures = append(r.Failures, fmt.Sprintf("%s (line %d) never ended", a.name, a.line))
		}
	}
	for _, l := range s.unexpected {
		r.Failures = append(r.Failures, "the client sent a frame that no step expects: "+short(string(l)))
	}
	if len(s.leaks) > 0 {
		r.Failures = append(r.Failures, s.leaks...)
	}
	if r.Checked == 0 && len(r.Failures) == 0 {
		r.Failures = append(r.Failures, "expect.json says nothing about this script")
	}
}

// expectsPending reports whether a case wants an action not to have ended.
func expectsPending(e *Expectation, a *action) bool {
	for _, group := range []string{"runs", "cancels", "waits"} {
		m, _ := e.tree[group].(map[string]any)
		if one, _ := m[a.name].(map[string]any); one["outcome"] == outcomePending {
			return true
		}
	}
	return false
}

// scriptCommand is how fake-runtime.sh is started: by itself when it may be,
// else by the interpreter that its first line names.
func scriptCommand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&0o111 != 0 {
		return []string{path}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	first, err := bufio.NewReader(f).ReadString('\n')
	if err != nil && first == "" {
		return nil, errors.New("empty " + scriptName)
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(first), "#!"); ok {
		return append(strings.Fields(rest), path), nil
	}
	return []string{"/bin/sh", path}, nil
}
