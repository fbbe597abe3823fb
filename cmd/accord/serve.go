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
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			code, err := serve.Run(c.Context(), o)
			return ended(code, err)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Agent, "agent", "demo", "who answers: demo")
	f.StringVar(&o.Store, "store", "memory", "where sessions are kept: memory")
	f.StringVar(&o.Listen, "listen", "stdio", "where to serve: stdio, unix:PATH or ws:HOST:PORT")
	f.StringVar(&o.Deltas, "deltas", "always", "who gets session.delta: always, negotiated or never")
	f.BoolVar(&o.Hold, "hold-prompts", true, "hold prompts to a busy session of clients that did not negotiate")
	f.StringVar(&o.Sockets.TokenFile, "token", "", "file of the WebSocket's token (default: accord/token in the configuration folder)")
	f.StringSliceVar(&o.Sockets.Origins, "origin", nil, "an Origin that may open WebSockets; may be given several times")
	return c
}
