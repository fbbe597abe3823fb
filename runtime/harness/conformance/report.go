// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"path/filepath"
)

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
		if c.Err == nil && opts.Against != nil && c.notForRuntimes() != "" {
			s.Others = append(s.Others, c.Name()+": "+c.notForRuntimes())
			continue
		}
		r, err := &Result{Case: c.Name()}, error(nil)
		switch {
		case c.Err != nil:
			r.Failures = []string{c.Err.Error()}
			s.Broken++
		case opts.Against != nil:
			r, err = RunAgainst(ctx, c, opts, opts.Against())
		default:
			r, err = Run(ctx, c, opts)
		}
		if err != nil {
			return nil, err
		}
		if r.Passed {
			s.Passed++
		} else {
			s.Failed++
		}
		if r.Passed {
			r.Transcript = nil
		}
		s.Results = append(s.Results, r)
		each(r)
	}
	return s, nil
}
