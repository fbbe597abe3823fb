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
		Args:  takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			specs := []string{pattern}
			if pattern == "" {
				var err error
				if specs, err = specsHere(); err != nil {
					return err
				}
			}
			var texts, names, near []string
			for _, spec := range specs {
				s, err := openSpec(c.Context(), []string{spec})
				if err != nil {
					return err
				}
				if text, ok := markdown.Explain(s.Model, markdown.Lang(lang), args[0]); ok {
					texts = append(texts, text)
				}
				names = append(names, s.Model.Name)
				near = append(near, markdown.Near(s.Model, args[0])...)
			}
			if len(texts) == 0 {
				hint := ""
				if len(near) > 0 {
					hint = "; did you mean " + strings.Join(near, ", ") + "?"
				}
				fmt.Fprintf(os.Stderr, "accord: nothing in %s is called %q%s\n", strings.Join(names, ", "), args[0], hint)
				return errNo
			}
			_, err := fmt.Fprint(os.Stdout, strings.Join(texts, "\n"))
			return err
		},
	}
	c.Flags().StringVar(&pattern, "spec", "", "the spec package `SPEC` (default: those here or below)")
	langFlag(c, &lang)
	return c
}
