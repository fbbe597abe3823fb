// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/cmd/internal/serve"
)

func serveCommand() *cobra.Command {
	o := serve.Options{Stderr: os.Stderr}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run a session runtime on standard input and output, or on a socket",
		Long: `Run a runtime of the agent-session wire on standard input and output, or on a
socket. The demo agent does what the lines of a prompt say: "say hello",
"count 8 90ms", "ask bash", "fail".`,
		Example: `  accord serve                             # one client, on standard input and output
  accord serve --listen unix:/tmp/a.sock   # any number of clients of this user
  accord call session/list --connect unix:/tmp/a.sock`,
		Args: takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			code, err := serve.Run(c.Context(), o)
			return ended(code, err)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Agent, "agent", "demo", "the `AGENT` that answers: demo, the only one yet")
	f.StringVar(&o.Store, "store", "memory", "the `STORE` of sessions: memory, the only one yet")
	f.StringVar(&o.Listen, "listen", "stdio", "the `ENDPOINT` to serve at: stdio, unix:PATH or ws:HOST:PORT")
	f.StringVar(&o.Deltas, "deltas", "always", "`WHO` gets session.delta: always, negotiated or never")
	f.BoolVar(&o.Hold, "hold-prompts", true, "hold prompts to a busy session of clients that did not negotiate")
	f.StringVar(&o.Sockets.TokenFile, "token", "", "the `FILE` of the WebSocket's token (default: accord/token in the configuration folder)")
	f.StringSliceVar(&o.Sockets.Origins, "origin", nil, "an `ORIGIN` that may open WebSockets (repeatable)")
	return c
}
