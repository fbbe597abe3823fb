// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

func checkCommand() *cobra.Command {
	var asJSON, asSarif, rules, fixes bool
	c := &cobra.Command{
		Use: "check [SPEC]", Short: "Check a spec, and that what is generated from it is up to date", Args: takes(0, 1),
		Long: `Check a spec: what it leaves unsaid, texts of which one language has changed
alone, whether its machines keep what its methods promise, and whether what is
generated from it is up to date. Nothing is written, unless --fix asks to change
the spec package where a machine can do what a message asks for.
The status is 1 if there is an error or a difference; warnings alone are 0.`,
		Example: `  accord check ./spec/harness
  accord check --fix
  accord check --rules`,
		RunE: func(c *cobra.Command, args []string) error {
			if rules {
				return listRules()
			}
			p, err := openProject(c.Context(), args)
			if err == nil && fixes {
				p, err = fixed(c.Context(), p, args)
			}
			if err != nil {
				return err
			}
			var diffs []generator.Difference
			if !p.Broken() && p.Settings != nil {
				if diffs, err = p.Compare(); err != nil && err != generator.ErrBroken {
					return placed(p.Dir, err)
				}
				err = nil // what is broken is among the problems
			}
			switch {
			case asJSON:
				err = checkJSON(p, diffs)
			case asSarif:
				_, err = os.Stdout.Write(append(p.Problems, asProblems(p, diffs)...).Sarif(version(), func(at problem.Problem) string {
					return filepath.ToSlash(shownPath(p.Dir, at.Pos.File))
				}))
			default:
				checkText(p, diffs)
			}
			if err == nil && (p.Problems.Errors() > 0 || len(diffs) > 0 || p.LockIsOld()) {
				return errNo
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print problems and differences as JSON on standard output")
	c.Flags().BoolVar(&asSarif, "sarif", false, "print them as SARIF 2.1.0 on standard output")
	c.Flags().BoolVar(&fixes, "fix", false, "first change the spec package where a machine can do what a message asks for")
	c.Flags().BoolVar(&rules, "rules", false, "list the rules, and check nothing")
	c.MarkFlagsMutuallyExclusive("json", "sarif")
	return c
}

// fixed makes the changes that problems ask for, as long as there are any that a
// machine can make: what one problem hid may be the next.
func fixed(ctx context.Context, p *generator.Project, args []string) (*generator.Project, error) {
	for range 8 { // one that made a change for ever would be wrong itself
		done, err := p.Fix()
		if err != nil || len(done) == 0 {
			return p, err
		}
		for _, each := range done {
			fmt.Fprintln(os.Stderr, "fixed", shown(p.Dir, each))
		}
		if p, err = openProject(ctx, args); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func checkText(p *generator.Project, diffs []generator.Difference) {
	_ = say(p.Dir, p.Problems)
	for _, d := range diffs {
		fmt.Fprintf(os.Stderr, "%s: %s\n%s", shownPath(p.Dir, d.Path), d.What(), beginning(d.Diff))
	}
	old := p.LockIsOld()
	if old {
		fmt.Fprintf(os.Stderr, "%s: does not have all confirmed texts\n", shownPath(p.Dir, translation.LockName))
	}
	if len(diffs) > 0 || old {
		fmt.Fprintln(os.Stderr, "run `accord gen`")
	}
}

// beginning is what is shown of a difference: one stale method changes many
// files, and the errors above them must stay in sight. --json has all of it.
func beginning(diff string) string {
	const most = 12
	lines := strings.SplitAfter(diff, "\n")
	if len(lines) <= most+1 {
		return diff
	}
	return strings.Join(lines[:most], "") + fmt.Sprintf("… %d more lines\n", len(lines)-1-most)
}

// checked is the JSON form of a check. Paths are relative to the working
// directory.
type checked struct {
	Problems    problem.List           `json:"problems"`
	Differences []generator.Difference `json:"differences"`
	LockIsOld   bool                   `json:"lockIsOld"`
}

func checkJSON(p *generator.Project, diffs []generator.Difference) error {
	out := checked{Problems: problem.List{}, Differences: []generator.Difference{}, LockIsOld: p.LockIsOld()}
	for _, each := range p.Problems {
		if each.Pos.File != "" {
			each.Pos.File = filepath.ToSlash(shownPath(p.Dir, each.Pos.File))
		}
		out.Problems = append(out.Problems, each)
	}
	for _, d := range diffs {
		d.Path = filepath.ToSlash(shownPath(p.Dir, d.Path))
		out.Differences = append(out.Differences, d)
	}
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// asProblems puts differences among problems, for readers that know nothing else.
func asProblems(p *generator.Project, diffs []generator.Difference) problem.List {
	var out problem.List
	for _, d := range diffs {
		found := problem.Problem{Rule: "generated", Severity: problem.Error}
		found.Pos.File = d.Path
		found.Text.EN = d.Path + " " + d.What() + ": run `accord gen`"
		out = append(out, found)
	}
	if p.LockIsOld() {
		found := problem.Problem{Rule: "generated", Severity: problem.Error}
		found.Pos.File = translation.LockName
		found.Text.EN = translation.LockName + " does not have all confirmed texts: run `accord gen`"
		out = append(out, found)
	}
	return out
}

// listRules prints what lint asks for and what is proven, in the language of the environment.
func listRules() error {
	for _, r := range check.Rules() {
		if err := printRule(r.ID, r.Severity, r.About); err != nil {
			return err
		}
	}
	for _, r := range proof.Rules() {
		if err := printRule(r.ID, r.Severity, r.About); err != nil {
			return err
		}
	}
	return nil
}

func printRule(id string, severity problem.Severity, about model.Text) error {
	text := about.EN
	if language() == "zh" {
		text = about.ZH
	}
	_, err := fmt.Fprintf(os.Stdout, "%s (%s)\n    %s\n", id, severity, text)
	return err
}
