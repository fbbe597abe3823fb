// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/accordkit/accord/generator/emit/markdown"
)

// takes refuses fewer arguments than least and, unless most is negative, more
// than most: it says what the command takes, in the words of its help.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		_, what, _ := strings.Cut(c.Use, " ")
		if what == "" {
			return fmt.Errorf("%s takes no arguments, not %q", c.CommandPath(), strings.Join(args, " "))
		}
		found := "none was given"
		if n := len(args); n > 0 {
			found = fmt.Sprintf("%d were given: %s", n, strings.Join(args, " "))
		}
		return fmt.Errorf("%s takes %s; %s", c.CommandPath(), what, found)
	}
}

// choice is a flag that has one of some values.
type choice struct {
	value  *string
	values []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Type() string { return strings.Join(c.values, "|") }

func (c choice) Set(s string) error {
	if !slices.Contains(c.values, s) {
		return fmt.Errorf("it is %s", strings.Join(c.values, " or "))
	}
	*c.value = s
	return nil
}

// langFlag adds --lang, which begins as the environment's language.
func langFlag(c *cobra.Command, lang *string) {
	*lang = language()
	c.Flags().Var(choice{lang, []string{"en", "zh"}}, "lang", "language of the text")
	offer(c, "lang", "en", "zh")
}

// offer completes the values of a flag.
func offer(c *cobra.Command, flag string, values ...string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// flagError adds the flag that may have been meant to what is wrong with one.
func flagError(c *cobra.Command, err error) error {
	given, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := markdown.Near(names, given); len(near) > 0 {
		return fmt.Errorf("%w; did you mean --%s?", err, near[0])
	}
	return err
}

// helpCommand says how commands are used. One that there is not is a wrong use.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Say how a command is used", Args: takes(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if len(args) == 0 {
				return root.Help()
			}
			for _, below := range root.Commands() {
				if below.Name() == args[0] {
					below.InitDefaultHelpFlag()
					return below.Help()
				}
			}
			hint := "see `accord help`"
			if near := root.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean " + strings.Join(near, " or ") + "?"
			}
			return wrongUse{fmt.Errorf("there is no command %q: %s", args[0], hint)}
		},
	}
}
