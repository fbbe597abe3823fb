package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/target"
)

func genCommand() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use: "gen [SPEC]", Short: "Generate what a spec's accord.json asks for", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openSpec(c.Context(), args)
			if err != nil {
				return err
			}
			if err := say(s.Dir, s.Problems); err != nil {
				return err
			}
			files, err := generated(s)
			if err != nil {
				return err
			}
			r, err := generator.Write(s.Dir, files, force)
			if err != nil {
				return err
			}
			for _, p := range r.Written {
				fmt.Fprintln(os.Stderr, "wrote", shownPath(s.Dir, p))
			}
			for _, p := range r.Removed {
				fmt.Fprintln(os.Stderr, "removed", shownPath(s.Dir, p))
			}
			for _, p := range r.Kept {
				fmt.Fprintln(os.Stderr, "kept", shownPath(s.Dir, p), "which was edited by hand and is no longer generated")
			}
			fmt.Fprintf(os.Stderr, "%d files: %d written, %d removed, %d as they were\n",
				len(r.Written)+len(r.Removed)+len(r.Same), len(r.Written), len(r.Removed), len(r.Same))
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite files that were edited by hand or never generated")
	return c
}

// generated renders what a spec's settings ask for.
func generated(s *load.Spec) ([]generator.File, error) {
	c, err := settings(s)
	if err != nil {
		return nil, err
	}
	emitters, err := target.Emitters(c)
	if err != nil {
		return nil, err
	}
	return generator.Generate(s.Model, emitters...)
}
