package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/target"
)

func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check [SPEC]", Short: "Check a spec, and that what is generated from it is up to date", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openSpec(c.Context(), args)
			if err != nil {
				return err
			}
			no := say(s.Dir, s.Problems)
			if no != nil {
				return no
			}
			config, err := generator.ReadConfig(s.Dir)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			emitters, err := target.Emitters(config)
			if err != nil {
				return err
			}
			files, err := generator.Generate(s.Model, emitters...)
			if err != nil {
				return err
			}
			diffs, err := generator.Check(s.Dir, files)
			if err != nil {
				return err
			}
			for _, d := range diffs {
				fmt.Fprintln(os.Stderr, d)
				fmt.Fprint(os.Stderr, d.Diff)
			}
			if len(diffs) > 0 {
				fmt.Fprintln(os.Stderr, "run `accord gen`")
				return errNo
			}
			return no
		},
	}
}
