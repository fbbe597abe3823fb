// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/cmd/internal/call"
	"github.com/accordkit/accord/runtime/process"
)

func callCommand() *cobra.Command {
	o := call.Options{Out: os.Stdout, Err: os.Stderr}
	var runtime []string
	c := &cobra.Command{
		Use:   "call METHOD [PARAMS]",
		Short: "Call one method of a runtime and print its result",
		Long: "Call one method of a runtime and print its result, one line of JSON.\n\n" +
			"PARAMS is a JSON object, or - to read it from standard input. The runtime is\n" +
			"started for the call, unless --connect names one that runs.\n\n" +
			"With --wait, session/prompt also prints how its turn ended, {\"outcome\",\"turn\",\n" +
			"\"text\"}, on a second line; the status is 1 unless that is completed.",
		Example: `  accord call session/list
  accord call session/prompt '{"sessionId":"a","contentBlocks":[{"type":"text","text":"say hello"}]}' --events --wait`,
		Args: takes(1, 2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return call.Methods, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.Method = args[0]
			if len(args) > 1 {
				o.Params = args[1]
			}
			if o.Params == "-" {
				in := process.Stdin()
				unhook := context.AfterFunc(c.Context(), func() { _ = in.Close() })
				data, err := io.ReadAll(in)
				unhook()
				if err != nil {
					return fmt.Errorf("the params on standard input: %w", err)
				}
				o.Params = string(data)
			}
			var err error
			if o.Dir == "" {
				if o.Dir, err = os.Getwd(); err != nil {
					return err
				}
			}
			if o.Connect == "" {
				if o.Runtime, err = command(runtime); err != nil {
					return err
				}
			}
			return ended(call.Run(c.Context(), o))
		},
	}
	f := c.Flags()
	f.BoolVar(&o.Events, "events", false, "write what the runtime sends to standard error, a line of JSON each")
	f.BoolVar(&o.Wait, "wait", false, "stay until the session that the params name is at rest")
	f.StringVar(&o.Connect, "connect", "", "the `ENDPOINT` of a runtime that runs: unix, unix:PATH or ws://HOST:PORT")
	f.StringArrayVar(&runtime, "runtime", nil, "an `ARGUMENT` of the runtime to start, its program first (repeatable; default: accord serve --store memory)")
	f.StringVar(&o.Provider, "provider", "demo", "the `PROVIDER` of new sessions")
	f.StringVar(&o.Model, "model", "demo", "the `MODEL` of new sessions")
	f.StringVar(&o.Dir, "dir", "", "the working `DIR` of new sessions (default: this one)")
	f.StringVar(&o.Listen.TokenFile, "token", "", "the `FILE` of the WebSocket's token (default: accord/token in the configuration folder)")
	offer(c, "connect", "unix", "unix:", "ws://")
	return c
}

// command is a runtime to start: the given one, or this program's own.
func command(args []string) (*process.Cmd, error) {
	if len(args) > 0 {
		return process.Command(args[0], args[1:]...), nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program's own path is not known, so it cannot start itself: %w", err)
	}
	return process.Command(self, "serve", "--agent", "demo", "--store", "memory"), nil
}
