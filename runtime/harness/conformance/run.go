// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/process"
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

	broken breakage // how the client is broken, in tests
}

// breakage is what a client that is broken does instead of what it should; nil is what it should.
type breakage struct {
	ladder    func(*process.Cmd)
	interrupt interruptFunc
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
	// Transcript is what went over the wire of a case that failed, shortened, each line
	// with its time since the beginning: "-> " the client's, "<- " the runtime's, "2> "
	// stderr, "## " the host's steps.
	Transcript []string `json:"transcript,omitempty"`
}

// Line is the result in one line.
func (r *Result) Line() string {
	var b strings.Builder
	if r.Passed {
		fmt.Fprintf(&b, "ok    %s (%d checked, %d ms)", r.Case, r.Checked, r.Ms)
	} else {
		fmt.Fprintf(&b, "FAIL  %s: %s", r.Case, oneLine(slices.Concat(r.Failures, r.NotChecked)))
	}
	if len(r.Skipped) > 0 {
		fmt.Fprintf(&b, " [skipped %s]", oneLine(r.Skipped))
	}
	return b.String()
}

func oneLine(parts []string) string {
	return strings.Join(strings.Fields(strings.Join(parts, "; ")), " ")
}

// Summary is what became of all cases that were played.
type Summary struct {
	Passed  int       `json:"passed"`
	Failed  int       `json:"failed"`
	Broken  int       `json:"broken"` // of the failed: those that could not be read
	Results []*Result `json:"results"`
	// Others are folders and cases that are not played, each with the reason.
	Others []string `json:"others,omitempty"`
}

// Line is the last line of a report.
func (s *Summary) Line() string { return fmt.Sprintf("%d passed, %d failed", s.Passed, s.Failed) }

// Play plays the cases of some folders, one after the other, and hands each
// result out as it comes. The error is for a folder in which there is nothing
// to play, or for a player that cannot work at all.
func Play(ctx context.Context, dirs []string, opts Options, each func(*Result)) (*Summary, error) {
	s := &Summary{Results: []*Result{}}
	var cases []*Case
	for _, dir := range dirs {
		found, others, err := Discover(dir)
		if err != nil {
			return nil, err
		}
		cases = append(cases, found...)
		for _, o := range others {
			s.Others = append(s.Others, filepath.Base(o)+": no wire case in it")
		}
	}
	for _, c := range cases {
		if why := c.notForRuntimes(); c.Err == nil && opts.Against != nil && why != "" {
			s.Others = append(s.Others, c.Name()+": "+why)
			continue
		}
		r, err := Run(ctx, c, opts)
		switch {
		case err != nil:
			return nil, err
		case r.Passed:
			s.Passed++
			r.Transcript = nil
		default:
			s.Failed++
		}
		if c.Err != nil {
			s.Broken++
		}
		s.Results = append(s.Results, r)
		each(r)
	}
	return s, nil
}

// Run plays one case. The error is of the player's own making (no peer can be
// started at all); what is wrong with the case, the client or a runtime under test is
// in the result.
func Run(ctx context.Context, c *Case, opts Options) (*Result, error) {
	r := &Result{Case: c.Name()}
	if c.Err != nil {
		r.Failures = []string{c.Err.Error()}
		return r, nil
	}
	r.Skipped = slices.Clone(c.Expect.skipped)
	if why := c.notForRuntimes(); opts.Against != nil && why != "" {
		r.Skipped, r.Passed = append(r.Skipped, why), true
		return r, nil
	}
	if opts.Timeout <= 0 {
		opts.Timeout = 5 * time.Second
	}
	began := time.Now()
	rec, stepErr, err := perform(ctx, c, opts)
	if err != nil {
		return nil, err
	}
	r.Ms = time.Since(began).Milliseconds()
	r.Transcript = rec.transcript()
	if stepErr != nil {
		r.Failures = append(r.Failures, stepErr.Error())
	}
	r.judge(c, rec, stepErr == nil)
	r.Passed = len(r.Failures)+len(r.NotChecked) == 0
	return r, nil
}

