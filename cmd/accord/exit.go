package main

import (
	"errors"
	"fmt"

	"github.com/accordkit/accord/cmd/internal/call"
	"github.com/accordkit/accord/cmd/internal/serve"
)

// exit is an exit code that a command asks for without a word.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

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
