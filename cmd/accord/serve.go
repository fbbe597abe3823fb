// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/cmd/internal/serve"
	"github.com/accordkit/accord/runtime/harness/log"
)

func serveCommand() *cobra.Command {
	o := serve.Options{Stderr: os.Stderr}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run a session runtime on standard input and output, or on a socket",
		Long: `Run a runtime of the agent-session wire on standard input and output, or on a
socket: "unix" is one at a default path of this user's. The demo agent does what
the lines of a prompt say:

  say TEXT           streams TEXT, a delta a word
  count N [EVERY]    N deltas, one every EVERY
  flood N            N deltas, as fast as they are taken
  think TEXT         reasoning
  sleep D            does nothing; cancellable
  tool NAME [D]      a call of NAME that takes D, and its result
  ask NAME           the same, but asks for a permission first
  child COMMAND      a background child session that runs COMMAND
  child! COMMAND     the same, awaited
  fail MESSAGE       ends the turn with an error
  stubborn D         ignores cancellation for D, then continues
  remember KEY VALUE
  recall KEY         answers from the session's history

Any other line is echoed. Durations are Go's: 90ms, 1.5s.`,
		Example: `  accord serve                             # one client, on standard input and output
  accord serve --listen unix:/tmp/a.sock   # any number of clients of this user
  accord call session/list --connect unix:/tmp/a.sock
  accord serve --listen unix               # at the default path
  accord call session/list --connect unix`,
		Args: takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			o.Encoding = log.Zstd // as dsh has it
			code, err := serve.Run(c.Context(), o)
			return ended(code, err)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Agent, "agent", "demo", "the `AGENT` that answers: demo, the only one yet")
	f.StringVar(&o.Store, "store", "", "the `STORE` of sessions: a folder, or memory (default: DSH_HOME, or a folder of the user's own)")
	f.StringVar(&o.Durability, "durability", "strict", "`WHEN` what is written survives the machine: strict, turn or none")
	f.StringVar(&o.Listen, "listen", "stdio", "the `ENDPOINT` to serve at: stdio, unix, unix:PATH or ws:HOST:PORT")
	f.StringVar(&o.Deltas, "deltas", "always", "`WHO` gets session.delta: always, negotiated or never")
	f.BoolVar(&o.Hold, "hold-prompts", true, "hold prompts to a busy session of clients that did not negotiate")
	f.StringVar(&o.Sockets.TokenFile, "token", "", "the `FILE` of the WebSocket's token (default: accord/token in the configuration folder)")
	f.StringSliceVar(&o.Sockets.Origins, "origin", nil, "an `ORIGIN` that may open WebSockets (repeatable)")
	offer(c, "agent", "demo")
	offer(c, "store", "memory")
	offer(c, "durability", "strict", "turn", "none")
	offer(c, "deltas", "always", "negotiated", "never")
	offer(c, "listen", "stdio", "unix", "unix:", "ws:")
	return c
}
