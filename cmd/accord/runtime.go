// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"errors"

	"github.com/accordkit/accord/cmd/internal/call"
	"github.com/accordkit/accord/cmd/internal/serve"
)

// The commands that need a runtime or a client. With the build tag generator
// the command is built without them, so that gen and check work while the
// runtime does not compile: after a method was added, say.
func init() {
	commands = append(commands, replayCommand, replayPeerCommand, serveCommand, callCommand, demoCommand, logCommand)
}

// ended is how a command that runs something ends.
func ended(code int, err error) error {
	switch {
	case errors.Is(err, serve.ErrUsage), errors.Is(err, call.ErrUsage):
		return wrongUse{err}
	case err == nil && code != 0:
		return exit(code)
	}
	return err
}
