// SPDX-License-Identifier: Apache-2.0

// Command accord works with protocols that are declared in Go: it generates
// code and documents from them, checks them, and shows what they say.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/cmd/internal/interrupt"
	"github.com/accordkit/accord/generator/load"
)

// Exit codes.
const (
	exitNo    = 1 // the answer is no: a problem was found, a file differs
	exitUsage = 2 // used wrongly
)

// commands are the subcommands, in the order of the help. Those that run a
// session are added by runtime.go.
var commands = []func() *cobra.Command{initCommand, genCommand, checkCommand, modelCommand, explainCommand}

// errNo is the answer no, already said.
var errNo = errors.New("no")

// wrongUse is an error of what was given that was found while at work.
type wrongUse struct{ error }

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := interrupt.Watch(context.Background())
	defer stop()
	root := &cobra.Command{
		Use: "accord", Short: "Declare a protocol once, in Go; generate and check the rest",
		SilenceErrors: true, SilenceUsage: true, Version: build(),
		Long: `Declare a protocol once, in Go; generate and check the rest.

A SPEC is a spec package: a folder, ./spec/harness say, or an import path. Where
none is named it is the working directory, or the one below it that has an
accord.json. Problems, rules and pages are in the language of the environment,
English or Chinese; help is in English.

The status is 0, 1 if the answer is no, and 2 if a command was used wrongly.`,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("accord {{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(helpCommand())
	used := false // past flags and arguments: a later error is no wrong use
	for _, c := range commands {
		c := c()
		noteUse(c, &used)
		root.AddCommand(c)
	}
	root.SetArgs(numbered(args))
	var code exit
	c, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	if s, ok := interrupt.Of(ctx); ok {
		text := "interrupted"
		if c.Name() == "gen" { // which writes at its end and then wholly
			text += ", and nothing was written"
		}
		fmt.Fprintln(os.Stderr, "accord:", text)
		return s.ExitCode()
	}
	switch {
	case errors.Is(err, errNo):
		return exitNo
	default:
		fmt.Fprintln(os.Stderr, "accord:", err)
		if errors.As(err, new(wrongUse)) || errors.Is(err, load.ErrNoSpec) {
			return exitUsage
		}
		if !used {
			fmt.Fprintf(os.Stderr, "See `%s`.\n", strings.Replace(c.CommandPath(), "accord", "accord help", 1))
			return exitUsage
		}
		return exitNo
	}
}

// numbered keeps negative numbers, the codes of errors, from being taken for flags.
func numbered(args []string) []string {
	if len(args) < 2 || args[0] != "explain" {
		return args
	}
	i := slices.IndexFunc(args, func(a string) bool {
		n, err := strconv.Atoi(a)
		return err == nil && n < 0
	})
	if i < 0 || slices.Contains(args, "--") {
		return args
	}
	rest := slices.Delete(slices.Clone(args), i, i+1)
	return append(rest, "--", args[i])
}

// noteUse sets used when a command, or one below it, begins its work.
func noteUse(c *cobra.Command, used *bool) {
	if work := c.RunE; work != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			*used = true
			return work(c, args)
		}
	}
	for _, below := range c.Commands() {
		noteUse(below, used)
	}
}
