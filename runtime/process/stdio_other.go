// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package process

import (
	"io"
	"os"
)

// moveStdout moves the variable alone: what writes to the descriptor itself
// still gets between frames.
func moveStdout() (io.WriteCloser, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}

// Stdin returns standard input as a reader whose Close releases a Read that hangs.
// It may be called once.
func Stdin() io.ReadCloser { return pump(os.Stdin) }