// abortedGrace is how long host actions are waited for once a step has failed: what
// was to end them is not played.
const abortedGrace = 200 * time.Millisecond

// perform plays a script and returns what it showed. stepErr is a step that
// could not be played as written.
func perform(ctx context.Context, c *Case, opts Options) (rec *record, stepErr, err error) {
	rec = newRecord()
	p := &player{c: c, opts: opts, rec: rec, names: bindings{}}
	if opts.Against != nil {
		p.subject = newSubjectSide(opts.Against(), rec)
		p.link = p.subject.link
		defer p.subject.close()
	} else {
		if p.link, err = newLink(rec); err != nil {
			return nil, nil, fmt.Errorf("cannot open the player's socket: %w", err)
		}
		defer p.link.close()
	}
	p.host = newHost(p)
	if stepErr = p.play(ctx); stepErr != nil {
		p.host.settle(ctx, min(opts.Timeout, abortedGrace))
	} else {
		p.host.settle(ctx, opts.Timeout)
	}
	p.conclude()
	if p.subject != nil {
		p.subject.close()
	}
	p.host.cleanUp()
	return rec, stepErr, ctx.Err()
}

// conclude ends the record, with what can be said of the whole script.
func (p *player) conclude() {
	r, rt := p.rec, p.host.client()
	if rt != nil && rt.Process() != nil {
		r.group = rt.Process().PID()
	}
	r.mu.Lock()
	actions := slices.Clone(r.actions)
	r.mu.Unlock()
	for _, a := range actions {
		if isClosed(a.taken) {
			for _, b := range a.turn.Tree() {
				a.branches = append(a.branches, string(b.ID))
			}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if p.c.Script != "" {
		r.blind = true
		// Without the file it was never launched.
		tally, _ := os.ReadFile(p.link.tally())
		pids := strings.Fields(string(tally))
		r.launches = len(pids)
		if len(pids) > 0 && r.group == 0 { // it may be gone before the client has it
			r.group, _ = strconv.Atoi(pids[len(pids)-1])
		}
	}
	if rt != nil && r.launches == 1 {
		r.linesRead = int(rt.Counters().LinesIn)
	}
	// What the client wrote to a process that the script ended anyway does not matter.
	if !p.link.gone || r.exited.IsZero() {
		r.unexpected = p.link.left()
	}
	for tries := 0; r.group != 0 && tries < 50; tries++ { // what was killed takes its time to die
		if r.survivors = groupMembers(r.group); len(r.survivors) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, a := range r.actions {
		if !isClosed(a.done) {
			a.tree["outcome"] = outcomePending
			r.hangs = append(r.hangs, a)
		}
	}
	if p.subject != nil {
		p.subject.translate(r)
	}
}

// judge adds the verdicts. After a step that could not be played only what
// does not hold is worth saying, and expectations that are not known.
func (r *Result) judge(c *Case, rec *record, whole bool) {
	for _, v := range c.Expect.check(rec) {
		switch {
		case v.unknown:
			r.NotChecked = append(r.NotChecked, c.Expect.at(v.path)+v.why)
		case v.why != "":
			r.Failures = append(r.Failures, c.Expect.at(v.path)+v.why)
		default:
			r.Checked++
		}
	}
	if len(r.Failures) > 0 {
		for _, a := range rec.actions {
			if a.err != nil {
				r.Failures = append(r.Failures, fmt.Sprintf("(%s ended with %s: %s)", a.name, a.tree["error"], short(a.err.Error())))
			}
		}
	}
	if !whole {
		return
	}
	for _, a := range rec.hangs {
		r.Failures = append(r.Failures, fmt.Sprintf("%s:%d: %s never ended", filepath.Base(c.File), a.Line, a.name))
	}
	for _, l := range rec.unexpected {
		r.Failures = append(r.Failures, "the client sent a frame that no step expects: "+short(string(l)))
	}
	r.Failures = append(r.Failures, rec.leaks...)
	if r.Checked == 0 && len(r.Failures) == 0 {
		r.Failures = append(r.Failures, "expect.json says nothing about this script")
	}
}
