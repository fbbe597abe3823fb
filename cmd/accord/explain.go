package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/generator/emit/markdown"
)

func explainCommand() *cobra.Command {
	var pattern, lang string
	c := &cobra.Command{
		Use:   "explain NAME",
		Short: "Print what a spec says about a method, event, error, type, limit or rule",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var from []string
			if pattern != "" {
				from = []string{pattern}
			}
			s, err := openSpec(c.Context(), from)
			if err != nil {
				return err
			}
			text, ok := markdown.Explain(s.Model, markdown.Lang(lang), args[0])
			if !ok {
				near := ""
				if names := markdown.Near(s.Model, args[0]); len(names) > 0 {
					near = "; did you mean " + strings.Join(names, ", ") + "?"
				}
				fmt.Fprintf(os.Stderr, "accord: nothing in %s is called %q%s\n", s.Model.Name, args[0], near)
				return errNo
			}
			_, err = fmt.Fprint(os.Stdout, text)
			return err
		},
	}
	c.Flags().StringVar(&pattern, "spec", "", "the spec package (default: the one here or below)")
	c.Flags().StringVar(&lang, "lang", language(), "language of the text: en or zh")
	return c
}
