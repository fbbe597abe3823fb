// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/cmd/internal/demo"
	"github.com/accordkit/accord/runtime/process"
)

// demoWithin bounds the whole demonstration.
const demoWithin = time.Minute

// readable is how long each line of the live part stays alone on a terminal.
const readable = 600 * time.Millisecond

func demoCommand() *cobra.Command {
	var lang string
	var frames bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show a declaration, what comes out of it, and a live session; takes some seconds",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("this program's own path is not known, so it cannot start itself: %w", err)
			}
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeoutCause(c.Context(), demoWithin, errors.New("it took longer than a minute"))
			defer cancel()
			pace := time.Duration(0)
			if isTerminal(os.Stdout) {
				pace = readable
			}
			return demo.Run(ctx, demo.Options{
				Out: os.Stdout, Frames: frames, Pace: pace, Lang: lang, Colour: colours(os.Stdout), Dir: dir,
				Runtime: process.Command(self, "serve", "--agent", "demo", "--store", "memory"),
			})
		},
	}
	c.Flags().BoolVar(&frames, "frames", false, "show every line of the wire too")
	langFlag(c, &lang)
	return c
}
