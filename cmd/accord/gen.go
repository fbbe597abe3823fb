// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
)

func genCommand() *cobra.Command {
	var o generator.WriteOptions
	c := &cobra.Command{
		Use: "gen [SPEC]", Short: "Generate what a spec's accord.json asks for", Args: takes(0, 1),
		Long: `Generate what a spec's accord.json asks for, and record which texts were
confirmed to say the same in both languages.

A generated file that was edited by hand is not overwritten, and then nothing
is written at all; --force gives such edits up. A text of which one language
has changed is not confirmed by itself: change the other too, or say with
--confirm that it still says the same.`,
		Example: `  accord gen ./spec/harness
  accord gen ./spec/harness --confirm "method session/cancel"`,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := openProject(c.Context(), args)
			if err != nil {
				return err
			}
			r, err := p.Write(c.Context(), o)
			if errors.Is(err, generator.ErrBroken) {
				return say(p.Dir, p.Refused())
			}
			if err != nil {
				return placed(p.Dir, err) // an interruption too: then nothing was written
			}
			_ = say(p.Dir, warnings(p.Problems))
			for _, path := range r.Written {
				fmt.Fprintln(os.Stderr, "wrote", shownPath(p.Dir, path))
			}
			for _, path := range r.Removed {
				fmt.Fprintln(os.Stderr, "removed", shownPath(p.Dir, path))
			}
			for _, path := range r.Kept {
				fmt.Fprintln(os.Stderr, "kept", shownPath(p.Dir, path)+", which was edited by hand and is no longer generated")
			}
			fmt.Fprintf(os.Stderr, "%d written, %d removed, %d as they were\n", len(r.Written), len(r.Removed), len(r.Same))
			switch n := len(p.Problems); n {
			case 0:
			case 1:
				fmt.Fprintln(os.Stderr, "1 problem: see `accord check`")
			default:
				fmt.Fprintf(os.Stderr, "%d problems: see `accord check`\n", n)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&o.Force, "force", false, "overwrite files that were edited by hand or never generated")
	c.Flags().StringArrayVar(&o.Confirm, "confirm", nil, "the drifted text `KEY` says the same in both languages (repeatable)")
	c.Flags().BoolVar(&o.ConfirmAll, "confirm-all", false, "all drifted texts do")
	return c
}

// warnings are the loader's: what it saw while the spec program ran.
func warnings(list problem.List) problem.List {
	var out problem.List
	for _, p := range list {
		if p.Severity == problem.Warning && p.Rule == "" {
			out = append(out, p)
		}
	}
	return out
}

// openProject opens the project that a command works on and ends with. Such a
// command gives its memory back soon enough: collecting it less often makes
// generating a large protocol a quarter quicker.
func openProject(ctx context.Context, args []string) (*generator.Project, error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	pattern, err := specArg(args)
	if err != nil {
		return nil, err
	}
	defer patience(pattern)()
	return generator.Open(ctx, pattern, load.Options{})
}

// patience says on a terminal what takes so long, if it does: a large declaration
// that was changed is compiled. What it gives ends it.
func patience(pattern string) (end func()) {
	if !isTerminal(os.Stderr) {
		return func() {}
	}
	t := time.AfterFunc(2*time.Second, func() { fmt.Fprintf(os.Stderr, "compiling %s …\n", pattern) })
	return func() { t.Stop() }
}
