// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/runtime/harness/conformance"
	"github.com/accordkit/accord/runtime/harness/conformance/engine"
)

func replayCommand() *cobra.Command {
	var asJSON, verbose bool
	side := "client"
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "replay DIR...",
		Short: "Play wire cases through the generated client",
		Long: `Plays the wire cases in each DIR, which is a case folder or a folder of them:
the player takes the runtime's side on a real child process's stdio, the
generated Go client is the one under test, and expect.json says what its host
must see. One line a case, then "N passed, M failed".

With --side runtime the session engine is under test instead: the client's
frames are sent to it as written, and a scripted agent says what the case's
model does.

Exit 0: all passed. 1: a case failed. 2: a case could not be read, or DIR has
none.`,
		Args: takes(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			opts := conformance.Options{Peer: []string{self, "replay-peer"}, Timeout: timeout}
			if side == "runtime" {
				opts.Against = engine.Subject
			}
			s, err := conformance.Play(c.Context(), args, opts, func(r *conformance.Result) {
				if !asJSON {
					fmt.Println(r.Line())
					if verbose && !r.Passed {
						fmt.Println("      " + strings.Join(r.Transcript, "\n      "))
					}
				}
			})
			if err != nil {
				return wrongUse{err}
			}
			if err := sayReplay(s, asJSON); err != nil {
				return err
			}
			switch {
			case s.Broken > 0:
				return wrongUse{fmt.Errorf("%d of the cases could not be read", s.Broken)}
			case s.Failed > 0:
				return errNo
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object with all results")
	c.Flags().BoolVar(&verbose, "verbose", false, "after a case that failed, what went over the wire")
	c.Flags().Var(choice{&side, []string{"client", "runtime"}}, "side", "what is under test")
	c.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "how long the client may take for a frame or to end")
	return c
}

func sayReplay(s *conformance.Summary, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(s)
	}
	for _, o := range s.Others {
		fmt.Fprintf(os.Stderr, "accord: passed over %s\n", o)
	}
	fmt.Println(s.Line())
	return nil
}

// replayPeerCommand is what replay starts as the runtime's process.
func replayPeerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "replay-peer", Hidden: true, Args: takes(0, 0),
		Run: func(*cobra.Command, []string) { os.Exit(conformance.PeerMain()) },
	}
}
