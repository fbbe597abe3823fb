// SPDX-License-Identifier: Apache-2.0

// Command accord-dsh takes the place of dsh: official DSH clients of either
// generation start it as they start dsh, and it serves the same wire on
// standard input and output.
//
//	accord-dsh --profile NAME [--patch FILE]…   with DSH_HOME
//	accord-dsh                                  with DSH_SESSION_ROOT
//
// Sessions are kept in that folder, as dsh keeps them: an official runtime opens them,
// and they outlive the process. Exit codes are 0
// after a shutdown, the end of input or SIGTERM, 130 after an interrupt, and 2
// if it was started wrongly.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/accordkit/accord/cmd/internal/interrupt"
	"github.com/accordkit/accord/cmd/internal/serve"
	"github.com/accordkit/accord/runtime/harness/log"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	dir, err := os.Getwd()
	if err != nil {
		return say(2, err)
	}
	l, err := parse(args, os.Getenv, dir)
	if err != nil {
		return say(2, err)
	}
	// Clients append stderr to their errors' texts: nothing else is said.
	for _, p := range l.patches {
		fmt.Fprintf(os.Stderr, "accord-dsh: --patch %s is not read: there is nothing here to patch\n", p)
	}
	ctx, stop := interrupt.Watch(context.Background())
	defer stop()
	encoding := log.Zstd
	if l.profile == "sdk-minimal" {
		encoding = log.Raw // as that profile of dsh does
	}
	code, err := serve.Run(ctx, serve.Options{
		Agent: "demo", Store: l.state, Encoding: encoding, Durability: "strict", Listen: "stdio", Deltas: "always", Hold: true, Stderr: os.Stderr,
	})
	if err != nil {
		return say(code, err)
	}
	return code
}

func say(code int, err error) int {
	fmt.Fprintln(os.Stderr, "accord-dsh:", err)
	return code
}
